"""Ranks of entries, counted from 1."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)


def ranks(ordered: Sequence[Entry]) -> dict[Entry, int]:
    """Return the rank of each entry of a list, best first."""
    return {entry: rank for rank, entry in enumerate(ordered, start=1)}


def tied_ranks(costs: Mapping[Entry, float]) -> dict[Entry, int]:
    """Return ranks by cost; entries of equal cost share the first of their ranks (1, 1, 3)."""
    ranked: dict[Entry, int] = {}
    last_cost, rank = math.nan, 0
    by_cost = sorted(costs.items(), key=lambda item: item[1])
    for position, (entry, cost) in enumerate(by_cost, start=1):
        if cost != last_cost:
            last_cost, rank = cost, position
        ranked[entry] = rank
    return ranked
