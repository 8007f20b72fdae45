"""File change events of the operating system, debounced and filtered."""

from __future__ import annotations

import errno
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Literal, TypeAlias

from watchfiles import Change as FileEvent
from watchfiles import watch

from typematch.config import Location
from typematch.errors import OutsideError
from typematch.serve.watch.watch_roots import WatchRoots, is_relevant_change

# (kind, absolute path)
Change: TypeAlias = tuple[Literal["added", "changed", "deleted"], Path]

_MAX_BATCH_MS = 1_000  # continuous changes are reported after this time at the latest
_DEBOUNCE_MS = 250  # changes are reported after this time without another one
_POLL_MS = 200  # time per poll and watcher

_CHANGE_NAMES: dict[FileEvent, Literal["added", "changed", "deleted"]] = {
    FileEvent.added: "added",
    FileEvent.modified: "changed",
    FileEvent.deleted: "deleted",
}


class ChangeListener:
    """Collects changes from its creation on; changes between two calls are buffered.

    Attributes:
        ended: a folder cannot be watched any more; a new listener is needed.

    Raises:
        OutsideError: the system's limit of watched folders is exceeded.
    """

    def __init__(self, roots: WatchRoots, database: Location, stop: Event) -> None:
        self._directories = roots.directories
        self._database = database.resolve() if isinstance(database, Path) else database
        self._changes: set[Change] = set()
        self._stop = stop
        self.ended = False
        self._watchers = [
            self._watch(directories, recursive=recursive)
            for directories, recursive in ((roots.recursive, True), (roots.flat, False))
            if directories
        ]
        self.poll()

    def add(self, changes: Iterable[Change]) -> None:
        """Add changes that another listener has collected."""
        self._changes.update(changes)

    def poll(self) -> bool:
        """Wait briefly for changes; return whether there were relevant ones."""
        changed = False
        for watcher in self._watchers:
            changes = self._next_changes(watcher)
            self._changes.update(changes)
            changed = changed or bool(changes)
        return changed

    def take_changes(self) -> list[Change]:
        """Return and clear the collected changes, sorted by path."""
        changes = sorted(self._changes, key=lambda change: (change[1], change[0]))
        self._changes.clear()
        return changes

    def close(self) -> None:
        for watcher in self._watchers:
            watcher.close()

    def _watch(
        self, directories: tuple[Path, ...], *, recursive: bool
    ) -> Generator[set[tuple[FileEvent, str]], None, None]:
        return watch(
            *directories,
            watch_filter=self._is_relevant,
            debounce=_MAX_BATCH_MS,
            step=_DEBOUNCE_MS,
            stop_event=self._stop,
            rust_timeout=_POLL_MS,
            yield_on_timeout=True,
            raise_interrupt=True,
            recursive=recursive,
            ignore_permission_denied=True,
        )

    def _next_changes(self, watcher: Iterator[set[tuple[FileEvent, str]]]) -> set[Change]:
        try:
            raw_changes = next(watcher, None)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EMFILE) or "limit" in str(error):
                raise OutsideError(
                    f"the system's limit of watched folders is exceeded ({error})",
                    ", ".join(map(str, self._directories[:3])),
                    "Raise the limit (sysctl fs.inotify.max_user_watches=1048576), watch fewer "
                    "folders, or set WATCHFILES_FORCE_POLLING=1 to poll instead.",
                ) from error
            raw_changes = None  # a folder was deleted meanwhile
        if raw_changes is None:
            self.ended = True
            return set()
        return {(_CHANGE_NAMES[change], Path(path)) for change, path in raw_changes}

    def _is_relevant(self, change: FileEvent, path: str) -> bool:
        absolute = Path(path)
        return is_relevant_change(
            absolute,
            deleted=change == FileEvent.deleted,
            is_folder=change == FileEvent.added and absolute.is_dir(),
            roots=self._directories,
            database=self._database,
        )
