"""Hear of changes under folders: what the system tells, gathered until nothing more comes."""

from __future__ import annotations

import errno
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Literal, TypeAlias

from watchfiles import Change as Told
from watchfiles import watch

from typematch.errors import OutsideError
from typematch.serve.watch.watch_roots import WatchRoots, counts

# (what happened, absolute path)
Change: TypeAlias = tuple[Literal["added", "changed", "deleted"], Path]

_GATHERED_MS = 1_000  # changes that keep coming are handed on after so long
_QUIET_MS = 250  # ... and others once nothing has come for so long
_TURN_MS = 200  # how long each sort of folder is listened to in turn

_WORDS: dict[Told, Literal["added", "changed", "deleted"]] = {
    Told.added: "added",
    Told.modified: "changed",
    Told.deleted: "deleted",
}


class Events:
    """Listens from the moment it is made; what happens between two calls is kept.

    Attributes:
        ended: a folder could not be listened to, or no longer: make another one.

    Raises:
        OutsideError: the system cannot watch so much.
    """

    def __init__(self, cover: WatchRoots, database: Path, stop: Event) -> None:
        self._places = cover.places
        self._database = database.resolve()
        self._heard: set[Change] = set()
        self._stop = stop
        self.ended = False
        self._listening = [
            self._listen(places, recursive=recursive)
            for places, recursive in ((cover.deep, True), (cover.shallow, False))
            if places
        ]
        self.turn()

    def add(self, changes: Iterable[Change]) -> None:
        """Take over what another one heard."""
        self._heard.update(changes)

    def turn(self) -> bool:
        """Listen for a moment; return whether anything that may count was heard."""
        heard = False
        for one in self._listening:
            changes = self._next(one)
            self._heard.update(changes)
            heard = heard or bool(changes)
        return heard

    def heard(self) -> list[Change]:
        """Return what was heard since the last time, in order of path."""
        changes = sorted(self._heard, key=lambda change: (change[1], change[0]))
        self._heard.clear()
        return changes

    def close(self) -> None:
        for one in self._listening:
            one.close()

    def _listen(
        self, places: tuple[Path, ...], *, recursive: bool
    ) -> Generator[set[tuple[Told, str]], None, None]:
        return watch(
            *places,
            watch_filter=self._may_count,
            debounce=_GATHERED_MS,
            step=_QUIET_MS,
            stop_event=self._stop,
            rust_timeout=_TURN_MS,
            yield_on_timeout=True,
            raise_interrupt=True,
            recursive=recursive,
            ignore_permission_denied=True,
        )

    def _next(self, listening: Iterator[set[tuple[Told, str]]]) -> set[Change]:
        try:
            told = next(listening, None)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EMFILE) or "limit" in str(error):
                raise OutsideError(
                    f"the system does not watch so many folders ({error})",
                    ", ".join(map(str, self._places[:3])),
                    "Raise its limit (sysctl fs.inotify.max_user_watches=1048576), watch less, or "
                    "set WATCHFILES_FORCE_POLLING=1 to look at files from time to time.",
                ) from error
            told = None  # a folder has gone meanwhile
        if told is None:
            self.ended = True
            return set()
        return {(_WORDS[change], Path(path)) for change, path in told}

    def _may_count(self, change: Told, path: str) -> bool:
        at = Path(path)
        return counts(
            at,
            deleted=change == Told.deleted,
            is_folder=change == Told.added and at.is_dir(),
            places=self._places,
            database=self._database,
        )
