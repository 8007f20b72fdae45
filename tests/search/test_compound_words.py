"""Two words of a query that a catalog writes as one."""

from __future__ import annotations

from pathlib import Path

from typematch.catalog import Catalog
from typematch.index.sql_store import open_store
from typematch.search.retrieve.lexical import lexical_search

_SOURCE = """
/** Returns the deadline of a task. */
export function due(task: string): number;
/** Draws a line. */
export function draw(): void;
/** Reads a dead letter. */
export function letter(): string;
"""


def test_adjacent_words_are_also_one_word(tmp_path: Path) -> None:
    (tmp_path / "tasks.d.ts").write_text(_SOURCE)
    database = tmp_path / "typematch.db"
    with Catalog(database) as catalog:
        catalog.add(tmp_path / "tasks.d.ts")
    store = open_store(database)
    hits = lexical_search("dead line", (), store, (), limit=3)
    names = [hits.summaries[number].name for number in hits.scores]
    assert sorted(names) == ["draw", "due", "letter"]
    other = lexical_search("line dead", (), store, (), limit=3)
    assert len(other.scores) == 2
    store.close()
