"""Find the functions whose type answers a signature, the cheapest first, tier by tier.

A tier is a price range (``match.edits.TIER_CEILINGS``).  For each the store gives the distinct
function types that may cost as little, the relation judges each once, and the search stops when
nothing dearer can still get onto the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from typematch.index.selection import Selection
from typematch.index.store import Candidate
from typematch.ir.types import Object, Type
from typematch.match.edits import TIER_CEILINGS, Edit
from typematch.match.verdict import Fit, Misfit, Undecided
from typematch.search.judging import Judge


class Candidates(Protocol):
    """What this retriever asks of a store."""

    def candidates(
        self, asked: Object, tier: int, selection: Selection = ...
    ) -> list[Candidate]: ...

    def shaped(self, asked: Type, selection: Selection = ...) -> list[Candidate]: ...

    def type(self, number: int, /) -> Type: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """An entry, by number, and what its best overload costs.

    ``undecided`` is the relation's reason for giving up, else empty; ``cost`` is then infinite.
    """

    entry: int
    overload: int
    cost: float
    edits: tuple[Edit, ...] = ()
    undecided: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, by number of the entry.

    Attributes:
        complete: there are no others of such a cost; else the search stopped with a full page.
        stretched: so few were found that dearer ones than usual are among them.
    """

    by_entry: dict[int, Finding]
    complete: bool
    stretched: bool = False


def find_functions(
    asked: Sequence[tuple[Object, Judge]],
    store: Candidates,
    *,
    selection: Selection,
    enough: int | None,
    tiers: int,
    few: int = 0,
) -> Findings:
    """Judge function types tier by tier.

    Args:
        asked: alternatives, each with its judge; an entry has the cost of the cheapest one.
        enough: stop after a tier when so many entries are certain to be cheaper than all others;
            None never stops.
        tiers: how many tiers to search; 1 is what the compiler itself would accept.
        few: search the other tiers too while there are fewer findings than this.
    """
    found: dict[int, Finding] = {}
    # What passed a filter and turned out dearer than its tier is judged again with the next one.
    waiting: list[list[Candidate]] = [[] for _ in asked]
    for tier, ceiling in enumerate(TIER_CEILINGS):
        if tier >= tiers and len(found) >= few:
            return Findings(found, complete=True, stretched=tier > tiers)
        for place, (alternative, judge) in enumerate(asked):
            candidates = [*waiting[place], *store.candidates(alternative, tier, selection)]
            waiting[place] = _judged(candidates, store, judge, ceiling, found)
        settled = sum(1 for item in found.values() if ceiling is None or item.cost <= ceiling)
        if enough is not None and tier < tiers - 1 and settled >= enough:
            return Findings(found, complete=False)
    return Findings(found, complete=True, stretched=tiers < len(TIER_CEILINGS))


def find_types(
    asked: Sequence[tuple[Type, Judge]], store: Candidates, *, selection: Selection
) -> Findings:
    """Judge the types that entries name (interfaces, classes, aliases, enums)."""
    found: dict[int, Finding] = {}
    for alternative, judge in asked:
        _judged(store.shaped(alternative, selection), store, judge, None, found)
    return Findings(found, complete=True)


def _judged(
    candidates: Iterable[Candidate],
    store: Candidates,
    judge: Judge,
    ceiling: int | None,
    found: dict[int, Finding],
) -> list[Candidate]:
    """Add the candidates that fit to ``found``; return the others."""
    misfits = []
    for candidate in candidates:
        verdict = judge(store.type(candidate.type), ceiling)
        if isinstance(verdict, Misfit):
            misfits.append(candidate)
        else:
            _note(found, candidate, verdict)
    return misfits


def _note(found: dict[int, Finding], candidate: Candidate, verdict: Fit | Undecided) -> None:
    """Keep for each entry its cheapest overload; of equals the first."""
    for entry, overload in candidate.entries:
        if isinstance(verdict, Fit):
            new = Finding(entry, overload, verdict.cost, verdict.edits)
        else:
            new = Finding(entry, overload, math.inf, undecided=verdict.reason)
        old = found.get(entry)
        if old is None or (new.cost, new.overload) < (old.cost, old.overload):
            found[entry] = new
