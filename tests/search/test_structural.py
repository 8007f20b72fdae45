"""The best-first search, over a store and a scorer made of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from fakes.stores import as_store
from typematch.catalog import Catalog
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.masks.function_arrays import Numbers
from typematch.index.store import Candidate, FunctionBounds, MemberGroup
from typematch.ir.constructors import function
from typematch.ir.types import ANY, Literal, Object, Type
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    MISMATCHED,
    OPTIONAL_SUPPLIED,
    ORDER_CHANGED,
    RENAMED,
    SPECIALISED,
    Edit,
    EditKind,
)
from typematch.match.verdict import OVER_CEILING, Fit, Misfit, Undecided, Verdict
from typematch.search.retrieve.structural import (
    PAGE_SIZE,
    Alternative,
    FunctionSearch,
    find_functions,
)
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


@dataclass(eq=False)
class BoundedFunctions:
    """Function types with their bounds; the type n is the literal n, of the entry 10 * n."""

    bounds: Mapping[int, int]
    version: int = 0
    likely: tuple[int, ...] = ()

    def functions_with_types_of(self, target: Object, /) -> Numbers:
        assert target is TARGET
        return np.array(self.likely, dtype=np.int64)

    def functions_using(self, keys: tuple[str, ...], /) -> Numbers:
        return np.array([int(key) for key in keys], dtype=np.int64)

    def data_version(self) -> tuple[int, int]:
        return self.version, 0

    def function_bounds(
        self, target: Object, selection: Selection = EVERYTHING, *, mismatch: int | None = None
    ) -> FunctionBounds:
        del mismatch
        assert target is TARGET
        assert selection == EVERYTHING
        return FunctionBounds(np.array(list(self.bounds)), np.array(list(self.bounds.values())))

    def candidate(self, number: int, selection: Selection = EVERYTHING) -> Candidate:
        assert selection == EVERYTHING
        return Candidate(number, ((number * 10, 0),))

    def member_groups(self, number: int, /) -> Sequence[MemberGroup]:
        assert number in self.bounds
        return [MemberGroup()]

    def prefetch_types(self, numbers: Sequence[int], /) -> None:
        """Do nothing: there is nothing to read."""

    def type(self, number: int, /) -> Type:
        return Literal("number", str(number))


@dataclass
class Matching:
    """A scorer of which the calls are recorded."""

    costs: Mapping[int, EditKind | None]
    matched: list[int] = field(default_factory=list)

    def verdict(self, candidate: Type, ceiling: int | None) -> Verdict:
        number = _number(candidate)
        self.matched.append(number)
        kind = self.costs[number]
        if kind is None:
            return Undecided("too deep")
        if ceiling is not None and kind.cost > ceiling:
            return Misfit(OVER_CEILING, kind.cost)
        return Fit((Edit(kind),))


def _number(candidate: Type) -> int:
    assert isinstance(candidate, Literal)
    return int(candidate.text)


def run(
    bounds: Mapping[int, int],
    limit: int | None,
    *,
    scorer: TypeScorer | None = None,
    ceiling: int | None = None,
    min_matches: int = 0,
    deadline: Deadline | None = None,
    likely: tuple[int, ...] = (),
) -> TypeMatches:
    search = FunctionSearch(
        [Alternative(TARGET, scorer or TypeScorer(Matching(EDITS).verdict))],
        EVERYTHING,
        ceiling,
        min_matches=min_matches,
    )
    store = as_store(BoundedFunctions(bounds, likely=likely))
    return find_functions(search, store, limit=limit, deadline=deadline)


def costs(matches: TypeMatches) -> dict[int, float]:
    return {entry: match.cost for entry, match in matches.by_entry.items()}


def test_without_a_limit_all_matches_are_found() -> None:
    matches = run({1: 0, 4: 0, 2: 20, 3: 200}, None)
    assert costs(matches) == {10: 0, 20: 30, 30: 200, 40: 2000}
    assert matches.complete


def test_no_match_costs_more_than_the_ceiling() -> None:
    matches = run({1: 0, 4: 0, 2: 20, 3: 200}, None, ceiling=199)
    assert costs(matches) == {10: 0, 20: 30}
    assert matches.complete


def many(cheap: int, dear: int) -> tuple[dict[int, int], Matching]:
    """Return bounds of 0 and a scorer: so many types of cost 0, then so many of cost 30."""
    kinds: dict[int, EditKind | None] = dict.fromkeys(range(1, cheap + 1), RENAMED)
    kinds |= dict.fromkeys(range(cheap + 1, cheap + dear + 1), ORDER_CHANGED)
    return dict.fromkeys(kinds, 0), Matching(kinds)


def test_a_page_ends_with_all_entries_of_its_last_cost() -> None:
    bounds, matching = many(PAGE_SIZE + 7, 50)
    matches = run(bounds, 1, scorer=TypeScorer(matching.verdict))
    assert costs(matches) == {10 * number: 0 for number in range(1, PAGE_SIZE + 8)}
    assert not matches.complete


def test_a_longer_page_begins_with_the_shorter_one() -> None:
    bounds, matching = many(PAGE_SIZE, 3 * PAGE_SIZE)
    scorer = TypeScorer(matching.verdict)
    first, second = run(bounds, 3, scorer=scorer), run(bounds, PAGE_SIZE + 1, scorer=scorer)
    assert len(first.by_entry) == PAGE_SIZE
    assert len(second.by_entry) == 4 * PAGE_SIZE
    for entry, match in first.by_entry.items():
        assert second.by_entry[entry] == match
        assert second.page_of(match) == 0
    others = [match for entry, match in second.by_entry.items() if entry not in first.by_entry]
    assert {second.page_of(match) for match in others} == {1}


def test_a_dearer_match_known_from_an_earlier_search_belongs_to_the_next_page() -> None:
    matching = Matching(
        dict.fromkeys(range(1, PAGE_SIZE + 2), SPECIALISED) | {1: ARGUMENT_SUPPLIED}
    )

    def verdict(candidate: Type, ceiling: int | None) -> Verdict:
        found = matching.verdict(candidate, ceiling)
        return Misfit(OVER_CEILING, 1) if isinstance(found, Misfit) else found

    scorer = TypeScorer(verdict, query=(TARGET, "edits"))
    search = FunctionSearch([Alternative(TARGET, scorer)], EVERYTHING, ARGUMENT_SUPPLIED.cost)
    store = as_store(BoundedFunctions({**dict.fromkeys(matching.costs, 150), 1: 0}))
    everything = find_functions(search, store, limit=None)
    assert everything.page_of(everything.by_entry[10]) == 1
    page = find_functions(search, store, limit=1)
    assert len(page.by_entry) == PAGE_SIZE
    assert not page.complete


def test_a_candidate_over_the_page_is_not_matched() -> None:
    cheap, matching = many(PAGE_SIZE, 0)
    matching.costs = {**matching.costs, 999: ORDER_CHANGED}
    run({**cheap, 999: 30}, 1, scorer=TypeScorer(matching.verdict))
    assert 999 not in matching.matched


def test_a_refined_bound_keeps_a_candidate_from_being_matched() -> None:
    cheap, matching = many(PAGE_SIZE, 0)
    matching.costs = {**matching.costs, 998: ORDER_CHANGED, 999: ORDER_CHANGED}
    refined = {998: 25, 999: None}
    scorer = TypeScorer(matching.verdict, lambda candidate, _: refined.get(_number(candidate), 0))
    run({**cheap, 998: 0, 999: 0}, 1, scorer=scorer)
    assert not {998, 999} & set(matching.matched)


def test_a_bound_is_refined_in_steps_until_it_is_final() -> None:
    cheap, matching = many(PAGE_SIZE, 0)
    matching.costs = {**matching.costs, 999: ORDER_CHANGED}

    def lower_bound(candidate: Type, at_most: int | None) -> int | None:
        if _number(candidate) != 999:
            return 0
        return next(step for step in (2, 4, 25) if at_most is None or step > at_most or step == 25)

    scorer = TypeScorer(matching.verdict, lower_bound)
    run({**cheap, 999: 0}, 1, scorer=scorer)
    assert 999 not in matching.matched
    assert 999 * 10 in run({**cheap, 999: 0}, None, scorer=scorer).by_entry


def test_a_candidate_dearer_than_its_bound_waits_for_cheaper_ones() -> None:
    kinds: dict[int, EditKind | None] = {
        1: SPECIALISED,
        **dict.fromkeys(range(2, PAGE_SIZE + 2), RENAMED),
    }
    matches = run(
        {1: 0, **dict.fromkeys(range(2, PAGE_SIZE + 2), 3)},
        1,
        scorer=TypeScorer(Matching(kinds).verdict),
    )
    assert set(costs(matches).values()) == {0}


@pytest.mark.parametrize("limit", [1, None])
def test_of_several_alternatives_the_cheapest_counts(limit: int | None) -> None:
    dear = TypeScorer(Matching({1: ORDER_CHANGED}).verdict)
    cheap = TypeScorer(Matching({1: OPTIONAL_SUPPLIED}).verdict)
    search = FunctionSearch(
        [Alternative(TARGET, dear), Alternative(TARGET, cheap)], EVERYTHING, None
    )
    matches = find_functions(search, as_store(BoundedFunctions({1: 0})), limit=limit)
    assert costs(matches) == {10: OPTIONAL_SUPPLIED.cost}


def test_the_candidates_of_an_alternative_use_its_declarations() -> None:
    first, second = Matching({1: ORDER_CHANGED, 2: ORDER_CHANGED}), Matching({2: OPTIONAL_SUPPLIED})
    alternatives = [
        Alternative(TARGET, TypeScorer(first.verdict)),
        Alternative(TARGET, TypeScorer(second.verdict), ("2",)),
    ]
    search = FunctionSearch(alternatives, EVERYTHING, None)
    matches = find_functions(search, as_store(BoundedFunctions({1: 0, 2: 0})), limit=None)
    assert costs(matches) == {10: ORDER_CHANGED.cost, 20: OPTIONAL_SUPPLIED.cost}
    assert second.matched == [2]


def test_a_receiver_form_costs_the_edit_of_its_receiver() -> None:
    matches = run({-1: 0}, None, scorer=TypeScorer(Matching({-1: RENAMED}).verdict), ceiling=19)
    assert not matches.by_entry


def test_undecided_candidates_cost_more_than_all_others() -> None:
    matches = run({5: 0, 1: 0}, None).by_entry
    assert matches[50].undecided == "too deep"
    assert matches[50].cost > matches[10].cost


def test_undecided_candidates_fill_no_page() -> None:
    kinds: dict[int, EditKind | None] = dict.fromkeys(range(1, PAGE_SIZE + 1), None)
    kinds |= dict.fromkeys(range(PAGE_SIZE + 1, 2 * PAGE_SIZE + 1), RENAMED)
    matches = run(dict.fromkeys(kinds, 0), 1, scorer=TypeScorer(Matching(kinds).verdict))
    assert sum(not match.undecided for match in matches.by_entry.values()) == PAGE_SIZE


def test_with_few_matches_a_page_of_dearer_ones_is_found() -> None:
    bounds = {1: 0, 4: 310}
    matches = run(bounds, 20, ceiling=310, min_matches=2)
    assert set(matches.by_entry) == {10, 40}
    assert matches.widened
    matches = run(bounds, 20, ceiling=310, min_matches=1)
    assert set(matches.by_entry) == {10}
    assert not matches.widened
    assert matches.complete


def test_candidates_with_types_of_the_query_are_matched_first_and_once() -> None:
    bounds, scorer = many(cheap=PAGE_SIZE, dear=PAGE_SIZE)
    likely = (PAGE_SIZE + 2, PAGE_SIZE + 1)
    plain = run(bounds, PAGE_SIZE, scorer=TypeScorer(scorer.verdict))
    scorer.matched.clear()
    matches = run(bounds, PAGE_SIZE, scorer=TypeScorer(scorer.verdict), likely=likely)
    assert matches == plain
    assert scorer.matched[:2] == sorted(likely)
    assert len(set(scorer.matched)) == len(scorer.matched)


def test_a_likely_candidate_above_the_ceiling_is_not_matched() -> None:
    scorer = Matching(EDITS)
    matches = run({1: 0, 4: 2000}, 1, scorer=TypeScorer(scorer.verdict), ceiling=199, likely=(4,))
    assert costs(matches) == {10: 0}
    assert scorer.matched == [1]


def test_a_second_search_does_not_match_a_likely_misfit_again() -> None:
    scorer = Matching(EDITS)
    search = FunctionSearch(
        [Alternative(TARGET, TypeScorer(scorer.verdict, query=("misfit",)))],
        EVERYTHING,
        ceiling=199,
    )
    store = as_store(BoundedFunctions({1: 0, 3: 0}, likely=(3,)))
    first = find_functions(search, store, limit=1)
    assert scorer.matched == [3, 1]
    assert find_functions(search, store, limit=1) == first
    assert scorer.matched == [3, 1]


def test_a_search_that_its_deadline_ends_has_the_likely_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typematch.search.score.deadline.time", Clock())
    bounds, scorer = many(cheap=PAGE_SIZE, dear=1)
    last = PAGE_SIZE + 1
    matches = run(
        bounds, 1, scorer=TypeScorer(scorer.verdict), deadline=Deadline(2.0), likely=(last,)
    )
    assert not matches.complete
    assert last * 10 in matches.by_entry


def test_a_page_of_dearer_matches_is_continued_until_there_is_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typematch.search.score.deadline.time", Clock())
    dear = ARGUMENT_SUPPLIED.cost
    kinds: dict[int, EditKind | None] = {1: MISMATCHED, 2: ARGUMENT_SUPPLIED, 3: ARGUMENT_SUPPLIED}
    search = FunctionSearch(
        [Alternative(TARGET, TypeScorer(Matching(kinds).verdict))],
        EVERYTHING,
        ceiling=0,
        min_matches=1,
        dearer_share=0.1,  # over at the third reading of the clock
    )
    store = as_store(BoundedFunctions(dict.fromkeys(kinds, 1)))
    matches = find_functions(search, store, limit=1, deadline=Deadline(20.0))
    assert costs(matches) == {20: dear}
    assert matches.widened
    assert not matches.complete


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
    bounds = {1: 0, 2: 0, 3: 20, 4: 200}
    all_matches = run(bounds, None).by_entry
    counts = []
    for seconds in range(40):
        deadline = Deadline(float(seconds))
        matches = run(bounds, None, deadline=deadline)
        assert deadline.has_stopped == (not matches.complete)
        assert all(all_matches[entry] == match for entry, match in matches.by_entry.items())
        counts.append(len(matches.by_entry))
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3, 4}


def test_a_deadline_counts_the_cpu_time_of_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, used = iter((0.0, 1.9, 3.0, 5.0)), iter((10.0, 11.0, 12.5))
    monkeypatch.setattr("typematch.search.score.deadline.time.monotonic", lambda: next(passed))
    monkeypatch.setattr("typematch.search.score.deadline.time.thread_time", lambda: next(used))
    deadline = Deadline(cpu_seconds=2.0)
    assert not deadline.expired()  # CPU time is not read: less time than the limit has passed
    assert not deadline.expired()
    assert deadline.expired()
    assert deadline.stopped_after == 2.5


def test_a_deadline_records_when_work_was_first_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = iter((0.0, 1.5, 2.5))
    monkeypatch.setattr("typematch.search.score.deadline.time.monotonic", lambda: next(passed))
    deadline = Deadline(2.0)
    assert deadline.expired(0.5)
    assert deadline.expired()
    assert deadline.stopped_after == 1.5


def test_a_page_of_hits_has_a_limit_of_cpu_time_and_all_hits_have_none(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typematch.search.score.time_limit._TYPE_SECONDS", 0.0)
    with Catalog(tiny) as catalog:
        page = catalog.search("(a: string) => number", limit=5)
        everything = catalog.search("(a: string) => number", limit=None)
    assert any("The search ended" in notice for notice in page.notices)
    assert not any("The search ended" in notice for notice in everything.notices)


def test_counting_facets_has_the_time_limit_of_a_page(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Catalog(tiny) as catalog:
        counted = catalog.facets("(a: string) => number")
        monkeypatch.setattr("typematch.search.score.time_limit._TYPE_SECONDS", 0.0)
        ended = catalog.facets("(a: string) => number")
    assert sum(ended["kind"].values()) < sum(counted["kind"].values())


@pytest.mark.parametrize(
    "query",
    [
        f"({', '.join(f'a{number}: string' for number in range(13))}) => number",
        f"(a: {{ {'; '.join(f'p{number}: string' for number in range(200))} }}) => number",
        f"returns:{{ {'; '.join(f'p{number}: string' for number in range(200))} }}",
        f"has:size:{{ {'; '.join(f'p{number}: string' for number in range(200))} }}",
        "takes a string and returns a number",
    ],
)
def test_large_types_and_sentences_have_a_lower_limit(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr("typematch.search.score.time_limit._STEERING_SECONDS", 0.0)
    with Catalog(tiny) as catalog:
        page = catalog.search(query, limit=5)
        others = [
            catalog.search(other, limit=5)
            for other in ("(a: string) => number", "param:string returns:number", ":: { size: _ }")
        ]
    assert any("The search ended" in notice for notice in page.notices)
    assert not [notice for other in others for notice in other.notices if "ended" in notice]


def test_a_page_that_ends_early_has_the_entries_with_the_words_of_the_query(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typematch.search.retrieve.type_search._PAGE_SHARE", 0.0)
    with Catalog(tiny) as catalog:
        page = catalog.search("(a: string) => number", limit=5, seconds=60)
    assert any("The search ended" in notice for notice in page.notices)
    assert page.hits
    assert page.at_least


def test_a_deadline_without_limit_never_expires() -> None:
    deadline = Deadline()
    assert not deadline.expired()
    assert not deadline.expired(0.0)
    assert not deadline.has_stopped


def test_a_search_continues_from_what_an_earlier_one_found() -> None:
    edits = dict.fromkeys(range(1, PAGE_SIZE + 1), RENAMED) | {99: ORDER_CHANGED}
    store = BoundedFunctions(dict.fromkeys(edits, 0) | {99: 10})
    matching = Matching(edits)
    search = FunctionSearch(
        [Alternative(TARGET, TypeScorer(matching.verdict, query=(TARGET,)))], EVERYTHING, None
    )
    first = find_functions(search, as_store(store), limit=PAGE_SIZE)
    assert not first.complete
    assert matching.matched == list(range(1, PAGE_SIZE + 1))
    again = find_functions(search, as_store(store), limit=PAGE_SIZE)
    assert again == first
    assert matching.matched == list(range(1, PAGE_SIZE + 1))
    following = find_functions(search, as_store(store), limit=PAGE_SIZE + 1)
    assert following.by_entry.keys() == {10 * number for number in edits}
    assert matching.matched == [*range(1, PAGE_SIZE + 1), 99]


def test_a_changed_store_is_searched_from_the_beginning() -> None:
    store = BoundedFunctions({1: 0})
    for version, kind in enumerate((RENAMED, ORDER_CHANGED)):
        store.version = version
        scorer = TypeScorer(Matching({1: kind}).verdict, query=(TARGET,))
        search = FunctionSearch([Alternative(TARGET, scorer)], EVERYTHING, None)
        found = find_functions(search, as_store(store), limit=None)
        assert costs(found) == {10: kind.cost}


def test_a_known_match_above_the_ceiling_is_left_out() -> None:
    store = BoundedFunctions({1: 0, 2: 0})
    scorer = TypeScorer(Matching(EDITS).verdict, query=(TARGET,))
    found = [
        costs(
            find_functions(
                FunctionSearch([Alternative(TARGET, scorer)], EVERYTHING, ceiling),
                as_store(store),
                limit=None,
            )
        )
        for ceiling in (None, ORDER_CHANGED.cost - 1)
    ]
    assert found == [{10: RENAMED.cost, 20: ORDER_CHANGED.cost}, {10: RENAMED.cost}]
