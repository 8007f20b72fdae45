"""Full text over entries: what is asked, what is found, and what no text can break."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.index.entries.selection import Condition, TextCondition
from typematch.index.sqlite import SqliteStore, open_store
from typematch.index.text.full_text import (
    STOP_WORDS,
    WEIGHTS,
    FullTextQuery,
    asked_of,
    create,
    expression,
    write,
)


@pytest.fixture
def store(tiny: Path) -> SqliteStore:
    return open_store(tiny, create=False)


def found(store: SqliteStore, words: str, *, every: bool = False) -> list[str]:
    numbers = [number for number, _ in store.lexical(asked_of(words), limit=20, every=every)]
    briefs = store.briefs(numbers)
    return [briefs[number].id for number in numbers]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(
            "split the items", FullTextQuery(("split", "items")), id="words that say nothing go"
        ),
        pytest.param("of the", FullTextQuery(("of", "the")), id="unless there are no others"),
        pytest.param("readFile", FullTextQuery(("read", "file")), id="identifiers are split"),
        pytest.param("file -sync", FullTextQuery(("file",), (), ("sync",)), id="a word to avoid"),
        pytest.param(
            "read debou* on*",
            FullTextQuery(("read",), (), (), ("debou", "on")),
            id="how words begin",
        ),
        pytest.param('NOT (" * ^ NEAR:', FullTextQuery(("not", "near")), id="operators are words"),
        pytest.param("🎉", FullTextQuery(), id="no word"),
    ],
)
def test_what_is_asked(words: str, expected: FullTextQuery) -> None:
    assert asked_of(words) == expected


def test_every_word_or_any() -> None:
    asked = FullTextQuery(("a", "b"), (("c", "d"),), ("e",))
    assert expression(asked, every=True) == '("c d" AND ("a" AND "b")) NOT ("e")'
    assert expression(FullTextQuery(("a", "b")), every=False) == '("a" OR "b")'
    assert expression(FullTextQuery(("a",), prefixes=("b",)), every=True) == '("a" AND "b"*)'


def test_words_find_what_a_sentence_says(store: SqliteStore) -> None:
    assert "patience#debounce" in found(store, "debounced")
    assert "toolbox#chunk" in found(store, "chunks of a size", every=True)


def test_a_word_to_avoid_and_a_filter(store: SqliteStore) -> None:
    assert "toolbox#sortBy" not in found(store, "sort -by")
    patience = (Condition("pkg", (TextCondition("patience"),)),)
    numbers = [number for number, _ in store.lexical(asked_of("sort"), patience, limit=20)]
    assert all(brief.package == "patience" for brief in store.briefs(numbers).values())


@given(st.text(max_size=60))
def test_no_text_is_an_error(tiny: Path, text: str) -> None:
    store = open_store(tiny, create=False)
    try:
        for every in (True, False):
            store.lexical(asked_of(text, [text]), limit=5, every=every)
    finally:
        store.close()


def test_ten_thousand_words(store: SqliteStore) -> None:
    assert "toolbox#sortBy" in found(store, "sort " * 10_000)
    found(store, " ".join(f"a{number}b" for number in range(10_000)))  # raises nothing


def test_a_word_that_most_texts_have_does_not_hide_the_rare_one(store: SqliteStore) -> None:
    assert len(found(store, "returns")) == 20
    assert found(store, "returns chunk") == found(store, "chunk")
    assert found(store, "returns takes") != []


def test_words_that_nothing_has_and_those_that_are_like_them(store: SqliteStore) -> None:
    assert store.unknown(["chunk", "chunkk", "zzz"]) == ("chunkk", "zzz")
    assert store.near_words("chunkk") == ("chunk",)
    assert store.near_words("zzzzzzz") == ()


def test_an_index_that_keeps_its_texts_answers_the_same() -> None:
    """What a driver that cannot delete from a contentless index makes."""
    connection = sqlite3.connect(":memory:")
    create(connection, contentless=False)
    write(connection, [(7, *[f"{column} word" for column in WEIGHTS])])
    assert connection.execute("SELECT rowid FROM text WHERE text MATCH '\"word\"'").fetchall() == [
        (7,)
    ]
    connection.execute("DELETE FROM text WHERE rowid = 7")
    assert not connection.execute("SELECT rowid FROM text WHERE text MATCH 'word'").fetchall()


def test_stop_words_are_words() -> None:
    assert all(word.isalpha() and word == word.lower() for word in STOP_WORDS)
