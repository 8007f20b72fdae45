"""The wire format that every interface speaks.

Each answer has a function that makes a plain document of it (dicts, lists, strings, numbers), ready
for ``json.dumps``.  A document names its format and version in ``"format"``; within a version
fields are added, never renamed, removed or given another meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.module import Endpoint
from typematch.match.edit_kinds import Edit
from typematch.match.verdict import Fit, Undecided, Verdict
from typematch.query.chips import QueryChip
from typematch.search.llm_protocols import judged_document, stage_document
from typematch.search.results import Hit, SearchResult
from typematch.search.score.alignment import AlignmentEdge

if TYPE_CHECKING:
    from typematch.index.store import Stats
    from typematch.index.text.text_views import Enrichment
    from typematch.search.present.references import References
    from typematch.search.score.implementations import Implementation, InterfaceMatches

VERSION = 1

Document: TypeAlias = dict[str, Any]


def search_document(result: SearchResult) -> Document:
    return {
        "format": f"typematch.search/{VERSION}",
        "query": result.query,
        "read_as": result.read_as,
        "relaxed": list(result.relaxed),
        "notices": list(result.notices),
        "total": result.total,
        "at_least": result.at_least,
        "undecided": result.undecided,
        "clauses": list(result.clauses),
        "services": list(result.services),
        "parts": [part_document(part) for part in result.parts],
        "asked": None if result.asked is None else signature_document(result.asked),
        "facets": None if result.facets is None else _plain(result.facets),
        "stages": [stage_document(one) for one in result.stages],
        "hits": [hit_document(hit) for hit in result.hits],
    }


def hit_document(hit: Hit) -> Document:
    return {
        "entry": entry_document(hit.entry),
        "score": round(hit.score, 6),
        "cost": hit.cost,
        "edits": [edit_document(edit) for edit in hit.edits],
        "channels": dict(hit.channels),
        "overload": hit.overload,
        "undecided": hit.undecided,
        "snippet": hit.snippet,
        "clause": hit.clause,
        "supplies": hit.supplies,
        "lines": [line_document(line) for line in hit.lines],
        "judged": None if hit.judged is None else judged_document(hit.judged),
    }


def line_document(line: AlignmentEdge) -> Document:
    return {
        "asked": line.asked,
        "found": line.found,
        "marks": list(line.marks),
        "edits": list(line.edits),
    }


def part_document(part: QueryChip) -> Document:
    return {
        "sort": part.sort,
        "text": part.text,
        "likely": part.likely,
        "key": part.key,
        "values": list(part.values),
        "negated": part.negated,
        "without": part.without,
        "softer": part.softer,
    }


def edit_document(edit: Edit) -> Document:
    return {
        "kind": edit.kind.name,
        "path": edit.path,
        "price": edit.price,
        "sentence": edit.sentence,
    }


def entry_document(entry: Entry) -> Document:
    return {
        "id": entry.id,
        "kind": entry.kind,
        "name": entry.name,
        "qualified_name": entry.qualified_name,
        "container": entry.container,
        "package": entry.package,
        "version": entry.version,
        "path": entry.path,
        "line": entry.line,
        "signature": entry.signature,
        "signatures": [signature_document(signature) for signature in entry.signatures],
        "min_arity": entry.min_arity,
        "max_arity": entry.max_arity,
        "doc": entry.doc.text if entry.doc else "",
        "summary": entry.doc.summary if entry.doc else "",
        "exported": entry.exported,
        "aliases": list(entry.aliases),
        "import_statement": entry.import_statement,
        "deprecated": entry.deprecated,
        "is_async": entry.is_async,
        "is_generator": entry.is_generator,
        "static": entry.static,
        "readonly": entry.readonly,
        "visibility": entry.visibility,
        "tags": list(entry.tags),
        "inferred": entry.inferred,
        "http": entry.http,
        "service": entry.service,
        "source": entry.source,
        "endpoint": None if entry.endpoint is None else endpoint_document(entry.endpoint),
    }


def endpoint_document(endpoint: Endpoint) -> Document:
    return {
        "method": endpoint.method,
        "path": endpoint.path,
        "operation_id": endpoint.operation_id,
        "security": list(endpoint.security),
        "places": [{"in": place, "name": name} for place, name in endpoint.places],
        "responses": [
            {"status": status, "description": said, "type": text}
            for status, said, text in endpoint.responses
        ],
    }


def signature_document(signature: EntrySignature) -> Document:
    return {
        "text": signature.text,
        "parameters": [
            {"name": p.name, "type": p.type, "optional": p.optional, "rest": p.rest}
            for p in signature.parameters
        ],
        "returns": signature.returns,
        "min_arity": signature.min_arity,
        "max_arity": signature.max_arity,
        "type_parameters": [
            {"name": name, "constraint": constraint, "default": default}
            for name, constraint, default in signature.type_parameters
        ],
        "this": signature.this,
        "predicate": signature.predicate,
        "is_async": signature.is_async,
    }


def show_document(
    entry: Entry, declaration: str, told: Enrichment, references: References | None = None
) -> Document:
    """``declaration``: as TypeScript text; ``told``: what a model said of the entry."""
    document = {
        "format": f"typematch.entry/{VERSION}",
        "entry": entry_document(entry),
        "declaration": declaration,
        "told": {**asdict(told), "questions": list(told.questions)} if told.texts() else None,
    }
    if references is not None:
        document["references"] = references_document(references)
    return document


def references_document(references: References) -> Document:
    return {
        "depth": references.depth,
        "tokens": references.tokens,
        "max_tokens": references.max_tokens,
        "left_out": references.left_out,
        "deeper": references.deeper,
        "found": [asdict(one) for one in references.found],
        "missing": [{"name": name, "by": by} for name, by in references.missing],
        "cycles": [list(cycle) for cycle in references.cycles],
        "standard": list(references.standard),
    }


def entries_document(entries: Sequence[Entry]) -> Document:
    return {
        "format": f"typematch.entries/{VERSION}",
        "total": len(entries),
        "entries": [entry_document(entry) for entry in entries],
    }


def facets_document(query: str, counts: Mapping[str, Mapping[str, int]]) -> Document:
    """``counts``: facet key -> value -> how many entries."""
    return {
        "format": f"typematch.facets/{VERSION}",
        "query": query,
        "facets": _plain(counts),
    }


def _plain(counts: Mapping[str, Mapping[str, int]]) -> Document:
    return {key: dict(values) for key, values in counts.items()}


class Report(Protocol):
    """What a run of indexing says (``ingest.IndexReport``)."""

    @property
    def entries(self) -> int: ...
    @property
    def files(self) -> int: ...
    @property
    def packages(self) -> int: ...
    @property
    def unchanged(self) -> int: ...
    @property
    def removed(self) -> int: ...
    @property
    def with_errors(self) -> int: ...
    @property
    def skipped(self) -> Sequence[tuple[str, str, int]]: ...
    @property
    def failed(self) -> Sequence[tuple[str, str]]: ...
    @property
    def unresolved(self) -> Sequence[tuple[str, int]]: ...
    @property
    def problems(self) -> Sequence[tuple[str, str]]: ...
    @property
    def notices(self) -> Sequence[str]: ...


def index_document(report: Report) -> Document:
    return {
        "format": f"typematch.index/{VERSION}",
        "entries": report.entries,
        "files": report.files,
        "packages": report.packages,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "with_errors": report.with_errors,
        "skipped": [
            {"path": path, "reason": reason, "count": count}
            for path, reason, count in report.skipped
        ],
        "failed": [{"file": file, "reason": reason} for file, reason in report.failed],
        "unresolved": [
            {"specifier": specifier, "files": files} for specifier, files in report.unresolved
        ],
        "problems": [{"file": file, "problem": what} for file, what in report.problems],
        "notices": list(report.notices),
    }


def stats_document(stats: Stats) -> Document:
    return {
        "format": f"typematch.stats/{VERSION}",
        "packages": [
            {"name": name, "version": version, "files": files, "entries": entries}
            for name, version, files, entries in stats.by_package
        ],
        "files": stats.files,
        "files_with_errors": stats.files_with_errors,
        "entries": stats.entries,
        "kinds": dict(stats.kinds),
        "signatures": stats.signatures,
        "types": stats.types,
        "declarations": stats.declarations,
        "irreducible": stats.irreducible,
        "bytes": stats.size_bytes,
        "vectors": {
            "model": stats.model,
            "texts": stats.texts,
            "waiting": stats.waiting,
            "scored_by": stats.scored_by,
        },
        "enriched": stats.enriched,
        "documents": [
            {"file": file, "tokens": tokens, "indexed": indexed}
            for file, tokens, indexed in stats.documents
        ],
        "removed": [
            {"sort": sort, "times": times, "characters": characters}
            for sort, times, characters in stats.removed
        ],
        "unresolved": [
            {"specifier": specifier, "files": files} for specifier, files in stats.unresolved
        ],
        "skipped": [{"reason": reason, "files": files} for reason, files in stats.skipped],
    }


def removal_document(package: str, removed: int) -> Document:
    """``removed``: how many entries went."""
    return {"format": f"typematch.removal/{VERSION}", "package": package, "removed": removed}


def export_document(path: str, size: int) -> Document:
    """``size`` in bytes."""
    return {"format": f"typematch.export/{VERSION}", "path": path, "bytes": size}


def doctor_document(version: str, checks: Sequence[Mapping[str, str]]) -> Document:
    """``checks``: state (ok, note or bad), subject, said, hint of each."""
    return {
        "format": f"typematch.doctor/{VERSION}",
        "version": version,
        "checks": [dict(one) for one in checks],
    }


def match_document(document: str, found: Sequence[InterfaceMatches]) -> Document:
    """``document``: the file that was asked with."""
    return {
        "format": f"typematch.match/{VERSION}",
        "document": document,
        "needed": [
            {
                "name": one.needed.name,
                "methods": [method.text for method in one.needed.methods],
                "fields": list(one.needed.fields),
                "looked_at": one.looked_at,
                "nearest": round(one.nearest, 6),
                "found": [implementation_document(each) for each in one.found],
            }
            for one in found
        ],
    }


def implementation_document(one: Implementation) -> Document:
    return {
        "id": one.id,
        "kind": one.kind,
        "path": one.path,
        "line": one.line,
        "share": round(one.share, 6),
        "cost": one.cost,
        "covered": [
            {
                "method": each.method,
                "member": each.member,
                "id": each.id,
                "cost": each.cost,
                "edits": [edit_document(edit) for edit in each.edits],
            }
            for each in one.covered
        ],
        "missing": [{"method": each.method, "reason": each.reason} for each in one.missing],
    }


def relate_document(source: str, target: str, verdict: Verdict) -> Document:
    """Return what was said of a pair: assignable, not-assignable or undecided, and why."""
    said, reason = _said(verdict)
    return {
        "format": f"typematch.relate/{VERSION}",
        "source": source,
        "target": target,
        "verdict": said,
        "reason": reason,
        "cost": verdict.cost if isinstance(verdict, Fit) else None,
    }


def _said(verdict: Verdict) -> tuple[str, str]:
    if isinstance(verdict, Fit):
        return "assignable", ""
    if isinstance(verdict, Undecided):
        return "undecided", verdict.reason
    return "not-assignable", f"{verdict.path}: {verdict.reason}"
