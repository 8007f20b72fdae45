"""Locations of the database and of the user's cache; the environment is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

DATABASE_NAME = "typematch.db"


def database_path(path: str | Path | None, environment: Mapping[str, str], folder: Path) -> Path:
    """Return the path of the database; the file need not exist.

    It is ``path`` (``--db``), else the variable TYPEMATCH_DB, else the nearest ``typematch.db``
    in ``folder`` or a parent, else ``typematch.db`` in ``folder``.
    """
    if path:
        return Path(path)
    if environment.get("TYPEMATCH_DB"):
        return Path(environment["TYPEMATCH_DB"])
    for candidate in (folder, *folder.parents):
        if (candidate / DATABASE_NAME).is_file():
            return candidate / DATABASE_NAME
    return folder / DATABASE_NAME


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return typematch's folder in the user's cache; None without a home folder."""
    for variable, suffix in (("XDG_CACHE_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".cache")):
        base = environment.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / suffix / "typematch"
    return None
