"""Full text over the views of entries: FTS5, one column for each view, stemmed.

The index keeps no texts (it is *contentless*) where the driver's SQLite can delete from such an
index; an older one keeps them, because deleting needs them.  A row is always written whole.

What a person typed never reaches FTS5's own query language: it is cut into words here, and only
words, each quoted, are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from typematch.index.database import Connection, Database
from typematch.index.entries.selection import EVERYTHING, Selection, listed
from typematch.index.entries.sql_conditions import MANY, where
from typematch.index.text.words import split_identifier, words_of

# What a word found in a column counts, in the order of ``views.Views``.
WEIGHTS = {
    "name": 6.0,
    "around": 2.0,
    "package": 1.0,
    "summary": 3.0,
    "prose": 1.0,
    "signature": 1.0,
    "fields": 1.0,
    "told": 2.0,
    "question": 2.0,
    "interface": 1.0,
}
_NAMES = ("name", "around", "package")
_COLUMNS = ", ".join(WEIGHTS)
_MARKS = ", ".join("?" * (len(WEIGHTS) + 1))
_WEIGHTS = ", ".join(str(weight) for weight in WEIGHTS.values())
# How rare a word is, is counted among the rows of a table: in code `list` is a type, and few
# functions fetch; of operations one in three does.  So they have an index of their own as well.
_TABLES = ("text", "operation_text")

_COUNTED = 200  # words of a request that are looked at
_LIKENESS = 0.75  # of a word to what may have been meant, 1.0 being the same
_MOST_COUNTS = 10_000
# Of all texts: a word that more of them have is left out beside rarer ones.
_COMMON = 0.25
MOST_WORDS = 12  # of a long request, the rarest: any more cost time and find the same

# Words that stand in every second question and in every second text.
_STOP_WORDS = """
a an and any are as at be been by can do does for from given gives has have how i if in into is it
its let me my of on or so some such than that the their them then there these they this those to us
use used using want was we were what when where which while will with you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class FullTextQuery:
    """What to look for: words of which each counts, phrases that must stand so, words to avoid.

    ``prefixes`` are words too: what begins so.  ``named`` looks only at what things are called.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    named: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases or self.prefixes)

    @property
    def says_something(self) -> bool:
        """Whether there is any word in it, be it one to avoid."""
        return bool(self or self.without)


def asked_of(words: str, phrases: Sequence[str] = ()) -> FullTextQuery:
    """Read the words of a query: ``-word`` must not occur, ``word*`` is how a word begins.

    ``phrases`` must occur as they are.

    Words that say nothing are left out, unless there are no others.
    """
    without: list[str] = []
    spoken: list[str] = []
    prefixes: list[str] = []
    for word in words.split():
        minus = word.startswith("-") and word[1:2].isalnum()
        parts = words_of(word)
        if is_prefix(word) and not minus:
            prefixes.append(parts[-1])
            parts = parts[:-1]
        (without if minus else spoken).extend(parts)
    telling = [word for word in spoken if word not in STOP_WORDS] or spoken
    quoted = tuple(found for phrase in phrases if (found := words_of(phrase)))
    return FullTextQuery(
        tuple(dict.fromkeys(telling)),
        quoted,
        tuple(dict.fromkeys(without)),
        tuple(dict.fromkeys(prefixes)),
    )


def is_prefix(word: str) -> bool:
    """Whether a word of a query is only the beginning of one: ``retr*``."""
    return word.endswith("*") and word[-2:-1].isalnum()


def create(connection: Connection, *, contentless: bool) -> None:
    """Make the index; without ``contentless`` it keeps the texts."""
    kept = ", content='', contentless_delete=1" if contentless else ""
    for table in _TABLES:
        connection.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5({_COLUMNS}, "
            f"tokenize = 'porter unicode61 remove_diacritics 2', prefix = '3'{kept})"
        )


def write(
    connection: Connection, rows: Iterable[tuple[object, ...]], *, operations: bool = False
) -> None:
    """Write rows: the entry's number, then its texts in the order of ``WEIGHTS``.

    ``operations``: to the index of operations, which has them beside the one of everything.
    """
    table = _TABLES[operations]
    connection.executemany(f"INSERT INTO {table} (rowid, {_COLUMNS}) VALUES ({_MARKS})", rows)


def forget_file(connection: Connection, file: int) -> None:
    """Delete the rows of a file's entries, while these are still there."""
    for table in _TABLES:
        connection.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT id FROM entry WHERE file = ?)", (file,)
        )


def forget_entry(connection: Connection, number: int) -> None:
    """Delete the rows of one entry."""
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))


def settle(database: Database) -> None:
    """Merge what many small writes left behind: searching is faster after a large run."""
    with database.transaction() as connection:
        for table in _TABLES:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


class FullText:
    """What a store answers about texts."""

    database: Database
    # How many texts have a word, counted at this version of the file.
    _counted: tuple[int, dict[str, int]] | None = None

    def lexical(
        self,
        asked: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        every: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        """Return (entry number, score) of the best ``limit``, best first, more being better.

        Args:
            every: each of the words must occur, else at least one.
            operations: among operations only, and by how rare words are in those.
        """
        if not asked:
            return []
        words = asked.words
        if not every and not operations and len(words) > 1:
            words = self._telling(words)
        wanted = expression(replace(asked, words=words), every=every)
        numbers = listed(selection)
        if numbers is not None and len(numbers) > MANY:
            return self._among(_TABLES[operations], wanted, frozenset(numbers), limit)
        condition, values = where(selection)
        # The plus keeps FTS5 from starting a search of its own for each of the entries.
        among = f"AND +rowid IN (SELECT e.id FROM entry e WHERE {condition})"
        chosen = "" if condition == "1" else among
        table = _TABLES[operations]
        query = (
            f"SELECT rowid, bm25({table}, {_WEIGHTS}) FROM {table} WHERE {table} MATCH ? {chosen} "
            "ORDER BY 2, 1 LIMIT ?"
        )
        return [(row[0], -row[1]) for row in self.database.rows(query, (wanted, *values, limit))]

    def _among(
        self, table: str, wanted: str, numbers: frozenset[int], limit: int
    ) -> list[tuple[int, float]]:
        """Return what ``lexical`` does, of a list too long to be written in a statement."""
        rank = f"bm25({table}, {_WEIGHTS})"
        query = f"SELECT rowid, {rank} FROM {table} WHERE {table} MATCH ? ORDER BY 2, 1"
        with self.database.errors():
            rows = self.database.connection.execute(query, (wanted,))
            return [
                (row[0], -row[1]) for row in islice((r for r in rows if r[0] in numbers), limit)
            ]

    def unknown(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return those of ``words`` that no text has."""
        query = "SELECT 1 FROM text WHERE text MATCH ? LIMIT 1"
        return tuple(word for word in words if not self.database.rows(query, (_quoted((word,)),)))

    def near_words(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the words and names of entries that are spelled most like ``word``."""
        from difflib import get_close_matches

        known: dict[str, None] = {}
        for (name,) in self.database.rows("SELECT DISTINCT name FROM entry ORDER BY name", ()):
            for part in (*split_identifier(name), name.lower()):
                # Others are never that much alike; most are passed over here.
                if abs(len(part) - len(word)) <= 2:
                    known[part] = None
        return tuple(get_close_matches(word.lower(), known, n=limit, cutoff=_LIKENESS))

    def _telling(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words worth looking for, in the order given: not too many nor too common."""
        often = {word: self._occurrences(word) for word in words[:_COUNTED]}
        known = sorted((word for word in often if often[word]), key=lambda word: often[word])
        most = self._occurrences("") * _COMMON
        rare = [word for word in known[:MOST_WORDS] if often[word] <= most]
        kept = frozenset(rare or known[:MOST_WORDS])
        return tuple(word for word in words if word in kept) or tuple(words[:MOST_WORDS])

    def _occurrences(self, word: str) -> int:
        """Return how many texts have ``word``, how many there are for the empty one."""
        version = self.database.version()
        if (
            self._counted is None
            or self._counted[0] != version
            or len(self._counted[1]) > _MOST_COUNTS
        ):
            self._counted = version, {}
        counts = self._counted[1]
        if word not in counts:
            query = "SELECT count(*) FROM text WHERE text MATCH ?"
            values = [_quoted((word,))]
            if not word:
                query, values = "SELECT count(*) FROM entry", []
            counts[word] = int(self.database.rows(query, values)[0][0])
        return counts[word]

    def forget_counts(self) -> None:
        self._counted = None


def expression(asked: FullTextQuery, *, every: bool) -> str:
    """Return the query in FTS5's own language, of quoted words only."""
    words = [_quoted((word,)) for word in asked.words]
    words += [f"{_quoted((prefix,))}*" for prefix in asked.prefixes]
    joined = (" AND " if every else " OR ").join(words)
    parts = [f"({joined})"] if joined and (every or not asked.phrases) else []
    parts = [_quoted(phrase) for phrase in asked.phrases] + parts
    wanted = " AND ".join(parts)
    if asked.named:
        wanted = f"{{{' '.join(_NAMES)}}} : ({wanted})"
    avoided = " OR ".join(_quoted((word,)) for word in asked.without)
    return f"({wanted}) NOT ({avoided})" if avoided else wanted


def _quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(words).replace('"', '""').replace("\0", " ") + '"'
