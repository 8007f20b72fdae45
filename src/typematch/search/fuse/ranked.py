"""Ranked entries: the values that the fusion returns, and their scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary
from typematch.ir.entry import PROMISIFIED
from typematch.search.score.name_match import SortKey
from typematch.search.score.type_match import TypeMatch

_FREE_COST = 2  # of a type argument; in edit units
_NO_RANKS: Mapping[str, int] = MappingProxyType({})


class RankedEntry(NamedTuple):
    """An entry and what ranked it.  A tuple: a search makes hundreds of them.

    Attributes:
        name_score: how well its name matches the query's words, from 0 to 1.
        match: its type match, if the query has a type.
        channels: its rank in each channel, from 1.
        fused_score: of the fused channels, or of its type match; None if only its name counts.
        parameter_words: the share of the words of the query's parameters that are in its name.
        clause: the clause that it serves, of a request for several things; else empty.
        provides_for: the entry of the operation that it provides an argument for, if that is why
            it is listed; else 0.
        repetitions: how many entries that differ only in their place are folded into this one.
        from_expansion: only another wording of the query found it, to which ``match`` belongs.
    """

    summary: EntrySummary
    sort_key: SortKey
    name_score: float
    match: TypeMatch | None = None
    channels: Mapping[str, int] = _NO_RANKS
    fused_score: float | None = None
    parameter_words: float = 0.0
    clause: str = ""
    provides_for: int = 0
    repetitions: int = 0
    from_expansion: bool = False

    @property
    def score(self) -> float:
        """The score from 0.0 to 1.0; scores of different queries are not comparable."""
        return self.name_score if self.fused_score is None else self.fused_score


@dataclass(frozen=True, slots=True)
class RankedEntries:
    """The entries that a query found.

    Attributes:
        entries: best first.
        complete: there are no others.
        relaxed: what of the query was given up, one sentence each.
        left_out: the facets and the name that were given up, in query syntax.
        notices: other sentences for the user.
        conditions: what all entries meet.
        clauses: the clauses of a request for several things.
        services: titles of the services, best first, if operations were ranked.
    """

    entries: Sequence[RankedEntry] = ()
    complete: bool = True
    relaxed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    conditions: Selection = ()
    clauses: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


def type_match_order(ranked: RankedEntry) -> tuple[object, ...]:
    """Order the matches of a type query: fits of no or little cost first, undecided last.

    Among these, names with the words of the query's parameters are first, and what exists only as
    the type of a promisified function is last.
    """
    is_free = ranked.match is not None and ranked.match.cost <= _FREE_COST
    undecided = ranked.match is not None and math.isinf(ranked.match.cost)
    score = -ranked.parameter_words if is_free else -round(ranked.score, 9)
    return (not is_free, undecided, ranked.summary.name == PROMISIFIED, score, *ranked.sort_key)
