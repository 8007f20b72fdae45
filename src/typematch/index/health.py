"""Diagnosis of the SQLite drivers that are installed, and of a database file."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from typematch.config import Location
from typematch.errors import DamagedDatabaseError
from typematch.index.damage import Damage, find_damage
from typematch.index.deletion import sweep_is_due
from typematch.index.engines.engine import Database
from typematch.index.engines.locations import open_for_reading
from typematch.index.engines.sqlite_driver import CONTENTLESS_DELETE, DRIVERS, driver
from typematch.index.vectors.embedding import ModelIdentity
from typematch.index.vectors.stored_model import stored_model
from typematch.index.vectors.vector_extension import load_extension


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
    """The state of a database.

    Attributes:
        size: bytes of the file, or of the tables of a server; ``log``: of the write-ahead log
            beside a file.
        journal: ``journal mode wal`` for a file that is written in place, ``journal mode delete``
            for an exported copy; of a server its version.
        damage: None if the file is sound.  Else nothing is counted: the counts below are zero.
        is_finished: no run was interrupted: nothing is pending, all masks are computed and no sweep
            is due.
        texts_without_vector: texts that are to be embedded.
        model: of the vectors; None if there are none.
    """

    size: int
    log: int
    journal: str
    damage: Damage | None
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


def file_health(location: Location) -> FileHealth:
    """Check a whole database; this takes a second per few hundred megabytes.

    Raises:
        DatabaseError: it is missing, no typematch database, of another version, locked, or so
            damaged that it cannot be opened.
    """
    database = open_for_reading(location)
    try:
        damage = find_damage(database)
        size, log = database.size_bytes(), 0
        file = database.location
        if isinstance(file, Path):
            log_file = file.with_name(file.name + "-wal")
            size = file.stat().st_size
            log = log_file.stat().st_size if log_file.exists() else 0
        whole = FileHealth(
            size=size,
            log=log,
            journal="",
            damage=damage,
            is_finished=False,
            entries=0,
            texts_without_vector=0,
            model=None,
        )
        return whole if damage else _with_counts(whole, database)
    finally:
        database.close()


def _with_counts(health: FileHealth, database: Database) -> FileHealth:
    counts = (
        "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM pending), "
        "(SELECT count(*) FROM source_mask WHERE state = 0) + "
        "(SELECT count(*) FROM target_mask WHERE state = 0), "
        "(SELECT count(*) FROM vector WHERE value IS NULL)"
    )
    entries, pending, masks, without_vector = database.query(counts)[0]
    try:
        model = stored_model(database.connection)
    except ValueError as error:
        packages = database.stored_packages()
        raise DamagedDatabaseError(str(database.location), str(error), packages) from error
    return replace(
        health,
        journal=database.description(),
        is_finished=not (pending or masks or sweep_is_due(database.connection)),
        entries=entries,
        texts_without_vector=without_vector,
        model=model,
    )
