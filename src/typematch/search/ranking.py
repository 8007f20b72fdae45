"""Put answers in order: the cheapest first, of equals the one that a person would name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from typematch.index.store import Brief
from typematch.index.words import split_identifier

Rank: TypeAlias = tuple[float, float, bool, bool, int, int, str]


def name_fit(asked: Sequence[str], brief: Brief) -> float:
    """Return how well a name answers the words asked for, from 1.0 (it is the name) to 0.0.

    Every word must begin a part of the name or of what contains it; a name that says nothing else
    is best, and one that has a word only in its container or package is worst.
    """
    if not asked:
        return 1.0
    if "".join(asked) == brief.name.lower() or tuple(asked) == split_identifier(brief.name):
        return 1.0
    own = split_identifier(brief.name)
    hit = sum(_begins(word, own) for word in asked)
    if hit == len(asked):
        # Order kept and few other words: closer to what was meant.
        return 0.9 * len(asked) / max(len(own), len(asked))
    if brief.name.lower().find("".join(asked)) >= 0:
        return 0.4 * len("".join(asked)) / len(brief.name)
    around = (*split_identifier(brief.id), *own)
    if all(_begins(word, around) for word in asked):
        return 0.2 * (1 + hit) / (1 + len(asked))
    return 0.0


def _begins(word: str, names: Sequence[str]) -> bool:
    return any(name.startswith(word) for name in names)


def rank(cost: float, fit: float, brief: Brief) -> Rank:
    """Return a key to sort by: cost, name fit, exported, no method, short name and path, id."""
    qualified = brief.id.partition("#")[2] or brief.id
    # A method wants an instance, of which the query did not speak.
    method = "#" in qualified
    return cost, -fit, not brief.exported, method, len(qualified), len(brief.path), brief.id
