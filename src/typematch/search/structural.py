"""Find the functions whose type answers a signature, the cheapest first, tier by tier.

A tier is a price range (``match.edits.TIER_CEILINGS``).  For each the store gives the distinct
function types that may cost as little, the relation judges each once, and the search stops when
nothing dearer can still get onto the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from typematch.index.selection import Selection
from typematch.index.store import Candidate
from typematch.ir.types import Object, Type
from typematch.match.edits import TIER_CEILINGS, Edit
from typematch.match.verdict import Fit, Undecided, Verdict

Judge: TypeAlias = Callable[[Object, Object], Verdict]


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
    """``complete``: every tier was searched, so that there are no others."""

    by_entry: dict[int, Finding]
    complete: bool
    judged: int


def find_functions(
    asked: Sequence[Object],
    store: Candidates,
    judge: Judge,
    *,
    selection: Selection,
    enough: int | None,
    tiers: int = len(TIER_CEILINGS),
    wanted: Callable[[Iterable[int]], set[int]] | None = None,
) -> Findings:
    """Judge function types tier by tier.

    Args:
        asked: alternatives; an entry has the cost of the cheapest one.
        enough: stop after a tier when so many entries are certain to be cheaper than all others;
            None never stops.
        tiers: how many tiers to search at most; 1 is what the compiler itself would accept.
        wanted: which of some entries count towards ``enough`` (those that have the name asked for);
            all without it.
    """
    found: dict[int, Finding] = {}
    judged = 0
    for tier, ceiling in enumerate(TIER_CEILINGS[:tiers]):
        for alternative in asked:
            for candidate in store.candidates(alternative, tier, selection):
                judged += 1
                found_type = store.type(candidate.type)
                if isinstance(found_type, Object):
                    _note(found, candidate, judge(found_type, alternative))
        if enough is None or ceiling is None or tier == tiers - 1:
            continue
        settled = [number for number, item in found.items() if item.cost <= ceiling]
        if len(wanted(settled) if wanted else settled) >= enough:
            return Findings(found, False, judged)
    return Findings(found, True, judged)


def find_types(
    asked: Sequence[Type],
    store: Candidates,
    judge: Callable[[Type, Type], Verdict],
    *,
    selection: Selection,
) -> Findings:
    """Judge the types that entries name (interfaces, classes, aliases, enums)."""
    found: dict[int, Finding] = {}
    judged = 0
    for alternative in asked:
        for candidate in store.shaped(alternative, selection):
            judged += 1
            _note(found, candidate, judge(store.type(candidate.type), alternative))
    return Findings(found, True, judged)


def _note(found: dict[int, Finding], candidate: Candidate, verdict: Verdict) -> None:
    """Keep for each entry its cheapest overload; of equals the first."""
    for entry, overload in candidate.entries:
        if isinstance(verdict, Fit):
            new = Finding(entry, overload, verdict.cost, verdict.edits)
        elif isinstance(verdict, Undecided):
            new = Finding(entry, overload, float("inf"), undecided=verdict.reason)
        else:
            continue
        old = found.get(entry)
        if old is None or (new.cost, new.overload) < (old.cost, old.overload):
            found[entry] = new
