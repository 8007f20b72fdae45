"""Chooses among the SQLite drivers that are installed."""

from __future__ import annotations

import importlib
from types import ModuleType

from typematch.errors import DriverError

DRIVERS = ("sqlite3", "pysqlite3", "sqlean.dbapi2")
CONTENTLESS_DELETE = (3, 43, 0)


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
