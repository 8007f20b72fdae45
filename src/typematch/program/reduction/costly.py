"""Reductions that took many steps, kept for reducers whose caches start empty."""

from __future__ import annotations

from typing import NamedTuple

from typematch.ir.types import Type
from typematch.program.reduction.memo_table import MemoTable

MIN_STEPS = 200  # of a reduction that is kept


class CostlyReduction(NamedTuple):
    """A reduction to head normal form.

    Attributes:
        steps: what it took without ``parts``.
        parts: other types of ``CostlyReductions`` that were reduced for it.
    """

    reduced: Type
    steps: int
    parts: tuple[Type, ...]


class CostlyReductions:
    """What reducers with empty caches found out about types, one after the other.

    A reducer that takes a result from here counts the steps, once for each part: its budget ends at
    the same type as if it had reduced all of them itself.

    Attributes:
        results: of types whose reduction took at least ``MIN_STEPS``.
        endless: types that expand without end, and the steps that finding this out took.
        unfinished: types whose reduction exceeded the budget, and the steps that were left for it.
    """

    def __init__(self) -> None:
        self.results: MemoTable[Type, CostlyReduction] = MemoTable()
        self.endless: MemoTable[Type, int] = MemoTable()
        self.unfinished: MemoTable[Type, int] = MemoTable()

    def start_generation(self) -> None:
        """Drop what was not used since the last call."""
        self.results.start_generation()
        self.endless.start_generation()
        self.unfinished.start_generation()
