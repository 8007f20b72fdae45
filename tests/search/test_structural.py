"""The search by tiers, over a store and a scorer made of tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from fakes.stores import as_store
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.store import Candidate
from typematch.ir.constructors import function
from typematch.ir.types import ANY, Literal, Object, Type
from typematch.match.edit_kinds import (
    MISMATCHED,
    ORDER_CHANGED,
    RENAMED,
    SPECIALISED,
    Edit,
    EditKind,
)
from typematch.match.verdict import OVER_CEILING, Fit, Misfit, Undecided, Verdict
from typematch.search.retrieve.structural import find_functions
from typematch.search.retrieve.top_k import TypeMatches
from typematch.search.score.deadline import Deadline
from typematch.search.score.type_scorer import TypeScorer

TARGET = function((), ANY)
EDITS: dict[int, EditKind | None] = {
    1: RENAMED,
    2: ORDER_CHANGED,
    3: SPECIALISED,
    4: MISMATCHED,
    5: None,
}


@dataclass
class TieredCandidates:
    """Candidates by tier; the type with number n is the literal n, of the entry 10 * n."""

    tiers: dict[int, list[int]]
    fetched_tiers: list[int] = field(default_factory=list)
    duplicates: tuple[int, ...] = ()

    def candidates(
        self,
        target: Object,
        tier: int,
        selection: Selection = EVERYTHING,
        *,
        misfits: bool = False,
    ) -> list[Candidate]:
        del misfits
        assert target is TARGET
        assert selection == EVERYTHING
        self.fetched_tiers.append(tier)
        return [_candidate(number) for number in self.tiers.get(tier, [])]

    def near_duplicates(self, target: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        assert target is TARGET
        assert selection == EVERYTHING
        return [_candidate(number) for number in self.duplicates]

    def type(self, number: int, /) -> Type:
        return Literal("number", str(number))


def _candidate(number: int) -> Candidate:
    return Candidate(number, ((number * 10, 0),))


def verdict(candidate: Type, ceiling: int | None) -> Verdict:
    """Return a fit with the edit of ``EDITS``, or undecided."""
    assert isinstance(candidate, Literal)
    kind = EDITS[int(candidate.text)]
    if kind is None:
        return Undecided("too deep")
    if ceiling is not None and kind.cost > ceiling:
        return Misfit(OVER_CEILING, kind.cost)
    return Fit((Edit(kind),))


def costs(candidates: TieredCandidates, page_size: int | None, tiers: int = 4) -> dict[int, float]:
    matches = run(candidates, page_size, tiers).by_entry
    return {entry: match.cost for entry, match in matches.items()}


def run(
    candidates: TieredCandidates, page_size: int | None, tiers: int = 4, min_matches: int = 0
) -> TypeMatches:
    return find_functions(
        [(TARGET, TypeScorer(verdict))],
        as_store(candidates),
        selection=EVERYTHING,
        page_size=page_size,
        tiers=tiers,
        min_matches=min_matches,
    )


def test_the_search_stops_when_no_dearer_candidate_gets_onto_the_page() -> None:
    candidates = TieredCandidates({0: [1], 1: [2], 2: [3]})
    assert costs(candidates, 1) == {10: 0}
    assert candidates.fetched_tiers == [0]


def test_a_match_dearer_than_its_tier_does_not_fill_the_page() -> None:
    # The filter of tier 0 passed a candidate of cost 30; tier 1 may have a cheaper one.
    candidates = TieredCandidates({0: [2], 1: [1], 2: [3]})
    assert costs(candidates, 2) == {20: 30, 10: 0}
    assert candidates.fetched_tiers == [0, 1]


def test_without_a_page_size_all_matches_are_found() -> None:
    matches = run(TieredCandidates({0: [1, 4], 1: [2], 3: [3]}), None)
    assert {entry: match.cost for entry, match in matches.by_entry.items()} == {
        10: 0,
        20: 30,
        30: 200,
        40: 2000,
    }
    assert matches.complete


def test_a_long_page_is_filled_before_the_next_tier_is_fetched() -> None:
    def verdict(candidate: Type, _: int | None) -> Verdict:
        assert isinstance(candidate, Literal)
        return Fit((Edit(RENAMED if int(candidate.text) < 500 else ORDER_CHANGED),))

    candidates = TieredCandidates({0: list(range(500)), 1: list(range(500, 1000))})
    matches = find_functions(
        [(TARGET, TypeScorer(verdict))],
        as_store(candidates),
        selection=EVERYTHING,
        page_size=400,
        tiers=4,
    )
    assert {match.cost for match in matches.by_entry.values()} == {0}
    assert len(matches.by_entry) >= 400
    assert candidates.fetched_tiers == [0]


def test_a_strict_search_fetches_only_the_first_tier() -> None:
    candidates = TieredCandidates({0: [1], 1: [2]})
    assert costs(candidates, None, tiers=1) == {10: 0}
    assert candidates.fetched_tiers == [0]


def test_undecided_candidates_cost_more_than_all_others() -> None:
    matches = run(TieredCandidates({0: [5, 1]}), None).by_entry
    assert matches[50].undecided == "too deep"
    assert matches[50].cost > matches[10].cost


def test_the_result_is_complete_only_without_skipped_candidates() -> None:
    assert not run(TieredCandidates({0: [1], 1: [2]}), 1).complete
    assert run(TieredCandidates({0: [1], 1: [2]}), 3).complete


def test_misfits_are_searched_while_there_are_few_matches() -> None:
    candidates = TieredCandidates({0: [1], 3: [4]})
    matches = run(candidates, 20, tiers=3, min_matches=2)
    assert set(matches.by_entry) == {10, 40}
    assert matches.widened
    matches = run(candidates, 20, tiers=3, min_matches=1)
    assert set(matches.by_entry) == {10}
    assert not matches.widened
    assert matches.complete


class Clock:
    """A clock on which one second passes per reading."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        self.seconds += 1
        return self.seconds


def test_at_the_deadline_the_matches_so_far_are_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typematch.search.score.deadline.time", Clock())
    candidates = TieredCandidates({0: [1, 2], 1: [3], 3: [4]})
    all_matches = run(candidates, None).by_entry
    counts = []
    for seconds in range(40):
        deadline = Deadline(float(seconds))
        matches = find_functions(
            [(TARGET, TypeScorer(verdict))],
            as_store(candidates),
            selection=EVERYTHING,
            page_size=None,
            tiers=4,
            deadline=deadline,
        )
        assert deadline.has_stopped == (not matches.complete)
        assert all(all_matches[entry] == match for entry, match in matches.by_entry.items())
        counts.append(len(matches.by_entry))
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] == len(all_matches)
    assert set(counts) == {0, 1, 2, 3, 4}


def test_a_deadline_without_limit_never_expires() -> None:
    deadline = Deadline()
    assert not deadline.expired()
    assert not deadline.expired(0.0)
    assert not deadline.has_stopped


def test_near_duplicates_are_scored_without_budget() -> None:
    candidates = TieredCandidates({0: [2], 1: [1]}, duplicates=(1,))
    matches = find_functions(
        [(TARGET, TypeScorer(verdict))],
        as_store(candidates),
        selection=EVERYTHING,
        page_size=2,
        tiers=4,
        step_budgets=(0, 0, 0, 0),
    )
    assert matches.by_entry[10].cost == 0
