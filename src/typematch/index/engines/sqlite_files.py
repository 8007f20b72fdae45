"""SQLite files: checks before and after opening them, settings of connections, creation."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from typematch.errors import (
    DatabaseError,
    MissingDatabaseError,
    NotADatabaseError,
    WrongVersionError,
)
from typematch.index.engines.engine import DriverConnection
from typematch.index.file_format import APPLICATION_ID, SCHEMA_VERSION, STAMP

_HEADER = b"SQLite format 3\x00"


def check_header(path: Path) -> None:
    """Check that the file exists, can be read and is an SQLite file or empty.

    Raises:
        MissingDatabaseError, NotADatabaseError, DatabaseError.
    """
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


def check_folder(path: Path) -> None:
    """Check that a file can be created at ``path``.

    Raises:
        DatabaseError.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        raise DatabaseError("its folder does not exist", str(path), f"Create it: mkdir -p {folder}")
    if not os.access(folder, os.W_OK):
        raise DatabaseError(
            "the database cannot be created (no permission to write in its folder)",
            str(path),
            "Make the folder writable, or choose another place for the file.",
        )


def is_empty(connection: DriverConnection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def log_is_unavailable(error: Exception, path: Path) -> bool:
    """Whether reading failed because the index of the log cannot be created beside the file."""
    matches = any(word in str(error) for word in ("unable to open", "readonly", "disk I/O"))
    log = path.with_name(path.name + "-wal")
    return matches and not (log.exists() and log.stat().st_size)


def file_uri(path: Path, mode: str) -> str:
    # Names of files are bytes: one that is not UTF-8 is quoted, too.
    return f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}"


def configure(connection: DriverConnection) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -16000")  # KiB
    # The file may come from anywhere: its schema must not run code.
    connection.execute("PRAGMA trusted_schema = OFF")


def check_stamp(connection: DriverConnection, path: Path) -> None:
    """Check that the file is of this program and of this version of its schema.

    Raises:
        NotADatabaseError, WrongVersionError.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise NotADatabaseError(str(path), "another program's SQLite file")
    if version != STAMP:
        raise WrongVersionError(str(path), str(version), str(STAMP))


def create_tables(connection: DriverConnection, *, contentless: bool) -> None:
    """Create tables and stamp; in one transaction, a killed run leaves all or nothing."""
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateTable

    from typematch.index.schema import metadata
    from typematch.index.text import fts5

    dialect = sqlite.dialect()
    for table in metadata.sorted_tables:
        connection.execute(str(CreateTable(table).compile(dialect=dialect)))
    fts5.create(connection, contentless=contentless)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {STAMP}")
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
