"""Choose the sentence of a documentation text that matches a query best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from typematch.index.text.full_text import STOP_WORDS
from typematch.index.text.words import words_of
from typematch.search.present.doc_markup import plain_text

WIDTH = 160  # characters
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_SUFFIX = re.compile(r"(?:ies|ied|ying|ing|ed|es|s|y|e|i)$")
_MIN_STEM = 3  # letters
# Before a paragraph that can be read alone; markup that reaches across paragraphs.
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n(?=\S)")
_ACROSS_PARAGRAPHS = re.compile(r"```|~~~|^ {0,3}\[[^\]]+\]:|<(?:pre|code|script|style)\b", re.M)


def snippet(doc: str, query_words: Sequence[str]) -> str:
    """Return the first sentence of a documentation with the most different words of the query.

    It is shortened to ``WIDTH`` characters around the first of these words, with an ellipsis where
    text is left out.  Empty if no sentence has any of them.

    Args:
        doc: with its markup.
    """
    stems = frozenset(stem(word) for word in query_words if word not in STOP_WORDS)
    paragraphs = [doc] if _ACROSS_PARAGRAPHS.search(doc) else _PARAGRAPH_BREAK.split(doc)
    # No sentence of a paragraph has more words of the query than its source, so most need not be
    # read.
    most = [_count(paragraph, stems) for paragraph in paragraphs]
    best, best_count, best_index = "", 0, 0
    for index in sorted(range(len(paragraphs)), key=lambda index: -most[index]):
        if not most[index] or most[index] < best_count:
            break
        sentence, count = _best_sentence(plain_text(paragraphs[index]), stems)
        if count > best_count or (count == best_count and index < best_index):
            best, best_count, best_index = sentence, count, index
    return _shortened(best, stems)


def _best_sentence(text: str, stems: frozenset[str]) -> tuple[str, int]:
    """Return the first sentence with the most words of the query, and how many it has."""
    best, best_count = "", 0
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match[0].split())
        count = _count(sentence, stems)
        if count > best_count:
            best, best_count = sentence, count
    return best, best_count


def _count(text: str, stems: frozenset[str]) -> int:
    letters = text.lower()
    # A stem is a part of its word, and most texts have few.
    possible = frozenset(part for part in stems if part in letters)
    return len(possible.intersection(map(stem, words_of(text)))) if possible else 0


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Strip a common English suffix; approximates the stemmer of the full-text index."""
    stripped = _SUFFIX.sub("", word.lower())
    return stripped if len(stripped) >= _MIN_STEM else word.lower()


def _shortened(sentence: str, stems: frozenset[str]) -> str:
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
