"""Ranks of entries, counted from 1, and scores relative to the best."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

Ranked = TypeVar("Ranked", bound=Hashable)


def relative_scores(scores: Mapping[Ranked, float]) -> dict[Ranked, float]:
    """Return scores divided by the best one, 0.0 for negative ones."""
    best = max((0.0, *scores.values())) or 1.0
    # BM25 is negative for words that most texts have; the entry was found all the same.
    return {entry: max(score, 0.0) / best for entry, score in scores.items()}


def tied_ranks(costs: Mapping[Ranked, float]) -> dict[Ranked, int]:
    """Return ranks by cost; entries of equal cost share the first of their ranks (1, 1, 3)."""
    ranked: dict[Ranked, int] = {}
    last_cost, rank = math.nan, 0
    by_cost = sorted(costs.items(), key=lambda item: item[1])
    for position, (entry, cost) in enumerate(by_cost, start=1):
        if cost != last_cost:
            last_cost, rank = cost, position
        ranked[entry] = rank
    return ranked
