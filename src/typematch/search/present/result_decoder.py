"""Make hits again of a document that another process sent: ``search_document`` the other way round.

An entry comes back as far as a list of hits shows it, without its types; its signature is that of
the overload that answers.
"""

from __future__ import annotations

import re
from functools import cache

from typematch.ir.entry import Entry
from typematch.ir.module import Doc
from typematch.match.edit_kinds import PRICES, Edit, EditKind
from typematch.search.llm_protocols import Judged
from typematch.search.present.wire_format import Document
from typematch.search.results import Hit, SearchResult

_KINDS = {kind.name: kind for kind in PRICES}


def received_result(document: Document) -> SearchResult:
    """Return the result that a document of the format ``typematch.search/1`` tells.

    Raises:
        KeyError, TypeError, AttributeError: it is no such document.
    """
    return SearchResult(
        query=document["query"],
        read_as=document["read_as"],
        hits=tuple(_hit(one) for one in document["hits"]),
        total=document["total"],
        at_least=document["at_least"],
        relaxed=tuple(document["relaxed"]),
        notices=tuple(document["notices"]),
        undecided=document["undecided"],
        clauses=tuple(document["clauses"]),
        services=tuple(document["services"]),
    )


def _hit(document: Document) -> Hit:
    overload = document["overload"]
    signatures = document["entry"]["signatures"]
    answers = overload is not None and overload < len(signatures)
    signature = signatures[overload]["text"] if answers else document["entry"]["signature"]
    return Hit(
        entry=_entry(document["entry"], signature),
        score=document["score"],
        cost=document["cost"],
        edits=tuple(_edit(one) for one in document["edits"]),
        channels=document["channels"],
        overload=overload,
        undecided=document["undecided"],
        snippet=document["snippet"],
        clause=document["clause"],
        supplies=document["supplies"],
        judged=Judged(**judged) if (judged := document.get("judged")) else None,
    )


def _entry(document: Document, signature: str) -> Entry:
    doc = Doc(document["doc"], document["summary"], "" if document["deprecated"] else None)
    said = doc.text or doc.summary or document["deprecated"]
    return Entry(
        id=document["id"],
        kind=document["kind"],
        name=document["name"],
        qualified_name=document["qualified_name"],
        container=document["container"],
        package=document["package"],
        version=document["version"],
        path=document["path"],
        line=document["line"],
        signature=signature,
        doc=doc if said else None,
        exported=document["exported"],
        aliases=tuple(document["aliases"]),
        import_statement=document["import_statement"],
        http=document["http"],
        service=document["service"],
        source=document["source"],
    )


def _edit(document: Document) -> Edit:
    kind = _KINDS.get(document["kind"])
    if kind is None:  # of a newer version of the server: it still says what it is
        return Edit(EditKind(document["kind"], document["price"], "{a}"), a=document["sentence"])
    said = _sentence(kind.sentence).fullmatch(document["sentence"])
    parts = said.groupdict() if said else {"a": document["sentence"]}
    extra = round((document["price"] - kind.price) / kind.step) if kind.step else 0
    return Edit(kind, document["path"], parts.get("a", ""), parts.get("b", ""), extra)


@cache
def _sentence(template: str) -> re.Pattern[str]:
    """Return what finds ``{a}`` and ``{b}`` in a sentence made of ``template``."""
    pattern = re.escape(template).replace(r"\{a\}", "(?P<a>.*?)").replace(r"\{b\}", "(?P<b>.*)")
    return re.compile(pattern, re.DOTALL)
