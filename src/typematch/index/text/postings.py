"""The full-text index in PostgreSQL: postings of our own, ranked as FTS5 ranks.

``tsvector`` ranks otherwise, and has four weights where the texts have ten columns.  Here a row
holds where one term occurs in texts that were written together, a *segment*.  BM25 is computed from
them with the arithmetic of FTS5, so both engines give the same scores.

Occurrences are ascending whole numbers of eight bytes: entry, column and offset.  ``text_size``
says which segment has an entry's text, and how many words it has.  Occurrences of texts that were
deleted or replaced are skipped; they stay until their segment has no text left.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from typematch.index.engines.engine import Database
from typematch.index.entries.selection import Selection
from typematch.index.entries.sql_conditions import matching_entries
from typematch.index.text.fts5_totals import decode_varints, encode_varint
from typematch.index.text.full_text import (
    K1,
    NAME_COLUMNS,
    TABLES,
    WEIGHTS,
    B,
    FullTextQuery,
    inverse_document_frequency,
)
from typematch.index.text.terms import TermReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ENTRY_SHIFT, _COLUMN_SHIFT = 32, 24
_MAX_OFFSET = (1 << _COLUMN_SHIFT) - 1
_COLUMN_MASK = (1 << _ENTRY_SHIFT - _COLUMN_SHIFT) - 1
_MAX_CACHED_TERMS = 500
_LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The texts of a table; parallel arrays in order of entry.

    ``segments`` and ``lengths`` are by entry number: segment -1 for no text.
    """

    segments: NDArray[np.int64]
    lengths: NDArray[np.int64]
    texts: int
    words: int


@dataclass(frozen=True, slots=True)
class _Matches:
    """The entries in which a phrase occurs, ascending, with the weighted number of occurrences."""

    entries: NDArray[np.int64]
    frequencies: NDArray[np.float64]


class PostingTables:
    """The ``TextTables`` of one schema."""

    sizes = (
        "SELECT e.name_id, hex(d.sizes) FROM text_size d LEFT JOIN entry e ON e.id = d.entry "
        "WHERE NOT d.operations"
    )

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reader = TermReader()
        self._version: int | None = None  # that the caches are of
        self._sizes: dict[bool, _Sizes] = {}
        self._occurrences: dict[tuple[bool, str, bool], NDArray[np.int64]] = {}

    def clear_cache(self) -> None:
        self._version = None
        self._sizes.clear()
        self._occurrences.clear()

    # Writing ----------------------------------------------------------------------------------

    def write(self, rows: Sequence[tuple[object, ...]], *, operations: bool = False) -> None:
        if not rows:
            return
        self.clear_cache()
        query = (
            "SELECT coalesce(greatest((SELECT max(segment) FROM text_size), "
            "(SELECT max(segment) FROM posting)), 0)"
        )
        segment = int(self._database.query(query)[0][0]) + 1
        self._reader.prepare([str(text) for _, *texts in rows for text in texts])
        postings: dict[str, array[int]] = {}
        sizes: list[tuple[object, ...]] = []
        for number, *texts in rows:
            lengths = []
            for column, text in enumerate(texts):
                terms = self._reader.terms(str(text))
                lengths.append(len(terms))
                first = int(str(number)) << _ENTRY_SHIFT | column << _COLUMN_SHIFT
                for place, term in enumerate(terms[:_MAX_OFFSET], start=first):
                    occurrences = postings.get(term)
                    if occurrences is None:
                        occurrences = postings[term] = array("q")
                    occurrences.append(place)
            encoded = b"".join(map(encode_varint, lengths))
            sizes.append((operations, number, segment, sum(lengths), encoded))
        self._database.insert_rows("text_size", sizes)
        self._database.insert_rows(
            "posting",
            [
                (operations, term, segment, occurrences.tobytes())
                for term, occurrences in postings.items()
            ],
        )

    def delete_file_rows(self, file: int) -> None:
        condition = "entry IN (SELECT id FROM entry WHERE file = ?)"
        self._database.connection.execute(f"DELETE FROM text_size WHERE {condition}", (file,))
        self.clear_cache()

    def delete_entry_rows(self, number: int) -> None:
        self._database.connection.execute("DELETE FROM text_size WHERE entry = ?", (number,))
        self.clear_cache()

    def correct_totals(self) -> None:
        """Delete segments without a text: nothing else counts what is deleted."""
        self._database.connection.execute(
            "DELETE FROM posting WHERE segment NOT IN (SELECT segment FROM text_size)"
        )

    # Reading ----------------------------------------------------------------------------------

    def ranked(
        self,
        query: FullTextQuery,
        selection: Selection,
        *,
        limit: int,
        match_all: bool,
        operations: bool,
    ) -> list[tuple[int, float]]:
        import numpy as np

        weights = np.array([of_tables[operations] for of_tables in WEIGHTS.values()])
        if query.names_only:
            names = [name in NAME_COLUMNS for name in WEIGHTS]
            weights = np.where(names, weights, 0.0)

        def matches(phrase: str, *, prefix: bool = False, everywhere: bool = False) -> _Matches:
            used = np.ones(len(WEIGHTS)) if everywhere else weights
            return self._matches(operations, phrase, prefix, used)

        phrases = [matches(" ".join(phrase)) for phrase in query.phrases]
        words = [matches(word) for word in query.words]
        words += [matches(prefix, prefix=True) for prefix in query.prefixes]
        groups = [found.entries for found in phrases]
        counted = phrases
        if words and (match_all or not phrases):
            of_words = [found.entries for found in words]
            groups += of_words if match_all else [self._any_of(operations, of_words)]
            counted = [*phrases, *words]
        entries = reduce(_common, groups)
        for word in query.excluded:
            excluded = matches(word, everywhere=True).entries
            entries = entries[~np.isin(entries, excluded)]
        if selection:
            chosen = np.array(matching_entries(self._database, selection), np.int64)
            entries = entries[np.isin(entries, chosen)]
        scores = self._scores(operations, entries, counted)
        order = np.lexsort((entries, -scores))[:limit]
        return list(zip(entries[order].tolist(), scores[order].tolist(), strict=True))

    def _any_of(self, operations: bool, groups: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return the entries of any group, ascending."""
        import numpy as np

        # A flag for each entry: ten times as fast as np.union1d.
        found = np.zeros(len(self._current_sizes(operations).segments), np.bool_)
        for entries in groups:
            found[entries] = True
        return np.flatnonzero(found)

    def entries_with(self, word: str, numbers: Sequence[int]) -> Iterable[int]:
        import numpy as np

        having = self._matches(False, word, False, np.ones(len(WEIGHTS))).entries
        listed = np.array(numbers, np.int64)
        found: list[int] = listed[np.isin(listed, having)].tolist()
        return found

    def document_frequency(self, word: str) -> int:
        import numpy as np

        return len(self._matches(False, word, False, np.ones(len(WEIGHTS))).entries)

    def stored_totals(self) -> dict[str, list[int]]:
        totals: dict[str, list[int]] = {}
        for operations, table in enumerate(TABLES):
            query = "SELECT sizes FROM text_size WHERE operations = ?"
            rows = self._database.query(query, (bool(operations),))
            counts = [list(decode_varints(row[0])) for row in rows]
            totals[table] = [len(counts), *map(sum, zip(*counts, strict=True))]
        return totals

    # Scores -----------------------------------------------------------------------------------

    def _scores(
        self, operations: bool, entries: NDArray[np.int64], phrases: Sequence[_Matches]
    ) -> NDArray[np.float64]:
        """Return BM25 of the entries, in the order of operations of FTS5."""
        import numpy as np

        sizes = self._current_sizes(operations)
        scores = np.zeros(len(entries))
        if not len(entries):
            return scores
        average = sizes.words / sizes.texts
        length = sizes.lengths[entries].astype(np.float64)
        for phrase in phrases:
            hits = len(phrase.entries)
            idf = inverse_document_frequency(sizes.texts, hits)
            frequency = np.zeros(len(entries))
            if hits:
                at = np.minimum(np.searchsorted(phrase.entries, entries), hits - 1)
                frequency = np.where(phrase.entries[at] == entries, phrase.frequencies[at], 0.0)
            scores += idf * (
                (frequency * (K1 + 1.0)) / (frequency + K1 * (1 - B + B * length / average))
            )
        return scores

    def _matches(
        self, operations: bool, phrase: str, prefix: bool, weights: NDArray[np.float64]
    ) -> _Matches:
        """Return the entries with a phrase.  Columns without a weight are not searched."""
        import numpy as np

        terms = self._reader.terms(phrase)
        if not terms:
            return _Matches(np.empty(0, np.int64), np.empty(0))
        last = len(terms) - 1
        parts = [
            self._term_occurrences(operations, term, prefix and place == last) - place
            for place, term in enumerate(terms)
        ]
        occurrences = reduce(_common, parts)
        weight = weights[occurrences >> _COLUMN_SHIFT & _COLUMN_MASK]
        searched = weight > 0
        occurrences, weight = occurrences[searched], weight[searched]
        entries = occurrences >> _ENTRY_SHIFT
        starts = np.flatnonzero(np.diff(entries, prepend=-1))
        sums = np.add.reduceat(weight, starts) if len(starts) else np.empty(0)
        return _Matches(entries[starts], sums)

    def _term_occurrences(self, operations: bool, term: str, prefix: bool) -> NDArray[np.int64]:
        """Return the places of a term, or of all terms that begin so, ascending."""
        import numpy as np

        self._check_version()
        key = operations, term, prefix
        found = self._occurrences.get(key)
        if found is None:
            sizes = self._current_sizes(operations)
            parts = list(self._read_occurrences(operations, term, prefix, sizes))
            found = np.sort(np.concatenate(parts)) if parts else np.empty(0, np.int64)
            if len(self._occurrences) > _MAX_CACHED_TERMS:
                self._occurrences.clear()
            self._occurrences[key] = found
        return found

    def _read_occurrences(
        self, operations: bool, term: str, prefix: bool, sizes: _Sizes
    ) -> Iterator[NDArray[np.int64]]:
        import numpy as np

        condition = "term >= ? AND term < ?" if prefix else "term = ?"
        bounds = (term, term + _LAST_CHARACTER) if prefix else (term,)
        query = f"SELECT segment, occurrences FROM posting WHERE operations = ? AND {condition}"
        for segment, block in self._database.query(query, (operations, *bounds)):
            occurrences = np.frombuffer(block, np.int64)
            entries = occurrences >> _ENTRY_SHIFT
            occurrences = occurrences[entries < len(sizes.segments)]
            entries = entries[entries < len(sizes.segments)]
            yield occurrences[sizes.segments[entries] == segment]

    def _current_sizes(self, operations: bool) -> _Sizes:
        self._check_version()
        sizes = self._sizes.get(operations)
        if sizes is None:
            sizes = self._sizes[operations] = self._read_sizes(operations)
        return sizes

    def _read_sizes(self, operations: bool) -> _Sizes:
        import numpy as np

        condition = "operations" if operations else "NOT operations"
        rows = self._database.read_numbers(
            f"SELECT entry, segment, words FROM text_size WHERE {condition}", 3
        )
        segments = np.full(int(rows[:, 0].max(initial=0)) + 1, -1, np.int64)
        lengths = np.zeros(len(segments), np.int64)
        segments[rows[:, 0]], lengths[rows[:, 0]] = rows[:, 1], rows[:, 2]
        return _Sizes(segments, lengths, len(rows), int(rows[:, 2].sum()))

    def _check_version(self) -> None:
        version = self._database.data_version()
        if version != self._version:
            self.clear_cache()
            self._version = version


def _common(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what both have, ascending; each is ascending without repetitions."""
    import numpy as np

    return np.intersect1d(a, b, assume_unique=True)
