"""Score the vectors of a file in memory: a byte for each dimension, as they are stored.

Numbers stay whole while products are added up, so equal vectors score equal wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.database import Connection

LEVELS = 127  # what the largest part of a stored vector is
# Rows made into floats at a time: they stay in the processor's cache, which takes a third of the
# time that a whole matrix of floats does, and a quarter of its memory.
_BLOCK = 256
_READ = 4_096  # rows fetched at a time


@dataclass(frozen=True, slots=True)
class Matrix:
    """All vectors of a file.

    Attributes:
        levels: a row for each distinct text, as stored.
        inverse: one over each row's length; 0 for a row of zeros.
        entries: numbers of the entries that have a vector, ascending.
        rows: by number of an entry its row, -1 where it has none.
        told, told_rows: entries and rows of what a model said of them, of which there may be
            several for one; the nearest text of an entry counts.
    """

    levels: NDArray[np.int8]
    inverse: NDArray[np.float32]
    entries: NDArray[np.int64]
    rows: NDArray[np.int32]
    told: NDArray[np.int64]
    told_rows: NDArray[np.int32]

    def nearest(self, asked: NDArray[np.int8], limit: int) -> list[tuple[int, float]]:
        """Return (entry, cosine) of the ``limit`` entries nearest to ``asked``, nearest first."""
        import numpy as np

        scores = _cosines(self.levels, self.inverse, asked)
        nearest = scores[self.rows[self.entries]]
        if len(self.told):
            places = np.searchsorted(self.entries, self.told)
            np.maximum.at(nearest, places, scores[self.told_rows])
        return _best(self.entries, nearest, limit)

    def nearest_of(
        self, asked: NDArray[np.int8], chosen: NDArray[np.int64], limit: int
    ) -> list[tuple[int, float]]:
        """Return what ``nearest`` does, of the entries ``chosen``."""
        import numpy as np

        entries = chosen[chosen < len(self.rows)]
        rows = self.rows[entries]
        entries, rows = entries[rows >= 0], rows[rows >= 0]
        nearest = _cosines(self.levels[rows], self.inverse[rows], asked)
        places, more = self._told_among(entries)
        if len(more):
            np.maximum.at(nearest, places, _cosines(self.levels[more], self.inverse[more], asked))
        return _best(entries, nearest, limit)

    def _told_among(
        self, entries: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the places in ``entries`` of what was told of them, and its rows."""
        import numpy as np

        if not len(self.told):
            return np.empty(0, np.int64), self.told_rows
        order = np.argsort(entries, kind="stable")
        among = np.isin(self.told, entries)
        places = order[np.searchsorted(entries, self.told[among], sorter=order)]
        return places, self.told_rows[among]

    def cosines(
        self, vectors: NDArray[np.float32], entries: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return how near each entry is to each of some unit vectors; 0.0 for one without a vector.

        Shapes: ``(vectors, dimensions)`` and ``(entries,)`` give ``(vectors, entries)``.
        """
        import numpy as np

        known = entries < len(self.rows)
        rows = np.where(known, self.rows[np.where(known, entries, 0)], -1)
        scores = np.empty((len(vectors), len(entries)), np.float32)
        # Small products: a large one is shared among threads, which wait longer than they work.
        for start in range(0, len(rows), _BLOCK):
            some = rows[start : start + _BLOCK]
            block = self.levels[some].astype(np.float32)
            scores[:, start : start + _BLOCK] = vectors @ block.T
            scores[:, start : start + _BLOCK] *= self.inverse[some]
        scores[:, rows < 0] = 0.0
        places, more = self._told_among(entries)
        if len(more):
            told = vectors @ self.levels[more].astype(np.float32).T * self.inverse[more]
            for row, said in zip(scores, told, strict=True):
                np.maximum.at(row, places, said)
        return scores


def _cosines(
    levels: NDArray[np.int8], inverse: NDArray[np.float32], asked: NDArray[np.int8]
) -> NDArray[np.float32]:
    import numpy as np

    direction = asked.astype(np.float32)
    scores = np.empty(len(levels), dtype=np.float32)
    room = np.empty((min(_BLOCK, len(levels)), len(direction)), dtype=np.float32)
    for start in range(0, len(levels), _BLOCK):
        block = levels[start : start + _BLOCK]
        floats = room[: len(block)]
        np.copyto(floats, block)
        np.dot(floats, direction, out=scores[start : start + _BLOCK])
    scores *= inverse
    scores /= max(float(np.linalg.norm(direction)), 1e-12)
    return scores


def _best(
    entries: NDArray[np.int64], scores: NDArray[np.float32], limit: int
) -> list[tuple[int, float]]:
    """Return the highest ``limit`` scores; of equal ones the lower entry comes first."""
    import numpy as np

    if len(entries) > limit:
        # All that are as near as the last one: which of equals is shown must not be chance.
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        near = np.flatnonzero(scores >= least)
        entries, scores = entries[near], scores[near]
    order = np.lexsort((entries, -scores))[:limit]
    return list(zip(entries[order].tolist(), scores[order].tolist(), strict=True))


def read_matrix(connection: Connection, dimension: int) -> Matrix:
    """Return all vectors of a file; texts that wait to be embedded are left out."""
    import numpy as np

    blocks = list(_stored(connection, dimension))
    numbers = np.concatenate([numbers for numbers, _ in blocks] or [np.empty(0, np.int64)])
    levels = np.concatenate([one for _, one in blocks] or [np.empty((0, dimension), np.int8)])
    lengths = np.concatenate(
        [np.linalg.norm(one.astype(np.float32), axis=1) for _, one in blocks]
        or [np.empty(0, np.float32)]
    )
    del blocks
    inverse = np.where(lengths > 0, 1.0 / np.maximum(lengths, 1e-12), 0.0).astype(np.float32)
    last = int(numbers.max(initial=0))
    place = np.full(last + 1, -1, dtype=np.int32)
    place[numbers] = np.arange(len(numbers), dtype=np.int32)
    entries, found = _pairs(connection, "entry_vector", place)
    rows = np.full(int(entries.max(initial=0)) + 1, -1, dtype=np.int32)
    rows[entries] = found
    entries = entries[found >= 0]
    told, told_rows = _pairs(connection, "told_vector", place)
    good = (told_rows >= 0) & np.isin(told, entries)
    return Matrix(levels, inverse, entries, rows, told[good], told_rows[good])


def _pairs(
    connection: Connection, table: str, place: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the entries of a table, ascending, and the row of each one's vector; -1 for none."""
    import numpy as np

    pairs = connection.execute(f"SELECT entry, vector FROM {table} ORDER BY entry")
    both = np.fromiter(chain.from_iterable(pairs), dtype=np.int64).reshape(-1, 2)
    both = both[both[:, 1] < len(place)]
    return both[:, 0], place[both[:, 1]]


def _stored(
    connection: Connection, dimension: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
    """Yield the numbers of vectors and the vectors themselves, some at a time."""
    import numpy as np

    cursor = connection.execute("SELECT id, value FROM vector WHERE value IS NOT NULL ORDER BY id")
    while rows := cursor.fetchmany(_READ):
        joined = b"".join(row[1] for row in rows)
        block = np.frombuffer(joined, dtype=np.int8).reshape(-1, dimension)
        yield np.array([row[0] for row in rows], dtype=np.int64), block
