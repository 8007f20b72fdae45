"""Measures of agreement.  Shares are from 0.0 to 1.0."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """One answer held against the right one: ``both`` are in the two of them."""

    expected: int
    found: int
    both: int

    @property
    def recall(self) -> float:
        """The share of what was expected that was found; 1.0 if nothing was expected."""
        return self.both / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """The share of what was found that was expected; 1.0 if nothing was found."""
        return self.both / self.found if self.found else 1.0


def count(expected: Set[Hashable], found: Set[Hashable]) -> ConfusionCounts:
    return ConfusionCounts(len(expected), len(found), len(expected & found))


def macro(counts: Sequence[ConfusionCounts]) -> tuple[float, float]:
    """Return recall and precision averaged over the answers; 1.0 if there are none."""
    if not counts:
        return 1.0, 1.0
    return (
        math.fsum(each.recall for each in counts) / len(counts),
        math.fsum(each.precision for each in counts) / len(counts),
    )


def micro(counts: Sequence[ConfusionCounts]) -> tuple[float, float]:
    """Return recall and precision of all answers thrown together."""
    total = ConfusionCounts(
        sum(each.expected for each in counts),
        sum(each.found for each in counts),
        sum(each.both for each in counts),
    )
    return total.recall, total.precision


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least ``share`` of all values do not exceed (nearest rank).

    ``percentile(values, 0.5)`` is the lower median; no values at all give 0.0.
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def percent(part: float, whole: float = 1.0) -> str:
    """Return ``part / whole`` as text with two digits, rounded down, so that 100 % means all.

    ``percent(0, 0)`` is 100 %: of nothing, nothing is missing.
    """
    share = part / whole if whole else 1.0
    # One part in 10^9 of float noise must not cost a digit.
    return f"{math.floor(share * 10_000 + 1e-5) / 100:.2f} %"
