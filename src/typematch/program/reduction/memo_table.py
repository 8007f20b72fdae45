"""A memo table of bounded size that keeps what is still used."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class MemoTable(dict[K, V]):
    """Memoized values in two generations.

    ``get`` finds those of the current generation; ``recall`` moves one of the previous generation
    into it.  ``start_generation`` drops what was not used in the generation that it ends: what
    every search needs stays.
    """

    __slots__ = ("_previous",)

    def __init__(self) -> None:
        super().__init__()
        self._previous: dict[K, V] = {}

    def recall(self, key: K) -> V | None:
        """Return a value of the previous generation, which becomes one of the current; or None."""
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
