"""The best type matches so far."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass

from typematch.index.store import Candidate
from typematch.ir.types import Object
from typematch.match.verdict import Fit, Undecided
from typematch.search.score.deadline import Deadline
from typematch.search.score.type_match import TypeMatch


@dataclass(frozen=True, slots=True)
class TypeMatches:
    """The matches of one search.

    Attributes:
        by_entry: matches by entry number.
        complete: there are no other matches; else the search stopped with a full page.
        widened: there were so few matches that dearer ones than usual are included.
        page_costs: the highest cost of each page but the last, ascending.
    """

    by_entry: dict[int, TypeMatch]
    complete: bool
    widened: bool = False
    page_costs: tuple[float, ...] = ()

    def page_of(self, match: TypeMatch) -> int:
        """Return the page of a match, from 0.

        The pages before the last one are the same whatever the limit of the search was.
        """
        return bisect_left(self.page_costs, match.cost)


class TopK:
    """The matches so far, of which the cheapest form the page.

    Attributes:
        deadline: of the search.
    """

    def __init__(self, deadline: Deadline | None = None) -> None:
        self.deadline = deadline or Deadline()
        self.page_length = 0
        self.page_costs: list[int] = []
        self._matches: dict[int, TypeMatch] = {}
        self._costs: list[int] = []  # ascending, those of undecided matches excepted

    def __len__(self) -> int:
        return len(self._matches)

    def add(
        self, candidate: Candidate, verdict: Fit | Undecided, reading: Object | None = None
    ) -> None:
        """Keep the cheapest overload of each entry; of equal cost the first.

        Args:
            reading: the function type of the query that the verdict is about.
        """
        fit = verdict if isinstance(verdict, Fit) else None
        cost = math.inf if fit is None else fit.cost
        for entry, overload in candidate.entries:
            old = self._matches.get(entry)
            if old is not None and (old.cost, old.overload) <= (cost, overload):
                continue
            self._matches[entry] = (
                TypeMatch(entry, overload, cost, undecided=verdict.reason)
                if isinstance(verdict, Undecided)
                else TypeMatch(
                    entry,
                    overload,
                    cost,
                    verdict.edits,
                    assignment=verdict.assignment,
                    reading=reading,
                )
            )
            if old is not None and not old.undecided:
                self._costs.remove(int(old.cost))
            if fit is not None:
                insort(self._costs, fit.cost)

    @property
    def has_more(self) -> bool:
        """Whether there are matches after the last closed page."""
        return self.page_length < len(self._costs)

    def cost_at(self, rank: int) -> int | None:
        """Return the cost of the match of a rank, from 1; None if there are fewer matches."""
        return self._costs[rank - 1] if rank <= len(self._costs) else None

    def close_page(self, last_cost: int | None) -> None:
        """Let the page end with the matches of this cost; None: with the last match."""
        if last_cost is None:
            self.page_length = len(self._costs)
        else:
            self.page_length = bisect_right(self._costs, last_cost)
            self.page_costs.append(last_cost)

    def pages(self, *, widened: bool = False) -> TypeMatches:
        """Return the matches of the closed pages."""
        last_cost = self._costs[self.page_length - 1] if self.page_length else -1
        by_entry = {
            entry: match for entry, match in self._matches.items() if match.cost <= last_cost
        }
        return TypeMatches(by_entry, False, widened, tuple(self.page_costs))

    def all_matches(self, *, complete: bool, widened: bool = False) -> TypeMatches:
        """Return all matches, undecided ones included."""
        return TypeMatches(self._matches, complete, widened, tuple(self.page_costs))
