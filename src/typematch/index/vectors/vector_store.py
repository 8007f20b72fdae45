"""Vectors of entries: made once for each distinct text, stored in a byte for each dimension.

A file names the model of its vectors.  Texts wait in the file until they are embedded, so that a
run that is interrupted leaves what it has done, and the next one goes on from there.

Search filters first and scores what is left.  The vectors are kept in memory and multiplied with
numpy; only a filtered search that is the first of its process scores just the vectors that it
reads, with the functions of sqlite-vec where that can be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from typematch.index.entries.entry_filter import EntryFilter
from typematch.index.entries.selection import EVERYTHING, Selection, listed
from typematch.index.entries.sql_conditions import where
from typematch.index.text.text_views import beyond_summary, spoken_name
from typematch.index.text.words import split_identifier
from typematch.index.vectors.embedding import Embedder, ModelIdentity, entry_text
from typematch.index.vectors.vector_matrix import LEVELS, Matrix, read_matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.database import Connection, Database
    from typematch.ir.entry import Entry

_DIGEST_BYTES = 16
_AT_ONCE = 2_000  # texts between commits
MAX_PROSE = 300  # characters of what describes an operation
_ALL_TEXTS = (
    "(SELECT entry, vector FROM entry_vector UNION ALL SELECT entry, vector FROM told_vector)"
)
_MODEL = ("model name", "model dimension", "model digest")


def text_of(entry: Entry) -> str:
    """Return the text that stands for an entry; equal texts have one vector."""
    if entry.kind == "operation":
        return _text_of_operation(entry)
    return entry_text(
        spoken_name(entry),
        entry.container,
        entry.signature,
        entry.doc.summary if entry.doc is not None else "",
    )


def _text_of_operation(entry: Entry) -> str:
    """Say its path where a function says its name, and as prose all that describes it.

    Against summary and parameters in those lines: .968 for .958 of recall@20 over all operations of
    an instance of SOCBench-D, .955 for .925 on RestBench.
    """
    if entry.endpoint is None:
        said = entry.name
    else:
        parts = [part for part in entry.endpoint.path.split("/") if not part.startswith("{")]
        said = " ".join(word for part in parts for word in split_identifier(part))
    summary = entry.doc.summary if entry.doc else ""
    return entry_text(said, prose=f"{summary}. {beyond_summary(entry)[:MAX_PROSE]}")


def digest_of(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()


# Writing ------------------------------------------------------------------------------------------


def write_texts(connection: Connection, texts: Sequence[tuple[int, str]]) -> None:
    """Note which text stands for which entry; texts not known yet wait to be embedded."""
    rows = [(entry, digest_of(text), text) for entry, text in texts]
    connection.executemany(
        "INSERT OR IGNORE INTO vector (digest, text) VALUES (?, ?)", [row[1:] for row in rows]
    )
    connection.executemany(
        "INSERT INTO entry_vector SELECT ?, id FROM vector WHERE digest = ?",
        [row[:2] for row in rows],
    )


def write_told(connection: Connection, texts: Sequence[tuple[int, str]]) -> None:
    """Note texts that were said of entries, beside the one that stands for each."""
    rows = [(entry, text, digest_of(text)) for entry, said in texts if (text := told_text(said))]
    connection.executemany(
        "INSERT OR IGNORE INTO vector (digest, text) VALUES (?, ?)",
        [(digest, text) for _, text, digest in rows],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO told_vector SELECT ?, id FROM vector WHERE digest = ?",
        [(entry, digest) for entry, _, digest in rows],
    )


def told_text(said: str) -> str:
    """Return the text to embed of a sentence that a model said."""
    return entry_text("", prose=said)


def stored_model(connection: Connection) -> ModelIdentity | None:
    """Return which model the file's vectors are of; None while there are none."""
    rows = dict(connection.execute("SELECT name, value FROM meta WHERE name LIKE 'model %'"))
    if not all(name in rows for name in _MODEL):
        return None
    name, dimension, digest = (rows[name] for name in _MODEL)
    return ModelIdentity(name, int(dimension), digest)


def use_model(
    database: Database, model: ModelIdentity, entries: Iterable[tuple[int, Entry]]
) -> None:
    """Record the model; vectors of another are forgotten and their texts made again.

    ``entries`` are asked for only then: every one, with its number.
    """
    stored = stored_model(database.connection)
    with database.transaction() as connection:
        if stored is not None and (stored.dimension, stored.digest) != (
            model.dimension,
            model.digest,
        ):
            connection.execute("UPDATE vector SET value = NULL")
            connection.executemany(
                "UPDATE vector SET text = ? WHERE id = "
                "(SELECT vector FROM entry_vector WHERE entry = ?)",
                ((text_of(entry), number) for number, entry in entries),
            )
            connection.executemany(
                "UPDATE vector SET text = ? WHERE digest = ?",
                ((text, digest_of(text)) for text in _told_texts(connection)),
            )
        connection.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            zip(_MODEL, (model.name, str(model.dimension), model.digest), strict=True),
        )


def _told_texts(connection: Connection) -> set[str]:
    rows = connection.execute("SELECT summary, questions, interface FROM told").fetchall()
    return {told_text(line) for row in rows for said in row for line in said.split("\n") if line}


def embed_missing(
    database: Database, embedder: Embedder, progress: Callable[[int, int], None]
) -> int:
    """Embed the texts that wait; return how many there were.

    Each batch is committed: what was embedded stays.  ``progress`` is told (done, total).

    Raises:
        EmbeddingError: the model failed.
    """
    query = "SELECT count(*) FROM vector WHERE value IS NULL"
    total = int(database.connection.execute(query).fetchone()[0])
    done = 0
    while done < total:
        # Texts of one length together: most models pad to the longest of a batch.
        rows = database.connection.execute(
            "SELECT id, text FROM vector WHERE value IS NULL ORDER BY id LIMIT ?", (_AT_ONCE,)
        ).fetchall()
        if not rows:
            break
        vectors = quantized(embedder.embed([text for _, text in rows]))
        with database.transaction() as connection:
            connection.executemany(
                "UPDATE vector SET value = ?, text = '' WHERE id = ?",
                [(vector.tobytes(), row[0]) for row, vector in zip(rows, vectors, strict=True)],
            )
        done += len(rows)
        progress(done, total)
    return total


def quantized(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return vectors in bytes, each stretched to use all levels: only its direction counts."""
    import numpy as np

    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    stretched = vectors * (LEVELS / np.maximum(largest, 1e-12))
    levels: NDArray[np.int8] = np.rint(stretched).astype(np.int8)
    return levels


# Searching ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VectorState:
    """What a file holds of vectors: ``missing`` texts of ``texts`` are not embedded yet.

    ``scored_by`` is ``sqlite-vec`` or ``numpy``: what scores a filtered search.
    """

    model: ModelIdentity | None
    texts: int
    missing: int
    scored_by: str


class VectorStore(EntryFilter):
    """What a store answers about vectors."""

    # Read from the file at this version of it.
    _matrix: tuple[int, Matrix] | None = None
    _has_searched: bool = False
    _extension: bool | None = None
    _writes: int = 0

    def vector_state(self) -> VectorState:
        with self.database.errors():
            texts = self.database.connection.execute("SELECT count(*) FROM vector").fetchone()[0]
            missing = self.waiting()
            model = stored_model(self.database.connection)
        scored_by = "sqlite-vec" if self._has_extension() else "numpy"
        return VectorState(model, int(texts), int(missing), scored_by)

    def waiting(self) -> int:
        """Return how many texts have no vector yet."""
        return int(self.database.rows("SELECT count(*) FROM vector WHERE value IS NULL")[0][0])

    def model(self) -> ModelIdentity | None:
        """Return the model of the vectors; None while there are none."""
        with self.database.errors():
            return stored_model(self.database.connection)

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = EVERYTHING, *, limit: int
    ) -> list[tuple[int, float]]:
        """Return (entry number, cosine) of the ``limit`` nearest entries, the nearest first."""
        asked = quantized(vector)
        with self.database.errors():
            # Reading all vectors pays from the second search on.
            first, self._has_searched = not self._has_searched, True
            if selection and first and self._matrix is None and self._has_extension():
                return self._by_extension(asked.tobytes(), selection, limit)
            return self._by_matrix(asked, selection, limit)

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]:
        """Return how near each entry is to each vector, of shape ``(vectors, numbers)``.

        An entry without a vector has 0.0.
        """
        with self.database.errors():
            return self._loaded().cosines(vectors, numbers)

    def mark(self) -> tuple[int, int]:
        """Return a value that is another one once the file has changed."""
        return self.database.version(), self._writes

    def forget_vectors(self) -> None:
        self._writes += 1
        self._matrix = None
        self._has_searched = False
        self._extension = None

    def _has_extension(self) -> bool:
        if self._extension is None:
            self._extension = load_extension(self.database.connection)
        return self._extension

    def _by_extension(
        self, asked: bytes, selection: Selection, limit: int
    ) -> list[tuple[int, float]]:
        condition, values = where(selection)
        told = self.database.connection.execute("SELECT 1 FROM told_vector LIMIT 1").fetchone()
        rows = self.database.connection.execute(
            "SELECT e.id, min(vec_distance_cosine(vec_int8(v.value), vec_int8(?))) AS far "
            # The union costs a small search three times its time: only where there is something.
            f"FROM entry e JOIN {_ALL_TEXTS if told else 'entry_vector'} n ON n.entry = e.id "
            "JOIN vector v ON v.id = n.vector "
            f"WHERE v.value IS NOT NULL AND {condition} GROUP BY e.id ORDER BY far, e.id LIMIT ?",
            (asked, *values, limit),
        )
        return [(number, 1.0 - far) for number, far in rows]

    def _by_matrix(
        self, asked: NDArray[np.int8], selection: Selection, limit: int
    ) -> list[tuple[int, float]]:
        import numpy as np

        matrix = self._loaded()
        if not selection:
            return matrix.nearest(asked, limit)
        numbers = listed(selection)
        if numbers is None:
            numbers = self.chosen(selection)
        return matrix.nearest_of(asked, np.array(numbers, dtype=np.int64), limit)

    def _loaded(self) -> Matrix:
        connection = self.database.connection
        version = self.database.version()
        if self._matrix is None or self._matrix[0] != version:
            model = stored_model(connection)
            self._matrix = version, read_matrix(connection, model.dimension if model else 1)
        return self._matrix[1]


def load_extension(connection: Connection) -> bool:
    """Load sqlite-vec; return whether that was possible."""
    library = _library()
    if library is None or not hasattr(connection, "enable_load_extension"):
        return False
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(library)
        finally:
            connection.enable_load_extension(False)
    except Exception:  # each driver has its own error class; all mean that it cannot be had
        return False
    return True


def _library() -> str | None:
    """Return the path of sqlite-vec's library; importing the package would import numpy too."""
    from importlib.util import find_spec

    spec: Any = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        return None
    return f"{spec.submodule_search_locations[0]}/vec0"
