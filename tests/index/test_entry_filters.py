"""Entries selected by a signature's filter and by conditions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.index.entries.selection import Condition, OneOfTypes, Selection, TextCondition
from typematch.index.entries.sql_conditions import MAX_INLINE_ENTRIES
from typematch.index.sqlite import SqliteStore, open_store
from typematch.index.text.full_text import full_text_query
from typematch.ir.types import Object
from typematch.search.prepare.prepared_query import prepare_query

TOOLBOX = Condition("pkg", (TextCondition("toolbox"),))


@pytest.fixture
def store(tiny: Path) -> Iterator[SqliteStore]:
    opened = open_store(tiny, create=False)
    yield opened
    opened.close()


def in_list(*entries: int) -> Condition:
    return Condition("entry", (OneOfTypes(entries),))


@pytest.mark.parametrize(
    "query", ["(items: T[], size: number) => T[][]", "(...) => Promise<_>", "(a: string) => _"]
)
@pytest.mark.parametrize("tiers", [1, 3])
def test_entries_passing_the_filter_are_those_of_all_candidates(
    store: SqliteStore, query: str, tiers: int
) -> None:
    for target in prepare_query(query, store).signatures:
        assert isinstance(target, Object)
        candidates = [
            candidate for tier in range(tiers) for candidate in store.candidates(target, tier)
        ]
        expected = {entry for candidate in candidates for entry, _ in candidate.entries}
        assert expected
        assert store.entries_passing_filter(target, tiers) == expected


def test_entry_lists_and_conditions_are_combined(store: SqliteStore) -> None:
    inside = store.matching_entries((TOOLBOX,))
    outside = sorted(set(store.matching_entries(())) - set(inside))
    few, many = in_list(*inside[:3], *outside[:3]), in_list(*store.matching_entries(()))
    assert store.matching_entries((TOOLBOX, few, many)) == inside[:3]
    assert store.matching_entries((few, many)) == tuple(sorted((*inside[:3], *outside[:3])))
    negated = Condition("entry", (OneOfTypes(inside),), negated=True)
    assert store.matching_entries((negated,)) == tuple(outside)


@pytest.mark.parametrize("match_all", [True, False])
def test_a_long_entry_list_selects_what_its_condition_does(
    store: SqliteStore, match_all: bool
) -> None:
    outside: Selection = (Condition("pkg", (TextCondition("toolbox"),), negated=True),)
    entries = store.matching_entries(outside)
    assert len(entries) > MAX_INLINE_ENTRIES
    target = full_text_query("returns a number")
    by_list = store.lexical(target, (in_list(*entries),), limit=20, match_all=match_all)
    assert by_list
    assert by_list == store.lexical(target, outside, limit=20, match_all=match_all)
