"""Index again whenever something changed: one round after another, each complete in itself.

A round is a run of ``Catalog.add``, which compares contents and does only what must be done, so
nothing hangs on what was heard of a change: events only say when to look.  Now and then a round is
made without any, since not every file system tells.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from typematch.catalog import Catalog
from typematch.errors import LockedError, TypematchError, UsageError
from typematch.ingest.run import IndexReport, Progress
from typematch.serve.watch.events import Change, Events
from typematch.serve.watch.repositories import branches, is_git_at_work
from typematch.serve.watch.watch_roots import cover_of

_EVERY = 60.0  # seconds between rounds without a change
_UNTIL_GIT_IS_DONE = 10.0  # seconds at most: a lock may have been left behind
_BEFORE_ANOTHER_TRY = 1.0  # seconds, where another process writes the database


@dataclass(frozen=True, slots=True)
class IndexCycle:
    """What one round did.

    Attributes:
        changes: what was heard of before it, in order of path; nothing for the first round.
        branches: (before, now) of every repository in which another branch is checked out.
        report: of the run; None where it failed.
        error: why it failed.
        seconds: how long it took.
    """

    changes: tuple[Change, ...] = ()
    branches: tuple[tuple[str, str], ...] = ()
    report: IndexReport | None = None
    error: TypematchError | None = None
    seconds: float = 0.0

    @property
    def indexed(self) -> int:
        """How many files were read again."""
        return self.report.files - self.report.unchanged if self.report else 0

    @property
    def removed(self) -> int:
        """How many files are gone."""
        return self.report.removed if self.report else 0

    @property
    def is_idle(self) -> bool:
        """Whether everything was as it was before."""
        return not (self.branches or self.error or self.indexed or self.removed)


def rounds(
    paths: Sequence[str | Path],
    database: Path,
    stop: Event,
    *,
    model: str | None = "",
    keep: Sequence[str] = (),
    progress: Progress | None = None,
) -> Iterator[IndexCycle]:
    """Index ``paths`` into ``database``, and again whenever they change, until ``stop`` is set.

    Yields every round, also those that failed: the next one may not.

    Args:
        model, keep: as for ``Catalog.add``.
        progress: of the first round.

    Raises:
        UsageError: a path is fetched from elsewhere.
        OutsideError: the system does not watch so much.
    """
    for path in paths:
        if str(path).startswith("npm:"):
            raise UsageError(
                "what is fetched does not change", str(path), "Index it once: typematch index"
            )
    places = [Path(path).resolve() for path in paths]
    outlook = _Watcher(places, database, stop)
    before = branches(places)
    changes: list[Change] = []
    try:
        while not stop.is_set():
            begun = time.monotonic()
            report, error = _run(paths, database, model, keep, progress)
            now = branches(places)
            switched = tuple(
                (before[one], now[one])
                for one in sorted(before.keys() & now.keys())
                if before[one] != now[one]
            )
            seconds = time.monotonic() - begun
            done = IndexCycle(tuple(changes), switched, report, error, seconds)
            yield done
            before, progress = now, None
            changes = outlook.await_changes(again=isinstance(error, LockedError), idle=done.is_idle)
    finally:
        outlook.close()


def _run(
    paths: Sequence[str | Path],
    database: Path,
    model: str | None,
    keep: Sequence[str],
    progress: Progress | None,
) -> tuple[IndexReport | None, TypematchError | None]:
    # Opened anew each time: the file may have been replaced or removed.
    try:
        with Catalog(database) as catalog:
            return catalog.add(*paths, progress=progress, model=model, keep=keep), None
    except TypematchError as error:
        return None, error


class _Watcher:
    """Looks at what the paths need, which may be other folders after each round."""

    def __init__(self, places: Sequence[Path], database: Path, stop: Event) -> None:
        self._places = places
        self._database = database
        self._stop = stop
        self._cover = cover_of(places)
        self._events = Events(self._cover, database, stop)

    def await_changes(self, *, again: bool, idle: bool) -> list[Change]:
        """Return what changed, once it did; nothing where it is time for another round anyway."""
        if (not idle or self._events.ended) and self._renewed():
            return self._events.heard()  # what changed meanwhile was seen by nobody
        begun = time.monotonic()
        patience = _BEFORE_ANOTHER_TRY if again else _EVERY
        while not self._stop.is_set() and not self._events.ended:
            if self._events.turn():
                self._let_git_finish()
                break
            if time.monotonic() - begun > patience:
                break
        return self._events.heard()

    def close(self) -> None:
        self._events.close()

    def _renewed(self) -> bool:
        """Listen elsewhere, if that is where things can change now; return whether it is."""
        cover = cover_of(self._places)
        if cover == self._cover and not self._events.ended:
            return False
        if self._events.ended:
            self._stop.wait(_BEFORE_ANOTHER_TRY)
        before = self._events
        self._cover, self._events = cover, Events(cover, self._database, self._stop)
        self._events.add(before.heard())
        before.close()
        return True

    def _let_git_finish(self) -> None:
        """Wait while git writes the working tree: half a branch is nothing to index."""
        begun = time.monotonic()
        while is_git_at_work(self._places) and time.monotonic() - begun < _UNTIL_GIT_IS_DONE:
            self._events.turn()
