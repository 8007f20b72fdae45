"""Garbage collector thresholds for code that allocates many objects without reference cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Raise the collector's thresholds: indexing makes millions of types and few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(500_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
