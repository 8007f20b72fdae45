"""Garbage collector thresholds for code that allocates many objects without reference cycles."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
    global _users, _thresholds_before
    with _lock:
        if not _users:
            _thresholds_before = gc.get_threshold()
            gc.set_threshold(*_RELAXED)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                gc.set_threshold(*_thresholds_before)
