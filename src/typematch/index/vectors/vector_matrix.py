"""The vectors of a file in memory, one byte per dimension as stored, scored with numpy.

Products of bytes are summed exactly, so equal vectors have equal scores at every position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.index.vectors.blocks import BLOCK_ROWS, product_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.engines.engine import Database, DriverConnection

_ROWS_PER_FETCH = 4_096


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """All vectors of a file.

    Attributes:
        levels: a row for each distinct text, as stored.
        inverse: 1 / length of each row; 0 for a row of zeros.
        entries: numbers of the entries that have a vector, ascending.
        rows: row by entry number; -1 for none.
        enrichment_entries, enrichment_rows: parallel arrays, one pair for each enrichment text.
            An entry's score is that of its nearest text.
        packages, package_rows: parallel, the packages that have a vector.
    """

    levels: NDArray[np.int8]
    inverse: NDArray[np.float32]
    entries: NDArray[np.int64]
    rows: NDArray[np.int32]
    enrichment_entries: NDArray[np.int64]
    enrichment_rows: NDArray[np.int32]
    packages: Sequence[str]
    package_rows: NDArray[np.int32]

    def nearest(self, query: NDArray[np.int8], limit: int) -> list[tuple[int, float]]:
        """Return (entry, cosine) of the ``limit`` entries nearest to ``query``, nearest first."""
        import numpy as np

        scores = _cosines(self.levels, self.inverse, query)
        nearest = scores[self.rows[self.entries]]
        if len(self.enrichment_entries):
            positions = np.searchsorted(self.entries, self.enrichment_entries)
            np.maximum.at(nearest, positions, scores[self.enrichment_rows])
        return _top(self.entries, nearest, limit)

    def nearest_among(
        self, query: NDArray[np.int8], chosen: NDArray[np.int64], limit: int
    ) -> list[tuple[int, float]]:
        """Return what ``nearest`` does, for the entries ``chosen`` only."""
        import numpy as np

        entries = chosen[chosen < len(self.rows)]
        rows = self.rows[entries]
        entries, rows = entries[rows >= 0], rows[rows >= 0]
        nearest = _cosines(self.levels[rows], self.inverse[rows], query)
        positions, more = self._enrichments_of(entries)
        if len(more):
            np.maximum.at(
                nearest, positions, _cosines(self.levels[more], self.inverse[more], query)
            )
        return _top(entries, nearest, limit)

    def _enrichments_of(
        self, entries: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return (positions in ``entries``, rows) of the enrichment texts of these entries."""
        import numpy as np

        if not len(self.enrichment_entries):
            return np.empty(0, np.int64), self.enrichment_rows
        order = np.argsort(entries, kind="stable")
        is_chosen = np.isin(self.enrichment_entries, entries)
        positions = order[
            np.searchsorted(entries, self.enrichment_entries[is_chosen], sorter=order)
        ]
        return positions, self.enrichment_rows[is_chosen]

    def cosines(
        self, vectors: NDArray[np.float32], entries: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the cosines of unit vectors and entries; 0.0 for an entry without a vector.

        Shapes: ``(vectors, dimensions)`` and ``(entries,)`` give ``(vectors, entries)``.
        """
        import numpy as np

        known = entries < len(self.rows)
        rows = np.where(known, self.rows[np.where(known, entries, 0)], -1)
        positions, more = self._enrichments_of(entries)
        found = self._cosines_of_rows(vectors, np.concatenate((rows, more)))
        scores = found[:, : len(rows)]
        scores[:, rows < 0] = 0.0
        for row, of_enrichments in zip(scores, found[:, len(rows) :], strict=True):
            np.maximum.at(row, positions, of_enrichments)
        return scores

    def _cosines_of_rows(
        self, vectors: NDArray[np.float32], rows: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the cosines of unit vectors and rows; those of row -1 mean nothing."""
        import numpy as np

        cosines = np.empty((len(vectors), len(rows)), np.float32)
        count = product_rows(*vectors.shape)
        for start in range(0, len(rows), count):
            block_rows = rows[start : start + count]
            block = self.levels[block_rows].astype(np.float32)
            cosines[:, start : start + count] = vectors @ block.T * self.inverse[block_rows]
        return cosines

    def package_cosines(self, vector: NDArray[np.float32]) -> dict[str, float]:
        """Return the cosine of a unit vector and each package that has a vector."""
        import numpy as np

        rows = self.package_rows
        cosines = self.levels[rows].astype(np.float32) @ vector * self.inverse[rows]
        return dict(zip(self.packages, cosines.tolist(), strict=True))


def _cosines(
    levels: NDArray[np.int8], inverse: NDArray[np.float32], query: NDArray[np.int8]
) -> NDArray[np.float32]:
    import numpy as np

    direction = query.astype(np.float32)
    scores = np.empty(len(levels), dtype=np.float32)
    buffer = np.empty((min(BLOCK_ROWS, len(levels)), len(direction)), dtype=np.float32)
    for start in range(0, len(levels), BLOCK_ROWS):
        block = levels[start : start + BLOCK_ROWS]
        floats = buffer[: len(block)]
        np.copyto(floats, block)
        np.dot(floats, direction, out=scores[start : start + BLOCK_ROWS])
    scores *= inverse
    scores /= max(float(np.linalg.norm(direction)), 1e-12)
    return scores


def _top(
    entries: NDArray[np.int64], scores: NDArray[np.float32], limit: int
) -> list[tuple[int, float]]:
    """Return the ``limit`` highest scores, highest first; equal ones in order of entry."""
    import numpy as np

    if len(entries) > limit:
        # Keep everything equal to the last one: partition picks arbitrarily among equals.
        last_score = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = np.flatnonzero(scores >= last_score)
        entries, scores = entries[kept], scores[kept]
    order = np.lexsort((entries, -scores))[:limit]
    return list(zip(entries[order].tolist(), scores[order].tolist(), strict=True))


def read_matrix(database: Database, dimension: int) -> VectorMatrix:
    """Return all vectors of a file; texts without a vector are left out."""
    import numpy as np

    blocks = list(_vector_blocks(database.connection, dimension))
    numbers = np.concatenate([numbers for numbers, _ in blocks] or [np.empty(0, np.int64)])
    levels = np.concatenate([block for _, block in blocks] or [np.empty((0, dimension), np.int8)])
    lengths = np.concatenate(
        [np.linalg.norm(block.astype(np.float32), axis=1) for _, block in blocks]
        or [np.empty(0, np.float32)]
    )
    del blocks
    inverse = np.where(lengths > 0, 1.0 / np.maximum(lengths, 1e-12), 0.0).astype(np.float32)
    row_of_vector = np.full(int(numbers.max(initial=0)) + 1, -1, dtype=np.int32)
    row_of_vector[numbers] = np.arange(len(numbers), dtype=np.int32)
    entries, entry_rows = _entry_rows(database, "entry_vector", row_of_vector)
    rows = np.full(int(entries.max(initial=0)) + 1, -1, dtype=np.int32)
    rows[entries] = entry_rows
    entries = entries[entry_rows >= 0]
    enriched, enrichment_rows = _entry_rows(database, "enrichment_vector", row_of_vector)
    usable = (enrichment_rows >= 0) & np.isin(enriched, entries)
    packages, package_rows = _package_rows(database.connection, row_of_vector)
    return VectorMatrix(
        levels,
        inverse,
        entries,
        rows,
        enriched[usable],
        enrichment_rows[usable],
        packages,
        package_rows,
    )


def _package_rows(
    connection: DriverConnection, row_of_vector: NDArray[np.int32]
) -> tuple[Sequence[str], NDArray[np.int32]]:
    """Return the packages that have a vector, and the row of each one's."""
    import numpy as np

    pairs = connection.execute(
        "SELECT p.name, n.vector FROM package_vector n JOIN package p ON p.id = n.package "
        "JOIN vector v ON v.id = n.vector WHERE v.value IS NOT NULL ORDER BY 1"
    ).fetchall()
    vectors = np.array([vector for _, vector in pairs], dtype=np.int64)
    return [name for name, _ in pairs], row_of_vector[vectors]


def _entry_rows(
    database: Database, table: str, row_of_vector: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the entries of a table, ascending, and the row of each one's vector; -1 for none."""
    both = database.read_numbers(f"SELECT entry, vector FROM {table} ORDER BY entry", 2)
    both = both[both[:, 1] < len(row_of_vector)]
    return both[:, 0], row_of_vector[both[:, 1]]


def _vector_blocks(
    connection: DriverConnection, dimension: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
    """Yield (numbers, vectors) of the stored vectors, block by block."""
    import numpy as np

    cursor = connection.execute("SELECT id, value FROM vector WHERE value IS NOT NULL ORDER BY id")
    while rows := cursor.fetchmany(_ROWS_PER_FETCH):
        joined = b"".join(row[1] for row in rows)
        block = np.frombuffer(joined, dtype=np.int8).reshape(-1, dimension)
        yield np.array([row[0] for row in rows], dtype=np.int64), block
