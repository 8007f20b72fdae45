"""A memo table of bounded size that keeps what is still used."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class MemoTable(dict[K, V]):
    """Memoized values in two generations.

    ``lookup`` moves a value of the previous generation into the current one.  ``start_generation``
    drops what was not used in the generation that it ends: what every search needs stays.
    """

    __slots__ = ("_previous",)

    def __init__(self) -> None:
        super().__init__()
        self._previous: dict[K, V] = {}

    def lookup(self, key: K) -> V | None:
        """Return a value, which belongs to the current generation then; None if there is none."""
        value = self.get(key)
        if value is None:
            value = self._previous.pop(key, None)
            if value is not None:
                self[key] = value
        return value

    def start_generation(self) -> None:
        self._previous = dict(self)
        super().clear()

    def clear(self) -> None:
        self._previous = {}
        super().clear()
