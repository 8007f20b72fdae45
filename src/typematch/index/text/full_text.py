"""Full text over the views of entries: FTS5, one column for each view, stemmed.

The index is contentless if the driver's SQLite can delete from such an index; with an older one it
stores the texts, because deleting needs them.  A row is always written whole.

User input never reaches the query language of FTS5: it is split into words here, and each word is
quoted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from typematch.index.database import Database, DriverConnection
from typematch.index.entries.selection import EVERYTHING, Selection, listed_entries
from typematch.index.entries.sql_conditions import MAX_INLINE_ENTRIES, where
from typematch.index.text import fts5_totals
from typematch.index.text.words import split_identifier, words_of

# BM25 weights of each column, in the order of ``TextViews``: of all entries, and of operations.
# Those of all entries were chosen on the labelled queries of one corpus and checked on another:
# full text alone has nDCG@10 .391 and .297, with the weights of operations .362 and .272.
WEIGHTS = {
    "name": (4.0, 6.0),
    "around": (2.0, 2.0),
    "package": (1.0, 1.0),
    "summary": (3.0, 3.0),
    "prose": (2.0, 1.0),
    "signature": (2.0, 1.0),
    "fields": (1.0, 1.0),
    "told": (2.0, 2.0),
    "question": (2.0, 2.0),
    "interface": (1.0, 1.0),
}
_NAMES = ("name", "around", "package")
_COLUMNS = ", ".join(WEIGHTS)
_PARAMETERS = ", ".join("?" * (len(WEIGHTS) + 1))
# Document frequencies are those of a table.  `list` and `fetch` are rare in functions and occur in
# every third operation, so operations have an index of their own as well.
TABLES = ("text", "operation_text")
_RANKS = tuple(
    f"bm25({table}, {', '.join(str(weights[index]) for weights in WEIGHTS.values())})"
    for index, table in enumerate(TABLES)
)

_MAX_COUNTED_WORDS = 200  # words of a query whose frequency is looked up
_MIN_SIMILARITY = 0.75  # of a suggestion to the unknown word; 1.0 is equal
_MAX_CACHED_COUNTS = 10_000
# A word in a larger share of all texts is dropped if the query has rarer ones.
_COMMON_SHARE = 0.25
MAX_WORDS = 12  # of a long query, the rarest; more cost time and change nothing

_STOP_WORDS = """
a an and any are as at be been by can do does for from given gives has have how i if in into is it
its let me my of on or so some such than that the their them then there these they this those to us
use used using want was we were what when where which while will with you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class FullTextQuery:
    """Words to search for, split and in lower case.

    Attributes:
        words: each adds to the score.
        phrases: must occur as they are.
        excluded: must not occur.
        prefixes: beginnings of words; they count as words.
        names_only: search the columns of names only.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    names_only: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases or self.prefixes)

    @property
    def has_words(self) -> bool:
        """Whether there is any word, required or excluded."""
        return bool(self or self.excluded)


def full_text_query(words: str, phrases: Sequence[str] = ()) -> FullTextQuery:
    """Parse the words of a query: ``-word`` is excluded, ``word*`` is a prefix.

    Stop words are dropped unless there are no others.
    """
    excluded: list[str] = []
    required: list[str] = []
    prefixes: list[str] = []
    for word in words.split():
        minus = word.startswith("-") and word[1:2].isalnum()
        parts = words_of(word)
        if is_prefix(word) and not minus:
            prefixes.append(parts[-1])
            parts = parts[:-1]
        (excluded if minus else required).extend(parts)
    informative = [word for word in required if word not in STOP_WORDS] or required
    quoted = tuple(split for phrase in phrases if (split := words_of(phrase)))
    return FullTextQuery(
        tuple(dict.fromkeys(informative)),
        quoted,
        tuple(dict.fromkeys(excluded)),
        tuple(dict.fromkeys(prefixes)),
    )


def is_prefix(word: str) -> bool:
    """Whether a word of a query is a prefix: ``retr*``."""
    return word.endswith("*") and word[-2:-1].isalnum()


def create(connection: DriverConnection, *, contentless: bool) -> None:
    """Create the tables; without ``contentless`` they store the texts."""
    options = ", content='', contentless_delete=1" if contentless else ""
    for table in TABLES:
        connection.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5({_COLUMNS}, "
            f"tokenize = 'porter unicode61 remove_diacritics 2'{options})"
        )


def write(
    connection: DriverConnection, rows: Iterable[tuple[object, ...]], *, operations: bool = False
) -> None:
    """Insert rows: the number of an entry, then its texts in the order of ``WEIGHTS``.

    ``operations``: into the index of operations.
    """
    table = TABLES[operations]
    connection.executemany(f"INSERT INTO {table} (rowid, {_COLUMNS}) VALUES ({_PARAMETERS})", rows)


def delete_file_rows(connection: DriverConnection, file: int) -> None:
    """Delete the rows of a file's entries; call it before the entries are deleted."""
    for table in TABLES:
        connection.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT id FROM entry WHERE file = ?)", (file,)
        )


def delete_entry_rows(connection: DriverConnection, number: int) -> None:
    """Delete the rows of one entry."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))


def correct_totals(connection: DriverConnection) -> None:
    """Make BM25 a function of the rows there are: FTS5's totals still count deleted ones.

    Call it in a transaction that writes no text.
    """
    for table in TABLES:
        fts5_totals.correct_totals(connection, table, len(WEIGHTS))


class FullTextIndex:
    """The full-text index of one file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Document frequencies by word, valid for this data version.
        self._frequencies: tuple[int, dict[str, int]] | None = None

    def lexical(
        self,
        query: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        match_all: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        if not query:
            return []
        words = query.words
        if not match_all and not operations and len(words) > 1:
            words = self._informative_words(words)
        expression = match_expression(replace(query, words=words), match_all=match_all)
        numbers = listed_entries(selection)
        if numbers is not None and len(numbers) > MAX_INLINE_ENTRIES:
            return self._search_listed(operations, expression, frozenset(numbers), limit)
        condition, values = where(selection)
        # The plus keeps FTS5 from running a search for each of the entries.
        filtered = f"AND +rowid IN (SELECT e.id FROM entry e WHERE {condition})"
        restriction = "" if condition == "1" else filtered
        table = TABLES[operations]
        statement = (
            f"SELECT rowid, {_RANKS[operations]} FROM {table} "
            f"WHERE {table} MATCH ? {restriction} ORDER BY 2, 1 LIMIT ?"
        )
        rows = self._database.query(statement, (expression, *values, limit))
        return [(row[0], -row[1]) for row in rows]

    def _search_listed(
        self, operations: bool, expression: str, numbers: frozenset[int], limit: int
    ) -> list[tuple[int, float]]:
        """Return what ``lexical`` does for a list of entries that is too long for a statement."""
        table = TABLES[operations]
        query = (
            f"SELECT rowid, {_RANKS[operations]} FROM {table} WHERE {table} MATCH ? ORDER BY 2, 1"
        )
        with self._database.errors():
            rows = self._database.connection.execute(query, (expression,))
            return [
                (row[0], -row[1]) for row in islice((r for r in rows if r[0] in numbers), limit)
            ]

    def coverage(self, words: Sequence[str], numbers: Sequence[int], /) -> dict[int, float]:
        covered = dict.fromkeys(numbers, 0.0)
        whole = 0.0
        listed = ", ".join(str(number) for number in numbers)
        # The plus keeps FTS5 from running a search for each of the entries.
        query = f"SELECT rowid FROM text WHERE text MATCH ? AND +rowid IN ({listed})"
        for word, weight in zip(words, self.word_weights(words), strict=True):
            whole += weight
            for (number,) in self._database.query(query, (_quote((word,)),)):
                covered[number] += weight
        return {number: weight / (whole or 1.0) for number, weight in covered.items()}

    def word_weights(self, words: Sequence[str], /) -> tuple[float, ...]:
        texts = self._document_frequency("")
        return tuple(math.log(1 + texts / (1 + self._document_frequency(word))) for word in words)

    def unknown_words(self, words: Sequence[str], /) -> tuple[str, ...]:
        query = "SELECT 1 FROM text WHERE text MATCH ? LIMIT 1"
        return tuple(word for word in words if not self._database.query(query, (_quote((word,)),)))

    def similar_words(self, word: str, /, limit: int = 3) -> tuple[str, ...]:
        from difflib import get_close_matches

        known: dict[str, None] = {}
        for (name,) in self._database.query("SELECT DISTINCT name FROM entry ORDER BY name", ()):
            for part in (*split_identifier(name), name.lower()):
                # Skips most names cheaply.
                if abs(len(part) - len(word)) <= 2:
                    known[part] = None
        return tuple(get_close_matches(word.lower(), known, n=limit, cutoff=_MIN_SIMILARITY))

    def _informative_words(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words to search for, in order: not too many and not too common."""
        frequencies = {word: self._document_frequency(word) for word in words[:_MAX_COUNTED_WORDS]}
        known = sorted(
            (word for word in frequencies if frequencies[word]), key=lambda word: frequencies[word]
        )
        common = self._document_frequency("") * _COMMON_SHARE
        rare = [word for word in known[:MAX_WORDS] if frequencies[word] <= common]
        chosen = frozenset(rare or known[:MAX_WORDS])
        return tuple(word for word in words if word in chosen) or tuple(words[:MAX_WORDS])

    def _document_frequency(self, word: str) -> int:
        """Return the number of texts with ``word``; of all texts for the empty word."""
        version = self._database.data_version()
        if (
            self._frequencies is None
            or self._frequencies[0] != version
            or len(self._frequencies[1]) > _MAX_CACHED_COUNTS
        ):
            self._frequencies = version, {}
        counts = self._frequencies[1]
        if word not in counts:
            query = "SELECT count(*) FROM text WHERE text MATCH ?"
            values = [_quote((word,))]
            if not word:
                query, values = "SELECT count(*) FROM entry", []
            counts[word] = int(self._database.query(query, values)[0][0])
        return counts[word]

    def clear_cache(self) -> None:
        self._frequencies = None


def match_expression(query: FullTextQuery, *, match_all: bool) -> str:
    """Return the query in the language of FTS5; all words are quoted."""
    words = [_quote((word,)) for word in query.words]
    words += [f"{_quote((prefix,))}*" for prefix in query.prefixes]
    joined = (" AND " if match_all else " OR ").join(words)
    parts = [f"({joined})"] if joined and (match_all or not query.phrases) else []
    parts = [_quote(phrase) for phrase in query.phrases] + parts
    expression = " AND ".join(parts)
    if query.names_only:
        expression = f"{{{' '.join(_NAMES)}}} : ({expression})"
    excluded = " OR ".join(_quote((word,)) for word in query.excluded)
    return f"({expression}) NOT ({excluded})" if excluded else expression


def _quote(words: Sequence[str]) -> str:
    return '"' + " ".join(words).replace('"', '""').replace("\0", " ") + '"'
