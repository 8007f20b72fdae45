"""The totals of a full-text table: those of the rows that are left after deletes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.index.engines.sqlite import SqliteDatabase
from typematch.index.engines.sqlite_driver import CONTENTLESS_DELETE, driver
from typematch.index.text.fts5 import Fts5Tables, create
from typematch.index.text.fts5_totals import decode_varints, encode_varint, stored_totals
from typematch.index.text.full_text import WEIGHTS

pytestmark = pytest.mark.skipif(
    tuple(driver().sqlite_version_info) < CONTENTLESS_DELETE, reason="needs contentless deletes"
)


def texts_of(connection: Any) -> Fts5Tables:
    database = SqliteDatabase(Path(":memory:"), writable=True)
    database.connection = connection
    return Fts5Tables(database)


def table(rows: Mapping[int, tuple[str, ...]]) -> Any:
    connection = driver().connect(":memory:", isolation_level=None)
    create(connection, contentless=True)
    connection.execute("BEGIN")
    texts_of(connection).write([(number, *texts) for number, texts in rows.items()])
    connection.execute("COMMIT")
    return connection


def scores(connection: Any) -> list[tuple[int, float]]:
    query = "SELECT rowid, bm25(text) FROM text WHERE text MATCH 'word OR other' ORDER BY rowid"
    return [tuple(row) for row in connection.execute(query)]


@pytest.mark.parametrize("kept", [0, 1, 60])
def test_scores_after_deletes_are_those_of_a_new_table(kept: int) -> None:
    chance = random.Random(kept)
    # Sizes of one byte and of two.
    rows = {
        number: tuple(
            " ".join(chance.choice(("word", "other")) for _ in range(chance.choice((0, 3, 300))))
            for _ in WEIGHTS
        )
        for number in range(80)
    }
    left = {number: texts for number, texts in rows.items() if number < kept}
    updated, new = table(rows), table(left)
    updated.execute("DELETE FROM text WHERE rowid >= ?", (kept,))
    assert kept == 0 or scores(updated) != scores(new)
    with updated:
        updated.execute("BEGIN")
        texts_of(updated).correct_totals()
        updated.execute("COMMIT")
    assert scores(updated) == scores(new)
    # FTS5 counts on from there.
    for connection in (updated, new):
        texts_of(connection).write([(100, *("word" for _ in WEIGHTS))])
    assert scores(updated) == scores(new)
    assert stored_totals(updated, "text") == stored_totals(new, "text")
    assert updated.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@given(st.lists(st.integers(min_value=0, max_value=2**56 - 1)))
def test_varints_are_read_as_written(numbers: list[int]) -> None:
    assert list(decode_varints(b"".join(map(encode_varint, numbers)))) == numbers
