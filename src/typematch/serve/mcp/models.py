"""Arguments and answers of the tools.  Keys with default values are left out of an answer."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from typematch.serve.http.models import STRICT, RelateBody

MIN_TOKENS, MAX_TOKENS = 200, 20_000

_MaxTokens: TypeAlias = Annotated[
    int, Field(ge=MIN_TOKENS, le=MAX_TOKENS, description="length limit of the answer, in tokens")
]


class _Model(BaseModel):
    model_config = STRICT


class SearchArguments(_Model):
    query: str = Field(max_length=20_000, description="signature, words, facets, or a mix")
    limit: int = Field(default=10, ge=1, le=50, description="number of hits")
    max_tokens: _MaxTokens = 2_000


class ReadArguments(_Model):
    id: str = Field(max_length=2_000, description="id of an entry, or an unambiguous ending of one")
    depth: int = Field(
        default=1, ge=0, le=10, description="number of steps to follow references to types"
    )
    max_tokens: _MaxTokens = 4_000


class RelateArguments(RelateBody):
    max_tokens: _MaxTokens = 1_000


class MatchArguments(_Model):
    document: str = Field(
        max_length=500_000,
        description="TypeScript that declares the required interfaces, or an OpenAPI document",
    )
    language: Literal["typescript", "openapi"] = "typescript"
    limit: int = Field(default=3, ge=1, le=20, description="implementations of each interface")
    max_tokens: _MaxTokens = 4_000


class PackagesArguments(_Model):
    name: str = Field(
        default="", max_length=300, description="part of a package name; * matches any text"
    )
    max_tokens: _MaxTokens = 2_000


class _Answer(_Model):
    truncated: bool = Field(description="something was left out to keep to max_tokens")


class SearchHit(_Model):
    id: str
    signature: str
    at: str = Field(description="file:line")
    import_: str = Field(default="", serialization_alias="import", description="import statement")
    http: str = ""
    why: str = Field(default="", description="the differences between the query and this hit")
    doc: str = ""
    for_: str = Field(
        default="", serialization_alias="for", description="the part of the request it answers"
    )


class SearchAnswer(_Answer):
    read_as: str = Field(description="the query as it was understood")
    total: int = Field(description="number of hits in the database")
    at_least: bool = Field(default=False, description="there may be more hits than total")
    relaxed: list[str] = Field(default=[], description="constraints dropped to find enough hits")
    notices: list[str] = []
    hits: list[SearchHit] = Field(default=[], description="best first")


class DeclarationAnswer(_Model):
    id: str
    at: str = ""
    text: str


class ReadAnswer(_Answer):
    id: str
    kind: str
    package: str
    at: str
    import_: str = Field(default="", serialization_alias="import")
    http: str = ""
    deprecated: bool = False
    declaration: str = Field(description="TypeScript: all overloads, or all members")
    doc: str = ""
    solves: str = Field(default="", description="the problems it solves, by a language model")
    arguments: list[str] = Field(default=[], description="of an operation: where each is sent")
    responses: list[str] = Field(default=[], description="of an operation: status, type, meaning")
    refers_to: list[DeclarationAnswer] = Field(default=[], description="breadth first")
    missing: list[str] = Field(default=[], description="names without a declaration in the index")
    omitted: int = Field(default=0, description="number of declarations left out")


class RelateAnswer(_Answer):
    verdict: Literal["assignable", "not-assignable", "undecided"]
    reason: str = ""
    cost: float | None = None


class ImplementationAnswer(_Model):
    id: str
    kind: str
    at: str = ""
    share: float = Field(description="weighted share of the interface that it covers, from 0 to 1")
    cost: float
    covered: list[str] = Field(default=[], description="method <- member: differences")
    missing: list[str] = []


class InterfaceAnswer(_Model):
    name: str
    methods: int
    implementations: list[ImplementationAnswer] = []
    best_share: float = Field(
        default=0.0, description="the best share, if no implementation is listed"
    )


class MatchAnswer(_Answer):
    interfaces: list[InterfaceAnswer]


class PackageAnswer(_Model):
    name: str
    version: str = ""
    entries: int


class PackagesAnswer(_Answer):
    total: int
    entries: int
    kinds: dict[str, int]
    packages: list[PackageAnswer] = Field(default=[], description="largest first")
