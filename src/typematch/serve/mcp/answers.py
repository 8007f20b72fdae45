"""Tool answers made from the documents of ``wire_schema``, each within a token budget.

Keys are filled in order of importance; what does not fit is left out, and ``truncated`` is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from typematch.match.edit_kinds import ARGUMENT_SUPPLIED
from typematch.search.present.doc_markup import plain_text
from typematch.search.present.result_decoder import decode_search_result
from typematch.search.present.truncate import truncate_line
from typematch.search.present.wire_format import Document
from typematch.search.results import Hit
from typematch.serve.cli.format_hits import SIGNATURE_WIDTH, fit_line, short_signature
from typematch.serve.mcp import models
from typematch.serve.mcp.budget import Budget

_DOC_WIDTH = 160  # characters of the summary of a hit


def search_answer(document: Document, max_tokens: int) -> models.SearchAnswer:
    result = decode_search_result(document)
    budget = Budget(max_tokens, {"total": result.total, "at_least": result.at_least})
    for_hits = budget.left // 2
    read_as = budget.text("read_as", result.read_as, share=0.25)
    relaxed = budget.texts("relaxed", result.relaxed, max_tokens=budget.left // 8)
    notices = budget.texts("notices", result.notices, max_tokens=max(0, budget.left - for_hits))
    hits = budget.items("hits", _search_hits(document, result.hits))
    return models.SearchAnswer(
        read_as=read_as,
        total=result.total,
        at_least=result.at_least,
        relaxed=relaxed,
        notices=notices,
        hits=hits,
        truncated=budget.is_exceeded,
    )


def _search_hits(document: Document, hits: Iterable[Hit]) -> Iterator[models.SearchHit]:
    receivers = document.get("receivers", {})
    return (_search_hit(hit, receivers.get(hit.entry.id, "")) for hit in hits)


def _search_hit(hit: Hit, receiver: str) -> models.SearchHit:
    entry = hit.entry
    doc = hit.snippet or (entry.doc.summary if entry.doc else "")
    return models.SearchHit(
        id=entry.id,
        kind=entry.kind,
        signature=short_signature(hit.signature),
        at=f"{entry.path}:{entry.line}",
        import_=entry.import_statement,
        http=entry.http,
        receiver=truncate_line(receiver, _DOC_WIDTH),
        score=round(hit.score, 3),
        weak=_is_weak(hit),
        deprecated=_deprecation(hit.deprecation),
        why=truncate_line(fit_line(hit), SIGNATURE_WIDTH),
        doc=truncate_line(doc, _DOC_WIDTH),
        for_=truncate_line(hit.clause, _DOC_WIDTH),
    )


def _is_weak(hit: Hit) -> bool:
    """Return whether a hit is listed only because nothing nearer was found.

    Its type is undecided or lacks a whole argument, or no type and no word of the query is in it.
    """
    if hit.undecided or (hit.cost is not None and hit.cost >= ARGUMENT_SUPPLIED.cost):
        return True
    return hit.cost is None and set(hit.channels) == {"dense"}


def _deprecation(text: str | None) -> str:
    return "" if text is None else truncate_line(text, _DOC_WIDTH) or "yes"


def producers_answer(document: Document, max_tokens: int) -> models.ProducersAnswer:
    """``document``: that of ``producers_and_consumers``."""
    results = {
        role: decode_search_result(document[role]).hits for role in ("producers", "consumers")
    }
    budget = Budget(max_tokens, {})
    notices = [*document["producers"]["notices"], *document["consumers"]["notices"]]
    texts = budget.texts("notices", dict.fromkeys(notices), max_tokens=budget.left // 4)
    half = budget.left // 2
    producers = budget.items("producers", _search_hits({}, results["producers"]), max_tokens=half)
    consumers = budget.items("consumers", _search_hits({}, results["consumers"]))
    return models.ProducersAnswer(
        producers=producers, consumers=consumers, notices=texts, truncated=budget.is_exceeded
    )


def read_answer(document: Document, max_tokens: int) -> models.ReadAnswer:
    """``document``: that of ``read_entries``."""
    budget = Budget(max_tokens, {"entries": []})
    errors = budget.texts("errors", document["errors"], max_tokens=budget.left // 4)
    receivers = document["receivers"]
    entries = [
        _entry(entry, receivers.get(entry["entry"]["id"], ""), portion)
        for entry, portion in budget.portions(document["entries"])
    ]
    return models.ReadAnswer(entries=entries, errors=errors, truncated=budget.is_exceeded)


def _deprecations(entry: Document) -> str:
    """Return why an entry is deprecated, or which of its overloads are."""
    if entry["deprecated"]:
        return _deprecation(entry["deprecation"])
    return "; ".join(
        f"overload {number}: {_deprecation(signature['deprecation'])}"
        for number, signature in enumerate(entry["signatures"], start=1)
        if signature["deprecation"] is not None
    )


def _entry(document: Document, receiver: str, budget: Budget) -> models.EntryAnswer:
    """``document``: that of ``show_document`` with references."""
    entry, graph = document["entry"], document["references"]
    budget.subtract({"kind": entry["kind"], "omitted": 1_000})
    id_ = budget.text("id", entry["id"], share=0.3)
    package = budget.text("package", f"{entry['package']} {entry['version']}".strip(), share=0.2)
    at = budget.text("at", f"{entry['path']}:{entry['line']}", share=0.2)
    http = budget.text("http", entry["http"], share=0.2)
    import_ = budget.text("import", entry["import_statement"], share=0.2)
    deprecated = budget.text("deprecated", _deprecations(entry), share=0.3)
    receiver = budget.text("receiver", receiver, share=0.3)
    declaration = budget.text("declaration", document["declaration"], share=0.7)
    adapter = document.get("adapted", {}).get("adapter")
    code = budget.text("code", adapter["snippet"] if adapter else "", share=0.5)
    doc = budget.text("doc", plain_text(entry["doc"]), share=0.7)
    links = budget.texts("see", document["doc_links"].values())
    enrichment = document["enrichment"] or {"summary": ""}
    solves = budget.text("solves", enrichment["summary"], share=0.5)
    arguments = budget.texts("arguments", _arguments(entry))
    responses = budget.texts("responses", _responses(entry))
    missing = budget.texts("missing", (name["name"] for name in graph["missing"]))
    declarations = budget.items("refers_to", map(_declaration, graph["declarations"]))
    omitted = graph["omitted"] + len(graph["declarations"]) - len(declarations)
    budget.is_exceeded = budget.is_exceeded or omitted > 0
    return models.EntryAnswer(
        id=id_,
        kind=entry["kind"],
        package=package,
        at=at,
        http=http,
        import_=import_,
        receiver=receiver,
        deprecated=deprecated,
        declaration=declaration,
        code=code,
        doc=doc,
        see=links,
        solves=solves,
        arguments=arguments,
        responses=responses,
        refers_to=declarations,
        missing=missing,
        omitted=omitted,
    )


def _arguments(entry: Document) -> Iterable[str]:
    if entry["endpoint"] is None:
        return
    names = [parameter["name"] for parameter in entry["signatures"][0]["parameters"]]
    for name, argument in zip(names, entry["endpoint"]["parameters"], strict=True):
        renamed = f", as {argument['name']}" if argument["name"] != name else ""
        yield f"{name} in {argument['in']}{renamed}"


def _responses(entry: Document) -> Iterable[str]:
    if entry["endpoint"] is None:
        return
    for response in entry["endpoint"]["responses"]:
        yield f"{response['status']} {response['type']} {response['description']}".rstrip()


def _declaration(declaration: Document) -> models.DeclarationAnswer:
    return models.DeclarationAnswer(
        id=declaration["id"], at=_location(declaration), text=declaration["text"]
    )


def _location(document: Document) -> str:
    return f"{document['path']}:{document['line']}" if document["path"] else ""


def relate_answer(document: Document, max_tokens: int) -> models.RelateAnswer:
    budget = Budget(max_tokens, {"verdict": document["verdict"], "cost": document["cost"]})
    reason = budget.text("reason", document["reason"])
    return models.RelateAnswer(
        verdict=document["verdict"],
        reason=reason,
        cost=document["cost"],
        truncated=budget.is_exceeded,
    )


def compose_answer(document: Document, max_tokens: int) -> models.ComposeAnswer:
    budget = Budget(max_tokens, {"exhausted": document["exhausted"]})
    notices = budget.texts("notices", document["notices"], max_tokens=budget.left // 4)
    pipelines = budget.items("pipelines", map(_pipeline, document["pipelines"]))
    return models.ComposeAnswer(
        pipelines=pipelines,
        exhausted=document["exhausted"],
        notices=notices,
        truncated=budget.is_exceeded,
    )


def _pipeline(pipeline: Document) -> models.PipelineAnswer:
    return models.PipelineAnswer(
        cost=pipeline["cost"],
        unchecked=pipeline["unchecked"],
        steps=[f"{step['id']}({', '.join(step['arguments'])})" for step in pipeline["steps"]],
        code=pipeline["adapter"]["snippet"],
    )


def match_answer(document: Document, max_tokens: int) -> models.MatchAnswer:
    budget = Budget(max_tokens, {"interfaces": []})
    interfaces = [
        _interface(interface, portion)
        for interface, portion in budget.portions(document["interfaces"])
    ]
    return models.MatchAnswer(interfaces=interfaces, truncated=budget.is_exceeded)


def _interface(interface: Document, budget: Budget) -> models.InterfaceAnswer:
    name = budget.text("name", interface["name"], share=0.3)
    methods, listed = len(interface["methods"]), interface["implementations"]
    best_share = 0.0 if listed else round(interface["best_share"], 2)
    budget.subtract(
        {
            "methods": methods,
            "best_share": best_share,
            "implementations": [],
        }
    )
    return models.InterfaceAnswer(
        name=name,
        methods=methods,
        implementations=[
            _implementation(implementation, portion)
            for implementation, portion in budget.portions(listed)
        ],
        best_share=best_share,
    )


def _implementation(implementation: Document, budget: Budget) -> models.ImplementationAnswer:
    share, cost = round(implementation["share"], 2), implementation["cost"]
    budget.subtract({"kind": implementation["kind"], "share": share, "cost": cost})
    missing = (method["method"] for method in implementation["missing"])
    return models.ImplementationAnswer(
        id=budget.text("id", implementation["id"], share=0.5),
        kind=implementation["kind"],
        at=budget.text("at", _location(implementation), share=0.5),
        share=share,
        cost=cost,
        covered=budget.texts("covered", map(_covered, implementation["covered"])),
        missing=budget.texts("missing", missing),
    )


def _covered(match: Document) -> str:
    differences = "; ".join(edit["sentence"] for edit in match["edits"] if edit["cost"])
    text = f"{match['method']} <- {match['member']}: {differences or 'no differences'}"
    return truncate_line(text, SIGNATURE_WIDTH)


def packages_answer(document: Document, name: str, max_tokens: int) -> models.PackagesAnswer:
    """List packages whose name contains ``name``; ``*`` matches any text, case is ignored."""
    pattern = f"*{name.lower()}*"
    packages = [
        package for package in document["packages"] if fnmatchcase(package["name"].lower(), pattern)
    ]
    packages.sort(key=lambda package: (-package["entries"], package["name"]))
    entries = sum(package["entries"] for package in packages)
    kinds = dict(document["kinds"]) if len(packages) == len(document["packages"]) else {}
    budget = Budget(max_tokens, {"total": len(packages), "entries": entries, "kinds": kinds})
    fitting = budget.items("packages", map(_package, packages))
    return models.PackagesAnswer(
        total=len(packages),
        entries=entries,
        kinds=kinds,
        packages=fitting,
        truncated=budget.is_exceeded,
    )


def _package(package: Document) -> models.PackageAnswer:
    return models.PackageAnswer(
        name=package["name"], version=package["version"], entries=package["entries"]
    )
