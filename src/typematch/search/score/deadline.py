"""The time limit of a search."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from typematch.errors import UsageError

# In seconds.  A function is called at each check, so a server can shorten it under load.
TimeLimit: TypeAlias = float | Callable[[], float] | None


class Deadline:
    """A deadline that starts when it is made.

    Attributes:
        stopped_after: seconds after which work was first skipped; None if no work was skipped.
    """

    def __init__(self, limit: TimeLimit = None, *, cpu_seconds: float | None = None) -> None:
        """Start the time; without a limit it never expires.

        Args:
            cpu_seconds: a second limit, of the CPU time of this thread.

        Raises:
            UsageError: the limit is negative.
        """
        if isinstance(limit, (int, float)) and not limit >= 0:
            raise UsageError(
                f"the time limit of a search is {limit:g} seconds",
                hint="Give 0 or more seconds, or None for no limit.",
            )
        self.stopped_after: float | None = None
        self._limit = limit
        self._start = time.monotonic()
        self._cpu_seconds = cpu_seconds
        self._cpu_start = 0.0 if cpu_seconds is None else time.thread_time()

    @property
    def has_stopped(self) -> bool:
        """Whether work was skipped because the time was over."""
        return self.stopped_after is not None

    def expired(self, share: float = 1.0) -> bool:
        """Return whether the time is over; the caller then skips work, which is recorded.

        Args:
            share: the part of the limit that counts, from 0 to 1.
        """
        elapsed = time.monotonic() - self._start
        # A thread's CPU time, which a system call returns, is at most the time that has passed.
        if self._cpu_seconds is not None and elapsed >= share * self._cpu_seconds:
            used = time.thread_time() - self._cpu_start
            if used >= share * self._cpu_seconds:
                return self._stop(used)
        if self._limit is None or elapsed < share * _seconds(self._limit):
            return False
        return self._stop(elapsed)

    def left(self, share: float = 1.0) -> TimeLimit:
        """Return the limit of a search that begins now, within the limit of this deadline.

        Args:
            share: the part of the time that is left, from 0 to 1.
        """
        limit = self._limit
        if limit is None:
            return None
        elapsed = time.monotonic() - self._start
        return lambda: share * max(0.0, _seconds(limit) - elapsed)

    def _stop(self, seconds: float) -> bool:
        if self.stopped_after is None:
            self.stopped_after = seconds
        return True


def _seconds(limit: float | Callable[[], float]) -> float:
    return limit() if callable(limit) else limit
