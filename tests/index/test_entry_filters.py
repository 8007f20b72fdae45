"""Entries selected by the lower bounds of a signature and by conditions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.index.entries.selection import (
    Condition,
    GlobCondition,
    InNumbers,
    RangeCondition,
    Selection,
)
from typematch.index.entries.sql_conditions import MAX_INLINE_ENTRIES, where
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.text.full_text import full_text_query
from typematch.search.prepare.prepared_query import prepare_query

TOOLBOX = Condition("pkg", (GlobCondition("toolbox"),))


@pytest.fixture
def store(tiny: Path) -> Iterator[SqlStore]:
    opened = open_store(tiny, create=False)
    yield opened
    opened.close()


def in_list(*entries: int) -> Condition:
    return Condition("entry", (InNumbers(entries),))


@pytest.mark.parametrize(
    "query", ["(items: T[], size: number) => T[][]", "(...) => Promise<_>", "(a: string) => _"]
)
@pytest.mark.parametrize("ceiling", [19, 310])
def test_entries_within_a_bound_are_those_of_the_functions(
    store: SqlStore, query: str, ceiling: int
) -> None:
    for target in prepare_query(query, store).signatures:
        functions = store.function_bounds(target)
        numbers = functions.numbers[functions.bounds <= ceiling].tolist()
        expected = {entry for number in numbers for entry, _ in store.candidate(number).entries}
        assert expected
        assert store.entries_within_bound(target, ceiling) == expected


def test_entry_lists_and_conditions_are_combined(store: SqlStore) -> None:
    inside = store.matching_entries((TOOLBOX,))
    outside = sorted(set(store.matching_entries(())) - set(inside))
    few, many = in_list(*inside[:3], *outside[:3]), in_list(*store.matching_entries(()))
    assert store.matching_entries((TOOLBOX, few, many)) == inside[:3]
    assert store.matching_entries((few, many)) == tuple(sorted((*inside[:3], *outside[:3])))
    negated = Condition("entry", (InNumbers(inside),), negated=True)
    assert store.matching_entries((negated,)) == tuple(outside)


CALLABLE = Condition("arity", (RangeCondition(0, None),))
NO_CONSTRUCTOR = Condition("kind", (GlobCondition("constructor"),), negated=True)


@pytest.mark.sqlite_file
@pytest.mark.parametrize(
    "selection",
    [(CALLABLE, NO_CONSTRUCTOR), (Condition("arity", (RangeCondition(0, 2),)),)],
    ids=["a function", "at most two parameters"],
)
def test_what_a_sentence_asks_for_is_read_from_an_index(
    store: SqlStore, selection: Selection
) -> None:
    condition, values = where(selection)
    plan = store.database.query(
        f"EXPLAIN QUERY PLAN SELECT e.id FROM entry e WHERE {condition}", values
    )
    assert [row[3] for row in plan if "COVERING INDEX entry_by_arity" in row[3]]
    arities = {
        summary.number: store.entries([summary.number])[0].min_arity
        for summary in store.summaries(store.select(selection)).values()
    }
    assert arities
    assert None not in arities.values()


@pytest.mark.sqlite_file
@pytest.mark.parametrize(
    "condition",
    [
        Condition("mentions", (GlobCondition("*Promise*"),)),
        Condition("mentions", (GlobCondition("*Promise*"),), negated=True),
        Condition("returns", (InNumbers((1, 2, 3)),)),
        Condition("param", (InNumbers((1, 2, 3)),)),
        Condition("type", (InNumbers((1, 2, 3)),)),
    ],
    ids=lambda condition: f"{'-' * condition.negated}{condition.key}",
)
def test_signatures_that_meet_a_condition_are_found_once_for_all_entries(
    store: SqlStore, condition: Condition
) -> None:
    text, values = where((condition,))
    plan = store.database.query(f"EXPLAIN QUERY PLAN SELECT e.id FROM entry e WHERE {text}", values)
    assert not [row[3] for row in plan if "CORRELATED" in row[3]]


@pytest.mark.parametrize("match_all", [True, False])
def test_a_long_entry_list_selects_what_its_condition_does(
    store: SqlStore, match_all: bool
) -> None:
    outside: Selection = (Condition("pkg", (GlobCondition("toolbox"),), negated=True),)
    entries = store.matching_entries(outside)
    assert len(entries) > MAX_INLINE_ENTRIES
    target = full_text_query("returns a number")
    by_list = store.lexical(target, (in_list(*entries),), limit=20, match_all=match_all)
    assert by_list
    assert by_list == store.lexical(target, outside, limit=20, match_all=match_all)
