"""A worker process: it opens the database and answers one request at a time."""

from __future__ import annotations

from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from typematch.config import Location
from typematch.errors import MissingDatabaseError, TypematchError
from typematch.serve.workers.error_replies import error_reply

READY = "ready"
# Arguments of the first search of a process.
_WARM_UP = {
    "query": "split a list :: (items: T[], size: number) => T[][]",
    "limit": 1,
    "services": None,
    "facets": False,
    "max_ids": 1,
    "seconds": 2.0,
}


class TimeSlice(Protocol):
    """A number of seconds in memory that processes share."""

    value: float


def _file_id(location: Location) -> tuple[int, int]:
    """Return what tells a file from another of its name; equal for one server."""
    if not isinstance(location, Path):
        return 0, 0
    try:
        status = location.stat()
    except OSError as error:
        raise MissingDatabaseError(str(location)) from error
    return status.st_dev, status.st_ino


class _ReopeningCatalog:
    """The catalog of a path, opened again after another file has replaced it."""

    def __init__(self, path: Location) -> None:
        self._path = path
        self._catalog: Any = None
        self._file_id: tuple[int, int] | None = None

    def current(self) -> Any:
        from typematch.catalog import Catalog

        file_id = _file_id(self._path)
        if self._catalog is None or file_id != self._file_id:
            if self._catalog is not None:
                self._catalog.close()
                self._catalog = None
            self._catalog = Catalog(self._path, create=False)
            self._file_id = file_id
        return self._catalog


def serve(connection: Connection, path: Location, time_slice: TimeSlice) -> None:
    """Answer (handler name, arguments) from ``connection`` until it is closed.

    ``READY`` is sent first.  ``time_slice`` is the time for an interruptible request; the server
    may change it while a request is processed.
    """
    from typematch.serve.workers.handlers import HANDLERS, INTERRUPTIBLE

    catalog = _ReopeningCatalog(path)
    # The first search imports modules and fills caches, which takes longer than the search.
    _reply(HANDLERS["first_page"], catalog, _WARM_UP)
    connection.send(READY)
    while True:
        try:
            name, arguments = connection.recv()
        except (EOFError, OSError):
            return
        if name in INTERRUPTIBLE:
            arguments["seconds"] = lambda: time_slice.value
        connection.send(_reply(HANDLERS[name], catalog, arguments))


def _reply(handler: Any, catalog: _ReopeningCatalog, arguments: Mapping[str, Any]) -> Any:
    try:
        current = catalog.current()
        with current.snapshot():
            return handler(current, **arguments)
    except TypematchError as error:
        return error_reply(error)
