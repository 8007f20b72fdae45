"""Diagnosis of the SQLite drivers that are installed, and of a database file."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from typematch.index.database import CONTENTLESS_DELETE, DRIVERS, driver, open_for_reading
from typematch.index.vectors.embedding import ModelIdentity
from typematch.index.vectors.vector_store import load_extension, stored_model


@dataclass(frozen=True, slots=True)
class DriverInfo:
    """An SQLite driver that can be imported.

    Attributes:
        deletes_contentless: can delete rows of a contentless full-text index.
        loads_extensions: can load extensions.
        extension: version of sqlite-vec if it can be loaded, else empty.
        is_used: it is the driver that typematch uses.
    """

    name: str
    version: str
    has_fts5: bool
    deletes_contentless: bool
    loads_extensions: bool
    extension: str
    is_used: bool


@dataclass(frozen=True, slots=True)
class FileHealth:
    """The state of a database file.

    Attributes:
        size: bytes of the file; ``log``: of the write-ahead log beside it.
        journal: ``wal`` for a file that is written in place, ``delete`` for an exported copy.
        problems: messages of SQLite's integrity check; empty if the file is sound.
        is_finished: no run was interrupted: nothing is pending and all masks are computed.
        texts_without_vector: texts that are to be embedded.
        model: of the vectors; None if there are none.
    """

    size: int
    log: int
    journal: str
    problems: tuple[str, ...]
    is_finished: bool
    entries: int
    texts_without_vector: int
    model: ModelIdentity | None


def drivers() -> list[DriverInfo]:
    """Return the drivers that can be imported, in the order of preference.

    Raises:
        DriverError: none can be imported.
    """
    used = driver().__name__
    found = []
    for name in DRIVERS:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found.append(_driver(name, module, is_used=name == used))
    return found


def _driver(name: str, module: ModuleType, *, is_used: bool) -> DriverInfo:
    connection = module.connect(":memory:")
    try:
        options = {row[0] for row in connection.execute("PRAGMA compile_options")}
        extension = ""
        if load_extension(connection):
            extension = str(connection.execute("SELECT vec_version()").fetchone()[0])
    finally:
        connection.close()
    return DriverInfo(
        name=name,
        version=module.sqlite_version,
        has_fts5="ENABLE_FTS5" in options,
        deletes_contentless=tuple(module.sqlite_version_info) >= CONTENTLESS_DELETE,
        loads_extensions=hasattr(module.Connection, "enable_load_extension"),
        extension=extension,
        is_used=is_used,
    )


def file_health(path: Path) -> FileHealth:
    """Check a whole file; this takes a second per few hundred megabytes.

    Raises:
        DatabaseError: it is missing, no typematch database, of another version, or locked.
    """
    database = open_for_reading(path)
    try:
        checked = [str(row[0]) for row in database.query("PRAGMA integrity_check(20)")]
        counts = (
            "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM pending), "
            "(SELECT count(*) FROM source_mask WHERE state = 0) + "
            "(SELECT count(*) FROM target_mask WHERE state = 0), "
            "(SELECT count(*) FROM vector WHERE value IS NULL)"
        )
        entries, pending, masks, without_vector = database.query(counts)[0]
        log = path.with_name(path.name + "-wal")
        return FileHealth(
            size=path.stat().st_size,
            log=log.stat().st_size if log.exists() else 0,
            journal=str(database.query("PRAGMA journal_mode")[0][0]),
            problems=tuple(message for message in checked if message != "ok"),
            is_finished=not pending and not masks,
            entries=entries,
            texts_without_vector=without_vector,
            model=stored_model(database.connection),
        )
    finally:
        database.close()
