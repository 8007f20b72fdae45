"""What the tools take and give.  Fields that say nothing are left out of an answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

FEWEST_TOKENS, MOST_TOKENS = 200, 20_000


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Tokens = Annotated[
    int, Field(ge=FEWEST_TOKENS, le=MOST_TOKENS, description="how long the answer may be")
]
_Type = Annotated[str, Field(max_length=20_000, description="a TypeScript type")]


class SearchQuestion(_Question):
    query: str = Field(max_length=20_000, description="signature, words, facets, or a mix")
    limit: int = Field(default=10, ge=1, le=50, description="how many hits")
    max_tokens: _Tokens = 2_000


class ReadQuestion(_Question):
    id: str = Field(
        max_length=2_000, description="as search gives it, or an end that means no other"
    )
    depth: int = Field(
        default=1, ge=0, le=10, description="how far to follow what its types refer to"
    )
    max_tokens: _Tokens = 4_000


class RelateQuestion(_Question):
    source: _Type
    target: _Type
    declarations: str = Field(
        default="", max_length=200_000, description="TypeScript that declares their names"
    )
    max_tokens: _Tokens = 1_000


class MatchQuestion(_Question):
    document: str = Field(
        max_length=500_000,
        description="TypeScript with the interfaces that are needed, or an OpenAPI document",
    )
    language: Literal["typescript", "openapi"] = "typescript"
    limit: int = Field(default=3, ge=1, le=20, description="implementations of each interface")
    max_tokens: _Tokens = 4_000


class PackagesQuestion(_Question):
    name: str = Field(
        default="", max_length=300, description="only those with this in their name; * is anything"
    )
    max_tokens: _Tokens = 2_000


class _Bounded(_Answer):
    truncated: bool = Field(description="something was left out to keep to max_tokens")


class FoundHit(_Answer):
    id: str
    signature: str
    at: str = Field(description="file:line")
    imported: str = Field(
        default="", serialization_alias="import", description="how one imports it"
    )
    http: str = ""
    why: str = Field(default="", description="why it fits, and what it lacks")
    doc: str = ""
    serves: str = Field(
        default="", serialization_alias="for", description="the part of the request it serves"
    )


class SearchAnswer(_Bounded):
    read_as: str = Field(description="how the query was understood")
    total: int = Field(description="how many there are")
    at_least: bool = Field(default=False, description="there may be more than total")
    relaxed: list[str] = Field(default=[], description="what was given up to find enough")
    notices: list[str] = []
    hits: list[FoundHit] = Field(default=[], description="best first")


class Referred(_Answer):
    id: str
    at: str = ""
    text: str


class ReadAnswer(_Bounded):
    id: str
    kind: str
    package: str
    at: str
    imported: str = Field(default="", serialization_alias="import")
    http: str = ""
    deprecated: bool = False
    declaration: str = Field(description="TypeScript: all overloads, or all members")
    doc: str = ""
    solves: str = Field(default="", description="what problems it solves, as a model said")
    arguments: list[str] = Field(default=[], description="of an operation: where each goes")
    responses: list[str] = Field(default=[], description="of an operation: status, type, meaning")
    refers_to: list[Referred] = Field(default=[], description="breadth first")
    missing: list[str] = Field(default=[], description="names that nothing in the index declares")
    more: int = Field(default=0, description="declarations that were left out")


class RelateAnswer(_Bounded):
    verdict: Literal["assignable", "not-assignable", "undecided"]
    reason: str = ""
    cost: float | None = None


class Implementation(_Answer):
    id: str
    kind: str
    at: str = ""
    share: float = Field(description="of what is needed, from 0 to 1")
    cost: float
    covered: list[str] = Field(default=[], description="method <- member: why")
    missing: list[str] = []


class NeededInterface(_Answer):
    name: str
    methods: int
    found: list[Implementation] = []
    nearest: float = Field(default=0.0, description="the share of the best where none is claimed")


class MatchAnswer(_Bounded):
    needed: list[NeededInterface]


class IndexedPackage(_Answer):
    name: str
    version: str = ""
    entries: int


class PackagesAnswer(_Bounded):
    total: int
    entries: int
    kinds: dict[str, int]
    packages: list[IndexedPackage] = Field(default=[], description="largest first")
