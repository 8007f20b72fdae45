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
    """

    levels: NDArray[np.int8]
    inverse: NDArray[np.float32]
    entries: NDArray[np.int64]
    rows: NDArray[np.int32]

    def nearest(self, asked: NDArray[np.int8], limit: int) -> list[tuple[int, float]]:
        """Return (entry, cosine) of the ``limit`` entries nearest to ``asked``, nearest first."""
        scores = _cosines(self.levels, self.inverse, asked)
        return _best(self.entries, scores[self.rows[self.entries]], limit)

    def nearest_of(
        self, asked: NDArray[np.int8], chosen: NDArray[np.int64], limit: int
    ) -> list[tuple[int, float]]:
        """Return what ``nearest`` does, of the entries ``chosen``."""
        entries = chosen[chosen < len(self.rows)]
        rows = self.rows[entries]
        entries, rows = entries[rows >= 0], rows[rows >= 0]
        return _best(entries, _cosines(self.levels[rows], self.inverse[rows], asked), limit)

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
    pairs = connection.execute("SELECT entry, vector FROM entry_vector ORDER BY entry")
    both = np.fromiter(chain.from_iterable(pairs), dtype=np.int64).reshape(-1, 2)
    both = both[both[:, 1] <= last]
    entries, found = both[:, 0], place[both[:, 1]]
    rows = np.full(int(entries.max(initial=0)) + 1, -1, dtype=np.int32)
    rows[entries] = found
    return Matrix(levels, inverse, entries[found >= 0], rows)


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
