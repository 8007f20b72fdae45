"""Merge what several channels found into one ranking: weighted reciprocal rank fusion.

A channel says in which order it would show things; how sure it is of that, it cannot say in a unit
that another channel knows.  So only ranks are added, each with its channel's weight.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)

# What a channel counts, by what was asked: words alone, words that speak of types, a signature
# with words beside it.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "words": {"lexical": 1.0, "dense": 1.5},
    "spoken": {"structural": 1.5, "lexical": 1.0, "dense": 1.5},
    "typed": {"structural": 2.0, "lexical": 1.0, "dense": 0.5},
}
# How little the top places stand out.  60 is the value of Cormack et al. 2009; here first places
# say more: .531 instead of .526 on sentences that find their function.
K = 20


def reciprocal_rank_fusion(
    channels: Mapping[str, Mapping[Entry, int]], weights: Mapping[str, float], *, k: int = K
) -> dict[Entry, float]:
    """Return the score of each entry: the sum of ``weight / (k + rank)``, ranks counted from 1.

    Scores are scaled so that being first in every channel is 1.0; the order in which channels come
    changes nothing.  A channel without a weight counts nothing.
    """
    shares: dict[Entry, list[float]] = {}
    for name, ranks in channels.items():
        weight = weights.get(name, 0.0)
        for entry, rank in ranks.items():
            shares.setdefault(entry, []).append(weight / (k + rank))
    best = math.fsum(weights.get(name, 0.0) / (k + 1) for name in channels) or 1.0
    # fsum, not sum: float addition depends on order, and channels come in any order.
    return {entry: math.fsum(parts) / best for entry, parts in shares.items()}


def ranks(ordered: Sequence[Entry]) -> dict[Entry, int]:
    """Return the rank of each entry, from 1."""
    return {entry: rank for rank, entry in enumerate(ordered, start=1)}


def tied_ranks(costs: Mapping[Entry, float]) -> dict[Entry, int]:
    """Return ranks by cost: entries of one cost share the first of their ranks."""
    found: dict[Entry, int] = {}
    last, rank = math.nan, 0
    for place, (entry, cost) in enumerate(sorted(costs.items(), key=lambda one: one[1]), start=1):
        if cost != last:
            last, rank = cost, place
        found[entry] = rank
    return found
