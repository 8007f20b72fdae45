"""Find entries by type: best first, until no other candidate can get onto the page.

Every function type of the store has a lower bound of its cost.  Candidates are taken in the order
of their bounds.  The first time, the bound is refined; the second time, the candidate is matched.
The search ends when the next bound exceeds the cost of the page's last entry, so a page holds the
cheapest entries of the store.  All costs are in edit units.

A few candidates that mention the query's declared types are matched before the others.  This does
not change a page; but a search that its time limit ends has them, and the others are matched up to
lower ceilings.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.masks.function_arrays import Numbers
from typematch.index.store import FunctionBounds, MemberGroup, Store
from typematch.ir.types import Object, Type
from typematch.match.edit_kinds import RECEIVER_FIRST, Edit
from typematch.match.verdict import (
    NO_FIT_COST,
    Fit,
    Misfit,
    Undecided,
    Verdict,
    add_edits,
    lower_bound,
    up_to,
)
from typematch.search.retrieve.top_k import TopK, TypeMatches
from typematch.search.score.deadline import Deadline
from typematch.search.score.known_costs import known_costs
from typematch.search.score.type_scorer import TypeScorer

# A page has at least so many entries, and all that cost as much as its last one.  Its size does
# not depend on the limit of a search, so neither do the first hits.
PAGE_SIZE = 20
# Candidates of a low bound are first matched up to this cost.
_FIRST_CEILING = 99
# Candidates whose types are read together.
_PREFETCHED = 32
# Candidates that are matched before the others.
_LIKELY = 64


@dataclass(frozen=True, slots=True)
class Alternative:
    """One form of a query.

    Attributes:
        target: a function type with one call signature.
        scorer: compares candidates with it.
        declarations: keys of what names of the query mean in this form only.  Candidates are the
            functions of the packages that declare one of them, and those that mention one; without
            any, all functions.
        reading: the function type of the query that ``target`` is a form of; None: ``target``.
    """

    target: Object
    scorer: TypeScorer
    declarations: tuple[str, ...] = ()
    reading: Object | None = None

    def bounds(
        self, store: Store, selection: Selection = EVERYTHING, *, mismatch: int | None = None
    ) -> FunctionBounds:
        """Return the lower bounds of the candidates, as ``Store.function_bounds`` does."""
        bounds = store.function_bounds(self.target, selection, mismatch=mismatch)
        if not self.declarations:
            return bounds
        using = store.functions_using(self.declarations)
        # Not by sorting: the functions of a few entries are looked up among tens of thousands.
        related = np.isin(bounds.numbers, using, kind="table")
        return FunctionBounds(bounds.numbers[related], bounds.bounds[related])


@dataclass(frozen=True, slots=True)
class FunctionSearch:
    """What a search for functions looks for.

    Attributes:
        alternatives: an entry has the cost of its cheapest alternative.
        selection: only entries that meet it.
        ceiling: the highest cost of a match; None for no limit.
        mismatch: the cost of a pair of types that no conversion relates; None if it does not fit.
        min_matches: with fewer matches up to the ceiling, a page without a ceiling is found.
        time_share: the part of the time limit that the search may use, from 0 to 1.
        dearer_share: the part after which no page without a ceiling is continued, if there are
            matches.
    """

    alternatives: Sequence[Alternative]
    selection: Selection
    ceiling: int | None
    mismatch: int | None = None
    min_matches: int = 0
    time_share: float = 1.0
    dearer_share: float = 1.0


def find_functions(
    search: FunctionSearch, store: Store, *, limit: int | None, deadline: Deadline | None = None
) -> TypeMatches:
    """Return the cheapest entries, in whole pages.

    Args:
        limit: how many entries are wanted; None for all.
        deadline: when to stop with the matches so far.
    """
    best_first = _BestFirst(search, store, deadline or Deadline())
    top = best_first.top
    if limit is not None:  # without one, every candidate is matched
        best_first.match_likely(search.ceiling, search.time_share)
    complete = False
    while not complete and (limit is None or top.page_length < limit):
        complete = best_first.extend_page(search.ceiling, search.time_share)
        if best_first.deadline.has_stopped:
            return top.all_matches(complete=False)
    widened = complete and len(top) < search.min_matches
    if widened:
        # Few signatures are close: a page of dearer ones is listed, too.
        complete = best_first.extend_page(None, search.dearer_share, search.time_share)
    if complete or best_first.deadline.has_stopped:
        return top.all_matches(complete=complete, widened=widened)
    return top.pages(widened=widened)


class _Candidate(NamedTuple):
    """A function type, for one alternative of the query and one group of its entries.

    Attributes:
        bound: lower bound of its cost, in edit units.
        number: of the function type.
        alternative, group: indices.
    """

    bound: int
    number: int
    alternative: int
    group: int

    @property
    def key(self) -> tuple[int, int]:
        """What the costs against one alternative are known by."""
        return self.number, self.group


class _BestFirst:
    """A search that can be continued with another page."""

    def __init__(self, search: FunctionSearch, store: Store, deadline: Deadline) -> None:
        self.top = TopK(deadline)
        self.deadline = deadline
        self._store = store
        self._selection = search.selection
        self._targets = [alternative.target for alternative in search.alternatives]
        self._readings = [form.reading or form.target for form in search.alternatives]
        self._scorers = [alternative.scorer for alternative in search.alternatives]
        self._known = [known_costs(store, scorer.query) for scorer in self._scorers]
        self._unrefined = _Frontier(
            [
                (form.bounds(store, search.selection, mismatch=search.mismatch), form.scorer)
                for form in search.alternatives
            ],
            store,
        )
        self._refined: list[_Candidate] = []  # a heap

    def match_likely(self, ceiling: int | None, time_share: float) -> None:
        """Match the candidates of the lowest bounds that mention the query's declared types.

        They stay candidates: in their turn their verdicts are known.
        """
        highest = NO_FIT_COST - 1 if ceiling is None else ceiling
        likely: list[tuple[int, int, int]] = []
        for alternative, target in enumerate(self._targets):
            functions = self._store.functions_with_types_of(target)
            likely += self._unrefined.lowest_of(functions, alternative, highest, _LIKELY)
        likely = heapq.nsmallest(_LIKELY, likely)
        self._store.prefetch_types([number for _, number, _ in likely])
        for candidate in chain.from_iterable(map(self._by_group, likely)):
            if self.deadline.expired(time_share):
                return
            if self._known[candidate.alternative].bounds.get(candidate.key, 0) > highest:
                continue  # an earlier search has matched it
            verdict = self._verdict(candidate, ceiling)
            if isinstance(verdict, Fit):
                self._add(candidate, verdict)

    def extend_page(
        self, ceiling: int | None, time_share: float, share_without_matches: float = 0.0
    ) -> bool:
        """Find the next page; return whether all matches up to the ceiling were found.

        Args:
            time_share: the part of the time limit after which the page is not continued.
            share_without_matches: the same as long as there are no matches, if it is more.
        """
        page_end = self.top.page_length + PAGE_SIZE
        longest = max(time_share, share_without_matches)
        while not self.deadline.expired(time_share if len(self.top) else longest):
            bound = min(
                self._unrefined.bound,
                self._refined[0].bound if self._refined else NO_FIT_COST,
            )
            is_last = bound >= NO_FIT_COST or (ceiling is not None and bound > ceiling)
            last_cost = self.top.cost_at(page_end)
            if last_cost is not None and (is_last or bound > last_cost):
                # Dearer matches that are known already belong to the next page.
                self.top.close_page(last_cost)
                return is_last and not self.top.has_more
            if is_last:
                self.top.close_page(None)
                return True
            if self._refined and self._refined[0].bound == bound:
                candidate = heapq.heappop(self._refined)
            else:
                candidate, *others = self._by_group(self._unrefined.pop())
                for other in others:
                    heapq.heappush(self._refined, other)
            if self._refine(candidate) == bound:
                self._match(candidate, ceiling if last_cost is None else last_cost)
        return False

    def _by_group(self, candidate: tuple[int, int, int]) -> list[_Candidate]:
        """Return a candidate of the frontier once for each group of its entries."""
        bound, number, alternative = candidate
        groups = range(len(self._store.member_groups(number)))
        return [_Candidate(bound, number, alternative, group) for group in groups]

    def _refine(self, candidate: _Candidate) -> int:
        """Raise the bound of a candidate from its type, step by step; return the new bound.

        A bound that rises is not final: the candidate comes up again before it is matched.
        """
        bound, number = candidate.bound, candidate.number
        known = self._known[candidate.alternative]
        refined = known.bounds.get(candidate.key, 0)
        if refined <= bound and candidate.key not in known.matches:
            receiver_cost = _receiver_cost(number)
            lower_bound = self._scorer(candidate).lower_bound
            least = lower_bound(self._store.type(number), bound - receiver_cost)
            refined = NO_FIT_COST if least is None else max(refined, least + receiver_cost)
            known.bounds[candidate.key] = refined
        if bound < refined < NO_FIT_COST:
            heapq.heappush(self._refined, candidate._replace(bound=refined))
        return max(refined, bound)

    def _match(self, candidate: _Candidate, ceiling: int | None) -> None:
        """Match a candidate; one that costs more than the ceiling stays a candidate."""
        bound = candidate.bound
        if bound <= _FIRST_CEILING:
            # A page is often full before dearer edits need to be tried.
            ceiling = _FIRST_CEILING if ceiling is None else min(ceiling, _FIRST_CEILING)
        elif ceiling is None:
            ceiling = 2 * bound
        verdict = self._verdict(candidate, ceiling)
        if not isinstance(verdict, Misfit):
            self._add(candidate, verdict)
        elif (least := lower_bound(verdict)) < NO_FIT_COST:
            heapq.heappush(self._refined, candidate._replace(bound=max(bound + 1, least)))

    def _add(self, candidate: _Candidate, verdict: Fit | Undecided) -> None:
        """Add a match for the entries of the candidate's group."""
        found = self._store.candidate(candidate.number, self._selection)
        members = self._group(candidate).entries
        if members is not None:
            pairs = tuple(pair for pair in found.entries if pair[0] in members)
            found = replace(found, entries=pairs)
        self.top.add(found, verdict, self._readings[candidate.alternative])

    def _verdict(self, candidate: _Candidate, ceiling: int | None) -> Verdict:
        """Return the verdict of a candidate, from an earlier search if that found a match."""
        number = candidate.number
        known = self._known[candidate.alternative]
        match = known.matches.get(candidate.key)
        if match is None:
            verdict = _verdict(self._store.type(number), number, self._scorer(candidate), ceiling)
            if isinstance(verdict, Misfit):
                known.bounds[candidate.key] = max(candidate.bound + 1, lower_bound(verdict))
            else:
                known.matches[candidate.key] = verdict
            return verdict
        return up_to(match, ceiling) if isinstance(match, Fit) else match

    def _group(self, candidate: _Candidate) -> MemberGroup:
        return self._store.member_groups(candidate.number)[candidate.group]

    def _scorer(self, candidate: _Candidate) -> TypeScorer:
        outer_parameters = self._group(candidate).outer_parameters
        return self._scorers[candidate.alternative].for_members(outer_parameters)


def _receiver_cost(number: int) -> int:
    """Return the cost of passing the receiver as an argument, which the scorer does not count."""
    return RECEIVER_FIRST.cost if number < 0 else 0


def _verdict(type_: Type, number: int, scorer: TypeScorer, ceiling: int | None) -> Verdict:
    if number > 0 or not isinstance(type_, Object):
        return scorer.verdict(type_, ceiling)
    receiver = type_.calls[0].parameters[0].type
    edit = Edit(RECEIVER_FIRST, "$.parameters[0]", receiver)
    return add_edits(lambda rest: scorer.verdict(type_, rest), (edit,), ceiling)


class _Frontier:
    """The candidates of all alternatives whose bounds are those of the store, in order of bound."""

    def __init__(
        self, alternatives: Sequence[tuple[FunctionBounds, TypeScorer]], store: Store
    ) -> None:
        self._store = store
        bounds, numbers, indices = [], [], []
        for index, (functions, scorer) in enumerate(alternatives):
            receiver_costs = np.where(functions.numbers < 0, RECEIVER_FIRST.cost, 0)
            totals = functions.bounds + scorer.minimum_cost + receiver_costs
            may_fit = totals < NO_FIT_COST
            bounds.append(totals[may_fit])
            numbers.append(functions.numbers[may_fit])
            indices.append(np.full(int(may_fit.sum()), index))
        columns = [np.concatenate(parts) for parts in (bounds, numbers, indices)]
        order = np.lexsort((columns[2], columns[1], columns[0]))
        self._columns = [column[order] for column in columns]
        self._bounds, self._numbers, self._alternatives = (
            column.tolist() for column in self._columns
        )
        self._next = 0

    @property
    def bound(self) -> int:
        """The lowest bound; ``NO_FIT_COST`` if no candidate is left."""
        return self._bounds[self._next] if self._next < len(self._bounds) else NO_FIT_COST

    def lowest_of(
        self, functions: Numbers, alternative: int, highest: int, count: int
    ) -> list[tuple[int, int, int]]:
        """Return up to ``count`` candidates of the lowest bounds.

        Args:
            functions: the functions that count.
            highest: the highest bound that counts.
        """
        if not len(functions):
            return []
        bounds, numbers, alternatives = self._columns
        counted = (alternatives == alternative) & (bounds <= highest)
        counted &= np.isin(numbers, functions)
        return [
            (self._bounds[index], self._numbers[index], alternative)
            for index in np.flatnonzero(counted)[:count].tolist()
        ]

    def pop(self) -> tuple[int, int, int]:
        """Remove the candidate of the lowest bound; return bound, number, alternative."""
        index = self._next
        if index % _PREFETCHED == 0:
            self._store.prefetch_types(self._numbers[index : index + _PREFETCHED])
        self._next += 1
        return self._bounds[index], self._numbers[index], self._alternatives[index]
