"""Counted work, which bounds a search."""

from __future__ import annotations


class Work:
    """Units of work: a comparison of two function types is one."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self.done = 0.0

    def count(self, units: float = 1.0) -> None:
        self.done += units

    @property
    def expired(self) -> bool:
        return self.done >= self._limit
