"""The wire format of ``search.documents`` as models: what the server's description is made from.

Every field of a document is here and none besides, which a test holds.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from typematch.query.chips import PartSort
from typematch.search.score.alignment import Mark


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(_Model):
    format: Literal["typematch.error/1"]
    what: str
    where: str
    hint: str = Field(description="how to mend it")


class Parameter(_Model):
    name: str
    type: str
    optional: bool
    rest: bool


class TypeParameter(_Model):
    name: str
    constraint: str
    default: str


class Signature(_Model):
    text: str
    parameters: list[Parameter]
    returns: str
    min_arity: int
    max_arity: int | None
    type_parameters: list[TypeParameter]
    this: str
    predicate: str
    is_async: bool


class Place(_Model):
    in_: str = Field(alias="in")
    name: str


class Response(_Model):
    status: str
    description: str
    type: str


class Endpoint(_Model):
    method: str
    path: str
    operation_id: str
    security: list[str]
    places: list[Place]
    responses: list[Response]


class Entry(_Model):
    id: str
    kind: str
    name: str
    qualified_name: str
    container: str
    package: str
    version: str
    path: str
    line: int
    signature: str
    signatures: list[Signature]
    min_arity: int | None
    max_arity: int | None
    doc: str
    summary: str
    exported: bool
    aliases: list[str]
    import_statement: str
    deprecated: bool
    is_async: bool
    is_generator: bool
    static: bool
    readonly: bool
    visibility: str
    tags: list[str]
    inferred: bool
    http: str
    service: str
    source: str
    endpoint: Endpoint | None


class Edit(_Model):
    kind: str
    path: str
    price: float
    sentence: str


class Line(_Model):
    asked: str = Field(description="a place of the query's signature; empty for none")
    found: str = Field(description="a place of the found signature; empty for none")
    marks: list[Mark]
    edits: list[int]


class QueryChipModel(_Model):
    sort: PartSort
    text: str
    likely: bool
    key: str
    values: list[str]
    negated: bool
    without: str | None = Field(description="the query without it")
    softer: str | None = Field(description="the query with less of it")


class Judged(_Model):
    score: float = Field(description="what a model gave, from 0 to 10")
    why: str
    missing: str


class Stage(_Model):
    stage: str
    model: str
    skipped: str = Field(description="why a model was not asked, or gave nothing")
    requests: int
    kept: int
    tokens_in: int
    tokens_out: int
    dollars: float


class Hit(_Model):
    entry: Entry
    score: float
    cost: float | None
    edits: list[Edit]
    channels: dict[str, int]
    overload: int | None
    undecided: str
    snippet: str
    clause: str
    supplies: str
    lines: list[Line]
    judged: Judged | None


class SearchAnswer(_Model):
    format: Literal["typematch.search/1"]
    query: str
    read_as: str
    relaxed: list[str]
    notices: list[str]
    total: int
    at_least: bool
    undecided: int
    clauses: list[str]
    services: list[str]
    parts: list[QueryChipModel]
    asked: Signature | None
    facets: dict[str, dict[str, int]] | None
    stages: list[Stage]
    hits: list[Hit]


class EnrichmentModel(_Model):
    summary: str
    questions: list[str]
    interface: str


class EntryAnswer(_Model):
    format: Literal["typematch.entry/1"]
    entry: Entry
    declaration: str
    told: EnrichmentModel | None = Field(description="what a model said of it, if one was asked")


class Reference(_Model):
    id: str
    name: str
    kind: str
    package: str
    path: str
    line: int
    by: str = Field(description="the name of what refers to it")
    depth: int
    text: str
    tokens: int


class MissingName(_Model):
    name: str
    by: str


class ReferencesAnswer(_Model):
    format: Literal["typematch.references/1"]
    id: str
    depth: int | None
    tokens: int
    max_tokens: int | None
    left_out: int
    deeper: int
    found: list[Reference]
    missing: list[MissingName]
    cycles: list[list[str]]
    standard: list[str]


class FacetsAnswer(_Model):
    format: Literal["typematch.facets/1"]
    query: str
    facets: dict[str, dict[str, int]]


class RelateQuestion(_Model):
    source: str = Field(max_length=20_000, description="a TypeScript type")
    target: str = Field(max_length=20_000, description="a TypeScript type")
    declarations: str = Field(
        default="", max_length=200_000, description="TypeScript that declares their names"
    )


class RelateAnswer(_Model):
    format: Literal["typematch.relate/1"]
    source: str
    target: str
    verdict: Literal["assignable", "not-assignable", "undecided"]
    reason: str
    cost: float | None


class Covered(_Model):
    method: str
    member: str
    id: str
    cost: float
    edits: list[Edit]


class MissingMethod(_Model):
    method: str
    reason: str


class Implementation(_Model):
    id: str
    kind: str
    path: str
    line: int
    share: float
    cost: float
    covered: list[Covered]
    missing: list[MissingMethod]


class Needed(_Model):
    name: str
    methods: list[str]
    fields: list[str]
    looked_at: int
    nearest: float
    found: list[Implementation]


class MatchAnswer(_Model):
    format: Literal["typematch.match/1"]
    document: str
    needed: list[Needed]


class PackageCount(_Model):
    name: str
    version: str
    files: int
    entries: int


class Vectors(_Model):
    model: str
    texts: int
    waiting: int
    scored_by: str


class DocumentCount(_Model):
    file: str
    tokens: int
    indexed: int


class RemovedCount(_Model):
    sort: str
    times: int
    characters: int


class UnresolvedCount(_Model):
    specifier: str
    files: int


class SkippedCount(_Model):
    reason: str
    files: int


class StatsAnswer(_Model):
    format: Literal["typematch.stats/1"]
    packages: list[PackageCount]
    files: int
    files_with_errors: int
    entries: int
    kinds: dict[str, int]
    signatures: int
    types: int
    declarations: int
    irreducible: int
    bytes: int
    vectors: Vectors
    enriched: int = Field(description="entries of which a model has said something")
    documents: list[DocumentCount]
    removed: list[RemovedCount]
    unresolved: list[UnresolvedCount]
    skipped: list[SkippedCount]
