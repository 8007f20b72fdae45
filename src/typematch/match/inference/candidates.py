"""Inference priorities, and the candidates inferred for one type variable."""

from __future__ import annotations

from typing import Final

from typematch.ir.types import Type

# The checker's InferencePriority, a bit set: a lower number is a better candidate.
NAKED_TYPE_VARIABLE: Final = 1
SPECULATIVE_TUPLE: Final = 2
HOMOMORPHIC_MAPPED_TYPE: Final = 8
MAPPED_TYPE_CONSTRAINT: Final = 32
CONTRAVARIANT_CONDITIONAL: Final = 64
RETURN_TYPE: Final = 128
LITERAL_KEYOF: Final = 256
MAX_PRIORITY: Final = 1 << 30  # worse than every candidate
CIRCULARITY: Final = -1


class InferenceInfo:
    """The candidates of the best priority for one type variable (the checker's InferenceInfo).

    Attributes:
        candidates: types in covariant positions, each once, in the order they were inferred.
        contra_candidates: types in contravariant positions, likewise.
    """

    __slots__ = ("_added", "candidates", "contra_candidates", "priority")

    def __init__(self) -> None:
        self.candidates: list[Type] = []
        self.contra_candidates: list[Type] = []
        self.priority = MAX_PRIORITY
        self._added: set[tuple[Type, bool]] = set()

    def add(self, t: Type, priority: int, contravariant: bool) -> None:
        """Add a candidate; a better priority drops the ones before, a worse one is ignored."""
        if priority < self.priority:
            self.candidates, self.contra_candidates = [], []
            self.priority = priority
            self._added.clear()
        if priority == self.priority and (t, contravariant) not in self._added:
            self._added.add((t, contravariant))
            (self.contra_candidates if contravariant else self.candidates).append(t)
