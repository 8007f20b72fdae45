"""The best type matches so far, and the work that may still be done."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

from typematch.index.store import Candidate
from typematch.ir.types import Type
from typematch.match.edit_kinds import Edit
from typematch.match.verdict import Fit, Undecided
from typematch.search.score.deadline import Deadline

# Steps of the relation per tier, for one page.  The last two tiers have more: a search that comes
# to them has found too little.
STEP_BUDGETS = (1_600, 1_600, 4_000, 4_000)


@dataclass(frozen=True, slots=True)
class TypeMatch:
    """An entry and its cheapest overload.

    Attributes:
        entry: the number of the entry.
        overload: which of its signatures matched, from 0.
        cost: in edit units; infinite if undecided.
        undecided: why the relation gave up, or empty.
        assignment: of the query's arguments to parameters, as ``match.verdict.Fit.assignment``.
    """

    entry: int
    overload: int
    cost: float
    edits: tuple[Edit, ...] = ()
    undecided: str = ""
    assignment: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeMatches:
    """The matches of one search.

    Attributes:
        by_entry: matches by entry number.
        complete: there are no other matches; else the search stopped with a full page.
        widened: there were so few matches that dearer ones than usual are included.
    """

    by_entry: dict[int, TypeMatch]
    complete: bool
    widened: bool = False


@dataclass(frozen=True, slots=True)
class BoundedCandidate:
    """A candidate, its type, and a lower bound of its cost in edit units."""

    bound: int
    type: Type
    candidate: Candidate


class TopK:
    """The matches so far, and what may still get onto a page of ``page_size`` entries.

    Attributes:
        matches: by entry number.
        complete: nothing was skipped because the page was full or the budget spent.
        steps: what is left of the tier's budget.
        deadline: of the search.
    """

    def __init__(
        self,
        page_size: int | None,
        step_budgets: Sequence[int] = STEP_BUDGETS,
        deadline: Deadline | None = None,
    ) -> None:
        self.matches: dict[int, TypeMatch] = {}
        self.complete = True
        self.steps = 0
        self.deadline = deadline or Deadline()
        self._step_budgets = step_budgets
        self._shares = 1
        self._page_size = page_size
        self._costs: list[float] = []

    def start_tier(self, tier: int, alternatives: int) -> None:
        """Start a tier with a new budget; of several alternatives each has half of the rest."""
        self.steps = self._step_budgets[tier]
        self._shares = min(alternatives, 2)

    @property
    def budget(self) -> int:
        """How many steps the next alternative may take."""
        return self.steps // self._shares

    @property
    def is_limited(self) -> bool:
        return self._page_size is not None

    def add(self, candidate: Candidate, verdict: Fit | Undecided) -> None:
        """Keep the cheapest overload of each entry; of equal cost the first."""
        for entry, overload in candidate.entries:
            if isinstance(verdict, Fit):
                new = TypeMatch(
                    entry,
                    overload,
                    verdict.cost,
                    verdict.edits,
                    assignment=verdict.assignment,
                )
            else:
                new = TypeMatch(entry, overload, math.inf, undecided=verdict.reason)
            old = self.matches.get(entry)
            if old is None or (new.cost, new.overload) < (old.cost, old.overload):
                self.matches[entry] = new
                if old is not None:
                    self._costs.remove(old.cost)
                insort(self._costs, new.cost)

    def cost_limit(self, ceiling: int | None) -> int | None:
        """Return the most that another match may cost to get onto the page, up to ``ceiling``."""
        if not self._page_size or len(self._costs) < self._page_size:
            return ceiling
        last = self._costs[self._page_size - 1]
        if math.isinf(last):
            return ceiling
        return int(last) if ceiling is None else min(ceiling, int(last))

    def is_full(self, ceiling: int | None) -> bool:
        """Return whether a page of entries costs at most ``ceiling``."""
        if self._page_size is None:
            return False
        limit = math.inf if ceiling is None else ceiling
        return bisect_right(self._costs, limit) >= self._page_size
