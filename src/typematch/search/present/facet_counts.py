"""Count the values of facets among the entries of a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from typematch.index.entries.selection import Condition, InNumbers, Selection
from typematch.index.store import Store
from typematch.ir.types import Array, Intrinsic, Reference, Tuple, Type
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.text_channels import query_words

COUNTED_FACETS = ("kind", "pkg", "service", "arity", "returns", "is", "tag")
_MAX_VALUES = 50  # of a facet

FacetCounts: TypeAlias = Mapping[str, Mapping[str, int]]  # facet -> value -> entries


def count_facets(selection: Selection, store: Store) -> FacetCounts:
    """Return, for each facet, the number of selected entries per value.

    Values are written as in a query, the most frequent first.
    """
    return {facet: dict(_value_counts(facet, selection, store)) for facet in COUNTED_FACETS}


def result_selection(
    prepared: PreparedQuery, ranked: RankedEntries, context: SearchContext
) -> Selection:
    """Return conditions that exactly the entries of a result meet."""
    if has_only_facets(prepared) and not ranked.left_out:
        return context.conditions(prepared.query.constraints, prepared.query.strictness)
    numbers = tuple(sorted(entry.summary.number for entry in ranked.entries))
    return (Condition("entry", (InNumbers(numbers),)),)


def has_only_facets(prepared: PreparedQuery) -> bool:
    """Return whether SQL conditions alone determine the result, unless the query is relaxed."""
    is_ranked = prepared.signatures or prepared.types or query_words(prepared.query)
    return not (is_ranked or prepared.empty_scopes)


def _value_counts(facet: str, selection: Selection, store: Store) -> list[tuple[str, int]]:
    if facet != "returns":
        return store.facet_counts(facet, selection, limit=_MAX_VALUES)
    counts: Counter[str] = Counter()
    for type_number, entries in store.result_counts(selection):
        head = result_head(store.type(type_number))
        if head:
            counts[head] += entries
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MAX_VALUES]


def result_head(result: Type) -> str:
    """Return the head of a result type as a value of ``returns:``; empty if there is none."""
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
