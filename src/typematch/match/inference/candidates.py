"""Keep what was found for one type variable while it is inferred."""

from __future__ import annotations

from typematch.ir.types import Type

# Lower is better (the compiler's inference priorities).
NAKED, SPECULATIVE, HOMOMORPHIC, PARTIAL_HOMOMORPHIC, MAPPED_CONSTRAINT = 1, 2, 8, 16, 32
CONTRA_CONDITIONAL, RETURN, LITERAL_KEYS = 64, 128, 256
NO_PRIORITY = 1 << 30


class InferenceInfo:
    """``co`` stood where the variable gives, ``contra`` where it takes.

    Only those of the best priority stay.
    """

    __slots__ = ("co", "contra", "priority")

    def __init__(self) -> None:
        self.co: list[Type] = []
        self.contra: list[Type] = []
        self.priority = NO_PRIORITY

    def add(self, t: Type, priority: int, contra: bool) -> None:
        """Note a candidate; a lower number is a better one and forgets the others."""
        if priority < self.priority:
            self.co, self.contra = [], []
            self.priority = priority
        if priority == self.priority:
            into = self.contra if contra else self.co
            if t not in into:
                into.append(t)
