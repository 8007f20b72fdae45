"""The best texts for several words without ranking all: MaxScore (Turtle and Flood, 1995).

BM25 of a text is a sum over the words of the query, and no word adds more than a bound that falls
with its frequency.  A text that has only the commonest words cannot be among the best ``limit`` if
their bounds add up to less than the score of the text at that place, so only texts with one of the
other, *essential*, words are ranked.  The result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol, TypeAlias

from typematch.index.text.full_text import K1, inverse_document_frequency

# Essential words that leave a larger share of the texts are not worth a search of their own.
_MAX_SHARE = 0.5
_ROUNDING = 1 + 1e-9  # float error must not decide

Ranking: TypeAlias = list[tuple[int, float]]


class Term:
    """A word of a query, and the number of texts that have it.

    Attributes:
        bound: the most that it adds to the score of a text.
    """

    __slots__ = ("bound", "frequency", "word")

    def __init__(self, word: str, frequency: int, texts: int) -> None:
        self.word = word
        self.frequency = frequency
        idf = inverse_document_frequency(texts, frequency)
        self.bound = idf * (K1 + 1) * _ROUNDING


class Search(Protocol):
    """Returns (entry number, score) of the best texts that have a word of each group.

    The score is over all words of the groups, summed in their order.
    """

    def __call__(self, *groups: Sequence[str]) -> Ranking: ...


def best_texts(terms: Sequence[Term], search: Search, limit: int) -> Ranking:
    """Return what ``search`` returns for one group of all words.

    Args:
        terms: in order of frequency.
        limit: of the texts that ``search`` returns.
    """
    words = [term.word for term in terms]
    essential, ranking = _essential(terms, words, search, limit)
    if essential == len(words):
        return search(words)
    scores = dict(ranking)
    scores.update(search(words[:essential], words[essential:]))
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return best[:limit]


def _essential(
    terms: Sequence[Term], words: Sequence[str], search: Search, limit: int
) -> tuple[int, Ranking]:
    """Return how many of the rarest words are essential, and the ranking for these alone."""
    frequencies = list(accumulate(term.frequency for term in terms))
    affordable = frequencies[-1] * _MAX_SHARE
    for count, frequency in enumerate(frequencies, start=1):
        if frequency > affordable:
            break
        if frequency < limit:
            continue
        # Further words only add to the scores: the last one is a bound for the whole query.
        ranking = search(words[:count])
        if len(ranking) < limit:
            continue
        essential = _above(terms, ranking[-1][1])
        if essential <= count:
            return count, ranking
        if frequencies[essential - 1] <= affordable:
            return essential, search(words[:essential])
        break
    return len(terms), []


def _above(terms: Sequence[Term], threshold: float) -> int:
    """Return how many of the rarest terms must count for the others to stay below a score."""
    others = 0.0
    for count in range(len(terms), 0, -1):
        others += terms[count - 1].bound
        if others >= threshold:
            return count
    return 0
