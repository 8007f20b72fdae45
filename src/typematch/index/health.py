"""Look at what a catalog stands on: the SQLite drivers here, and the file itself."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from typematch.index.database import CONTENTLESS_DELETE, DRIVERS, driver, open_for_reading
from typematch.index.vectors.embedding import ModelIdentity
from typematch.index.vectors.vector_store import load_extension, stored_model


@dataclass(frozen=True, slots=True)
class Driver:
    """An SQLite driver that can be imported, and what it can do.

    Attributes:
        deletes_contentless: a full-text index that keeps no texts can be deleted from.
        loads_extensions: such as sqlite-vec; ``extension`` is the version of that, if it is there.
        is_used: it is the one that is taken.
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
    """What a look at a file found.

    Attributes:
        log: bytes of the write-ahead log beside it.
        journal: ``wal`` where it is written here, ``delete`` for a copy to ship.
        problems: what SQLite finds wrong in it; nothing where it is sound.
        is_finished: every run that changed it came to its end.
        waiting: texts without a vector.
        model: of the vectors; None where there are none.
    """

    size: int
    log: int
    journal: str
    problems: tuple[str, ...]
    is_finished: bool
    entries: int
    waiting: int
    model: ModelIdentity | None


def drivers() -> list[Driver]:
    """Return every driver that can be imported, in the order in which they are tried.

    Raises:
        DriverError: there is none.
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


def _driver(name: str, module: ModuleType, *, is_used: bool) -> Driver:
    connection = module.connect(":memory:")
    try:
        options = {row[0] for row in connection.execute("PRAGMA compile_options")}
        extension = ""
        if load_extension(connection):
            extension = str(connection.execute("SELECT vec_version()").fetchone()[0])
    finally:
        connection.close()
    return Driver(
        name=name,
        version=module.sqlite_version,
        has_fts5="ENABLE_FTS5" in options,
        deletes_contentless=tuple(module.sqlite_version_info) >= CONTENTLESS_DELETE,
        loads_extensions=hasattr(module.Connection, "enable_load_extension"),
        extension=extension,
        is_used=is_used,
    )


def file_health(path: Path) -> FileHealth:
    """Look through a whole file; a second for each few hundred megabytes.

    Raises:
        DatabaseError: it is missing, no database of ours, of another version, or locked.
    """
    database = open_for_reading(path)
    try:
        checked = [str(row[0]) for row in database.rows("PRAGMA integrity_check(20)")]
        counts = (
            "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM pending), "
            "(SELECT count(*) FROM source_mask WHERE state = 0) + "
            "(SELECT count(*) FROM target_mask WHERE state = 0), "
            "(SELECT count(*) FROM vector WHERE value IS NULL)"
        )
        entries, pending, masks, waiting = database.rows(counts)[0]
        log = path.with_name(path.name + "-wal")
        return FileHealth(
            size=path.stat().st_size,
            log=log.stat().st_size if log.exists() else 0,
            journal=str(database.rows("PRAGMA journal_mode")[0][0]),
            problems=tuple(one for one in checked if one != "ok"),
            is_finished=not pending and not masks,
            entries=entries,
            waiting=waiting,
            model=stored_model(database.connection),
        )
    finally:
        database.close()
