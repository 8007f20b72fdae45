"""Open SQLite files: which driver, which settings, and which error means what.

Reading uses the driver itself, with the statements as constants: importing SQLAlchemy and compiling
what it builds costs a cold search a quarter of a second and gives it nothing.  Writing makes the
tables through ``index.schema``.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import quote

from typematch.errors import (
    DatabaseError,
    DriverError,
    LockedError,
    MissingDatabaseError,
    NotADatabaseError,
    ReadOnlyError,
    WrongVersionError,
)
from typematch.index.file_format import APPLICATION_ID, SCHEMA_VERSION, STAMP

T = TypeVar("T")

BUSY_SECONDS = 5.0
_CHECKPOINT_MS = 200  # to wait for readers
_AT_ONCE = 500  # values in one statement
DRIVERS = ("sqlite3", "pysqlite3", "sqlean.dbapi2")
CONTENTLESS_DELETE = (3, 43, 0)
_HEADER = b"SQLite format 3\x00"

# A driver's connection: the drivers share the standard one's shape and no base class.
Connection = Any


def driver() -> ModuleType:
    """Return the best SQLite driver here: one with contentless deletes, then with extensions.

    Raises:
        DriverError: this Python has none at all.
    """
    best: tuple[tuple[bool, bool], ModuleType] | None = None
    for name in DRIVERS:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        able = (
            tuple(module.sqlite_version_info) >= CONTENTLESS_DELETE,
            hasattr(module.Connection, "enable_load_extension"),
        )
        if best is None or able > best[0]:
            best = (able, module)
        if all(able):
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
        path: as given; errors name it.
        writable: whether this connection may write.
        connection: the driver's, in autocommit mode: transactions are begun by hand.
    """

    def __init__(self, path: Path, *, writable: bool, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.writable = writable
        self.busy_seconds = busy_seconds
        self.module = driver()
        self.connection: Connection = None

    @property
    def deletes_contentless(self) -> bool:
        """Whether the driver can delete from a full-text index that keeps no texts."""
        return tuple(self.module.sqlite_version_info) >= CONTENTLESS_DELETE

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the driver's errors into ours."""
        try:
            yield
        except self.module.Error as error:
            raise self._translated(error) from error

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a query."""
        with self.errors():
            return list(self.connection.execute(query, values))

    def among(
        self,
        query: str,
        wanted: Iterable[object],
        *,
        then: str = "",
        values: Sequence[object] = (),
    ) -> Iterator[Any]:
        """Yield the rows of a query that ends in what must be one of ``wanted``, however many.

        Args:
            then: the rest of the query.  It groups and orders the rows of some hundred of those
                wanted at a time, of each one all at once.
            values: of the query's own parameters.
        """
        distinct = list(dict.fromkeys(wanted))
        for first in range(0, len(distinct), _AT_ONCE):
            some = distinct[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            yield from self.rows(f"{query} IN ({marks}) {then}", (*values, *some))

    def version(self) -> int:
        """Return a number that is another one once another connection has written."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def _translated(self, error: Exception) -> DatabaseError:
        message = str(error)
        where = str(self.path)
        if "locked" in message or "busy" in message:
            return LockedError(where, self.busy_seconds)
        if "readonly" in message or "read-only" in message:
            return ReadOnlyError(where, message)
        if "not a database" in message or "malformed" in message or "encrypted" in message:
            return NotADatabaseError(where, message)
        if "is full" in message:
            return DatabaseError(
                "there is no space left to write in",
                where,
                "Free some and run it again: what was committed before is kept.",
            )
        if "unable to open" in message:
            return DatabaseError(
                "the database cannot be opened", where, "Check the path and its permissions."
            )
        return DatabaseError(message, where, "If it persists, remove the file and index again.")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Write all or nothing; whoever comes second waits for ``busy_seconds``."""
        with self.errors():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                # Where the disk is full, the driver has rolled back already.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")


def open_for_reading(path: Path) -> Database:
    """Open an existing index to search it.

    Raises:
        MissingDatabaseError, NotADatabaseError, WrongVersionError, LockedError.
    """
    _look_at(path)
    database = Database(path, writable=False)
    with database.errors():
        database.connection = _connect_reader(database, path)
        _settings(database.connection)
        if _is_empty(database.connection):
            # A run that was killed while it made the file: there is no index yet.
            database.close()
            raise MissingDatabaseError(str(path))
        _check_stamp(database)
    return database


def open_for_writing(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open an index to write it, making it where there is none.

    Raises:
        NotADatabaseError, WrongVersionError, ReadOnlyError, LockedError.
    """
    fresh = not path.exists() or path.stat().st_size == 0
    if fresh:
        _check_folder(path)
    else:
        _look_at(path)
        if not os.access(path, os.W_OK):
            raise ReadOnlyError(str(path), "no permission to write")
    database = Database(path, writable=True, busy_seconds=busy_seconds)
    with database.errors():
        database.connection = _connect(database, _uri(path, "rwc"))
        _settings(database.connection)
        if fresh or _is_empty(database.connection):
            _create(database)
        _check_stamp(database)
        database.connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last packages, never the file.
        database.connection.execute("PRAGMA synchronous = NORMAL")
    return database


def checkpoint(database: Database) -> None:
    """Move everything from the write-ahead log into the file itself, so far as readers allow.

    Where they go on reading for long, the log stays until the next time: nobody waits for them.
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
    """Write a compact copy in rollback mode, which opens anywhere.

    Raises:
        DatabaseError: there is something at ``path`` already.
    """
    if path.exists():
        raise DatabaseError(
            "there is a file here already", str(path), "Name another, or remove it."
        )
    _check_folder(path)
    with database.errors():
        database.connection.execute("VACUUM INTO ?", (str(path),))
        copy = _connect(database, _uri(path, "rw"))
        try:
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        finally:
            copy.close()


def _connect(database: Database, uri: str) -> Connection:
    return database.module.connect(
        uri,
        uri=True,
        timeout=database.busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def _connect_reader(database: Database, path: Path) -> Connection:
    """Open for reading; where no lock can be taken, as a file that never changes."""
    try:
        connection = _connect(database, _uri(path, "ro"))
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except database.module.OperationalError as error:
        if not _cannot_share(error, path):
            raise
        connection = _connect(database, _uri(path, "ro") + "&immutable=1")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def _cannot_share(error: Exception, path: Path) -> bool:
    """Whether reading failed because the write-ahead log's index cannot be made beside the file."""
    wanted = any(word in str(error) for word in ("unable to open", "readonly", "disk I/O"))
    log = path.with_name(path.name + "-wal")
    return wanted and not (log.exists() and log.stat().st_size)


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _settings(connection: Connection) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32000")  # KiB
    connection.execute("PRAGMA mmap_size = 268435456")
    # The file may come from a stranger: nothing in its schema may run code.
    connection.execute("PRAGMA trusted_schema = OFF")


def _look_at(path: Path) -> None:
    where = str(path)
    if not path.exists():
        raise MissingDatabaseError(where)
    if path.is_dir():
        raise NotADatabaseError(where, "it is a folder")
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise DatabaseError(
            f"the database cannot be read ({error.strerror})", where, "Check its permissions."
        ) from error
    if head and head != _HEADER:
        raise NotADatabaseError(where, "it does not begin as an SQLite file does")


def _check_folder(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir():
        raise DatabaseError("its folder does not exist", str(path), f"Make it: mkdir -p {folder}")
    if not os.access(folder, os.W_OK):
        raise ReadOnlyError(str(path), "no permission to write in its folder")


def _is_empty(connection: Connection) -> bool:
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
    """Make the tables and the stamp in one transaction: a killed run leaves all or nothing."""
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
    """Make the indexes that are missing; does nothing, cheaply, where all are there."""
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


def reading(database: Database, ask: Callable[[Connection], T]) -> T:
    """Return what ``ask`` reads, the driver's errors turned into ours."""
    with database.errors():
        return ask(database.connection)
