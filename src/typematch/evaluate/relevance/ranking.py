"""Measures of a ranking, from 0.0 to 1.0."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence, Set
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)


def reciprocal_rank_fusion(
    channels: Mapping[str, Mapping[Entry, int]], weights: Mapping[str, float], *, k: int = 60
) -> dict[Entry, float]:
    """Return the sum of ``weight / (k + rank)`` of each entry, ranks counted from 1."""
    shares: dict[Entry, list[float]] = {}
    for name, ranks in channels.items():
        for entry, rank in ranks.items():
            shares.setdefault(entry, []).append(weights[name] / (k + rank))
    return {entry: math.fsum(parts) for entry, parts in shares.items()}


def ndcg(ranking: Sequence[Hashable], grades: Mapping[Hashable, int], cut: int = 10) -> float:
    """Return the normalised discounted cumulative gain at ``cut``, with gain 2^grade - 1."""
    best = _gain(sorted(grades.values(), reverse=True)[:cut])
    return (
        _gain([grades.get(function_id, 0) for function_id in ranking[:cut]]) / best if best else 0.0
    )


def _gain(grades: Sequence[int]) -> float:
    return math.fsum(
        (2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1)
    )


def reciprocal_rank(ranking: Sequence[Hashable], relevant: Set[Hashable], cut: int = 10) -> float:
    """Return 1 / rank of the first of ``relevant`` among the first ``cut``; 0.0 without one."""
    for rank, function_id in enumerate(ranking[:cut], start=1):
        if function_id in relevant:
            return 1 / rank
    return 0.0


def recall(ranking: Sequence[Hashable], relevant: Set[Hashable], cut: int) -> float:
    """Return the share of ``relevant`` among the first ``cut``; 0.0 if nothing is relevant."""
    return len(relevant & set(ranking[:cut])) / len(relevant) if relevant else 0.0


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
