"""Say where things are; the environment comes in as an argument."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

DATABASE_NAME = "typematch.db"


def database_path(named: str | Path | None, environment: Mapping[str, str], folder: Path) -> Path:
    """Return the path of the database; it need not exist.

    It is ``named`` (``--db``), else the variable TYPEMATCH_DB, else the nearest ``typematch.db``
    in ``folder`` or above it, else ``typematch.db`` in ``folder``.
    """
    if named:
        return Path(named)
    if environment.get("TYPEMATCH_DB"):
        return Path(environment["TYPEMATCH_DB"])
    for candidate in (folder, *folder.parents):
        if (candidate / DATABASE_NAME).is_file():
            return candidate / DATABASE_NAME
    return folder / DATABASE_NAME


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the user's own folder for what can be made again; None where there is no home."""
    for variable, below in (("XDG_CACHE_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".cache")):
        base = environment.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / below / "typematch"
    return None
