"""Find entries by type: cheapest first, in tiers of cost.

A tier is a range of costs (``TIER_CEILINGS``, edit units).  For each tier the store returns the
distinct function types that may cost as little, the scorer compares each once, and the search
stops when no dearer candidate can get onto the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias

from typematch.index.entries.selection import Selection
from typematch.index.store import Candidate, Store
from typematch.ir.types import Object, Type
from typematch.match.edit_kinds import RECEIVER_FIRST, TIER_CEILINGS, Edit
from typematch.match.verdict import NO_FIT_COST, Misfit, Verdict, add_edits, lower_bound
from typematch.search.retrieve.top_k import (
    STEP_BUDGETS,
    BoundedCandidate,
    TopK,
    TypeMatches,
)
from typematch.search.score.deadline import Deadline
from typematch.search.score.type_scorer import TypeScorer

# Alternative forms of one query, each with its scorer.
Alternatives: TypeAlias = Sequence[tuple[Object, TypeScorer]]

_ENTRIES_PER_BUDGET = 40  # ``STEP_BUDGETS`` are for a page of so many entries
_STEPS_PER_VERDICT = 10  # fixed costs of a verdict, in steps of the relation
# After so many misfits in a row the remaining candidates, which are less likely, are skipped.
_MAX_MISFITS = 60
# Share of the time limit for fetching candidates and computing their lower bounds.
_FETCH_SHARE = 0.5
# Edit units added to the lower bound per unit of distance when ordering candidates.  Chosen so
# that the fits of the benchmark's searches come early.
_COST_PER_DISTANCE = 40


def find_functions(
    alternatives: Alternatives,
    store: Store,
    *,
    selection: Selection,
    page_size: int | None,
    tiers: int,
    min_matches: int = 0,
    step_budgets: Sequence[int] | None = None,
    deadline: Deadline | None = None,
) -> TypeMatches:
    """Score function types tier by tier.

    Args:
        alternatives: an entry has the cost of its cheapest alternative.
        page_size: stop after a tier if so many entries are cheaper than all others can be; None
            searches all tiers.
        tiers: how many tiers to search; 1 is what the compiler accepts.
        min_matches: search the other tiers too while there are fewer matches.
        step_budgets: steps of the relation per tier; None derives them from ``page_size``.
        deadline: when to stop with the matches so far.
    """
    top = TopK(page_size, step_budgets or _step_budgets(page_size), deadline)
    # Candidates that are dearer than their tier, by alternative: scored again in the next tier.
    postponed: list[list[BoundedCandidate]] = [[] for _ in alternatives]
    next_tier = [0] * len(alternatives)  # the first tier that was not fetched
    top.start_tier(0, 1)
    for target, scorer in alternatives:
        # Near duplicates of the query are scored first, outside the order by likelihood.
        duplicates = _bounded(store.near_duplicates(target, selection), store, scorer, top)
        _score(duplicates, scorer, TIER_CEILINGS[tiers - 1], top)
    for tier, ceiling in enumerate(TIER_CEILINGS):
        top.start_tier(tier, len(alternatives))
        if tier >= tiers and len(top.matches) >= min_matches:
            if min_matches and not top.is_full(TIER_CEILINGS[tiers - 1]):
                # The page has room: candidates over the last ceiling are listed at its end.
                for (_, scorer), candidates in zip(alternatives, postponed, strict=True):
                    _score(candidates, scorer, None, top)
            return TypeMatches(top.matches, complete=True, widened=tier > tiers)
        for index, (target, scorer) in enumerate(alternatives):
            if ceiling is not None and scorer.minimum_cost > ceiling:
                continue
            bounded = postponed[index]
            for fetched_tier in range(next_tier[index], tier + 1):
                candidates_of_tier = store.candidates(
                    target, fetched_tier, selection, misfits=tiers == len(TIER_CEILINGS)
                )
                bounded += _bounded(candidates_of_tier, store, scorer, top)
            next_tier[index] = tier + 1
            # A verdict up to the ceiling of tier 1 takes no more work than one of tier 0.
            verdict_ceiling = TIER_CEILINGS[1] if tier == 0 and tiers > 1 else ceiling
            postponed[index] = _score(bounded, scorer, ceiling, top, verdict_ceiling)
        if top.deadline.expired() or (top.is_full(ceiling) and tier < tiers - 1):
            return TypeMatches(top.matches, complete=False)
    return TypeMatches(top.matches, top.complete, widened=tiers < len(TIER_CEILINGS))


def _step_budgets(page_size: int | None) -> Sequence[int]:
    pages = max(1.0, (page_size or 0) / _ENTRIES_PER_BUDGET)
    return [int(pages * steps) for steps in STEP_BUDGETS]


def find_assignable(
    alternatives: Alternatives,
    store: Store,
    *,
    selection: Selection,
    deadline: Deadline | None = None,
) -> TypeMatches:
    """Score function types as the compiler does: whole types, with all their overloads."""
    top = TopK(None, deadline=deadline)
    for target, scorer in alternatives:
        candidates = store.candidate_wholes(target, selection)
        _score(_bounded(candidates, store, scorer, top), scorer, None, top)
    return TypeMatches(top.matches, top.complete)


def find_types(
    alternatives: Sequence[tuple[Type, TypeScorer]],
    store: Store,
    *,
    selection: Selection,
    deadline: Deadline | None = None,
) -> TypeMatches:
    """Score the types that entries name (interfaces, classes, aliases, enums)."""
    top = TopK(None, deadline=deadline)
    for target, scorer in alternatives:
        candidates = store.candidate_types(target, selection)
        _score(_bounded(candidates, store, scorer, top), scorer, None, top)
    return TypeMatches(top.matches, top.complete)


def _bounded(
    candidates: Iterable[Candidate], store: Store, scorer: TypeScorer, top: TopK
) -> Iterator[BoundedCandidate]:
    """Yield the candidates that may fit, with their types and lower bounds."""
    for candidate in candidates:
        if top.deadline.expired(_FETCH_SHARE):
            top.complete = False
            return
        type_ = _type_of(candidate, store)
        bound = scorer.lower_bound(type_)
        if bound is not None:
            yield BoundedCandidate(bound + _receiver_cost(candidate), type_, candidate)


def _type_of(candidate: Candidate, store: Store) -> Type:
    """Return the candidate's type; overloads that are compared together are one object type."""
    if not candidate.overloads:
        return store.type(candidate.type)
    types = [store.type(number) for number in candidate.overloads]
    return Object(
        calls=tuple(call for type_ in types if isinstance(type_, Object) for call in type_.calls)
    )


def _receiver_cost(candidate: Candidate) -> int:
    """Return the cost of passing the receiver as an argument, which the scorer does not count."""
    return RECEIVER_FIRST.cost if candidate.receiver else 0


def _verdict(bounded: BoundedCandidate, scorer: TypeScorer, ceiling: int | None) -> Verdict:
    type_, candidate = bounded.type, bounded.candidate
    if candidate.container:
        type_ = scorer.member_type(type_, candidate.container)
    if not candidate.receiver or not isinstance(type_, Object):
        return scorer.verdict(type_, ceiling)
    receiver = type_.calls[0].parameters[0].type
    edit = Edit(RECEIVER_FIRST, "$.parameters[0]", receiver)
    return add_edits(lambda rest: scorer.verdict(type_, rest), (edit,), ceiling)


def _score(
    candidates: Iterable[BoundedCandidate],
    scorer: TypeScorer,
    ceiling: int | None,
    top: TopK,
    verdict_ceiling: int | None = None,
) -> list[BoundedCandidate]:
    """Add the candidates that fit to ``top``, likeliest first; return the dearer ones.

    Args:
        ceiling: candidates with a higher lower bound are postponed.
        verdict_ceiling: the cost up to which the others are scored; None means ``ceiling``.
    """
    likely: list[tuple[tuple[int, int, int], BoundedCandidate]] = []
    postponed = []
    max_cost = top.cost_limit(ceiling)
    for bounded in candidates:
        if max_cost is not None and bounded.bound > max_cost:
            postponed.append(bounded)
        else:
            likely.append((_likelihood(bounded, scorer), bounded))
    start, budget = scorer.steps(), top.budget
    spent = verdicts = misfits = 0
    for _, bounded in sorted(likely, key=itemgetter(0)):
        max_cost = top.cost_limit(ceiling)
        if max_cost is not None and bounded.bound > max_cost:
            postponed.append(bounded)
            continue
        out_of_budget = top.is_limited and (spent > budget or misfits > _MAX_MISFITS)
        if top.deadline.expired() or out_of_budget:
            top.complete = False
            continue
        scored_up_to = ceiling if verdict_ceiling is None else verdict_ceiling
        verdict = _verdict(bounded, scorer, top.cost_limit(scored_up_to))
        verdicts += 1
        spent = scorer.steps() - start + verdicts * _STEPS_PER_VERDICT
        if isinstance(verdict, Misfit):
            misfits += 1
            least = lower_bound(verdict)
            if least < NO_FIT_COST:
                bound = max(bounded.bound, least)
                postponed.append(BoundedCandidate(bound, bounded.type, bounded.candidate))
        else:
            top.add(bounded.candidate, verdict)
            misfits = 0
    top.steps -= min(spent, budget)
    if top.cost_limit(ceiling) != ceiling:
        top.complete = False
    return postponed


def _likelihood(bounded: BoundedCandidate, scorer: TypeScorer) -> tuple[int, int, int]:
    """Return a sort key: candidates that are likely to fit cheaply come first."""
    estimate = bounded.bound + _COST_PER_DISTANCE * scorer.distance(bounded.type)
    return estimate, bounded.bound, bounded.candidate.type
