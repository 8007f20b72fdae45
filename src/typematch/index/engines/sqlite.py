"""An open SQLite file: statements, transactions and errors.

Reading uses the driver directly, with constant statements: importing SQLAlchemy and compiling its
expressions would cost a cold search a quarter of a second.  Tables are created from
``index.schema``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.errors import (
    DamagedDatabaseError,
    DatabaseError,
    LockedError,
    MissingDatabaseError,
    NotADatabaseError,
    ReadOnlyError,
)
from typematch.index.engines.engine import (
    BUSY_SECONDS,
    SET_META,
    Database,
    DriverConnection,
    SingleWriter,
    Waiting,
)
from typematch.index.engines.run_lock import run_lock
from typematch.index.engines.sqlite_driver import CONTENTLESS_DELETE, driver
from typematch.index.engines.sqlite_files import (
    check_folder,
    check_header,
    check_stamp,
    configure,
    create_tables,
    file_uri,
    is_empty,
    log_is_unavailable,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHECKPOINT_MS = 200  # how long a checkpoint waits for readers
COMPACTED = "compacted"  # the row of ``meta`` with the pages after the file was compacted
_GROWTH = 1.5  # of the pages, that makes compacting worth it
_SIGNS_OF_DAMAGE = ("malformed", "decode to UTF-8", "corrupt")


class SqliteDatabase(Database):
    """One open file.

    Attributes:
        path: as passed; errors name it.
        module: the driver.
    """

    def __init__(self, path: Path, *, writable: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        from typematch.index.text.fts5 import Fts5Tables

        self.location = self.path = path
        self.writable = writable
        self.busy_seconds = busy_seconds
        self.module = driver()
        self.connection = None
        self.texts = Fts5Tables(self)
        self.coordination = SingleWriter(self)

    @property
    def deletes_contentless(self) -> bool:
        """Whether the driver can delete rows of a contentless full-text index."""
        return tuple(self.module.sqlite_version_info) >= CONTENTLESS_DELETE

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Raise the driver's errors as ``DatabaseError``."""
        try:
            yield
        except self.module.Error as error:
            raise self._translate(error) from error
        except UnicodeDecodeError as error:  # in SQLite's message, or in a text
            reason = "a name or text in it is no UTF-8"
            raise DamagedDatabaseError(str(self.path), reason, self.stored_packages()) from error

    def read_numbers(self, query: str, columns: int) -> NDArray[np.int64]:
        import numpy as np

        with self.errors():
            rows = self.connection.execute(query).fetchall()
        numbers = np.fromiter(chain.from_iterable(rows), np.int64, len(rows) * columns)
        return numbers.reshape(-1, columns)

    def insert_rows(
        self, table: str, rows: Sequence[tuple[object, ...]], *, repeated: bool = False
    ) -> None:
        marks = ",".join("?" * len(rows[0]))
        verb = "INSERT OR IGNORE" if repeated else "INSERT"
        self.connection.executemany(f"{verb} INTO {table} VALUES ({marks})", rows)

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        return int(self.query("PRAGMA data_version")[0][0])

    def _translate(self, error: Exception) -> DatabaseError:
        message = str(error)
        where = str(self.path)
        if "locked" in message or "busy" in message:
            return LockedError(where, self.busy_seconds)
        if "readonly" in message or "read-only" in message:
            return ReadOnlyError(where, message)
        if any(sign in message for sign in _SIGNS_OF_DAMAGE):
            from typematch.index.damage import damage_reason

            reason = damage_reason(self.path, message)
            return DamagedDatabaseError(where, reason, self.stored_packages())
        if "not a database" in message or "encrypted" in message:
            return NotADatabaseError(where, message)
        if "is full" in message:
            return DatabaseError(
                "no space is left on the disk",
                where,
                "Free some space and run the command again; everything committed so far is kept.",
            )
        if "unable to open" in message:
            return DatabaseError(
                "the database cannot be opened", where, "Check the path and its permissions."
            )
        return DatabaseError(
            message,
            where,
            "typematch doctor checks the file.  If the error persists, delete it and index again.",
        )

    @contextlib.contextmanager
    def transaction(self) -> Iterator[DriverConnection]:
        """Commit everything or nothing; waits up to ``busy_seconds`` for another writer."""
        with self.errors():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                # On a full disk, the driver has rolled back already.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def begin_snapshot(self) -> None:
        self.connection.execute("BEGIN")
        # SQLite fixes the snapshot at the first read, not at BEGIN.
        self.connection.execute("SELECT count(*) FROM meta").fetchall()

    def end_snapshot(self) -> None:
        with self.errors():
            self.connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def writing(self, packages: Iterable[str], waiting: Waiting) -> Iterator[None]:  # noqa: ARG002
        """Replace a connection that was opened for reading by one that may write.

        A file has one writer at a time, whatever the packages are.

        Raises:
            ReadOnlyError, LockedError: as ``open_for_writing``; it stays open for reading.
        """
        if not self.writable:
            writer = open_for_writing(self.path)
            self.close()
            self.connection, self.writable = writer.connection, True
        with run_lock(self.path, waiting):
            yield

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, as far as readers allow.

        While a reader holds an old snapshot, the log stays until the next checkpoint.
        """
        connection = self.connection
        with self.errors():
            connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_MS}").fetchall()
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                busy = int(self.busy_seconds * 1_000)
                connection.execute(f"PRAGMA busy_timeout = {busy}").fetchall()

    def compact(self) -> None:
        """Write the file anew when it has grown by half since that was done.

        Rows are inserted in no order, and vectors fill rows later: a twentieth of the file is gaps.
        On a full disk it stays as it is.
        """
        pages = int(self.query("PRAGMA page_count")[0][0])
        compacted = self.query("SELECT value FROM meta WHERE name = ?", (COMPACTED,))
        if compacted and pages <= _GROWTH * int(compacted[0][0]):
            return
        with self.errors():
            # The copy that VACUUM makes would be in memory.
            self.connection.execute("PRAGMA temp_store = FILE")
            with contextlib.suppress(self.module.OperationalError):
                self.connection.execute("VACUUM")
                [(pages,)] = self.query("PRAGMA page_count")
                self.connection.execute(SET_META, (COMPACTED, str(pages)))
            self.connection.execute("PRAGMA temp_store = MEMORY")
        self.checkpoint()

    def write_copy(self, path: Path) -> None:
        """Write a copy in rollback-journal mode, which can be opened read-only anywhere.

        Args:
            path: does not exist.
        """
        with self.errors():
            self.connection.execute("VACUUM INTO ?", (file_uri(path, "rwc"),))
            copy = _connect(self, file_uri(path, "rw"))
            try:
                copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            finally:
                copy.close()

    def size_bytes(self) -> int:
        query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return int(self.query(query)[0][0])

    def description(self) -> str:
        return f"journal mode {self.query('PRAGMA journal_mode')[0][0]}"

    def has_damaged_structure(self) -> bool:
        from typematch.index.damage import has_damaged_structure

        return has_damaged_structure(self)

    def stored_packages(self) -> tuple[str, ...]:
        from typematch.index.damage import stored_packages

        return stored_packages(self)

    def create_indexes(self) -> None:
        done = "SELECT value FROM meta WHERE name = 'indexed'"
        if self.connection.execute(done).fetchone():
            return
        from sqlalchemy.dialects import sqlite
        from sqlalchemy.schema import CreateIndex

        from typematch.index.schema import INDEXES

        dialect = sqlite.dialect()
        with self.transaction() as connection:
            for index in INDEXES:
                statement = CreateIndex(index, if_not_exists=True).compile(dialect=dialect)
                connection.execute(str(statement))
            connection.execute("INSERT INTO meta VALUES ('indexed', '1')")


def open_for_reading(path: Path) -> SqliteDatabase:
    """Open an existing database to search it.

    Raises:
        MissingDatabaseError, NotADatabaseError, WrongVersionError, LockedError.
    """
    check_header(path)
    database = SqliteDatabase(path, writable=False)
    try:
        with database.errors():
            _connect_reader(database, path)
            configure(database.connection)
            if is_empty(database.connection):
                # A run was killed while it created the file.
                raise MissingDatabaseError(str(path))
            check_stamp(database.connection, path)
    except DatabaseError:
        database.close()
        raise
    return database


def open_for_writing(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> SqliteDatabase:
    """Open an index to write it; a missing or empty file is created.

    Raises:
        NotADatabaseError, WrongVersionError, ReadOnlyError, LockedError.
    """
    fresh = not path.exists() or path.stat().st_size == 0
    if fresh:
        check_folder(path)
    else:
        check_header(path)
        if not os.access(path, os.W_OK):
            raise ReadOnlyError(str(path), "no permission to write")
    database = SqliteDatabase(path, writable=True, busy_seconds=busy_seconds)
    try:
        with database.errors():
            database.connection = _connect(database, file_uri(path, "rwc"))
            configure(database.connection)
            if fresh or is_empty(database.connection):
                with database.transaction() as connection:
                    if is_empty(connection):  # no other process has created them
                        create_tables(connection, contentless=database.deletes_contentless)
            check_stamp(database.connection, path)
            database.connection.execute("PRAGMA journal_mode = WAL")
            # A crash of the machine may lose the last transactions, but does not damage the file.
            database.connection.execute("PRAGMA synchronous = NORMAL")
    except DatabaseError:
        database.close()
        raise
    return database


def _connect(database: SqliteDatabase, uri: str) -> DriverConnection:
    return database.module.connect(
        uri,
        uri=True,
        timeout=database.busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def _connect_reader(database: SqliteDatabase, path: Path) -> None:
    """Open for reading; as an immutable file if its folder cannot hold the log's index."""
    query = "SELECT count(*) FROM sqlite_master"
    try:
        database.connection = _connect(database, file_uri(path, "ro"))
        database.connection.execute(query).fetchone()
    except database.module.OperationalError as error:
        if not log_is_unavailable(error, path):
            raise
        database.close()
        database.connection = _connect(database, file_uri(path, "ro") + "&immutable=1")
        database.connection.execute(query).fetchone()
