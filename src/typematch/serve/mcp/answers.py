"""Make short answers of what ``search.documents`` makes: what an agent needs, within a budget.

An answer is counted as the JSON that is sent.  What does not fit is left out from the end on, and
the answer says that it is ``truncated``.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from typematch.search.present.result_decoder import received_result
from typematch.search.present.truncate import cut
from typematch.search.present.wire_format import Document
from typematch.search.results import Hit
from typematch.serve.cli.format_hits import SIGNATURE_WIDTH, reason, shortened
from typematch.serve.mcp import models
from typematch.serve.mcp.budget import Budget

_DOC_WIDTH = 160  # characters of the summary of a hit


def search_answer(document: Document, max_tokens: int) -> models.SearchAnswer:
    result = received_result(document)
    budget = Budget(max_tokens, {"total": result.total, "at_least": result.at_least})
    # The hits are what was asked for: what is said about them takes half at most.
    read_as = budget.text("read_as", result.read_as, share=0.25)
    relaxed = budget.texts("relaxed", result.relaxed, most=budget.left // 8)
    notices = budget.texts("notices", result.notices, most=budget.left // 8)
    hits = budget.items("hits", (_found(hit) for hit in result.hits))
    return models.SearchAnswer(
        read_as=read_as,
        total=result.total,
        at_least=result.at_least,
        relaxed=relaxed,
        notices=notices,
        hits=hits,
        truncated=budget.short,
    )


def _found(hit: Hit) -> models.FoundHit:
    entry = hit.entry
    said = hit.snippet or (entry.doc.summary if entry.doc else "")
    return models.FoundHit(
        id=entry.id,
        signature=shortened(hit.signature),
        at=f"{entry.path}:{entry.line}",
        imported=entry.import_statement,
        http=entry.http,
        why=cut(reason(hit), SIGNATURE_WIDTH),
        doc=cut(said, _DOC_WIDTH),
        serves=cut(hit.clause, _DOC_WIDTH),
    )


def read_answer(document: Document, max_tokens: int) -> models.ReadAnswer:
    """``document`` is that of ``show``, with references."""
    entry, followed = document["entry"], document["references"]
    budget = Budget(max_tokens, {"kind": entry["kind"], "deprecated": True, "more": 1_000})
    id_ = budget.text("id", entry["id"], share=0.3)
    package = budget.text("package", f"{entry['package']} {entry['version']}".strip(), share=0.2)
    at = budget.text("at", f"{entry['path']}:{entry['line']}", share=0.2)
    http = budget.text("http", entry["http"], share=0.2)
    imported = budget.text("import", entry["import_statement"], share=0.2)
    declaration = budget.text("declaration", document["declaration"], share=0.7)
    doc = budget.text("doc", entry["doc"], share=0.7)
    told = document["told"] or {"summary": ""}
    solves = budget.text("solves", told["summary"], share=0.5)
    arguments = budget.texts("arguments", _arguments(entry))
    responses = budget.texts("responses", _responses(entry))
    missing = budget.texts("missing", (one["name"] for one in followed["missing"]))
    found = budget.items("refers_to", (_referred(one) for one in followed["found"]))
    more = followed["left_out"] + len(followed["found"]) - len(found)
    return models.ReadAnswer(
        id=id_,
        kind=entry["kind"],
        package=package,
        at=at,
        http=http,
        imported=imported,
        deprecated=entry["deprecated"],
        declaration=declaration,
        doc=doc,
        solves=solves,
        arguments=arguments,
        responses=responses,
        refers_to=found,
        missing=missing,
        more=more,
        truncated=budget.short or more > 0,
    )


def _arguments(entry: Document) -> Iterable[str]:
    if entry["endpoint"] is None:
        return
    names = [parameter["name"] for parameter in entry["signatures"][0]["parameters"]]
    for name, place in zip(names, entry["endpoint"]["places"], strict=True):
        renamed = f", as {place['name']}" if place["name"] != name else ""
        yield f"{name} in {place['in']}{renamed}"


def _responses(entry: Document) -> Iterable[str]:
    if entry["endpoint"] is None:
        return
    for one in entry["endpoint"]["responses"]:
        yield f"{one['status']} {one['type']} {one['description']}".rstrip()


def _referred(one: Document) -> models.Referred:
    at = f"{one['path']}:{one['line']}" if one["path"] else ""
    return models.Referred(id=one["id"], at=at, text=one["text"])


def relate_answer(document: Document, max_tokens: int) -> models.RelateAnswer:
    budget = Budget(max_tokens, {"verdict": document["verdict"], "cost": document["cost"]})
    reason = budget.text("reason", document["reason"])
    return models.RelateAnswer(
        verdict=document["verdict"],
        reason=reason,
        cost=document["cost"],
        truncated=budget.short,
    )


def match_answer(document: Document, max_tokens: int) -> models.MatchAnswer:
    budget = Budget(max_tokens, {"needed": []})
    needed = [_needed(one, portion) for one, portion in budget.shared(document["needed"])]
    return models.MatchAnswer(needed=needed, truncated=budget.short)


def _needed(one: Document, budget: Budget) -> models.NeededInterface:
    name = budget.text("name", one["name"], share=0.3)
    nearest = 0.0 if one["found"] else round(one["nearest"], 2)
    budget.take({"methods": len(one["methods"]), "nearest": nearest, "found": []})
    found = [_implementation(each, portion) for each, portion in budget.shared(one["found"])]
    return models.NeededInterface(
        name=name, methods=len(one["methods"]), found=found, nearest=nearest
    )


def _implementation(one: Document, budget: Budget) -> models.Implementation:
    share = round(one["share"], 2)
    at = f"{one['path']}:{one['line']}" if one["path"] else ""
    budget.take({"kind": one["kind"], "share": share, "cost": one["cost"]})
    return models.Implementation(
        id=budget.text("id", one["id"], share=0.5),
        kind=one["kind"],
        at=budget.text("at", at, share=0.5),
        share=share,
        cost=one["cost"],
        covered=budget.texts("covered", (_covered(each) for each in one["covered"])),
        missing=budget.texts("missing", (each["method"] for each in one["missing"])),
    )


def _covered(one: Document) -> str:
    why = "; ".join(edit["sentence"] for edit in one["edits"] if edit["price"])
    text = f"{one['method']} <- {one['member']}: {why or 'fits as it is'}"
    return cut(text, SIGNATURE_WIDTH)


def packages_answer(document: Document, name: str, max_tokens: int) -> models.PackagesAnswer:
    """``name``: what the names must have; ``*`` stands for anything, case does not count."""
    pattern = f"*{name.lower()}*"
    chosen = [one for one in document["packages"] if fnmatchcase(one["name"].lower(), pattern)]
    chosen.sort(key=lambda one: (-one["entries"], one["name"]))
    entries = sum(one["entries"] for one in chosen)
    kinds = dict(document["kinds"]) if len(chosen) == len(document["packages"]) else {}
    budget = Budget(max_tokens, {"total": len(chosen), "entries": entries, "kinds": kinds})
    packages = budget.items("packages", (_package(one) for one in chosen))
    return models.PackagesAnswer(
        total=len(chosen),
        entries=entries,
        kinds=kinds,
        packages=packages,
        truncated=budget.short,
    )


def _package(one: Document) -> models.IndexedPackage:
    return models.IndexedPackage(name=one["name"], version=one["version"], entries=one["entries"])
