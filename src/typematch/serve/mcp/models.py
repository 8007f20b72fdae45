"""Arguments and answers of the tools.  Keys with default values are left out of an answer."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from typematch.query.read_as import facet_text
from typematch.query.split import facet_values
from typematch.serve.http.models import STRICT, RelateBody

MIN_TOKENS, MAX_TOKENS = 200, 20_000

_MaxTokens: TypeAlias = Annotated[
    int, Field(ge=MIN_TOKENS, le=MAX_TOKENS, description="length limit of the answer, in tokens")
]


class _Model(BaseModel):
    model_config = STRICT


class SearchArguments(_Model):
    query: str = Field(
        default="", max_length=20_000, description="signature, words, facets, or a mix"
    )
    facets: dict[str, str] = Field(
        default={}, max_length=20, description='facets of the query: {"kind": "method"}'
    )
    package: str = Field(default="", max_length=300, description="search in this package only")
    page: int = Field(default=1, ge=1, le=20, description="1 for the best hits")
    limit: int = Field(default=10, ge=1, le=50, description="number of hits")
    max_tokens: _MaxTokens = 2_000

    def full_query(self) -> str:
        """Return the query with the facets and the package."""
        facets = [facet_text(key, facet_values(key, text)) for key, text in self.facets.items()]
        scope = [facet_text("pkg", [self.package])] if self.package else []
        return "  ".join(part for part in (self.query, *facets, *scope) if part)


class ReadArguments(_Model):
    ids: list[Annotated[str, Field(max_length=2_000)]] = Field(
        min_length=1, max_length=10, description="ids of entries, or unambiguous endings of them"
    )
    depth: int = Field(
        default=1, ge=0, le=10, description="number of steps to follow references to types"
    )
    query: str = Field(
        default="",
        max_length=20_000,
        description="a signature: also answer the code that calls the entry with this type",
    )
    max_tokens: _MaxTokens = 4_000


class ProducersArguments(_Model):
    type: str = Field(max_length=2_000, description="a TypeScript type, such as Playlist")
    package: str = Field(default="", max_length=300, description="search in this package only")
    limit: int = Field(default=5, ge=1, le=20, description="number of hits of each kind")
    max_tokens: _MaxTokens = 2_000


class RelateArguments(RelateBody):
    max_tokens: _MaxTokens = 1_000


class ComposeArguments(_Model):
    query: str = Field(
        max_length=20_000, description="a signature, and facets such as pkg:NAME for all calls"
    )
    depth: int = Field(default=3, ge=2, le=3, description="the most calls of a pipeline")
    limit: int = Field(default=3, ge=1, le=10, description="number of pipelines")
    max_tokens: _MaxTokens = 2_000


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
    kind: str
    signature: str
    at: str = Field(description="file:line")
    import_: str = Field(default="", serialization_alias="import", description="import statement")
    http: str = ""
    receiver: str = Field(default="", description="of a member: how to get what it is called on")
    score: float = Field(description="from 0 to 1, within this answer")
    weak: bool = Field(
        default=False, description="far from the query: read it before you rely on it"
    )
    deprecated: str = Field(default="", description="use this instead, or yes")
    why: str = Field(default="", description="the differences between the query and this hit")
    doc: str = ""
    for_: str = Field(
        default="", serialization_alias="for", description="the part of the request it answers"
    )


class SearchAnswer(_Answer):
    read_as: str = Field(default="", description="the query as it was understood")
    total: int = Field(description="number of hits in the database")
    at_least: bool = Field(default=False, description="there may be more hits than total")
    relaxed: list[str] = Field(default=[], description="how the query was relaxed")
    notices: list[str] = []
    hits: list[SearchHit] = Field(default=[], description="best first")


class DeclarationAnswer(_Model):
    id: str
    at: str = ""
    text: str


class EntryAnswer(_Model):
    id: str
    kind: str
    package: str = ""
    at: str = ""
    import_: str = Field(default="", serialization_alias="import")
    http: str = ""
    receiver: str = Field(default="", description="of a member: how to get what it is called on")
    deprecated: str = Field(default="", description="use this instead, or yes")
    declaration: str = Field(default="", description="TypeScript: all overloads, or all members")
    code: str = Field(
        default="", description="a module that calls it with the type of the query, if it fits"
    )
    doc: str = ""
    see: list[str] = Field(default=[], description="ids that doc names")
    solves: str = Field(default="", description="the problems it solves, by a language model")
    arguments: list[str] = Field(default=[], description="of an operation: where each is sent")
    responses: list[str] = Field(default=[], description="of an operation: status, type, meaning")
    refers_to: list[DeclarationAnswer] = Field(default=[], description="breadth first")
    missing: list[str] = Field(default=[], description="names without a declaration in the index")
    omitted: int = Field(default=0, description="number of declarations left out")


class ReadAnswer(_Answer):
    entries: list[EntryAnswer] = Field(description="in the order of the ids")
    errors: list[str] = Field(default=[], description="ids that were not found, or are ambiguous")


class ProducersAnswer(_Answer):
    producers: list[SearchHit] = Field(default=[], description="they return the type")
    consumers: list[SearchHit] = Field(default=[], description="they take the type")
    notices: list[str] = []


class RelateAnswer(_Answer):
    verdict: Literal["assignable", "not-assignable", "undecided"]
    reason: str = ""
    cost: float | None = None


class PipelineAnswer(_Model):
    cost: float
    unchecked: bool = Field(
        default=False, description="the last call returns any: the type is taken for granted"
    )
    steps: list[str] = Field(description="each call: its id and its arguments")
    code: str = Field(description="a module with a function of the type of the query")


class ComposeAnswer(_Answer):
    pipelines: list[PipelineAnswer] = Field(default=[], description="cheapest first")
    exhausted: bool = Field(
        default=False, description="the search ended at its limit of work: there may be more"
    )
    notices: list[str] = []


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
