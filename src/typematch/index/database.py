"""SQLite files: drivers, connections, settings, transactions and errors.

Reading uses the driver directly, with constant statements: importing SQLAlchemy and compiling its
expressions would cost a cold search a quarter of a second.  Tables are created from
``index.schema``.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

from typematch.errors import (
    DamagedDatabaseError,
    DatabaseError,
    DriverError,
    LockedError,
    MissingDatabaseError,
    NotADatabaseError,
    ReadOnlyError,
    UsageError,
    WrongVersionError,
)
from typematch.index.file_format import APPLICATION_ID, SCHEMA_VERSION, STAMP

BUSY_SECONDS = 5.0
_CHECKPOINT_MS = 200  # how long a checkpoint waits for readers
_KEYS_PER_STATEMENT = 500
DRIVERS = ("sqlite3", "pysqlite3", "sqlean.dbapi2")
CONTENTLESS_DELETE = (3, 43, 0)
_HEADER = b"SQLite format 3\x00"
_SIGNS_OF_DAMAGE = ("malformed", "decode to UTF-8", "corrupt")

# The drivers implement one interface and share no base class.
DriverConnection = Any


def driver() -> ModuleType:
    """Return the best driver installed: first contentless deletes count, then extensions.

    Raises:
        DriverError: no driver can be imported.
    """
    best: tuple[tuple[bool, bool], ModuleType] | None = None
    for name in DRIVERS:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        capabilities = (
            tuple(module.sqlite_version_info) >= CONTENTLESS_DELETE,
            hasattr(module.Connection, "enable_load_extension"),
        )
        if best is None or capabilities > best[0]:
            best = (capabilities, module)
        if all(capabilities):
            break
    if best is None:
        raise DriverError(
            "no SQLite driver can be imported",
            hint="Install one: pip install pysqlite3   (or a Python built with sqlite3).",
        )
    return best[1]


class Database:
    """One open file.

    Attributes:
        path: as passed; errors name it.
        writable: whether this connection may write.
        connection: the driver's, in autocommit mode; transactions are explicit.
    """

    def __init__(self, path: Path, *, writable: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.writable = writable
        self.busy_seconds = busy_seconds
        self.module = driver()
        self.connection: DriverConnection = None

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

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a query."""
        with self.errors():
            return list(self.connection.execute(statement, values))

    def select_in(
        self,
        query: str,
        keys: Iterable[object],
        *,
        suffix: str = "",
        parameters: Sequence[object] = (),
    ) -> Iterator[Any]:
        """Yield the rows of ``query IN (keys) suffix``, with any number of keys.

        Args:
            query: ends in the column or expression to compare.
            suffix: GROUP BY or ORDER BY.  It applies to a few hundred keys at a time; the rows of
                one key are always together.
            parameters: of ``query`` itself.
        """
        distinct = list(dict.fromkeys(keys))
        for first in range(0, len(distinct), _KEYS_PER_STATEMENT):
            chunk = distinct[first : first + _KEYS_PER_STATEMENT]
            marks = ",".join("?" * len(chunk))
            yield from self.query(f"{query} IN ({marks}) {suffix}", (*parameters, *chunk))

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
            from typematch.index.damage import damage_reason, stored_packages

            reason = damage_reason(self.path, message)
            return DamagedDatabaseError(where, reason, stored_packages(self))
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


def open_for_reading(path: Path) -> Database:
    """Open an existing index to search it.

    Raises:
        MissingDatabaseError, NotADatabaseError, WrongVersionError, LockedError.
    """
    _check_header(path)
    database = Database(path, writable=False)
    try:
        with database.errors():
            _connect_reader(database, path)
            _configure(database.connection)
            if _is_empty(database.connection):
                # A run was killed while it created the file.
                raise MissingDatabaseError(str(path))
            _check_stamp(database)
    except DatabaseError:
        database.close()
        raise
    return database


def open_for_writing(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open an index to write it; a missing or empty file is created.

    Raises:
        NotADatabaseError, WrongVersionError, ReadOnlyError, LockedError.
    """
    fresh = not path.exists() or path.stat().st_size == 0
    if fresh:
        _check_folder(path)
    else:
        _check_header(path)
        if not os.access(path, os.W_OK):
            raise ReadOnlyError(str(path), "no permission to write")
    database = Database(path, writable=True, busy_seconds=busy_seconds)
    with database.errors():
        database.connection = _connect(database, _uri(path, "rwc"))
        _configure(database.connection)
        if fresh or _is_empty(database.connection):
            _create(database)
        _check_stamp(database)
        database.connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last transactions, but does not damage the file.
        database.connection.execute("PRAGMA synchronous = NORMAL")
    return database


def make_writable(database: Database) -> None:
    """Replace the connection of a database opened for reading by one that may write.

    Raises:
        ReadOnlyError, LockedError: as ``open_for_writing``; the database stays open for reading.
    """
    writer = open_for_writing(database.path)
    database.close()
    database.connection, database.writable = writer.connection, True


def checkpoint(database: Database) -> None:
    """Move the write-ahead log into the file, as far as readers allow.

    While a reader holds an old snapshot, the log stays until the next checkpoint.
    """
    connection = database.connection
    with database.errors():
        connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_MS}").fetchall()
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            busy = int(database.busy_seconds * 1_000)
            connection.execute(f"PRAGMA busy_timeout = {busy}").fetchall()


def export(database: Database, path: Path) -> None:
    """Write a compact copy in rollback-journal mode, which can be opened read-only anywhere.

    Raises:
        UsageError: ``path`` exists.
    """
    if path.exists():
        raise UsageError("the file exists already", str(path), "Choose another name, or delete it.")
    _check_folder(path)
    with database.errors():
        database.connection.execute("VACUUM INTO ?", (str(path),))
        copy = _connect(database, _uri(path, "rw"))
        try:
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        finally:
            copy.close()


def _connect(database: Database, uri: str) -> DriverConnection:
    return database.module.connect(
        uri,
        uri=True,
        timeout=database.busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def _connect_reader(database: Database, path: Path) -> None:
    """Open for reading; as an immutable file if its folder cannot hold the log's index."""
    query = "SELECT count(*) FROM sqlite_master"
    try:
        database.connection = _connect(database, _uri(path, "ro"))
        database.connection.execute(query).fetchone()
    except database.module.OperationalError as error:
        if not _log_is_unavailable(error, path):
            raise
        database.close()
        database.connection = _connect(database, _uri(path, "ro") + "&immutable=1")
        database.connection.execute(query).fetchone()


def _log_is_unavailable(error: Exception, path: Path) -> bool:
    """Whether reading failed because the index of the log cannot be created beside the file."""
    matches = any(word in str(error) for word in ("unable to open", "readonly", "disk I/O"))
    log = path.with_name(path.name + "-wal")
    return matches and not (log.exists() and log.stat().st_size)


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _configure(connection: DriverConnection) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32000")  # KiB
    connection.execute("PRAGMA mmap_size = 268435456")
    # The file may come from anywhere: its schema must not run code.
    connection.execute("PRAGMA trusted_schema = OFF")


def _check_header(path: Path) -> None:
    where = str(path)
    if not path.exists():
        raise MissingDatabaseError(where)
    if path.is_dir():
        raise NotADatabaseError(where, "it is a folder")
    if not path.is_file():  # reading a pipe would wait for a writer
        raise NotADatabaseError(where, "it is a device, a pipe or a socket")
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise DatabaseError(
            f"the database cannot be read ({error.strerror})", where, "Check its permissions."
        ) from error
    if head and head != _HEADER:
        raise NotADatabaseError(where, "it does not begin with the header of an SQLite file")


def _check_folder(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir():
        raise DatabaseError("its folder does not exist", str(path), f"Create it: mkdir -p {folder}")
    if not os.access(folder, os.W_OK):
        raise DatabaseError(
            "the database cannot be created (no permission to write in its folder)",
            str(path),
            "Make the folder writable, or choose another place for the file.",
        )


def _is_empty(connection: DriverConnection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _check_stamp(database: Database) -> None:
    connection = database.connection
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        database.close()
        raise NotADatabaseError(str(database.path), "another program's SQLite file")
    if version != STAMP:
        database.close()
        raise WrongVersionError(str(database.path), str(version), str(STAMP))


def _create(database: Database) -> None:
    """Create tables and stamp in one transaction, so that a killed run leaves all or nothing."""
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateTable

    from typematch.index.schema import metadata
    from typematch.index.text import full_text as fulltext

    dialect = sqlite.dialect()
    with database.transaction() as connection:
        if not _is_empty(connection):
            return
        for table in metadata.sorted_tables:
            connection.execute(str(CreateTable(table).compile(dialect=dialect)))
        fulltext.create(connection, contentless=database.deletes_contentless)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {STAMP}")
        connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))


def create_indexes(database: Database) -> None:
    """Create the indexes, once: after the first load, which is several times faster."""
    done = "SELECT value FROM meta WHERE name = 'indexed'"
    if database.connection.execute(done).fetchone():
        return
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateIndex

    from typematch.index.schema import INDEXES

    dialect = sqlite.dialect()
    with database.transaction() as connection:
        for index in INDEXES:
            statement = CreateIndex(index, if_not_exists=True).compile(dialect=dialect)
            connection.execute(str(statement))
        connection.execute("INSERT INTO meta VALUES ('indexed', '1')")
