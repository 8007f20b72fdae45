"""Ranks, recall, precision and percentiles.  Shares are from 0.0 to 1.0."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from typing import TypeVar

Ranked = TypeVar("Ranked", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """Sizes of the expected set, the found set, and their intersection ``both``."""

    expected: int
    found: int
    both: int

    @property
    def recall(self) -> float:
        """Share of the expected that was found; 1.0 if nothing was expected."""
        return self.both / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """Share of the found that was expected; 1.0 if nothing was found."""
        return self.both / self.found if self.found else 1.0


def ranks(ordered: Sequence[Ranked]) -> dict[Ranked, int]:
    """Return the rank of each entry of a list, best first, counted from 1."""
    return {entry: rank for rank, entry in enumerate(ordered, start=1)}


def count(expected: Set[Hashable], found: Set[Hashable]) -> ConfusionCounts:
    return ConfusionCounts(len(expected), len(found), len(expected & found))


def macro(counts: Sequence[ConfusionCounts]) -> tuple[float, float]:
    """Return the means of recall and precision over the counts; 1.0 without counts."""
    if not counts:
        return 1.0, 1.0
    return (
        math.fsum(count.recall for count in counts) / len(counts),
        math.fsum(count.precision for count in counts) / len(counts),
    )


def micro(counts: Sequence[ConfusionCounts]) -> tuple[float, float]:
    """Return recall and precision of the summed counts."""
    total = ConfusionCounts(
        sum(count.expected for count in counts),
        sum(count.found for count in counts),
        sum(count.both for count in counts),
    )
    return total.recall, total.precision


def percentile(values: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile: the smallest value that ``share`` of all do not exceed.

    ``percentile(values, 0.5)`` is the lower median; an empty sequence gives 0.0.
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def percent(part: float, whole: float = 1.0) -> str:
    """Return ``part / whole`` in percent with two digits, rounded down: 100 % means all.

    ``percent(0, 0)`` is 100 %.
    """
    share = part / whole if whole else 1.0
    # The addend absorbs float error that would round a digit down.
    return f"{math.floor(share * 10_000 + 1e-5) / 100:.2f} %"


def count_of(part: int, whole: int) -> str:
    """Return ``3 of 4 (75.00 %)``."""
    return f"{part} of {whole} ({percent(part, whole)})"
