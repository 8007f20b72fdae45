"""Count the values of facets among what a query finds, for people and pages that narrow it down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from typematch.index.selection import Condition, OneOfTypes, Selection
from typematch.index.store import Store
from typematch.ir.types import Array, Intrinsic, Reference, Tuple, Type
from typematch.search.dense import OpenEmbedder
from typematch.search.judging import Judges
from typematch.search.pipeline import answered
from typematch.search.reading import Request, read
from typematch.search.selecting import selection
from typematch.search.texts import query_words

COUNTED = ("kind", "pkg", "service", "arity", "returns", "is", "tag")
_MOST = 50  # values of a facet
_LIMIT = 20  # hits of a page: so deep a search looks


def facets(
    text: str, store: Store, *, open_embedder: OpenEmbedder | None = None
) -> Mapping[str, Mapping[str, int]]:
    """Return for each facet how many of the entries that ``text`` finds have which value.

    The values are as a query takes them, the most frequent first; without a text all entries are
    counted.

    Raises:
        QuerySyntaxError: the query cannot be read.
        UsageError: its ``like:`` names no entry.
    """
    found = chosen(text, store, open_embedder)
    return {facet: dict(_counts(facet, found, store)) for facet in COUNTED}


def chosen(text: str, store: Store, open_embedder: OpenEmbedder | None = None) -> Selection:
    """Return conditions that just those entries meet that ``text`` finds; all without a text.

    Raises:
        QuerySyntaxError: the query cannot be read.
    """
    return _found(read(text, store), store, open_embedder) if text.strip() else ()


def _found(request: Request, store: Store, open_embedder: OpenEmbedder | None) -> Selection:
    query = request.query
    if request.empty_scopes or request.signatures or request.types or query_words(query):
        answer = answered(request, store, query.limit or _LIMIT, open_embedder)
        numbers = sorted(one.brief.number for one in answer.found)
        return (Condition("entry", (OneOfTypes(tuple(numbers)),)),)
    with Judges(store, query.strictness) as judges:
        return selection(query.constraints, store, judges.assigns)


def _counts(facet: str, chosen: Selection, store: Store) -> list[tuple[str, int]]:
    if facet != "returns":
        return store.facet_counts(facet, chosen, limit=_MOST)
    counted: Counter[str] = Counter()
    for number, entries in store.result_counts(chosen):
        head = head_of(store.type(number))
        if head:
            counted[head] += entries
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:_MOST]


def head_of(result: Type) -> str:
    """Return what a result is at its outermost, as ``returns:`` takes it; empty if many things."""
    match result:
        case Intrinsic("any" | "unknown" | "unannotated" | "unreadable"):
            return ""
        case Intrinsic(name):
            return name
        case Array():
            return "_[]"
        case Tuple(elements):
            return f"[{', '.join('_' for _ in elements)}]"
        case Reference(target, arguments):
            name = target.rpartition("#")[2].rpartition(":")[2]
            return f"{name}<{', '.join('_' for _ in arguments)}>" if arguments else name
        case _:
            return ""
