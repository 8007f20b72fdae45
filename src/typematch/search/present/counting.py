"""Count the values of facets among entries, for people and pages that narrow a search down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from typematch.index.entries.selection import Condition, OneOfTypes, Selection
from typematch.index.store import Store
from typematch.ir.types import Array, Intrinsic, Reference, Tuple, Type
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.prepare.facet_conditions import selection
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.retrieve.text_channels import query_words
from typematch.search.score.scoring import TypeScorers

COUNTED = ("kind", "pkg", "service", "arity", "returns", "is", "tag")
_MOST = 50  # values of a facet

Counts: TypeAlias = Mapping[str, Mapping[str, int]]


def counts(chosen: Selection, store: Store) -> Counts:
    """Return for each facet how many of the entries that meet ``chosen`` have which value."""
    return {facet: dict(_counts(facet, chosen, store)) for facet in COUNTED}


def those_found(request: PreparedQuery, answer: RankedEntries, store: Store) -> Selection:
    """Return conditions that just the entries of an answer meet."""
    if not by_facets_alone(request):
        numbers = tuple(sorted(one.brief.number for one in answer.found))
        return (Condition("entry", (OneOfTypes(numbers),)),)
    with TypeScorers(store, request.query.strictness) as judges:
        return selection(request.query.constraints, store, judges.assigns)


def by_facets_alone(request: PreparedQuery) -> bool:
    """Whether conditions say which entries answer, so that they can be counted where they lie."""
    asks = request.empty_scopes or request.signatures or request.types
    return not (asks or query_words(request.query))


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
