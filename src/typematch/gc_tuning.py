"""Garbage collector thresholds for code that allocates many objects without reference cycles."""

from __future__ import annotations

import atexit
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_RELAXED = (100_000, 400, 100)
_lock = threading.Lock()
_users = 0
_thresholds_before = gc.get_threshold()


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Raise the collector's thresholds: types are many, live long and form few cycles.

    Contexts may overlap in any order, also in several threads; the end of the last one restores the
    thresholds.
    """
    _begin()
    try:
        yield
    finally:
        _end()


@cache
def relax_gc_until_exit() -> None:
    """Raise the thresholds for the rest of the process, which runs a single command.

    Nothing is collected after the command: neither when its contexts end, nor at exit, where the
    interpreter would search all that is left for cycles.
    """
    _begin()
    atexit.register(gc.freeze)


def _begin() -> None:
    global _users, _thresholds_before
    with _lock:
        if not _users:
            _thresholds_before = gc.get_threshold()
            gc.set_threshold(*_RELAXED)
        _users += 1


def _end() -> None:
    global _users
    with _lock:
        _users -= 1
        if not _users:
            gc.set_threshold(*_thresholds_before)
