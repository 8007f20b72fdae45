"""One process that answers questions about a file, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from typematch.errors import (
    DatabaseError,
    MissingDatabaseError,
    NoEntryError,
    TypematchError,
    UserError,
)

READY = "ready"
_WARM_UP = "split a list :: (items: T[], size: number) => T[][]"


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """Why there is no answer, as an error of ours says it.

    Attributes:
        sort: ``user`` (ask otherwise), ``missing`` (no such entry), ``database`` or ``outside``
            (ask later).
    """

    sort: str
    what: str
    where: str = ""
    hint: str = ""


class _Opened:
    """The catalog, opened anew when another file has taken its place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._catalog: Any = None
        self._file: tuple[int, int] | None = None

    def catalog(self) -> Any:
        from typematch.catalog import Catalog

        try:
            found = self._path.stat()
        except OSError as error:
            raise MissingDatabaseError(str(self._path)) from error
        file = (found.st_dev, found.st_ino)
        if self._catalog is None or file != self._file:
            if self._catalog is not None:
                self._catalog.close()
                self._catalog = None
            self._catalog = Catalog(self._path, create=False)
            self._file = file
        return self._catalog


class Share(Protocol):
    """Memory that processes have in common."""

    value: float


def serve(connection: Connection, path: Path, share: Share) -> None:
    """Answer (question, arguments) until nobody asks any more; the body of a worker process.

    ``share`` tells how many seconds an answer should take, and changes while one is worked on.

    The first that it sends is ``READY``.
    """
    from typematch.serve.http.handlers import ENDING, QUESTIONS

    opened = _Opened(path)
    # What the first search loads takes longer than the search: none should have to wait for it.
    _answer(QUESTIONS["search"], opened, {"query": _WARM_UP, "limit": 1})
    connection.send(READY)
    while True:
        try:
            name, arguments = connection.recv()
        except (EOFError, OSError):
            return
        if name in ENDING:
            arguments["seconds"] = lambda: share.value
        connection.send(_answer(QUESTIONS[name], opened, arguments))


def _answer(question: Any, opened: _Opened, arguments: Mapping[str, Any]) -> Any:
    try:
        catalog = opened.catalog()
        with catalog.snapshot():
            return question(catalog, **arguments)
    except TypematchError as error:
        if isinstance(error, UserError) and not error.where:
            # What is wrong with a query is drawn below it.
            return ErrorReply(_sort(error), str(error))
        return ErrorReply(_sort(error), error.what, error.where, error.hint)


def _sort(error: TypematchError) -> str:
    match error:
        case NoEntryError():
            return "missing"
        case UserError():
            return "user"
        case DatabaseError():
            return "database"
        case _:
            return "outside"
