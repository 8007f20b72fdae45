"""The tiers, over a store and a judge made of tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.store import Candidate
from typematch.ir.constructors import function
from typematch.ir.types import ANY, Literal, Object, Type
from typematch.match.edit_kinds import (
    MISFITTING,
    ORDER_CHANGED,
    RENAMED,
    SPECIALISED,
    Edit,
    EditKind,
)
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict
from typematch.search.retrieve.structural import TypeMatches, find_functions
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorer

ASKED = function((), ANY)
PRICES: dict[int, EditKind | None] = {
    1: RENAMED,
    2: ORDER_CHANGED,
    3: SPECIALISED,
    4: MISFITTING,
    5: None,
}


@dataclass
class Shelf:
    """Candidates by tier; a type's number is also its name."""

    tiers: dict[int, list[int]]
    asked: list[int] = field(default_factory=list)
    near: tuple[int, ...] = ()

    def candidates(
        self,
        asked: Object,
        tier: int,
        selection: Selection = EVERYTHING,
        *,
        misfits: bool = False,
    ) -> list[Candidate]:
        del misfits
        assert asked is ASKED
        assert selection == EVERYTHING
        self.asked.append(tier)
        return [Candidate(number, ((number * 10, 0),)) for number in self.tiers.get(tier, [])]

    def alike(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        assert asked is ASKED
        assert selection == EVERYTHING
        return [Candidate(number, ((number * 10, 0),)) for number in self.near]

    def assignable(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        raise AssertionError(f"nobody asked as the compiler does: {asked}, {selection}")

    def shaped(self, asked: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        raise AssertionError(f"nobody asked for types: {asked}, {selection}")

    def type(self, number: int, /) -> Type:
        return Literal("number", str(number))


def judge(found: Type, ceiling: int | None) -> Verdict:
    assert isinstance(found, Literal)
    kind = PRICES[int(found.text)]
    if kind is None:
        return Undecided("too deep")
    if ceiling is not None and kind.price > ceiling:
        return Misfit("dearer", kind.price)
    return Fit((Edit(kind),))


def costs(shelf: Shelf, enough: int | None, tiers: int = 4) -> dict[int, float]:
    return {n: item.cost for n, item in run(shelf, enough, tiers).by_entry.items()}


def run(shelf: Shelf, enough: int | None, tiers: int = 4, few: int = 0) -> TypeMatches:
    return find_functions(
        [(ASKED, TypeScorer(judge))],
        shelf,
        selection=EVERYTHING,
        enough=enough,
        tiers=tiers,
        few=few,
    )


def test_it_stops_when_nothing_dearer_can_get_onto_the_page() -> None:
    shelf = Shelf({0: [1], 1: [2], 2: [3]})
    assert costs(shelf, 1) == {10: 0}
    assert shelf.asked == [0]


def test_a_fit_dearer_than_its_tier_does_not_fill_the_page() -> None:
    # The filter of tier 0 let through what costs 30: tier 1 may hold something cheaper.
    shelf = Shelf({0: [2], 1: [1], 2: [3]})
    assert costs(shelf, 2) == {20: 30, 10: 0}
    assert shelf.asked == [0, 1]


def test_everything_is_found_where_all_is_asked_for() -> None:
    shelf = Shelf({0: [1, 4], 1: [2], 3: [3]})
    found = run(shelf, None)
    assert {n: item.cost for n, item in found.by_entry.items()} == {
        10: 0,
        20: 30,
        30: 200,
        40: 2000,
    }
    assert found.complete


def test_a_long_page_is_filled_before_anything_dearer_is_looked_for() -> None:
    def judge(found: Type, _: int | None) -> Verdict:
        assert isinstance(found, Literal)
        return Fit((Edit(RENAMED if int(found.text) < 500 else ORDER_CHANGED),))

    shelf = Shelf({0: list(range(500)), 1: list(range(500, 1000))})
    found = find_functions(
        [(ASKED, TypeScorer(judge))], shelf, selection=EVERYTHING, enough=400, tiers=4
    )
    assert {finding.cost for finding in found.by_entry.values()} == {0}
    assert len(found.by_entry) >= 400
    assert shelf.asked == [0]


def test_strict_search_looks_at_the_first_tier_alone() -> None:
    shelf = Shelf({0: [1], 1: [2]})
    assert costs(shelf, None, tiers=1) == {10: 0}
    assert shelf.asked == [0]


def test_undecided_costs_more_than_anything() -> None:
    found = run(Shelf({0: [5, 1]}), None).by_entry
    assert found[50].undecided == "too deep"
    assert found[50].cost > found[10].cost


def test_whether_there_is_more_is_said() -> None:
    assert not run(Shelf({0: [1], 1: [2]}), 1).complete
    assert run(Shelf({0: [1], 1: [2]}), 3).complete


def test_what_fits_badly_is_looked_for_while_there_is_little_else() -> None:
    shelf = Shelf({0: [1], 3: [4]})
    found = run(shelf, 20, tiers=3, few=2)
    assert set(found.by_entry) == {10, 40}
    assert found.stretched
    found = run(shelf, 20, tiers=3, few=1)
    assert set(found.by_entry) == {10}
    assert not found.stretched
    assert found.complete


class Clock:
    """A second goes by between any two looks at it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        self.seconds += 1
        return self.seconds


def test_when_time_runs_out_what_was_found_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typematch.search.score.deadline.time", Clock())
    shelf = Shelf({0: [1, 2], 1: [3], 3: [4]})
    whole = run(shelf, None).by_entry
    counts = []
    for seconds in range(40):
        patience = Deadline(float(seconds))
        found = find_functions(
            [(ASKED, TypeScorer(judge))],
            shelf,
            selection=EVERYTHING,
            enough=None,
            tiers=4,
            patience=patience,
        )
        assert patience.has_ended == (not found.complete)
        assert all(whole[entry] == finding for entry, finding in found.by_entry.items())
        counts.append(len(found.by_entry))
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] == len(whole)
    assert set(counts) == {0, 1, 2, 3, 4}


def test_without_a_limit_time_never_runs_out() -> None:
    patience = Deadline()
    assert not patience.is_over()
    assert not patience.is_over(0.0)
    assert not patience.has_ended


def test_what_reads_just_so_is_judged_before_anything_else_and_whatever_the_work() -> None:
    shelf = Shelf({0: [2], 1: [1]}, near=(1,))
    found = find_functions(
        [(ASKED, TypeScorer(judge))],
        shelf,
        selection=EVERYTHING,
        enough=2,
        tiers=4,
        steps=(0, 0, 0, 0),
    )
    assert found.by_entry[10].cost == 0
