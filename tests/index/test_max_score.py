"""MaxScore: the best texts for several words are those of the ranking of all texts."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from typematch.index.text.full_text import K1, inverse_document_frequency
from typematch.index.text.max_score import Ranking, Term, best_texts


class Texts:
    """Texts that have each word as often as drawn; records the number of texts ranked."""

    def __init__(self, shares: Sequence[float], count: int, limit: int, seed: int) -> None:
        draw = random.Random(seed)
        occurrences = [
            {str(word): draw.choice((1, 1, 2, 5)) for word in range(len(shares))}
            for _ in range(count)
        ]
        self.limit = limit
        self.texts = [
            {word: often for word, often in text.items() if draw.random() < shares[int(word)]}
            for text in occurrences
        ]
        frequencies = [
            (sum(word in text for text in self.texts), word)
            for word in map(str, range(len(shares)))
        ]
        self.terms = [Term(word, often, count) for often, word in sorted(frequencies) if often]
        self.weights = {
            term.word: inverse_document_frequency(count, term.frequency) for term in self.terms
        }
        self.ranked = 0

    def search(self, *groups: Sequence[str]) -> Ranking:
        found = [
            (number, self.score(text, [word for words in groups for word in words]))
            for number, text in enumerate(self.texts)
            if all(text.keys() & set(words) for words in groups)
        ]
        self.ranked += len(found)
        return sorted(found, key=lambda item: (-item[1], item[0]))[: self.limit]

    def score(self, text: dict[str, int], words: Sequence[str]) -> float:
        return sum(
            self.weights[word] * text[word] * (K1 + 1) / (text[word] + K1)
            for word in words
            if word in text
        )


@given(
    shares=st.lists(st.sampled_from((0.01, 0.05, 0.1, 0.4, 0.7)), min_size=1, max_size=6),
    limit=st.integers(1, 20),
    seed=st.integers(0, 1_000_000),
)
def test_the_best_texts_are_those_of_the_ranking_of_all(
    shares: Sequence[float], limit: int, seed: int
) -> None:
    texts = Texts(shares, 200, limit, seed)
    if texts.terms:
        everything = texts.search([term.word for term in texts.terms])
        assert best_texts(texts.terms, texts.search, limit) == everything


def test_texts_that_have_only_frequent_words_are_not_ranked() -> None:
    texts = Texts((0.02, 0.02, 0.3, 0.4), 2_000, 10, seed=1)
    having_a_word = sum(map(bool, texts.texts))
    best_texts(texts.terms, texts.search, texts.limit)
    assert texts.ranked < having_a_word / 4
