"""PostgreSQL: connections, transactions, locks and bulk rows.

A catalog is a schema of a database.  Readers do not wait; ``postgres_coordination`` says how
several runs write.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from typematch.config import ServerUrl
from typematch.errors import (
    DatabaseError,
    DriverError,
    MissingDatabaseError,
    NotADatabaseError,
    WrongVersionError,
)
from typematch.index.engines import postgres_errors
from typematch.index.engines.engine import BUSY_SECONDS, Database, DriverConnection, Waiting
from typematch.index.engines.postgres_coordination import PostgresWriteCoordination
from typematch.index.file_format import APPLICATION_ID, SCHEMA_VERSION, STAMP
from typematch.index.text.postings import PostingTables
from typematch.package_names import LIBRARY

try:
    import psycopg
    from psycopg import sql

    from typematch.index.engines.postgres_connection import (
        PostgresConnection,
        QuietConnection,
        storable,
    )
except ImportError as error:
    raise DriverError(
        f"the driver of PostgreSQL cannot be imported ({error})",
        hint="Install it: pip install 'typematch[postgres]'",
    ) from error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CONNECT_SECONDS = 10
_TURN_SECONDS = 300  # to wait for the transaction of another run, at most
# Without parallel workers, arrays of a sorted query are in its order.
_SETTINGS = (
    "SET jit = off; SET client_min_messages = warning; SET standard_conforming_strings = on; "
    "SET max_parallel_workers_per_gather = 0"
)
# The server ends a connection whose machine vanished, and with it its locks, after two minutes.
_KEEPALIVES = (
    "SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 6"
)
_TABLES = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = ? AND c.relkind = 'r'"
)
# Bytes of an array in binary before its elements: dimensions, flags, type, length, first index.
_ARRAY_HEADER = 20


class PostgresDatabase(Database):
    """One open connection to a schema."""

    location: ServerUrl
    connection: PostgresConnection
    coordination: PostgresWriteCoordination

    def __init__(self, location: ServerUrl, *, writable: bool) -> None:
        self.location = location
        self.writable = writable
        self.busy_seconds = BUSY_SECONDS
        self._in_snapshot = False
        self._is_writing = False
        self._snapshot_version: int | None = None
        self._columns: dict[str, Sequence[str]] = {}
        self._connect()
        self.texts = PostingTables(self)
        self.coordination = PostgresWriteCoordination(self)

    def _connect(self) -> None:
        try:
            raw = QuietConnection.connect(
                self.location.address,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                fallback_application_name="typematch",
            )
        except psycopg.Error as error:
            # The library's own message may quote the address.
            raise self._translate(error, is_connected=False) from None
        self.connection = PostgresConnection(raw)
        with self.errors():
            raw.execute(_SETTINGS)
            path = sql.SQL("SET search_path = {}").format(sql.Identifier(self.location.schema))
            raw.execute(path)
            self._set_rights()

    def close(self) -> None:
        self.connection.close()

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if self.connection.raw.closed:
                raise postgres_errors.lost(error, self.location) from error
            raise self._translate(error, is_connected=True) from error

    def _translate(self, error: psycopg.Error, *, is_connected: bool) -> DatabaseError:
        return postgres_errors.translated(
            error,
            self.location,
            is_connected=is_connected,
            writable=self.writable,
            waited_seconds=_TURN_SECONDS,
        )

    # Reading ----------------------------------------------------------------------------------

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        if self.connection.raw.closed and not self._in_snapshot and not self._is_writing:
            self._connect()  # the server was restarted
        return super().query(statement, values)

    def select_in(
        self,
        query: str,
        keys: Iterable[object],
        *,
        suffix: str = "",
        parameters: Sequence[object] = (),
    ) -> Iterator[Any]:
        distinct = [storable(key) for key in dict.fromkeys(keys)]
        if distinct:
            yield from self.query(f"{query} = ANY(?) {suffix}", (*parameters, distinct))

    def read_numbers(self, query: str, columns: int) -> NDArray[np.int64]:
        """Read each column as one array: ten times as fast as rows of Python objects."""
        import numpy as np

        names = [f"c{column}" for column in range(columns)]
        arrays = ", ".join(f"array_agg({name})" for name in names)
        with self.errors():
            cursor = self.connection.execute(
                f"SELECT {arrays} FROM ({query}) q({', '.join(names)})"
            )
            result = cursor.pgresult
            blocks = [None if result is None else result.get_value(0, n) for n in range(columns)]
        return np.stack([_numbers_of(block) for block in blocks], 1)

    def begin_snapshot(self) -> None:
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        try:
            self.connection.execute(begin)
        except psycopg.OperationalError:
            if not self.connection.raw.closed:
                raise
            self._connect()  # the server was restarted, or ended an idle connection
            self.connection.execute(begin)
        self._in_snapshot = True
        self._snapshot_version = None

    def end_snapshot(self) -> None:
        self._in_snapshot = False
        self._snapshot_version = None
        if not self.connection.raw.closed:
            with self.errors():
                self.connection.execute("ROLLBACK")

    def data_version(self) -> int:
        if self._snapshot_version is not None:
            return self._snapshot_version
        version = int(self.query("SELECT number FROM change")[0][0])
        self._snapshot_version = version if self._in_snapshot else None
        return version

    def size_bytes(self) -> int:
        query = (
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'"
        )
        return int(self.query(query, (self.location.schema,))[0][0])

    def description(self) -> str:
        return f"PostgreSQL {self.query('SHOW server_version')[0][0]}"

    def has_damaged_structure(self) -> bool:
        return False  # the server checks its pages when it reads them

    def stored_packages(self) -> tuple[str, ...]:
        rows = self.query("SELECT name, version FROM package ORDER BY name")
        return tuple(f"{name} {version}".rstrip() for name, version in rows if name != LIBRARY)

    # Writing ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def transaction(self) -> Iterator[DriverConnection]:
        with self.errors():
            self.connection.execute("BEGIN")
            try:
                self.coordination.begin_transaction()
                try:
                    yield self.connection
                except BaseException:
                    self.coordination.roll_back()
                    raise
            except BaseException:
                if not self.connection.raw.closed:
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    @contextlib.contextmanager
    def writing(self, packages: Iterable[str], waiting: Waiting) -> Iterator[None]:
        """Write beside other runs; wait while one of them writes one of the packages."""
        with self.errors():
            if self.connection.raw.closed:
                self._connect()
            if not self.writable:
                self._make_writable()
            self.connection.execute(f"SET lock_timeout = '{_TURN_SECONDS}s'")
            self.connection.raw.execute(_KEEPALIVES)
        self._is_writing = True
        try:
            with self.errors():
                self.coordination.begin(packages, waiting)
            yield
        finally:
            self._is_writing = False
            if not self.connection.raw.closed:
                self.coordination.end()

    def _make_writable(self) -> None:
        if not self.query("SELECT has_table_privilege('entry', 'INSERT')")[0][0]:
            reason = "permission denied for table entry"
            raise postgres_errors.read_only(self.location, reason)
        self.writable = True
        self._set_rights()

    def _set_rights(self) -> None:
        read_only = "off" if self.writable else "on"
        self.connection.execute(f"SET default_transaction_read_only = {read_only}")
        # A crash of the server may lose the last transactions, but damages nothing.
        self.connection.execute("SET synchronous_commit = off")

    def insert_rows(
        self, table: str, rows: Sequence[tuple[object, ...]], *, repeated: bool = False
    ) -> None:
        target = table
        if repeated:
            target = f"new_{table}"
            like = f"CREATE TEMP TABLE IF NOT EXISTS {target} (LIKE {table}) ON COMMIT DELETE ROWS"
            self.connection.raw.execute(like.encode())
        columns = ", ".join(f'"{name}"' for name in self._columns_of(table))
        cursor = self.connection.raw.cursor()
        with cursor.copy(f"COPY {target} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row([storable(value) for value in row])
        if repeated:
            insert = f"INSERT INTO {table} SELECT * FROM {target} ON CONFLICT DO NOTHING"
            self.connection.execute(insert)
            self.connection.execute(f"TRUNCATE {target}")

    def _columns_of(self, table: str) -> Sequence[str]:
        if not self._columns:
            from typematch.index.engines.postgres_schema import columns_by_table

            self._columns = dict(columns_by_table())
        return self._columns[table]

    def create_indexes(self) -> None:
        if self.query("SELECT value FROM meta WHERE name = 'indexed'"):
            return
        from typematch.index.engines.postgres_schema import index_statements

        with self.transaction() as connection:
            if self.query("SELECT value FROM meta WHERE name = 'indexed'"):
                return  # another run has created them meanwhile
            for statement in index_statements():
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES ('indexed', '1')")
        self.checkpoint()

    def checkpoint(self) -> None:
        """Collect the statistics of the planner, which otherwise takes a new table for empty."""
        names = self.query(_TABLES, (self.location.schema,))
        with self.errors():
            self.connection.execute("ANALYZE " + ", ".join(f'"{name}"' for (name,) in names))


def open_for_reading(location: ServerUrl) -> PostgresDatabase:
    """Open an existing database to search it.

    Raises:
        MissingDatabaseError, NotADatabaseError, WrongVersionError, DatabaseError.
    """
    database = PostgresDatabase(location, writable=False)
    try:
        _check_stamp(database)
    except DatabaseError:
        database.close()
        raise
    return database


def open_for_writing(location: ServerUrl) -> PostgresDatabase:
    """Open a catalog to write it; a missing one is created."""
    database = PostgresDatabase(location, writable=True)
    try:
        with database.errors():
            if not _has_tables(database):
                _create(database)
        _check_stamp(database)
    except DatabaseError:
        database.close()
        raise
    return database


def _create(database: PostgresDatabase) -> None:
    """Create schema, tables and stamp in one transaction, once for several processes."""
    from typematch.index.engines.postgres_schema import statements

    connection = database.connection
    schema = database.location.schema
    connection.execute("BEGIN")
    try:
        lock = "SELECT pg_advisory_xact_lock(?::int, hashtext(?))"
        connection.execute(lock, (APPLICATION_ID, schema))
        if not _has_tables(database):
            # A role that owns the schema may lack the right to create one.
            if not database.query("SELECT 1 FROM pg_namespace WHERE nspname = ?", (schema,)):
                create = sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema))
                connection.raw.execute(create)
            for statement in statements():
                connection.raw.execute(statement.encode())
            connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
            connection.execute("INSERT INTO meta VALUES ('stamp', ?)", (str(STAMP),))
    except BaseException:
        if not connection.raw.closed:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _has_tables(database: PostgresDatabase) -> bool:
    query = "SELECT 1 FROM pg_tables WHERE schemaname = ? AND tablename = 'meta'"
    return bool(database.query(query, (database.location.schema,)))


def _check_stamp(database: PostgresDatabase) -> None:
    where = str(database.location)
    if not _has_tables(database):
        raise MissingDatabaseError(where)
    name = sql.Identifier(database.location.schema).as_string()
    # Without the right to use a schema, an unqualified name is unknown.
    rows = database.query(f"SELECT value FROM {name}.meta WHERE name = 'stamp'")
    if not rows:
        raise NotADatabaseError(where, "the schema has other tables")
    if rows[0][0] != str(STAMP):
        hint = f"Drop the schema and index again: DROP SCHEMA {name} CASCADE"
        raise WrongVersionError(where, str(rows[0][0]), str(STAMP), hint)


def _numbers_of(block: bytes | None) -> NDArray[np.int64]:
    """Return the elements of an array in binary, all of them whole numbers or flags."""
    import numpy as np

    if block is None:  # of no rows
        return np.empty(0, np.int64)
    kinds = {1: "u1", 2: ">i2", 4: ">i4", 8: ">i8"}
    kind = kinds[struct.unpack_from("!i", block, _ARRAY_HEADER)[0]]
    elements = np.frombuffer(
        block, np.dtype([("length", ">i4"), ("value", kind)]), offset=_ARRAY_HEADER
    )
    return elements["value"].astype(np.int64)
