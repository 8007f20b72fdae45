"""Put answers in order: the cheapest first, of equals the one that a person would name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from typematch.index.store import EntrySummary
from typematch.index.text.words import split_identifier

Rank: TypeAlias = tuple[float, float, bool, bool, int, int, str]


def name_fit(asked: Sequence[str]) -> Callable[[EntrySummary], float]:
    """Return what says how well a name answers the words asked for, from 1.0 (it is it) to 0.0.

    Every word must begin a part of the name or of what contains it; a name that says nothing else
    is best, and one that has a word only in its container or package is worst.
    """
    joined, spaced = "".join(asked), _spaced(asked)
    beginnings = [f" {word}" for word in asked]

    def fit(brief: EntrySummary) -> float:
        name, own = brief.name.lower(), _parts(brief.name)
        if joined == name or spaced == own:
            return 1.0
        around = f"{_parts(brief.id)}{own}"
        # Most names have not even the first word: it is told at a glance.
        everywhere = all(word in around for word in beginnings)
        hit = sum(word in own for word in beginnings) if everywhere else 0
        if hit == len(asked):
            # Order kept and few other words: closer to what was meant.
            return 0.9 * len(asked) / max(own.count(" "), len(asked))
        if joined in name:
            return 0.4 * len(joined) / len(name)
        return 0.2 * (1 + hit) / (1 + len(asked)) if everywhere else 0.0

    return fit if asked else lambda _: 1.0


def _spaced(words: Sequence[str]) -> str:
    """Return words with a space before each, so that " w" occurs where a word begins with w."""
    return "".join(f" {word}" for word in words)


@lru_cache(maxsize=20_000)
def _parts(name: str) -> str:
    return _spaced(split_identifier(name))


def rank(cost: float, fit: float, brief: EntrySummary) -> Rank:
    """Return a key to sort by: cost, name fit, exported, no method, short name and path, id."""
    qualified = brief.id.partition("#")[2] or brief.id
    # A method wants an instance, of which the query did not speak.
    method = "#" in qualified
    return cost, -fit, not brief.exported, method, len(qualified), len(brief.path), brief.id
