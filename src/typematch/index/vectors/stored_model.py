"""The model of a database's vectors, as recorded in ``meta``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from typematch.index.engines.engine import SET_META
from typematch.index.vectors.embedding import ModelIdentity, without_address
from typematch.index.vectors.vector_texts import (
    embedding_text,
    enrichment_text,
    package_text,
    text_digest,
)

if TYPE_CHECKING:
    from typematch.index.engines.engine import Database, DriverConnection
    from typematch.ir.entry import Entry

_MODEL = ("model name", "model dimension", "model digest")


def stored_model(connection: DriverConnection) -> ModelIdentity | None:
    """Return the model of the file's vectors; None while there are none.

    Files of earlier versions contain the address of an endpoint.  It is not read.
    """
    rows = dict(connection.execute("SELECT name, value FROM meta WHERE name LIKE 'model %'"))
    if not all(name in rows for name in _MODEL):
        return None
    name, dimension, digest = (rows[name] for name in _MODEL)
    return ModelIdentity(without_address(name), int(dimension), digest)


def set_model(
    database: Database, model: ModelIdentity, entries: Iterable[tuple[int, Entry]]
) -> None:
    """Record the model; vectors of another model are deleted and their texts restored.

    ``entries``: every (number, entry); consumed only if vectors are deleted.
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
                ((embedding_text(entry), number) for number, entry in entries),
            )
            connection.executemany(
                "UPDATE vector SET text = ? WHERE digest = ?",
                (
                    (text, text_digest(text))
                    for text in (*_enrichment_texts(connection), *_package_texts(connection))
                ),
            )
        connection.executemany(
            SET_META,
            zip(_MODEL, (model.name, str(model.dimension), model.digest), strict=True),
        )


def _enrichment_texts(connection: DriverConnection) -> set[str]:
    rows = connection.execute("SELECT summary, questions, interface FROM enrichment").fetchall()
    return {
        enrichment_text(line) for row in rows for text in row for line in text.split("\n") if line
    }


def _package_texts(connection: DriverConnection) -> list[str]:
    rows = connection.execute(
        "SELECT p.name, n.purpose FROM package_vector n JOIN package p ON p.id = n.package"
    ).fetchall()
    return [package_text(name, purpose) for name, purpose in rows]
