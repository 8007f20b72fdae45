"""Encode results as the JSON documents of ``wire_schema``.

A key is read from the attribute of the same name, and a tuple is read by position; ``_COMPUTED``
lists the keys that are read in another way.  Numbers are rounded to six decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin, get_type_hints, is_typeddict

from typematch.adapt.snippet import snippet
from typematch.ir.entry import Entry
from typematch.match.verdict import Fit, Undecided, Verdict
from typematch.search.llm_protocols import StageReport
from typematch.search.present import wire_schema as schema
from typematch.search.present.composition_schema import ComposeDocument, StepDocument
from typematch.search.present.doc_markup import doc_tags, doc_text, plain_line, summary_line
from typematch.search.present.doc_reader import doc_blocks
from typematch.search.results import Hit, SearchResult

if TYPE_CHECKING:
    from typematch.index.store import Stats
    from typematch.index.text.text_fields import Enrichment
    from typematch.search.present.references import References
    from typematch.search.retrieve.implementations import InterfaceMatches

Document: TypeAlias = dict[str, Any]
Getter: TypeAlias = Callable[[Any], Any]

_COMPUTED: Mapping[Any, Mapping[str, Getter]] = {
    schema.EntryDocument: {
        "doc": lambda entry: entry.doc.text if entry.doc else "",
        "summary": lambda entry: summary_line(entry.doc),
        "deprecation": lambda entry: plain_line((entry.doc and entry.doc.deprecated) or ""),
    },
    schema.SignatureDocument: {
        "deprecation": lambda signature: (
            None if signature.deprecation is None else plain_line(signature.deprecation)
        ),
    },
    schema.EndpointDocument: {
        "responses": lambda endpoint: [
            (status, plain_line(description), type_text)
            for status, description, type_text in endpoint.responses
        ],
    },
    schema.AdapterDocument: {"snippet": snippet},
    StepDocument: {"id": attrgetter("entry.id")},
    schema.EditDocument: {"kind": attrgetter("kind.name")},
    schema.InterfaceDocument: {
        "name": attrgetter("required.name"),
        "methods": lambda matches: [method.text for method in matches.required.methods],
        "fields": attrgetter("required.fields"),
    },
    schema.VectorsDocument: {"pending": attrgetter("texts_without_vector")},
    schema.StatsDocument: {
        "packages": attrgetter("package_counts"),
        "bytes": attrgetter("size_bytes"),
        "vectors": lambda stats: stats,
    },
}


def encode(document_type: Any, value: Any) -> Document:
    """Return ``value`` as plain data of ``document_type``, a class of ``wire_schema``.

    Raises:
        AttributeError: the value has no attribute for a key.
    """
    document: Document = _encoder(document_type)(value)
    return document


@cache
def _encoder(hint: Any) -> Getter:
    if is_typeddict(hint):
        return _object_encoder(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        item = _encoder(arguments[0])
        return lambda values: [item(value) for value in values]
    if origin is dict:
        item = _encoder(arguments[1])
        return lambda values: {key: item(value) for key, value in values.items()}
    if origin is UnionType:
        [present] = [_encoder(member) for member in arguments if member is not NoneType]
        return lambda value: None if value is None else present(value)
    return (lambda value: round(value, 6)) if hint is float else (lambda value: value)


def _object_encoder(document_type: Any) -> Getter:
    hints = get_type_hints(document_type)
    name = get_args(hints.pop("format", None))  # a literal type
    constant = {"format": name[0]} if name else {}
    getters = {key: attrgetter(key) for key in hints} | dict(_COMPUTED.get(document_type, {}))
    fields = [(key, getters[key], _encoder(hint)) for key, hint in hints.items()]

    def encoded(value: Any) -> Document:
        if isinstance(value, tuple):
            return dict(zip(hints, value, strict=True))
        return constant | {key: convert(get(value)) for key, get, convert in fields}

    return encoded


def search_document(result: SearchResult) -> Document:
    return encode(schema.SearchDocument, result)


def entry_document(entry: Entry) -> Document:
    return encode(schema.EntryDocument, entry)


def adapt_document(query: str, id_: str, hit: Hit | None) -> schema.AdaptDocument:
    """``hit``: the match of the entry ``id_`` with the query; None if it does not fit."""
    edits = () if hit is None else hit.edits
    return {
        "format": "typematch.adapter/1",
        "query": query,
        "id": id_,
        "cost": None if hit is None else hit.cost,
        "edits": _encoder(list[schema.EditDocument])(edits),
        "adapter": _encoder(schema.AdapterDocument | None)(None if hit is None else hit.adapter),
    }


def compose_document(composition: object) -> Document:
    """``composition``: a ``compose.model.Composition``."""
    return encode(ComposeDocument, composition)


def stage_document(report: StageReport) -> Document:
    return encode(schema.StageDocument, report)


def show_document(
    entry: Entry,
    declaration: str,
    enrichment: Enrichment,
    doc_links: Mapping[str, str],
    types: Mapping[str, str],
    references: References | None = None,
    adapted: schema.AdaptDocument | None = None,
) -> Document:
    """Return an entry; the keys ``references`` and ``adapted`` are absent if they are None.

    Args:
        declaration: TypeScript.
        doc_links: ids of the entries that the documentation names, by name.
        types: the names of types in it -> ids of the entries that declare them.
    """
    texts = encode(schema.EnrichmentDocument, enrichment) if enrichment.texts() else None
    document: Document = {
        "format": "typematch.entry/1",
        "entry": entry_document(entry),
        "declaration": declaration,
        "types": dict(types),
        "doc_blocks": [
            encode(schema.DocBlockDocument, block) for block in doc_blocks(doc_text(entry.doc))
        ],
        "doc_tags": [encode(schema.DocTagDocument, tag) for tag in doc_tags(entry.doc)],
        "doc_links": dict(doc_links),
        "enrichment": texts,
    }
    if references is not None:
        document["references"] = encode(schema.ReferenceGraphDocument, references)
    if adapted is not None:
        document["adapted"] = adapted
    return document


def references_document(id_: str, references: References) -> Document:
    graph = encode(schema.ReferenceGraphDocument, references)
    return {"format": "typematch.references/1", "id": id_, **graph}


def entries_document(entries: Sequence[Entry]) -> schema.EntriesDocument:
    documents = _encoder(list[schema.EntryDocument])(entries)
    return {"format": "typematch.entries/1", "total": len(entries), "entries": documents}


def facets_document(query: str, counts: Mapping[str, Mapping[str, int]]) -> Document:
    """``counts``: facet -> value -> number of entries."""
    facets = {facet: dict(values) for facet, values in counts.items()}
    return {"format": "typematch.facets/1", "query": query, "facets": facets}


def completions_document(query: str, completions: Sequence[str]) -> Document:
    return {
        "format": "typematch.completions/1",
        "query": query,
        "completions": list(completions),
    }


def index_document(report: object) -> Document:
    """``report``: an ``ingest.IndexReport``."""
    return encode(schema.IndexDocument, report)


def stats_document(stats: Stats) -> Document:
    return encode(schema.StatsDocument, stats)


def removal_document(package: str, removed: int) -> Document:
    """``removed``: number of entries."""
    return {"format": "typematch.removal/1", "package": package, "removed": removed}


def export_document(path: str, size_bytes: int) -> Document:
    return {"format": "typematch.export/1", "path": path, "bytes": size_bytes}


def doctor_document(version: str, checks: Sequence[Mapping[str, str]]) -> Document:
    return {"format": "typematch.doctor/1", "version": version, "checks": list(checks)}


def match_document(document_name: str, matches: Sequence[InterfaceMatches]) -> Document:
    """``document_name``: the file that declares the required interfaces."""
    interfaces = [encode(schema.InterfaceDocument, match) for match in matches]
    return {"format": "typematch.match/1", "document": document_name, "interfaces": interfaces}


def relate_document(source: str, target: str, verdict: Verdict) -> Document:
    """Return the verdict (assignable, not-assignable or undecided) with its reason."""
    cost: float | None = None
    if isinstance(verdict, Fit):
        name, reason, cost = "assignable", "", verdict.cost
    elif isinstance(verdict, Undecided):
        name, reason = "undecided", verdict.reason
    else:
        name, reason = "not-assignable", f"{verdict.path}: {verdict.reason}"
    return {
        "format": "typematch.relate/1",
        "source": source,
        "target": target,
        "verdict": name,
        "reason": reason,
        "cost": cost,
    }
