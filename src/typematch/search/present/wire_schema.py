"""The types of JSON documents: what HTTP answers, and ``adapt``, ``entries`` and ``index`` print.

The other commands print documents of HTTP, or documents without a type here.  Compositions are in
``composition_schema``.

A key that is added keeps the version of its format; a key that is renamed or removed, or changes
its meaning, raises it.  Text beside a type in ``Annotated`` is the key's description in OpenAPI.
Costs are in edit units.  The module imports neither pydantic nor the index.
"""

# ruff: noqa: UP013 - the tuples below are tables, not classes
from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

from typematch.query.chips import ChipKind
from typematch.search.present.doc_reader import BlockKind, SpanKind
from typematch.search.score.alignment import Mark

FacetCounts: TypeAlias = dict[str, dict[str, int]]  # facet -> value -> entries


# Encoded from tuples, by position.
TypeParameterDocument = TypedDict(
    "TypeParameterDocument", {"name": str, "constraint": str, "default": str}
)
ArgumentDocument = TypedDict("ArgumentDocument", {"in": str, "name": str})
ResponseDocument = TypedDict("ResponseDocument", {"status": str, "description": str, "type": str})
MissingNameDocument = TypedDict("MissingNameDocument", {"name": str, "referenced_by": str})
PathReasonDocument = TypedDict("PathReasonDocument", {"path": str, "reason": str, "count": int})
FileReasonDocument = TypedDict("FileReasonDocument", {"file": str, "reason": str})
UnresolvedImportDocument = TypedDict("UnresolvedImportDocument", {"specifier": str, "files": int})
PackageCountDocument = TypedDict(
    "PackageCountDocument", {"name": str, "version": str, "files": int, "entries": int}
)
TokenCountDocument = TypedDict("TokenCountDocument", {"file": str, "tokens": int, "indexed": int})
RemovedTextDocument = TypedDict(
    "RemovedTextDocument", {"kind": str, "times": int, "characters": int}
)
SkippedFilesDocument = TypedDict("SkippedFilesDocument", {"reason": str, "files": int})


class ProblemDocument(TypedDict):
    format: Literal["typematch.error/2"]
    type: Literal["about:blank"]
    title: Annotated[str, "the name of the status"]
    status: int
    detail: Annotated[str, "what is wrong; for a syntax error with a caret below the place"]
    where: Annotated[str, "the parameter, document or id that is wrong; may be empty"]
    hint: Annotated[str, "how to correct it"]
    column: Annotated[int | None, "offset of a syntax error in the query, from 0"]
    suggestion: Annotated[str, "a valid query to use instead; empty if there is none"]


class ParameterDocument(TypedDict):
    name: str
    type: str
    optional: bool
    rest: bool


class SignatureDocument(TypedDict):
    text: str
    parameters: list[ParameterDocument]
    returns: str
    min_arity: int
    max_arity: Annotated[int | None, "null with a rest parameter"]
    type_parameters: list[TypeParameterDocument]
    this: str
    predicate: str
    is_async: bool
    deprecation: Annotated[
        str | None, "why this overload is deprecated, may be empty; null if it is not"
    ]


class EndpointDocument(TypedDict):
    method: str
    path: str
    operation_id: str
    security: Annotated[list[str], "names of security schemes"]
    parameters: Annotated[list[ArgumentDocument], "one for each parameter of the signature"]
    responses: list[ResponseDocument]


class EntryDocument(TypedDict):
    id: str
    kind: str
    name: str
    qualified_name: str
    container: str
    package: str
    version: str
    path: str
    line: Annotated[int, "counted from 1"]
    signature: str
    signatures: Annotated[list[SignatureDocument], "one for each overload"]
    min_arity: int | None
    max_arity: int | None
    doc: Annotated[str, "the documentation as it was written: Markdown, HTML"]
    summary: Annotated[str, "the first sentence of doc, without markup"]
    exported: bool
    aliases: Annotated[list[str], "other qualified names under which it is exported"]
    import_statement: str
    deprecated: bool
    deprecation: Annotated[str, "why it is deprecated, and what to use instead; may be empty"]
    is_async: bool
    is_generator: bool
    static: bool
    readonly: bool
    visibility: str
    tags: list[str]
    inferred: Annotated[bool, "a type was inferred from an initializer or a function body"]
    http: Annotated[str, "method and path of an operation"]
    service: str
    source: str
    endpoint: EndpointDocument | None


class EditDocument(TypedDict):
    kind: str
    path: Annotated[str, "position in the signature of the hit"]
    cost: float
    sentence: str


class AlignmentDocument(TypedDict):
    query: Annotated[str, "path in the signature of the query; empty if there is none"]
    candidate: Annotated[str, "path in the signature of the hit; empty if there is none"]
    marks: list[Mark]
    edits: Annotated[list[int], "indices into the edits of the hit"]


class ChipDocument(TypedDict):
    kind: ChipKind
    text: str
    likely: Annotated[bool, "read from an English sentence with less than full confidence"]
    key: str
    values: list[str]
    negated: bool
    without: Annotated[str | None, "the query without this part"]
    softer: Annotated[str | None, "the query with a weaker form of this part"]


class JudgmentDocument(TypedDict):
    score: Annotated[float, "relevance from 0 to 10, by a language model"]
    why: str
    missing: str


class StageDocument(TypedDict):
    stage: str
    model: str
    skipped: Annotated[str, "why the stage did nothing; empty if it ran"]
    requests: int
    cached: int
    tokens_in: int
    tokens_out: int
    dollars: float


class HoleDocument(TypedDict):
    name: str
    type: str


class AdapterDocument(TypedDict):
    code: Annotated[str, "an expression of the type; names of holes and imports are free in it"]
    type: Annotated[str, "the type of the query, or what the edits make of it"]
    type_parameters: Annotated[str, "of type and holes, such as <T>; empty without holes"]
    imports: Annotated[list[str], "import statements"]
    holes: Annotated[list[HoleDocument], "values that have to be supplied"]
    notes: Annotated[list[str], "how the type differs from the query"]
    undeclared: Annotated[list[str], "names that cannot be imported"]
    snippet: Annotated[str, "a module: the imports, and a constant with the expression"]


class HitDocument(TypedDict):
    entry: EntryDocument
    score: Annotated[float, "orders the hits of one answer; not comparable between answers"]
    cost: Annotated[float | None, "sum of the costs of the edits; null if that is not known"]
    edits: list[EditDocument]
    channels: Annotated[dict[str, int], "rank in each channel, counted from 1"]
    overload: Annotated[int | None, "index of the matching signature"]
    undecided: Annotated[str, "why it was not decided whether the types fit; else empty"]
    snippet: str
    clause: Annotated[str, "the part of a multi-part request that this hit answers"]
    provides_for: Annotated[str, "id of an operation that takes the result of this one"]
    more: Annotated[int, "entries left out that differ only in where they are declared"]
    alignment: list[AlignmentDocument]
    types: Annotated[dict[str, str], "ids of the entries that declare the types it names"]
    judgment: JudgmentDocument | None
    adapter: Annotated[AdapterDocument | None, "how to call the hit; null if that is not known"]


class AdaptDocument(TypedDict):
    format: Literal["typematch.adapter/1"]
    query: str
    id: str
    cost: Annotated[float | None, "null if the entry does not fit"]
    edits: list[EditDocument]
    adapter: AdapterDocument | None


class SearchDocument(TypedDict):
    format: Literal["typematch.search/1"]
    query: str
    read_as: Annotated[str, "the query as it was understood, in query syntax"]
    relaxed: Annotated[list[str], "how the query was relaxed to find enough hits"]
    left_out: Annotated[list[str], "facets and the name that were dropped, in query syntax"]
    notices: list[str]
    total: int
    at_least: Annotated[bool, "there may be more hits than total"]
    undecided: Annotated[int, "candidates for which matching was given up"]
    clauses: list[str]
    services: Annotated[list[str], "titles of the best services, best first"]
    parts: list[ChipDocument]
    query_signature: Annotated[SignatureDocument | None, "the signature hits are compared with"]
    facets: FacetCounts | None
    stages: list[StageDocument]
    hits: Annotated[list[HitDocument], "best first"]


class EnrichmentDocument(TypedDict):
    summary: str
    questions: list[str]
    interface: str


class ReferencedDeclarationDocument(TypedDict):
    id: str
    name: str
    kind: str
    package: str
    path: str
    line: int
    referenced_by: Annotated[str, "id of the entry that refers to it first"]
    depth: int
    text: str
    tokens: int


class ReferenceGraphDocument(TypedDict):
    depth: int | None
    tokens: int
    max_tokens: int | None
    omitted: Annotated[int, "declarations within depth that exceed max_tokens"]
    beyond_depth: Annotated[int, "declarations one step beyond depth"]
    declarations: Annotated[list[ReferencedDeclarationDocument], "breadth first"]
    missing: Annotated[list[MissingNameDocument], "names without a declaration in the database"]
    cycles: list[list[str]]
    standard: Annotated[list[str], "names declared by the language itself"]


class ReferencesDocument(ReferenceGraphDocument):
    format: Literal["typematch.references/1"]
    id: str


class DocSpanDocument(TypedDict):
    kind: SpanKind
    text: str
    target: Annotated[str, "web address of a link, name that a reference means; else empty"]


class DocBlockDocument(TypedDict):
    kind: BlockKind
    spans: list[DocSpanDocument]
    depth: Annotated[int, "number of lists around; 1 for the items of an outer list"]
    marker: Annotated[str, "of an item: - or its number"]


class DocTagDocument(TypedDict):
    tag: str
    name: Annotated[str, "the parameter that param documents; else empty"]
    blocks: list[DocBlockDocument]


class ShowDocument(TypedDict):
    format: Literal["typematch.entry/1"]
    entry: EntryDocument
    declaration: Annotated[str, "TypeScript"]
    types: Annotated[dict[str, str], "ids of the entries that declare the types it names"]
    doc_blocks: Annotated[list[DocBlockDocument], "doc without images and HTML"]
    doc_tags: Annotated[list[DocTagDocument], "the tags of JSDoc, with param, returns and example"]
    doc_links: Annotated[dict[str, str], "ids of the entries that the documentation names, by name"]
    enrichment: Annotated[EnrichmentDocument | None, "texts written by a language model"]


class EntriesDocument(TypedDict):
    format: Literal["typematch.entries/1"]
    total: int
    entries: list[EntryDocument]


class FacetsDocument(TypedDict):
    format: Literal["typematch.facets/1"]
    query: str
    facets: FacetCounts


class CompletionsDocument(TypedDict):
    format: Literal["typematch.completions/1"]
    query: str
    completions: Annotated[list[str], "the query with its end completed"]


class RelateDocument(TypedDict):
    format: Literal["typematch.relate/1"]
    source: str
    target: str
    verdict: Literal["assignable", "not-assignable", "undecided"]
    reason: str
    cost: float | None


class MethodMatchDocument(TypedDict):
    method: str
    member: str
    id: str
    cost: float
    edits: list[EditDocument]


class MissingMethodDocument(TypedDict):
    method: str
    reason: str


class ImplementationDocument(TypedDict):
    id: str
    kind: str
    path: str
    line: int
    share: Annotated[float, "weighted share of the interface that is covered, from 0 to 1"]
    cost: float
    covered: list[MethodMatchDocument]
    missing: list[MissingMethodDocument]


class InterfaceDocument(TypedDict):
    name: str
    methods: list[str]
    fields: list[str]
    compared: Annotated[int, "containers that were compared method by method"]
    best_share: Annotated[float, "the largest share that is too small to be listed"]
    implementations: Annotated[list[ImplementationDocument], "best first"]


class MatchDocument(TypedDict):
    format: Literal["typematch.match/1"]
    document: str
    interfaces: list[InterfaceDocument]


class IndexDocument(TypedDict):
    format: Literal["typematch.index/1"]
    entries: int
    files: int
    packages: int
    unchanged: int
    removed: int
    with_errors: int
    skipped: list[PathReasonDocument]
    failed: list[FileReasonDocument]
    unresolved: list[UnresolvedImportDocument]
    problems: list[FileReasonDocument]
    notices: list[str]


class VectorsDocument(TypedDict):
    model: str
    texts: int
    pending: Annotated[int, "texts without a vector"]
    scored_by: str


class StatsDocument(TypedDict):
    format: Literal["typematch.stats/1"]
    packages: list[PackageCountDocument]
    files: int
    files_with_errors: int
    entries: int
    kinds: dict[str, int]
    signatures: int
    types: int
    declarations: int
    irreducible: int
    bytes: int
    vectors: VectorsDocument
    enriched: Annotated[int, "entries with texts written by a language model"]
    documents: list[TokenCountDocument]
    removed: list[RemovedTextDocument]
    unresolved: list[UnresolvedImportDocument]
    skipped: list[SkippedFilesDocument]
