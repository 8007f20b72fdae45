"""Fuse the channels by a weighted sum of their scores.

A channel scores its best entry 1.0, or less where none fits: the score of full text and the cosine
are divided by those of the best entry, the cost of a type match is mapped to 0.0 to 1.0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)

# Channel weights by sort of query: words alone, a sentence that mentions things of a type, a
# sentence that says what is taken and returned, a signature with words.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "words": {"lexical": 1.0, "dense": 4.0, "terms": 1.0},
    "mention": {"structural": 0.8, "lexical": 1.0, "dense": 4.0, "terms": 1.0},
    "sentence": {"structural": 2.0, "lexical": 1.0, "dense": 4.0, "terms": 1.0},
    "signature": {"structural": 3.0, "lexical": 1.0, "dense": 1.5},
}
_HALF_SCORE_COST = 100  # in edit units


def fused_scores(
    channels: Mapping[str, Mapping[Entry, float]], weights: Mapping[str, float]
) -> dict[Entry, float]:
    """Return the weighted mean of each entry's scores; a channel without it counts 0.0.

    Args:
        channels: scores from 0.0 to 1.0 by entry, by channel.
        weights: by channel; a channel without a weight is ignored.
    """
    parts: dict[Entry, list[float]] = {}
    for name, scores in channels.items():
        weight = weights.get(name, 0.0)
        for entry, score in scores.items():
            parts.setdefault(entry, []).append(weight * score)
    whole = math.fsum(weights.get(name, 0.0) for name in channels) or 1.0
    # fsum, not sum: float addition depends on order, and channels come in any order.
    return {entry: math.fsum(shares) / whole for entry, shares in parts.items()}


def cost_scores(costs: Mapping[Entry, float]) -> dict[Entry, float]:
    """Return 1.0 for a match without cost, half of that at 100 edit units, 0.0 at infinity."""
    return {
        entry: 0.0 if math.isinf(cost) else _HALF_SCORE_COST / (_HALF_SCORE_COST + cost)
        for entry, cost in costs.items()
    }


def top_entries(channels: Mapping[str, Mapping[int, float]], weights: str, count: int) -> list[int]:
    """Return the ``count`` best entries of the fused channels, in order of number.

    Args:
        weights: a key of ``WEIGHTS``.
    """
    scores = fused_scores(channels, WEIGHTS[weights])
    return sorted(sorted(scores, key=lambda entry: (-scores[entry], entry))[:count])
