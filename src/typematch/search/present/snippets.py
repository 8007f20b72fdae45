"""Choose the sentence of a documentation text that matches a query best."""

from __future__ import annotations

import re
from collections.abc import Sequence

from typematch.index.text.full_text import STOP_WORDS
from typematch.index.text.words import words_of

WIDTH = 160  # characters
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_SUFFIX = re.compile(r"(?:ies|ied|ying|ing|ed|es|s|y|e|i)$")
_MIN_STEM = 3  # letters


def snippet(text: str, query_words: Sequence[str]) -> str:
    """Return the first sentence of ``text`` with the most different words of the query.

    It is shortened to ``WIDTH`` characters around the first of these words, with an ellipsis where
    text is left out.  Empty if no sentence has any of them.
    """
    stems = {stem(word) for word in query_words if word not in STOP_WORDS}
    best, best_count = "", 0
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match[0].split())
        count = len(stems & {stem(word) for word in words_of(sentence)})
        if count > best_count:
            best, best_count = sentence, count
    return _shortened(best, stems)


def stem(word: str) -> str:
    """Strip a common English suffix; approximates the stemmer of the full-text index."""
    stripped = _SUFFIX.sub("", word.lower())
    return stripped if len(stripped) >= _MIN_STEM else word.lower()


def _shortened(sentence: str, stems: set[str]) -> str:
    if len(sentence) <= WIDTH:
        return sentence
    first_match = next(
        (
            match.start()
            for match in re.finditer(r"[^\W_]+", sentence)
            if any(stem(word) in stems for word in words_of(match[0]))
        ),
        0,
    )
    start = max(0, min(first_match - WIDTH // 4, len(sentence) - WIDTH))
    if start:
        start = sentence.find(" ", start) + 1
    end = start + WIDTH - 2
    if end < len(sentence):
        end = max(sentence.rfind(" ", start, end), start + 1)
    before, after = "…" if start else "", "…" if end < len(sentence) else ""
    return f"{before}{sentence[start:end].strip()}{after}"
