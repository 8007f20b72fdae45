"""Score entries by name, and the sort keys of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from typematch.index.store import EntrySummary
from typematch.index.text.words import split_identifier
from typematch.ir.entry import PROMISIFIED

SortKey: TypeAlias = tuple[float, bool, float, bool, bool, int, int, str]


def name_scorer(words: Sequence[str]) -> Callable[[EntrySummary], float]:
    """Return a function from an entry to how well its name matches ``words``, 1.0 to 0.0.

    In descending order: the words are the name; they are the end of the container's name and the
    name; each word is a prefix of a word of the name; the joined words are a substring of the name;
    each word is a prefix of a word of the name, of its container or of its package.  Without words
    every entry has 1.0.
    """
    joined, spaced = "".join(words), _spaced(words)
    prefixes = [f" {word}" for word in words]

    def score(summary: EntrySummary) -> float:
        name, letters = summary.name.lower(), f"{summary.id} {summary.name}".lower()
        # Most names lack a word of the query, mostly the first one.
        if joined not in name and not all(word in letters for word in words):
            return 0.0
        name_words, id_words = _spaced_words(summary.name), _spaced_words(summary.id)
        qualified = f"{id_words}{name_words}"
        has_all = all(prefix in qualified for prefix in prefixes)
        if joined == name or spaced == name_words:
            return 1.0
        if spaced.endswith(name_words) and id_words.endswith(spaced):
            return 0.95
        matched = sum(prefix in name_words for prefix in prefixes) if has_all else 0
        if matched == len(words):
            return 0.9 * len(words) / max(name_words.count(" "), len(words))
        if joined in name:
            return 0.4 * len(joined) / len(name)
        return 0.2 * (1 + matched) / (1 + len(words)) if has_all else 0.0

    return score if words else lambda _: 1.0


def _spaced(words: Sequence[str]) -> str:
    """Return words with a space before each, so that " w" occurs where a word begins with w."""
    return "".join(f" {word}" for word in words)


@lru_cache(maxsize=20_000)
def _spaced_words(name: str) -> str:
    return _spaced(split_identifier(name))


def sort_key(cost: float, name_score: float, summary: EntrySummary) -> SortKey:
    """Order by cost, name score, exported, no method, length of name, length of path, id.

    Of equal cost, what exists only as the type of a promisified function is last.
    """
    qualified = summary.id.partition("#")[2] or summary.id
    # A method needs an instance, which the query does not mention.
    is_method = "#" in qualified
    return (
        cost,
        summary.name == PROMISIFIED,
        -name_score,
        not summary.exported,
        is_method,
        len(qualified),
        len(summary.path),
        summary.id,
    )


def listing_sort_key(summary: EntrySummary) -> SortKey:
    """Order entries that only facets selected: exported first, then by id."""
    return 0, False, 0, not summary.exported, False, 0, 0, summary.id
