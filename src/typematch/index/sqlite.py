"""The store in one SQLite file: the protocol of ``index.store``, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from typematch.errors import MissingDatabaseError, UsageError
from typematch.index.database import (
    Database,
    checkpoint,
    export,
    open_for_reading,
    open_for_writing,
)
from typematch.index.enrichment import EnrichmentStore
from typematch.index.entries.containers import ContainerStore
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.name_index import NameIndex
from typematch.index.entries.operations import OperationTable, read_operations
from typematch.index.entries.type_store import TypeStore
from typematch.index.masks.candidate_types import CandidateFinder
from typematch.index.store import Stats
from typematch.index.text.full_text import FullText
from typematch.index.vectors.vector_store import VectorStore
from typematch.ir.declaration import Declaration


class SqliteStore(
    EnrichmentStore, NameIndex, ContainerStore, CandidateFinder, FullText, VectorStore
):
    """An open index; reading until something is to be written."""

    _operations: tuple[tuple[int, int], OperationTable] | None = None

    def __init__(self, database: Database) -> None:
        self._use(database)

    def _use(self, database: Database) -> None:
        self.database = database
        self.declarations = StoredDeclarations(database)
        self.types = TypeStore(database)
        self._receiver_forms = {}
        self._seen: int | None = None

    def get(self, key: str, /) -> Declaration | None:
        return self.declarations.get(key)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one moment of the file, whatever is written meanwhile; neither waits for the other.

        What was remembered of an older moment is forgotten.
        """
        connection = self.database.connection
        if connection.in_transaction:  # of whoever asks for more than one thing
            yield
            return
        with self.database.errors():
            connection.execute("BEGIN")
        try:
            # The moment is that of the first read.
            self.database.rows("SELECT count(*) FROM meta")
            version = self.database.version()
            if version != self._seen:
                self._forget()
                self._seen = version
            yield
        finally:
            with self.database.errors():
                connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """Lend the database to a writer; what was remembered of it is forgotten afterwards.

        Raises:
            ReadOnlyError, LockedError: it cannot be written, or not now.
            UsageError: a snapshot is being read.
        """
        if self.database.connection.in_transaction:
            raise UsageError(
                "a catalog cannot be written while one moment of it is read",
                str(self.database.path),
                "Write after the snapshot, or open it a second time.",
            )
        if not self.database.writable:
            path = self.database.path
            writer = open_for_writing(path)
            self.database.close()
            self._use(writer)
        try:
            yield self.database
        finally:
            self._forget()

    def _forget(self) -> None:
        self.declarations.forget()
        self.types.forget()
        self._receiver_forms.clear()
        self._ready = None
        self.forget_counts()
        self.forget_vectors()

    def operations(self) -> OperationTable:
        mark = self.mark()
        if self._operations is None or self._operations[0] != mark:
            self._operations = mark, read_operations(self.database)
        return self._operations[1]

    def stats(self) -> Stats:
        state = self.vector_state()
        return replace(
            self.count_all(),
            model=str(state.model or ""),
            texts=state.texts,
            waiting=state.missing,
            scored_by=state.scored_by,
            enriched=self.count_told(),
        )

    def remove(self, package: str, /) -> int:
        from typematch.index.package_removal import remove_package

        with self.writing() as database:
            removed = remove_package(database, package)
            checkpoint(database)
        return removed

    def export(self, path: Path, /) -> None:
        export(self.database, path)

    def close(self) -> None:
        self.database.close()


def open_store(path: Path, *, create: bool = True) -> SqliteStore:
    """Open an index; with ``create`` it is made where there is none.

    Raises:
        DatabaseError: the file is missing (without ``create``), something else, of another version,
            or cannot be opened.
    """
    try:
        return SqliteStore(open_for_reading(path))
    except MissingDatabaseError:
        if not create:
            raise
        return SqliteStore(open_for_writing(path))
