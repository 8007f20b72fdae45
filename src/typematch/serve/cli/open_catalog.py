"""Open the database that the command line means."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typematch.catalog import Catalog
    from typematch.serve.cli.terminal import Terminal


def open_catalog(given: str | None, *, create: bool = False, cache: str | None = None) -> Catalog:
    """Return the catalog that ``--db``, the environment or the current folder names.

    Raises:
        DatabaseError: there is none (unless ``create``), or it cannot be used.
    """
    from typematch.catalog import Catalog
    from typematch.config import database_path

    return Catalog(database_path(given, os.environ, Path.cwd()), create=create, cache=cache)


def served_database(given: str | None, *, watched: Sequence[str] = ()) -> Path:
    """Return the path of the database that a server is to answer from.

    Where it is kept true to ``watched`` folders, it is made if there is none.

    Raises:
        DatabaseError: it cannot be used; better said now than at the first request.
    """
    from typematch.catalog import Catalog
    from typematch.config import database_path

    path = database_path(given, os.environ, Path.cwd())
    Catalog(path, create=bool(watched)).close()
    return path


def locator(shown: Terminal, database: Path) -> Callable[[str], str]:
    """Return what finds the files to link to; nothing is looked for where links are not shown."""
    from typematch.serve.cli.format_hits import nowhere
    from typematch.serve.cli.source_links import locate

    if not shown.links:
        return nowhere
    folders = [Path.cwd(), database.resolve().parent]
    return lambda name: locate(name, folders)
