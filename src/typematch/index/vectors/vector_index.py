"""Search by vectors: a search filters first and scores the rest.

Vectors are held in memory and multiplied with numpy, except in the first search of a process: if it
is filtered, it reads and scores only the vectors that pass, with the functions of sqlite-vec if
that can be loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.index.entries.selection import EVERYTHING, Selection, listed_entries
from typematch.index.entries.sql_conditions import matching_entries, where
from typematch.index.vectors.embedding import ModelIdentity
from typematch.index.vectors.quantization import quantized
from typematch.index.vectors.stored_model import stored_model
from typematch.index.vectors.vector_extension import load_extension
from typematch.index.vectors.vector_matrix import VectorMatrix, read_matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.engines.engine import Database

_ALL_TEXTS = (
    "(SELECT entry, vector FROM entry_vector UNION ALL SELECT entry, vector FROM enrichment_vector)"
)


@dataclass(frozen=True, slots=True)
class VectorState:
    """Counts of a file's vectors, and their model.

    Attributes:
        texts: distinct texts to embed; ``texts_without_vector`` of them have none yet.
        scored_by: ``sqlite-vec`` or ``numpy``, what scores the first filtered search.
    """

    model: ModelIdentity | None
    texts: int
    texts_without_vector: int
    scored_by: str


class VectorIndex:
    """The vectors of one file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._matrix: tuple[int, VectorMatrix] | None = None  # with the data version it is of
        self._has_searched = False
        self._extension: bool | None = None
        self._writes = 0

    def vector_state(self) -> VectorState:
        with self._database.errors():
            texts = self._database.connection.execute("SELECT count(*) FROM vector").fetchone()[0]
            without_vector = self.texts_without_vector()
            model = stored_model(self._database.connection)
        scored_by = "sqlite-vec" if self._has_extension() else "numpy"
        return VectorState(model, int(texts), without_vector, scored_by)

    def texts_without_vector(self) -> int:
        return int(self._database.query("SELECT count(*) FROM vector WHERE value IS NULL")[0][0])

    def model(self) -> ModelIdentity | None:
        with self._database.errors():
            return stored_model(self._database.connection)

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = EVERYTHING, *, limit: int
    ) -> list[tuple[int, float]]:
        query = quantized(vector)
        with self._database.errors():
            # Reading all vectors pays off from the second search on.
            first, self._has_searched = not self._has_searched, True
            if selection and first and self._matrix is None and self._has_extension():
                return self._nearest_in_sql(query.tobytes(), selection, limit)
            return self._nearest_in_memory(query, selection, limit)

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]:
        with self._database.errors():
            return self._current_matrix().cosines(vectors, numbers)

    def package_cosines(self, vector: NDArray[np.float32], /) -> dict[str, float]:
        with self._database.errors():
            return self._current_matrix().package_cosines(vector)

    def data_version(self) -> tuple[int, int]:
        return self._database.data_version(), self._writes

    def clear_cache(self) -> None:
        self._writes += 1
        self._matrix = None
        self._has_searched = False
        self._extension = None

    def _has_extension(self) -> bool:
        if self._extension is None:
            self._extension = load_extension(self._database.connection)
        return self._extension

    def _nearest_in_sql(
        self, query: bytes, selection: Selection, limit: int
    ) -> list[tuple[int, float]]:
        condition, values = where(selection)
        enriched = self._database.connection.execute(
            "SELECT 1 FROM enrichment_vector LIMIT 1"
        ).fetchone()
        rows = self._database.connection.execute(
            "SELECT e.id, min(vec_distance_cosine(vec_int8(v.value), vec_int8(?))) AS far "
            # The union triples the time of a small search.
            f"FROM entry e JOIN {_ALL_TEXTS if enriched else 'entry_vector'} n ON n.entry = e.id "
            "JOIN vector v ON v.id = n.vector "
            f"WHERE v.value IS NOT NULL AND {condition} GROUP BY e.id ORDER BY far, e.id LIMIT ?",
            (query, *values, limit),
        )
        return [(number, 1.0 - far) for number, far in rows]

    def _nearest_in_memory(
        self, query: NDArray[np.int8], selection: Selection, limit: int
    ) -> list[tuple[int, float]]:
        import numpy as np

        matrix = self._current_matrix()
        if not selection:
            return matrix.nearest(query, limit)
        numbers = listed_entries(selection)
        if numbers is None:
            numbers = matching_entries(self._database, selection)
        return matrix.nearest_among(query, np.array(numbers, dtype=np.int64), limit)

    def _current_matrix(self) -> VectorMatrix:
        connection = self._database.connection
        version = self._database.data_version()
        if self._matrix is None or self._matrix[0] != version:
            model = stored_model(connection)
            self._matrix = version, read_matrix(self._database, model.dimension if model else 1)
        return self._matrix[1]
