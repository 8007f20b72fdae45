"""Ask for the same in other words, and merge what that finds by best rank.

The request as it was typed stands first among equals: who was right already loses at most a few
places.  Facets that were typed hold for every way of asking.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from typematch.errors import QuerySyntaxError, UsageError
from typematch.search.fuse.ranked import RankedEntries, by_best_rank
from typematch.search.llm_protocols import Expander, StageReport
from typematch.search.prepare.prepared_query import PreparedQuery, ScopeStore, read

Ask = Callable[[PreparedQuery], RankedEntries]

# What a query would read as something else than words.
_NO_WORD = re.compile(r"[^\w\s']+")
_MOST_WAYS = 12


def expanded(
    request: PreparedQuery, answer: RankedEntries, expander: Expander, ask: Ask, store: ScopeStore
) -> tuple[RankedEntries, StageReport]:
    """Return ``answer`` with what other words for ``request`` find."""
    query = request.query
    if not query.words or query.signature is not None or query.type is not None:
        return answer, StageReport("expand", skipped="only words can be said in other words")
    expansion, report = expander.expand(query.words)
    notes = list(report.notes)
    ways: dict[str, PreparedQuery] = {}
    for phrasing in expansion.phrasings:
        words = " ".join(_NO_WORD.sub(" ", phrasing).split())
        for text, way in _read(words, request, store, notes):
            ways.setdefault(text, way)
    for constraint in expansion.constraints:
        for text, way in _read(constraint, request, store, notes):
            ways.setdefault(text, _with_words(way, request))
    ways.pop(query.words, None)
    found, asked = [answer], list[str]()
    for text, way in list(ways.items())[:_MOST_WAYS]:
        try:
            found.append(ask(way))
        except UsageError as error:  # a ``like:`` that names no entry
            notes.append(_dropped(text, error.what))
        else:
            asked.append(text)
    if asked:
        notes.append("Also searched: " + "; ".join(asked) + ".")
    merged = [
        replace(one, clause=one.clause if part == 0 else "", reworded=part != 0)
        for part, one in by_best_rank([each.found for each in found])
    ]
    whole = replace(answer, found=merged, complete=all(each.complete for each in found))
    return (whole if asked else answer), replace(report, notes=tuple(notes))


def _read(
    text: str, request: PreparedQuery, store: ScopeStore, notes: list[str]
) -> Iterator[tuple[str, PreparedQuery]]:
    """Yield what a text asks for within the facets of ``request``; a text that is none, never."""
    if not text.strip():
        return
    try:
        way = read(text, store)
    except QuerySyntaxError as error:
        notes.append(_dropped(text, error.what))
        return
    if way.empty_scopes:
        notes.append(_dropped(text, way.empty_scopes[0]))
        return
    query = request.query
    constraints = (*query.constraints, *way.query.constraints)
    asked = replace(way.query, constraints=constraints, limit=query.limit, sort=query.sort)
    yield text, replace(way, query=asked)


def _dropped(text: str, why: str) -> str:
    return f"Claude's {text!r} was dropped: {why}".removesuffix(".") + "."


def _with_words(way: PreparedQuery, request: PreparedQuery) -> PreparedQuery:
    """Return a constraint with the words of the request beside it, where it has none."""
    if way.query.words or way.query.type is not None:
        return way
    return replace(way, query=replace(way.query, words=request.query.words))
