"""Find the functions whose type answers a signature, the cheapest first, tier by tier.

A tier is a price range (``match.edits.TIER_CEILINGS``).  For each the store gives the distinct
function types that may cost as little, the relation judges each once, and the search stops when
nothing dearer can still get onto the page.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

from typematch.index.entries.selection import Selection
from typematch.index.store import Candidate
from typematch.ir.types import Object, Type
from typematch.match.edit_kinds import RECEIVER_FIRST, TIER_CEILINGS, Edit
from typematch.match.verdict import BEYOND, Fit, Misfit, Undecided, Verdict, charged, least_of
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorer

# How much work a search for one page may be, tier by tier, in counted steps of the relation; what
# comes with every verdict is counted as some steps more.  Of several readings each may take half of
# what is left.  The likeliest candidates are judged first.  Whoever comes to the last two tiers has
# found too little so far.  A page of more entries may take as many times more.
MOST_STEPS = (1_600, 1_600, 4_000, 4_000)
_A_PAGE = 40  # entries
_STEPS_A_VERDICT = 10
# After so many in a row that do not fit, none of the less likely ones is expected to.
_MOST_MISFITS = 60
# Of the time that a search has, what may go into finding out who is worth being judged.
_LOOKING = 0.5
# What one more unit of ``Judge.distance`` says about the cost of a candidate, in edit units: found
# by putting the fits of the benchmark's searches as early as it goes.
_A_STEP_APART = 40


class CandidateStore(Protocol):
    """What this retriever asks of a store."""

    def candidates(
        self, asked: Object, tier: int, selection: Selection = ..., *, misfits: bool = ...
    ) -> list[Candidate]: ...

    def alike(self, asked: Object, selection: Selection = ...) -> list[Candidate]: ...

    def assignable(self, asked: Object, selection: Selection = ...) -> list[Candidate]: ...

    def shaped(self, asked: Type, selection: Selection = ...) -> list[Candidate]: ...

    def type(self, number: int, /) -> Type: ...


@dataclass(frozen=True, slots=True)
class TypeMatch:
    """An entry, by number, and what its best overload costs.

    ``undecided`` is the relation's reason for giving up, else empty; ``cost`` is then infinite.
    ``way`` is that of its fit.
    """

    entry: int
    overload: int
    cost: float
    edits: tuple[Edit, ...] = ()
    undecided: str = ""
    way: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeMatches:
    """What was found, by number of the entry.

    Attributes:
        complete: there are no others of such a cost; else the search stopped with a full page.
        stretched: so few were found that dearer ones than usual are among them.
    """

    by_entry: dict[int, TypeMatch]
    complete: bool
    stretched: bool = False


def find_functions(
    asked: Sequence[tuple[Object, TypeScorer]],
    store: CandidateStore,
    *,
    selection: Selection,
    enough: int | None,
    tiers: int,
    few: int = 0,
    steps: Sequence[int] | None = None,
    patience: Deadline | None = None,
) -> TypeMatches:
    """Judge function types tier by tier.

    Args:
        asked: alternatives, each with its judge; an entry has the cost of the cheapest one.
        enough: stop after a tier when so many entries are certain to be cheaper than all others;
            None never stops.
        tiers: how many tiers to search; 1 is what the compiler itself would accept.
        few: search the other tiers too while there are fewer findings than this.
        steps: how much work the search may be, tier by tier; None goes by ``enough``.
        patience: when to stop anyway, with what was found by then.
    """
    page = _TopK(enough, steps or _work_for(enough), patience)
    # What passed a filter and turned out dearer than its tier is judged again with the next one.
    waiting: list[list[_BoundedCandidate]] = [[] for _ in asked]
    reached = [0] * len(asked)  # the first tier whose candidates were not looked at
    page.begin(0, 1)
    for alternative, judge in asked:
        # What reads nearly so is not left to an order of likelihood, and to what work is left.
        alike = _bounded(store.alike(alternative, selection), store, judge, page)
        _judged(alike, judge, TIER_CEILINGS[tiers - 1], page)
    for tier, ceiling in enumerate(TIER_CEILINGS):
        page.begin(tier, len(asked))
        if tier >= tiers and len(page.found) >= few:
            if few and not page.is_full(TIER_CEILINGS[tiers - 1]):
                # What takes or gives anything comes last, rather than not at all.
                for (_, judge), dearer in zip(asked, waiting, strict=True):
                    _judged(dearer, judge, None, page)
            return TypeMatches(page.found, complete=True, stretched=tier > tiers)
        for place, (alternative, judge) in enumerate(asked):
            if ceiling is not None and judge.least > ceiling:
                continue
            bounded = waiting[place]
            for each in range(reached[place], tier + 1):
                candidates = store.candidates(
                    alternative, each, selection, misfits=tiers == len(TIER_CEILINGS)
                )
                bounded += _bounded(candidates, store, judge, page)
            reached[place] = tier + 1
            # What is looked at is judged for the next tier too: that takes no longer.
            room = TIER_CEILINGS[1] if tier == 0 and tiers > 1 else ceiling
            waiting[place] = _judged(bounded, judge, ceiling, page, room)
        if page.patience.is_over() or (page.is_full(ceiling) and tier < tiers - 1):
            return TypeMatches(page.found, complete=False)
    return TypeMatches(page.found, page.complete, stretched=tiers < len(TIER_CEILINGS))


def _work_for(enough: int | None) -> Sequence[int]:
    """Return how much work a search for a page of ``enough`` entries may be, tier by tier."""
    pages = max(1.0, (enough or 0) / _A_PAGE)
    return [int(pages * steps) for steps in MOST_STEPS]


def find_assignable(
    asked: Sequence[tuple[Object, TypeScorer]],
    store: CandidateStore,
    *,
    selection: Selection,
    patience: Deadline | None = None,
) -> TypeMatches:
    """Judge functions as the compiler does: as wholes, with all their overloads."""
    page = _TopK(None, patience=patience)
    for alternative, judge in asked:
        candidates = _bounded(store.assignable(alternative, selection), store, judge, page)
        _judged(candidates, judge, None, page)
    return TypeMatches(page.found, page.complete)


def find_types(
    asked: Sequence[tuple[Type, TypeScorer]],
    store: CandidateStore,
    *,
    selection: Selection,
    patience: Deadline | None = None,
) -> TypeMatches:
    """Judge the types that entries name (interfaces, classes, aliases, enums)."""
    page = _TopK(None, patience=patience)
    for alternative, judge in asked:
        candidates = _bounded(store.shaped(alternative, selection), store, judge, page)
        _judged(candidates, judge, None, page)
    return TypeMatches(page.found, page.complete)


@dataclass(frozen=True, slots=True)
class _BoundedCandidate:
    """A candidate, its type and the least that it may cost, in edit units."""

    bound: int
    type: Type
    candidate: Candidate


class _TopK:
    """What was found so far, and what still gets onto a page of ``enough`` entries.

    Attributes:
        complete: nothing was left aside because the page was full, or the work too much.
        steps: work that may still be done.
        patience: and time that may still go by.
    """

    def __init__(
        self,
        enough: int | None,
        steps: Sequence[int] = MOST_STEPS,
        patience: Deadline | None = None,
    ) -> None:
        self.found: dict[int, TypeMatch] = {}
        self.complete = True
        self.steps = 0
        self.patience = patience or Deadline()
        self._most = steps
        self._share = 1
        self._enough = enough
        self._costs: list[float] = []

    def begin(self, tier: int, readings: int) -> None:
        """Begin a tier, with fresh steps for the readings of a query to share."""
        self.steps = self._most[tier]
        self._share = min(readings, 2)

    @property
    def most(self) -> int:
        """How many steps the next reading may take."""
        return self.steps // self._share

    @property
    def limited(self) -> bool:
        return self._enough is not None

    def note(self, candidate: Candidate, verdict: Fit | Undecided) -> None:
        """Keep for each entry its cheapest overload; of equals the first."""
        for entry, overload in candidate.entries:
            if isinstance(verdict, Fit):
                new = TypeMatch(entry, overload, verdict.cost, verdict.edits, way=verdict.way)
            else:
                new = TypeMatch(entry, overload, math.inf, undecided=verdict.reason)
            old = self.found.get(entry)
            if old is None or (new.cost, new.overload) < (old.cost, old.overload):
                self.found[entry] = new
                if old is not None:
                    self._costs.remove(old.cost)
                insort(self._costs, new.cost)

    def ceiling(self, ceiling: int | None) -> int | None:
        """Return the most that a further finding may cost to matter."""
        if self._enough is None or len(self._costs) < self._enough or not self._enough:
            return ceiling
        last = self._costs[self._enough - 1]
        if math.isinf(last):
            return ceiling
        return int(last) if ceiling is None else min(ceiling, int(last))

    def is_full(self, ceiling: int | None) -> bool:
        """Return whether so many entries as are wanted cost ``ceiling`` at most."""
        if self._enough is None:
            return False
        return bisect_right(self._costs, math.inf if ceiling is None else ceiling) >= self._enough


def _bounded(
    candidates: Iterable[Candidate], store: CandidateStore, judge: TypeScorer, page: _TopK
) -> Iterator[_BoundedCandidate]:
    for candidate in candidates:
        if page.patience.is_over(_LOOKING):
            page.complete = False
            return
        type_ = _type_of(candidate, store)
        bound = judge.bound(type_)
        if bound is not None:
            yield _BoundedCandidate(bound + _extra(candidate), type_, candidate)


def _type_of(candidate: Candidate, store: CandidateStore) -> Type:
    """Return the candidate's type: of overloads that are compared together, all in one."""
    if not candidate.overloads:
        return store.type(candidate.type)
    types = [store.type(number) for number in candidate.overloads]
    return Object(
        calls=tuple(call for one in types if isinstance(one, Object) for call in one.calls)
    )


def _extra(candidate: Candidate) -> int:
    """Return what is charged beside what the judge says."""
    return RECEIVER_FIRST.price if candidate.receiver else 0


def _verdict(one: _BoundedCandidate, judge: TypeScorer, room: int | None) -> Verdict:
    type_ = one.type
    if one.candidate.container:
        type_ = judge.member(type_, one.candidate.container)
    if not one.candidate.receiver or not isinstance(type_, Object):
        return judge.verdict(type_, room)
    receiver = type_.calls[0].parameters[0].type
    edit = Edit(RECEIVER_FIRST, "$.parameters[0]", receiver)
    return charged(lambda left: judge.verdict(type_, left), (edit,), room)


def _judged(
    candidates: Iterable[_BoundedCandidate],
    judge: TypeScorer,
    ceiling: int | None,
    page: _TopK,
    room: int | None = None,
) -> list[_BoundedCandidate]:
    """Add the candidates that fit to the page, the likeliest first; return the others.

    Only those are looked at that may cost ``ceiling``; they are judged up to ``room``.
    """
    within: list[tuple[tuple[int, int, int], _BoundedCandidate]] = []
    left = []
    most_dear = page.ceiling(ceiling)
    for one in candidates:
        if most_dear is not None and one.bound > most_dear:
            left.append(one)
        else:
            within.append((_likelihood(one, judge), one))
    start = judge.work()
    most = page.most
    spent = verdicts = misfits = 0
    for _, one in sorted(within, key=itemgetter(0)):
        most_dear = page.ceiling(ceiling)
        if most_dear is not None and one.bound > most_dear:
            left.append(one)
            continue
        if page.patience.is_over() or (page.limited and (spent > most or misfits > _MOST_MISFITS)):
            page.complete = False
            continue
        verdict = _verdict(one, judge, page.ceiling(ceiling if room is None else room))
        verdicts += 1
        spent = judge.work() - start + verdicts * _STEPS_A_VERDICT
        if isinstance(verdict, Misfit):
            misfits += 1
            least = least_of(verdict)
            if least < BEYOND:
                left.append(_BoundedCandidate(max(one.bound, least), one.type, one.candidate))
        else:
            page.note(one.candidate, verdict)
            misfits = 0
    page.steps -= min(spent, most)
    if page.ceiling(ceiling) != ceiling:
        page.complete = False
    return left


def _likelihood(one: _BoundedCandidate, judge: TypeScorer) -> tuple[int, int, int]:
    """Return what to sort by: the smaller, the likelier a candidate fits for little."""
    return one.bound + _A_STEP_APART * judge.distance(one.type), one.bound, one.candidate.type
