"""Opens the database that the command line selects."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.gc_tuning import relax_gc_until_exit
from typematch.serve.cli.progress import waiting_line

if TYPE_CHECKING:
    from typematch.catalog import Catalog
    from typematch.config import Location


def open_catalog(
    database: str | None, *, create: bool = False, cache: str | None = None
) -> Catalog:
    """Return the catalog of ``--db``, the environment or the current folder.

    The garbage collector is relaxed until the process ends.

    Args:
        database: value of ``--db``.
        cache: value of ``--cache``.

    Raises:
        DatabaseError: the database does not exist (unless ``create``), or cannot be used.
    """
    from typematch.catalog import Catalog
    from typematch.config import database_path

    relax_gc_until_exit()
    path = database_path(database, os.environ, Path.cwd())
    return Catalog(path, create=create, cache=cache, waiting=waiting_line())


def require_database(database: str | None, *, watched_paths: Sequence[str] = ()) -> Location:
    """Return the location of a server's database, after opening it once.

    With ``watched_paths`` a missing database is created.

    Raises:
        DatabaseError: the database cannot be used; raised at start, not at the first request.
    """
    from typematch.catalog import Catalog
    from typematch.config import database_path

    path = database_path(database, os.environ, Path.cwd())
    Catalog(path, create=bool(watched_paths)).close()
    return path


def source_linker(database: Location) -> Callable[[str], str]:
    """Return a function from a path in the catalog to an absolute path; "" if it is not found."""
    from typematch.serve.cli.source_links import find_source_file

    folders = [Path.cwd()]
    if isinstance(database, Path):
        folders.append(database.resolve().parent)
    return lambda name: find_source_file(name, folders)
