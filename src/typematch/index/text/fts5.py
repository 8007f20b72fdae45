"""The full-text index in SQLite: FTS5.

The index is contentless if the driver's SQLite can delete from such an index; with an older one it
stores the texts, because deleting needs them.  A row is always written whole.

User input never reaches the query language of FTS5: it is split into words, and each is quoted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from typematch.index.engines.engine import Database, DriverConnection
from typematch.index.entries.selection import Selection, listed_entries
from typematch.index.entries.sql_conditions import MAX_INLINE_ENTRIES, where
from typematch.index.text import fts5_totals
from typematch.index.text.full_text import NAME_COLUMNS, TABLES, WEIGHTS, FullTextQuery
from typematch.index.text.max_score import Term, best_texts

TOKENIZER = "porter unicode61 remove_diacritics 2"
# Texts with a word of the query.  Ranking fewer is faster than finding the essential words; so is
# ranking those that meet a selection.
_MIN_FOR_MAX_SCORE = 20_000
_COLUMNS = ", ".join(WEIGHTS)
_PARAMETERS = ", ".join("?" * (len(WEIGHTS) + 1))
_RANKS = tuple(
    f"bm25({table}, {', '.join(str(weights[index]) for weights in WEIGHTS.values())})"
    for index, table in enumerate(TABLES)
)


def create(connection: DriverConnection, *, contentless: bool) -> None:
    """Create the tables; without ``contentless`` they store the texts."""
    options = ", content='', contentless_delete=1" if contentless else ""
    for table in TABLES:
        connection.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5({_COLUMNS}, "
            f"tokenize = '{TOKENIZER}'{options})"
        )


class Fts5Tables:
    """The ``TextTables`` of one SQLite file."""

    # The number of words in each column: a contentless index does not store the words.
    sizes = "SELECT e.name_id, hex(d.sz) FROM text_docsize d LEFT JOIN entry e ON e.id = d.id"

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, rows: Sequence[tuple[object, ...]], *, operations: bool = False) -> None:
        table = TABLES[operations]
        statement = f"INSERT INTO {table} (rowid, {_COLUMNS}) VALUES ({_PARAMETERS})"
        self._database.connection.executemany(statement, rows)

    def delete_file_rows(self, file: int) -> None:
        condition = "rowid IN (SELECT id FROM entry WHERE file = ?)"
        for table in TABLES:
            self._database.connection.execute(f"DELETE FROM {table} WHERE {condition}", (file,))

    def delete_entry_rows(self, number: int) -> None:
        for table in TABLES:
            self._database.connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))

    def correct_totals(self) -> None:
        # FTS5's totals still count deleted rows.
        for table in TABLES:
            fts5_totals.correct_totals(self._database.connection, table, len(WEIGHTS))

    def ranked(
        self,
        query: FullTextQuery,
        selection: Selection,
        *,
        limit: int,
        match_all: bool,
        operations: bool,
    ) -> list[tuple[int, float]]:
        def search(expression: str) -> list[tuple[int, float]]:
            return self._search(expression, selection, operations=operations, limit=limit)

        # MaxScore is for any of several words in the texts of all entries.
        is_any_word = not (match_all or query.names_only or query.prefixes or query.phrases)
        is_large = sum(query.frequencies) >= _MIN_FOR_MAX_SCORE
        if operations or selection or not (is_any_word and is_large):
            return search(match_expression(query, match_all=match_all))
        texts = fts5_totals.stored_totals(self._database.connection, TABLES[operations])[0]
        return best_texts(
            [Term(*term, texts) for term in zip(query.words, query.frequencies, strict=True)],
            lambda *groups: search(_groups_expression(groups, query.excluded)),
            limit,
        )

    def _search(
        self, expression: str, selection: Selection, *, operations: bool, limit: int
    ) -> list[tuple[int, float]]:
        table = TABLES[operations]
        query = f"SELECT rowid, {_RANKS[operations]} FROM {table} WHERE {table} MATCH ?"
        values: list[object] = [expression]
        # The plus keeps FTS5 from running a search for each of the entries.
        listed = listed_entries(selection)
        if listed is not None and len(listed) > MAX_INLINE_ENTRIES:
            query += " AND +rowid IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(listed))
        elif selection:
            condition, of_condition = where(selection)
            query += f" AND +rowid IN (SELECT e.id FROM entry e WHERE {condition})"
            values += of_condition
        rows = self._database.query(f"{query} ORDER BY 2, 1 LIMIT ?", (*values, limit))
        return [(row[0], -row[1]) for row in rows]

    def entries_with(self, word: str, numbers: Sequence[int]) -> Iterable[int]:
        listed = ", ".join(str(number) for number in numbers)
        # The plus keeps FTS5 from running a search for each of the entries.
        query = f"SELECT rowid FROM text WHERE text MATCH ? AND +rowid IN ({listed})"
        return [row[0] for row in self._database.query(query, (_quote((word,)),))]

    def document_frequency(self, word: str) -> int:
        query = "SELECT count(*) FROM text WHERE text MATCH ?"
        return int(self._database.query(query, (_quote((word,)),))[0][0])

    def stored_totals(self) -> dict[str, list[int]]:
        connection = self._database.connection
        return {table: fts5_totals.stored_totals(connection, table) for table in TABLES}

    def clear_cache(self) -> None:
        pass


def match_expression(query: FullTextQuery, *, match_all: bool) -> str:
    """Return the query in the language of FTS5; all words are quoted."""
    words = [_quote((word,)) for word in query.words]
    words += [f"{_quote((prefix,))}*" for prefix in query.prefixes]
    joined = (" AND " if match_all else " OR ").join(words)
    parts = [f"({joined})"] if joined and (match_all or not query.phrases) else []
    parts = [_quote(phrase) for phrase in query.phrases] + parts
    expression = " AND ".join(parts)
    if query.names_only:
        expression = f"{{{' '.join(NAME_COLUMNS)}}} : ({expression})"
    return _without(expression, query.excluded)


def _groups_expression(groups: Iterable[Sequence[str]], excluded: Sequence[str]) -> str:
    """Return the query for texts with a word of each group."""
    expression = " AND ".join(f"({_any_of(words)})" for words in groups)
    return _without(expression, excluded)


def _without(expression: str, excluded: Sequence[str]) -> str:
    return f"({expression}) NOT ({_any_of(excluded)})" if excluded else expression


def _any_of(words: Sequence[str]) -> str:
    return " OR ".join(_quote((word,)) for word in words)


def _quote(words: Sequence[str]) -> str:
    return '"' + " ".join(words).replace('"', '""').replace("\0", " ") + '"'
