"""What is damaged in a file, and which packages it holds: parts, packages, messages.

SQLite checks the structure: pages, order of keys, indexes, terms of full text.  Contents are
checked by reading them: full text is searched, types have digests, other blobs must be decodable.
A change inside a text goes unnoticed, as the file has no checksum of it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from typematch.errors import DamagedDatabaseError, DatabaseError
from typematch.index.compression import decompress, digest_of
from typematch.index.engines.engine import Database
from typematch.index.engines.sqlite import SqliteDatabase
from typematch.index.text.full_text import TABLES
from typematch.ir.codec import CodecError, Decoder
from typematch.package_names import LIBRARY

_MAX_MESSAGES = 100
_HEADER_BYTES = 100
_PAGE_TREE = re.compile(r"\b[Tt]ree (\d+)")
_NAMED_PART = re.compile(r"\b(?:index|table|in) (?:main\.)?(\w+)")
_SHADOW_TABLE = re.compile(r"^((?:operation_)?text)_(?:data|idx|docsize|config|content)\b")

_PACKAGE_LISTS = (
    "SELECT DISTINCT p.name, p.version FROM package p JOIN file f ON f.package = p.id ORDER BY 1",
    "SELECT name, version FROM package ORDER BY name",
    "SELECT DISTINCT root, '' FROM request ORDER BY root",
)

# The last column is a blob.
_ENCODED = (
    "SELECT * FROM entry WHERE package = ?",
    "SELECT g.blob FROM file f JOIN fragment g ON g.file = f.id WHERE f.package = ?",
)
_COMPRESSED = "SELECT summary FROM file WHERE package = ?"
_TYPES = (
    "SELECT t.digest, t.blob FROM entry e JOIN signature s ON s.entry = e.id "
    "LEFT JOIN type t ON t.id = s.function WHERE e.package = ? AND s.function > 0",
    "SELECT t.digest, t.blob FROM entry e LEFT JOIN type t ON t.id = e.type "
    "WHERE e.package = ? AND e.type IS NOT NULL",
)
_ROWS = (
    *(
        f"SELECT n.* FROM entry e JOIN {table} n ON n.entry = e.id WHERE e.package = ?"
        for table in ("doc", "alias", "tag", "supply")
    ),
    "SELECT n.* FROM entry e JOIN signature s ON s.entry = e.id "
    "JOIN function n ON n.type = s.function WHERE e.package = ?",
    "SELECT v.* FROM entry e JOIN entry_vector n ON n.entry = e.id "
    "JOIN vector v ON v.id = n.vector WHERE e.package = ?",
    "SELECT n.purpose, v.* FROM package_vector n JOIN vector v ON v.id = n.vector "
    "WHERE n.package = ?",
)


@dataclass(frozen=True, slots=True)
class Damage:
    """What is damaged.

    Attributes:
        parts: tables and indexes, in order of name; empty if SQLite names none.
        unreadable: packages with contents that cannot be read.
        packages: all packages of the file, as far as their list can be read.
        messages: those of SQLite and of the check of contents.
    """

    parts: tuple[str, ...]
    unreadable: tuple[str, ...]
    packages: tuple[str, ...]
    messages: tuple[str, ...]


def find_damage(database: Database) -> Damage | None:
    """Check everything; None if nothing is damaged.  A server checks its pages itself."""
    messages: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    if isinstance(database, SqliteDatabase):
        messages = (*_structure(database), *_full_text(database))
        parts = _parts(database, messages)
    unreadable, reasons = _unreadable_packages(database)
    if not messages and not reasons:
        return None
    return Damage(parts, unreadable, database.stored_packages(), (*messages, *reasons))


def has_damaged_structure(database: SqliteDatabase) -> bool:
    """Whether SQLite finds a damaged page; faster than ``find_damage``."""
    try:
        return bool(database.query("PRAGMA quick_check(1)")[0][0] != "ok")
    except DatabaseError:
        return True


def stored_packages(database: SqliteDatabase) -> tuple[str, ...]:
    """Return the packages of a damaged file, with versions; () if none can be read."""
    if database.connection is None:
        return ()
    connection = database.connection
    try:
        # Without this, nothing of a file that is cut off can be read.
        connection.execute("PRAGMA writable_schema = ON")
        for query in _PACKAGE_LISTS:
            try:
                rows = connection.execute(query).fetchall()
            except (database.module.Error, UnicodeError):
                continue
            return tuple(f"{name} {version}".rstrip() for name, version in rows if name != LIBRARY)
    except database.module.Error:
        return ()
    finally:
        with contextlib.suppress(database.module.Error):
            connection.execute("PRAGMA writable_schema = OFF")
    return ()


def damage_reason(path: Path, message: str) -> str:
    """Return SQLite's message, or that the end of the file is missing if that is so."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
        size = path.stat().st_size
    except OSError:
        return message
    page = int.from_bytes(head[16:18], "big")
    expected = int.from_bytes(head[28:32], "big") * (65_536 if page == 1 else page)
    if size < expected and "malformed" in message:
        return f"its end is missing: it has {size:,} of {expected:,} bytes"
    return message


def _structure(database: SqliteDatabase) -> tuple[str, ...]:
    """Return the messages of SQLite's check; none if it finds nothing."""
    try:
        rows = database.query(f"PRAGMA integrity_check({_MAX_MESSAGES})")
    except DatabaseError as error:
        return (_reason(error),)
    lines = [line for row in rows for line in str(row[0]).splitlines()]
    return tuple(line for line in lines if line != "ok" and not line.startswith("***"))


def _full_text(database: SqliteDatabase) -> Iterator[str]:
    """Yield a message for each full-text index with positions that cannot be read.

    SQLite's check compares terms and documents only.  A search of each first character reads all
    positions.
    """
    for table in TABLES:
        try:
            database.query(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {table}, row)")
            terms = database.query("SELECT DISTINCT substr(term, 1, 1) FROM temp.terms")
            for (first,) in terms:
                prefix = '"' + str(first).replace('"', '""') + '" *'
                query = f"SELECT bm25({table}) FROM {table} WHERE {table} MATCH ?"
                database.query(f"{query} ORDER BY 1 LIMIT 1", (prefix,))
        except DatabaseError as error:
            yield f"{_reason(error)} (in {table})"
        finally:
            with contextlib.suppress(DatabaseError):
                database.query("DROP TABLE IF EXISTS temp.terms")


def _parts(database: SqliteDatabase, messages: Iterable[str]) -> tuple[str, ...]:
    try:
        rows = database.query("SELECT rootpage, name, tbl_name, type FROM sqlite_master")
    except DatabaseError:
        return ()
    by_page = {root: (name, table) for root, name, table, _ in rows if root}
    by_name = {name: (name, table) for _, name, table, _ in rows}
    found = {
        by_page[int(number)]
        for message in messages
        for number in _PAGE_TREE.findall(message)
        if int(number) in by_page
    }
    found.update(
        by_name[name]
        for message in messages
        for name in _NAMED_PART.findall(message)
        if name in by_name
    )
    if messages:
        tables = [name for _, name, _, kind in rows if kind == "table"]
        unsound = [name for name in tables if not _is_sound(database, name)]
        named = {table for _, table in found}
        found.update((f"{name} or its indexes", "") for name in unsound if name not in named)
    return tuple(sorted({_part(name, table) for name, table in found}))


def _part(name: str, table: str) -> str:
    if shadow := _SHADOW_TABLE.match(name):
        return f"full text {shadow[1]}"
    if not table or name == table:
        return f"table {name}"
    return f"index of table {table}" if name.startswith("sqlite_") else f"index {name}"


def _is_sound(database: SqliteDatabase, table: str) -> bool:
    quoted = table.replace('"', '""')
    try:
        rows = database.query(f'PRAGMA integrity_check("{quoted}")')
        return bool(rows[0][0] == "ok")
    except DatabaseError:
        return False


def _unreadable_packages(database: Database) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the packages with contents that cannot be read, and why, a message for each."""
    try:
        packages = database.query("SELECT id, name FROM package ORDER BY name")
    except DatabaseError as error:
        return (), (f"list of packages: {_reason(error)}",)
    reasons: dict[str, str] = {}
    for number, name in packages:
        try:
            _read_package(database, number)
        except (DatabaseError, CodecError) as error:
            reasons[str(name)] = _reason(error)
    return tuple(reasons), tuple(f"{name}: {reason}" for name, reason in reasons.items())


def _reason(error: DatabaseError | CodecError) -> str:
    if isinstance(error, DamagedDatabaseError):
        return error.reason
    return error.what if isinstance(error, DatabaseError) else str(error)


def _read_package(database: Database, number: int) -> None:
    """Read the contents of a package.

    Raises:
        DatabaseError, CodecError: something cannot be read.
    """
    with database.errors():
        execute = database.connection.execute
        for query in _ENCODED:
            for row in execute(query, (number,)):
                Decoder(decompress(row[-1]))
        for (blob,) in execute(_COMPRESSED, (number,)):
            decompress(blob)
        for query in _TYPES:
            for digest, blob in execute(query, (number,)):
                document = b"" if blob is None else decompress(blob)
                if digest_of(document) != digest:
                    raise CodecError("a type is missing or changed")
        for query in _ROWS:
            for _ in execute(query, (number,)):
                pass
