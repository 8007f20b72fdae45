"""Runs index cycles: one at the start, one after each change, and periodic rescans.

A cycle is a complete run of ``Catalog.add``, which compares file contents.  Events only trigger it,
so a lost event does no harm.  Rescans cover file systems that report no events.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from typematch.catalog import Catalog
from typematch.config import Location
from typematch.errors import LockedError, TypematchError, UsageError
from typematch.index.engines.engine import Waiting
from typematch.ingest.run import IndexReport, Progress
from typematch.serve.watch.events import Change, ChangeListener
from typematch.serve.watch.repositories import branches, is_git_writing
from typematch.serve.watch.watch_roots import roots_for

_RESCAN_SECONDS = 60.0  # between cycles without changes
_GIT_LOCK_SECONDS = 10.0  # maximum wait for git: a lock file may be stale
_RETRY_SECONDS = 1.0  # while another process writes the database


@dataclass(frozen=True, slots=True)
class IndexCycle:
    """Result of one index cycle.

    Attributes:
        changes: the changes that triggered it, sorted by path; empty for the first cycle.
        branches: (before, now) of every repository whose branch changed.
        report: the index report; None on failure.
        error: the failure.
        seconds: duration.
    """

    changes: tuple[Change, ...] = ()
    branches: tuple[tuple[str, str], ...] = ()
    report: IndexReport | None = None
    error: TypematchError | None = None
    seconds: float = 0.0

    @property
    def indexed(self) -> int:
        """Number of files that were read."""
        return self.report.files - self.report.unchanged if self.report else 0

    @property
    def removed(self) -> int:
        """Number of files that were removed."""
        return self.report.removed if self.report else 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing changed."""
        return not (self.branches or self.error or self.indexed or self.removed)


def index_cycles(
    paths: Sequence[str | Path],
    database: Location,
    stop: Event,
    *,
    model: str | None = "",
    keep: Sequence[str] = (),
    progress: Progress | None = None,
    waiting: Waiting | None = None,
) -> Iterator[IndexCycle]:
    """Index ``paths`` into ``database`` now and after every change, until ``stop`` is set.

    Yields every cycle.  A failed cycle is yielded with its error, and the loop continues.

    Args:
        model, keep: as for ``Catalog.add``.
        progress: progress of the first cycle.
        waiting: as for ``Catalog``.  A cycle that waits ends when ``stop`` is set.

    Raises:
        UsageError: a path is an npm package to download.
        OutsideError: the system's limit of watched folders is exceeded.
    """
    for path in paths:
        if str(path).startswith("npm:"):
            raise UsageError(
                "a downloaded package cannot be watched", str(path), "Use: typematch index"
            )
    roots = [Path(path).resolve() for path in paths]
    watcher = _Watcher(roots, database, stop)
    before = branches(roots)
    changes: list[Change] = []

    def wait(what: str, seconds: float) -> None:
        if stop.is_set():
            raise LockedError(str(database), seconds)
        if waiting is not None:
            waiting(what, seconds)

    try:
        while not stop.is_set():
            started = time.monotonic()
            report, error = _index(paths, database, model, keep, progress, wait)
            now = branches(roots)
            switched = tuple(
                (before[repository], now[repository])
                for repository in sorted(before.keys() & now.keys())
                if before[repository] != now[repository]
            )
            seconds = time.monotonic() - started
            cycle = IndexCycle(tuple(changes), switched, report, error, seconds)
            yield cycle
            before, progress = now, None
            changes = watcher.await_changes(
                retry=isinstance(error, LockedError), idle=cycle.is_idle
            )
    finally:
        watcher.close()


def _index(
    paths: Sequence[str | Path],
    database: Location,
    model: str | None,
    keep: Sequence[str],
    progress: Progress | None,
    waiting: Waiting,
) -> tuple[IndexReport | None, TypematchError | None]:
    # Opened for every cycle: the file may have been replaced or removed.
    try:
        with Catalog(database, waiting=waiting) as catalog:
            return catalog.add(*paths, progress=progress, model=model, keep=keep), None
    except TypematchError as error:
        return None, error


class _Watcher:
    """Waits for changes below the watch roots, which are recomputed after each cycle."""

    def __init__(self, paths: Sequence[Path], database: Location, stop: Event) -> None:
        self._paths = paths
        self._database = database
        self._stop = stop
        self._roots = roots_for(paths)
        self._listener = ChangeListener(self._roots, database, stop)

    def await_changes(self, *, retry: bool, idle: bool) -> list[Change]:
        """Wait for changes and return them; return none when a retry or rescan is due."""
        if (not idle or self._listener.ended) and self._update_roots():
            return (
                self._listener.take_changes()
            )  # changes in new roots may have been missed: index again
        started = time.monotonic()
        timeout = _RETRY_SECONDS if retry else _RESCAN_SECONDS
        while not self._stop.is_set() and not self._listener.ended:
            if self._listener.poll():
                self._await_git()
                break
            if time.monotonic() - started > timeout:
                break
        return self._listener.take_changes()

    def close(self) -> None:
        self._listener.close()

    def _update_roots(self) -> bool:
        """Recompute the watch roots; return whether they changed."""
        roots = roots_for(self._paths)
        if roots == self._roots and not self._listener.ended:
            return False
        if self._listener.ended:
            self._stop.wait(_RETRY_SECONDS)
        previous = self._listener
        self._roots, self._listener = roots, ChangeListener(roots, self._database, self._stop)
        self._listener.add(previous.take_changes())
        previous.close()
        return True

    def _await_git(self) -> None:
        """Wait while git writes the working tree, to index no partial checkout."""
        started = time.monotonic()
        while is_git_writing(self._paths) and time.monotonic() - started < _GIT_LOCK_SECONDS:
            self._listener.poll()
