"""Weighted reciprocal rank fusion of the channels' rankings.

The scores of channels have no common unit, so only ranks are combined.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)

# Channel weights by sort of query: words alone, a sentence with types, a signature with words.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "words": {"lexical": 1.0, "dense": 1.5},
    "sentence": {"structural": 1.5, "lexical": 1.0, "dense": 1.5},
    "signature": {"structural": 2.0, "lexical": 1.0, "dense": 0.5},
}
# Cormack et al. 2009 use 60; 20 gives .531 instead of .526 on sentences that find their function.
K = 20


def reciprocal_rank_fusion(
    channels: Mapping[str, Mapping[Entry, int]], weights: Mapping[str, float], *, k: int = K
) -> dict[Entry, float]:
    """Return the score of each entry: the sum of ``weight / (k + rank)``, ranks counted from 1.

    Scores are scaled so that rank 1 in every channel gives 1.0.  They do not depend on the order
    of the channels.  A channel without a weight counts 0.
    """
    shares: dict[Entry, list[float]] = {}
    for name, ranks in channels.items():
        weight = weights.get(name, 0.0)
        for entry, rank in ranks.items():
            shares.setdefault(entry, []).append(weight / (k + rank))
    best = math.fsum(weights.get(name, 0.0) / (k + 1) for name in channels) or 1.0
    # fsum, not sum: float addition depends on order, and channels come in any order.
    return {entry: math.fsum(parts) / best for entry, parts in shares.items()}


def top_entries(channels: Mapping[str, Mapping[int, int]], weights: str, count: int) -> list[int]:
    """Return the ``count`` best entries of the fused channels, in order of number.

    Args:
        weights: a key of ``WEIGHTS``.
    """
    scores = reciprocal_rank_fusion(channels, WEIGHTS[weights])
    return sorted(sorted(scores, key=lambda entry: (-scores[entry], entry))[:count])
