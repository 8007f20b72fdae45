"""Opens a database by its location: a file, or the address of a server."""

from __future__ import annotations

from typematch.config import Location, ServerUrl
from typematch.index.engines import sqlite
from typematch.index.engines.engine import Database


def open_for_reading(location: Location) -> Database:
    """Open an existing database to search it.

    Raises:
        DatabaseError: as ``sqlite.open_for_reading`` and ``postgres.open_for_reading``.
    """
    if isinstance(location, ServerUrl):
        import typematch.index.engines.postgres as server

        return server.open_for_reading(location)
    return sqlite.open_for_reading(location)


def open_for_writing(location: Location) -> Database:
    """Open a database to write it; one that is missing is created."""
    if isinstance(location, ServerUrl):
        import typematch.index.engines.postgres as server

        return server.open_for_writing(location)
    return sqlite.open_for_writing(location)
