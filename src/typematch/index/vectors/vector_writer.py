"""Writing of texts to embed, and of their vectors: one for each distinct text.

Texts are stored until they are embedded, so an interrupted run keeps its work and the next run
continues.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from typematch.index.deletion import mark_sweep_due
from typematch.index.vectors.quantization import quantized
from typematch.index.vectors.vector_texts import enrichment_text, package_text, text_digest

if TYPE_CHECKING:
    from typematch.index.engines.engine import Database, DriverConnection
    from typematch.index.vectors.embedding import Embedder

_BATCH = 2_000  # texts embedded and committed together
_ADD_TEXT = (
    "INSERT INTO vector (id, digest, text) SELECT coalesce(max(id), 0) + 1, ?, ? FROM vector "
    "WHERE TRUE ON CONFLICT DO NOTHING"
)


def write_texts(connection: DriverConnection, texts: Sequence[tuple[int, str]]) -> None:
    """Record the (entry, text) pairs to embed; known texts keep their vectors."""
    rows = [(entry, text_digest(text), text) for entry, text in texts]
    connection.executemany(_ADD_TEXT, [row[1:] for row in rows])
    connection.executemany(
        "INSERT INTO entry_vector SELECT ?, id FROM vector WHERE digest = ?",
        [row[:2] for row in rows],
    )


def write_enrichment_texts(connection: DriverConnection, texts: Sequence[tuple[int, str]]) -> None:
    """Record (entry, text) pairs of enrichments, beside the entries' own texts."""
    rows = [
        (entry, text, text_digest(text))
        for entry, sentence in texts
        if (text := enrichment_text(sentence))
    ]
    connection.executemany(
        _ADD_TEXT,
        [(digest, text) for _, text, digest in rows],
    )
    connection.executemany(
        "INSERT INTO enrichment_vector SELECT ?, id FROM vector WHERE digest = ? "
        "ON CONFLICT DO NOTHING",
        [(entry, digest) for entry, _, digest in rows],
    )


def write_purposes(connection: DriverConnection, purposes: Mapping[str, str]) -> None:
    """Record what packages are for, by name; an equal text keeps its vector.

    The vector of a replaced text stays until the next sweep, which is noted.
    """
    stored = connection.execute(
        "SELECT p.id, p.name, n.purpose FROM package p "
        "LEFT JOIN package_vector n ON n.package = p.id"
    ).fetchall()
    for number, name, stored_purpose in stored:
        purpose = purposes.get(name, stored_purpose)
        if purpose == stored_purpose:
            continue
        if stored_purpose is not None:
            mark_sweep_due(connection)
            connection.execute("DELETE FROM package_vector WHERE package = ?", (number,))
        text = package_text(name, purpose)
        digest = text_digest(text)
        connection.execute(_ADD_TEXT, (digest, text))
        connection.execute(
            "INSERT INTO package_vector SELECT ?, ?, id FROM vector WHERE digest = ?",
            (number, purpose, digest),
        )


def embed_missing(
    database: Database, embedder: Embedder, progress: Callable[[int, int], None]
) -> int:
    """Embed the texts without a vector; return how many there were.

    Each batch is committed.  ``progress`` receives (done, total).

    Raises:
        EmbeddingError: the model failed.
    """
    query = "SELECT count(*) FROM vector WHERE value IS NULL"
    total = int(database.connection.execute(query).fetchone()[0])
    done = 0
    while done < total:
        rows = database.connection.execute(
            "SELECT id, text FROM vector WHERE value IS NULL ORDER BY id LIMIT ?", (_BATCH,)
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
