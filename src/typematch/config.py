"""Locations of the database, the user's cache and models; the environment is an argument."""

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


def embedding_model(environment: Mapping[str, str]) -> str:
    """Return the user's embedding model, as ``open_embedder`` takes it; empty for none.

    Only the environment is read: a folder's settings and database files are not the user's own.
    """
    return environment.get("TYPEMATCH_EMBEDDING_MODEL", "")


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return typematch's folder in the user's cache; None without a home folder."""
    for variable, suffix in (("XDG_CACHE_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".cache")):
        base = environment.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / suffix / "typematch"
    return None
