"""Open the database that the command line means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typematch.catalog import Catalog


def open_catalog(given: str | None, *, create: bool = False) -> Catalog:
    """Return the catalog that ``--db``, the environment or the current folder names.

    Raises:
        DatabaseError: there is none (unless ``create``), or it cannot be used.
    """
    from typematch.catalog import Catalog
    from typematch.config import database_path

    path = database_path(given, os.environ, Path.cwd(), create=create)
    return Catalog(path, create=create)
