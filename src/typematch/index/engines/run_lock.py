"""One writer of a file at a time: a lock file beside it, which ends with its process.

SQLite itself locks single transactions.  A run has several, and relies on what it has read before.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from typematch.errors import DatabaseError, ReadOnlyError
from typematch.index.engines.engine import POLL_SECONDS, Waiting

LOCK_SUFFIX = "-lock"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    # Of a file that is locked already.
    _HELD: tuple[type[OSError], ...] = (PermissionError,)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    _HELD = (BlockingIOError,)


@contextlib.contextmanager
def run_lock(database: Path, waiting: Waiting) -> Iterator[None]:
    """Hold the lock of a database file; wait while another run holds it.

    Raises:
        ReadOnlyError: the lock file cannot be created.
        DatabaseError: the file system has no locks.
    """
    path = database.with_name(database.name + LOCK_SUFFIX)
    started = time.monotonic()
    while (file := _locked(database, path)) is None:
        waiting(str(database), time.monotonic() - started)
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        # Before the lock is released, so that only its holder deletes the file.
        with contextlib.suppress(OSError):  # Windows deletes no open file
            path.unlink()
        os.close(file)


def _locked(database: Path, path: Path) -> int | None:
    """Return the descriptor of the lock file, None if another run holds the lock."""
    try:
        file = os.open(path, _OPEN, 0o666)
    except OSError as error:
        reason = f"{path.name}: {error.strerror}"
        raise ReadOnlyError(str(database), reason) from error
    try:
        _lock(file)
        if os.fstat(file).st_nlink:  # else its last holder has deleted it meanwhile
            return file
    except _HELD:
        pass
    except OSError as error:
        os.close(file)
        raise DatabaseError(
            f"the file system cannot lock files ({error.strerror})",
            str(database),
            "Keep the database on a disk of this machine, or on a PostgreSQL server.",
        ) from error
    os.close(file)
    return None
