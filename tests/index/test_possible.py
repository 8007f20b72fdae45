"""Numbers of entries: what a signature's filter and what conditions leave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.index.entries.selection import Condition, OneOfTypes, Selection, TextCondition
from typematch.index.entries.sql_conditions import MANY
from typematch.index.sqlite import SqliteStore, open_store
from typematch.index.text.full_text import asked_of
from typematch.ir.types import Object
from typematch.search.prepare.prepared_query import read

TOOLBOX = Condition("pkg", (TextCondition("toolbox"),))


@pytest.fixture
def store(tiny: Path) -> Iterator[SqliteStore]:
    opened = open_store(tiny, create=False)
    yield opened
    opened.close()


def among(*numbers: int) -> Condition:
    return Condition("entry", (OneOfTypes(numbers),))


@pytest.mark.parametrize(
    "query", ["(items: T[], size: number) => T[][]", "(...) => Promise<_>", "(a: string) => _"]
)
@pytest.mark.parametrize("tiers", [1, 3])
def test_possible_are_the_entries_of_all_candidates(
    store: SqliteStore, query: str, tiers: int
) -> None:
    for asked in read(query, store).signatures:
        assert isinstance(asked, Object)
        candidates = [one for tier in range(tiers) for one in store.candidates(asked, tier)]
        expected = {entry for one in candidates for entry, _ in one.entries}
        assert expected
        assert store.possible(asked, tiers) == expected


def test_lists_and_conditions_hold_together(store: SqliteStore) -> None:
    inside = store.chosen((TOOLBOX,))
    outside = sorted(set(store.chosen(())) - set(inside))
    few, many = among(*inside[:3], *outside[:3]), among(*store.chosen(()))
    assert store.chosen((TOOLBOX, few, many)) == inside[:3]
    assert store.chosen((few, many)) == tuple(sorted((*inside[:3], *outside[:3])))
    negated = Condition("entry", (OneOfTypes(inside),), negated=True)
    assert store.chosen((negated,)) == tuple(outside)


@pytest.mark.parametrize("every", [True, False])
def test_a_long_list_filters_as_a_condition_does(store: SqliteStore, every: bool) -> None:
    outside: Selection = (Condition("pkg", (TextCondition("toolbox"),), negated=True),)
    numbers = store.chosen(outside)
    assert len(numbers) > MANY
    asked = asked_of("returns a number")
    by_list = store.lexical(asked, (among(*numbers),), limit=20, every=every)
    assert by_list
    assert by_list == store.lexical(asked, outside, limit=20, every=every)
