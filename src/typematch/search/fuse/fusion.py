"""Fuse the channels by a weighted mean of their scores.

A channel scores its best entry 1.0, or less where none fits: the score of full text and the cosine
are divided by those of the best entry, the cost of a type match is mapped to 0.0 to 1.0.  The
cosine of an entry's package counts as it is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

from typematch.search.score.type_match import TypeMatch
from typematch.search.score.weights import Weights

Ranked = TypeVar("Ranked", bound=Hashable)


def fused_scores(
    channels: Mapping[str, Mapping[Ranked, float]], weights: Mapping[str, float]
) -> dict[Ranked, float]:
    """Return the weighted mean of each entry's scores; a channel without it counts 0.0.

    Args:
        channels: scores from 0.0 to 1.0 by entry, by channel.
        weights: by channel; a channel without a weight is ignored.
    """
    parts: dict[Ranked, list[float]] = {}
    for name, scores in channels.items():
        weight = weights.get(name, 0.0)
        for entry, score in scores.items():
            parts.setdefault(entry, []).append(weight * score)
    whole = math.fsum(weights.get(name, 0.0) for name in channels) or 1.0
    # fsum, not sum: float addition depends on order, and channels come in any order.
    return {entry: math.fsum(shares) / whole for entry, shares in parts.items()}


def cost_score(cost: float, half_cost: float) -> float:
    """Return 1.0 for a match without cost, half of that at ``half_cost``, 0.0 at infinity."""
    return 0.0 if math.isinf(cost) else half_cost / (half_cost + cost)


def with_structural(
    texts: Mapping[str, Mapping[int, float]], matches: Mapping[int, TypeMatch], weights: Weights
) -> Mapping[str, Mapping[int, float]]:
    """Return the text channels and, if there are type matches, the ``structural`` channel."""
    if not matches:
        return texts
    costs = {number: match.cost for number, match in matches.items()}
    scores = {number: cost_score(cost, weights.half_cost) for number, cost in costs.items()}
    return {"structural": scores, **texts}


def top_entries(
    channels: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], count: int
) -> list[int]:
    """Return the ``count`` best entries of the fused channels, in order of number."""
    scores = fused_scores(channels, weights)
    return sorted(sorted(scores, key=lambda entry: (-scores[entry], entry))[:count])
