"""The full-text index: parsing of words, hits, and robustness against any input."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from typematch.index.engines.sqlite import SqliteDatabase
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.text import fts5
from typematch.index.text.fts5 import create, match_expression
from typematch.index.text.full_text import STOP_WORDS, WEIGHTS, FullTextQuery, full_text_query


@pytest.fixture
def store(tiny: Path) -> SqlStore:
    return open_store(tiny, create=False)


def found(store: SqlStore, words: str, *, match_all: bool = False) -> list[str]:
    numbers = [
        number for number, _ in store.lexical(full_text_query(words), limit=20, match_all=match_all)
    ]
    summaries = store.summaries(numbers)
    return [summaries[number].id for number in numbers]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(
            "split the items", FullTextQuery(("split", "items")), id="stop words are dropped"
        ),
        pytest.param("of the", FullTextQuery(("of", "the")), id="stop words alone are kept"),
        pytest.param("readFile", FullTextQuery(("read", "file")), id="identifiers are split"),
        pytest.param("file -sync", FullTextQuery(("file",), (), ("sync",)), id="an excluded word"),
        pytest.param(
            "read debou* on*",
            FullTextQuery(("read",), (), (), ("debou", "on")),
            id="prefixes",
        ),
        pytest.param('NOT (" * ^ NEAR:', FullTextQuery(("not", "near")), id="operators are words"),
        pytest.param("🎉", FullTextQuery(), id="no word"),
    ],
)
def test_words_of_a_query_are_parsed(words: str, expected: FullTextQuery) -> None:
    assert full_text_query(words) == expected


def test_the_fts_expression_of_all_words_or_any() -> None:
    query = FullTextQuery(("a", "b"), (("c", "d"),), ("e",))
    assert match_expression(query, match_all=True) == '("c d" AND ("a" AND "b")) NOT ("e")'
    assert match_expression(FullTextQuery(("a", "b")), match_all=False) == '("a" OR "b")'
    assert (
        match_expression(FullTextQuery(("a",), prefixes=("b",)), match_all=True) == '("a" AND "b"*)'
    )


def test_words_are_found_in_documentation(store: SqlStore) -> None:
    assert "deadline#debounce" in found(store, "debounced")
    assert "toolbox#chunk" in found(store, "chunks of a size", match_all=True)


def test_excluded_words_and_filters_apply(store: SqlStore) -> None:
    assert "toolbox#sortBy" not in found(store, "sort -by")
    deadline_package = (Condition("pkg", (GlobCondition("deadline"),)),)
    numbers = [
        number for number, _ in store.lexical(full_text_query("sort"), deadline_package, limit=20)
    ]
    assert all(summary.package == "deadline" for summary in store.summaries(numbers).values())


@given(st.text(max_size=60))
def test_any_text_is_a_valid_query(tiny: Path, text: str) -> None:
    store = open_store(tiny, create=False)
    try:
        for match_all in (True, False):
            store.lexical(full_text_query(text, [text]), limit=5, match_all=match_all)
    finally:
        store.close()


def test_a_query_may_have_ten_thousand_words(store: SqlStore) -> None:
    assert "toolbox#sortBy" in found(store, "sort " * 10_000)
    found(store, " ".join(f"a{number}b" for number in range(10_000)))  # raises nothing


def test_frequent_words_are_dropped_beside_rare_ones(store: SqlStore) -> None:
    assert len(found(store, "returns")) == 20
    assert found(store, "returns chunk") == found(store, "chunk")
    assert found(store, "returns takes") != []


@pytest.mark.parametrize("words", ["split items", "read file text", "a number of items -chunk"])
def test_max_score_finds_what_ranking_all_texts_finds(
    store: SqlStore, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ranked() -> list[list[tuple[int, float]]]:
        return [store.lexical(full_text_query(words), limit=limit) for limit in (1, 2, 5, 100)]

    everything = ranked()
    assert everything[-1]
    monkeypatch.setattr(fts5, "_MIN_FOR_MAX_SCORE", 0)
    assert ranked() == everything


def test_unknown_words_and_suggestions_for_them(store: SqlStore) -> None:
    assert store.unknown_words(["chunk", "chunkk", "zzz"]) == ("chunkk", "zzz")
    assert store.similar_words("chunkk") == ("chunk",)
    assert store.similar_words("zzzzzzz") == ()


def test_an_index_that_stores_its_texts_finds_and_deletes_rows() -> None:
    """The index that a driver without contentless deletes creates."""
    database = SqliteDatabase(Path(":memory:"), writable=True)
    connection = database.connection = sqlite3.connect(":memory:")
    create(connection, contentless=False)
    database.texts.write([(7, *[f"{column} word" for column in WEIGHTS])])
    assert connection.execute("SELECT rowid FROM text WHERE text MATCH '\"word\"'").fetchall() == [
        (7,)
    ]
    connection.execute("DELETE FROM text WHERE rowid = 7")
    assert not connection.execute("SELECT rowid FROM text WHERE text MATCH 'word'").fetchall()


def test_stop_words_are_lower_case_words() -> None:
    assert all(word.isalpha() and word == word.lower() for word in STOP_WORDS)


@given(
    st.lists(st.sampled_from(["split", "items", "text", "number", "queue", "zebra"]), min_size=1),
    st.floats(0.0, 1.0),
)
def test_coverage_is_the_weight_of_the_words_that_one_entry_has(
    tiny: Path, words: list[str], share: float
) -> None:
    with closing(open_store(tiny, create=False)) as store:
        numbers = store.select(())
        weights = store.word_weights(words)
        entries_by_word = [
            {number for number, _ in store.lexical(full_text_query(word), limit=len(numbers))}
            for word in words
        ]
        most = max(
            sum(
                weight
                for weight, entries in zip(weights, entries_by_word, strict=True)
                if number in entries
            )
            for number in numbers
        )
        assume(abs(most / sum(weights) - share) > 1e-9)
        assert store.has_coverage(words, numbers, share) == (most / sum(weights) > share)
