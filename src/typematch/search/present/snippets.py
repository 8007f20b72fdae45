"""Show the place of a documentation that speaks of what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from typematch.index.text.full_text import STOP_WORDS
from typematch.index.text.words import words_of

WIDTH = 160  # characters
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_ENDING = re.compile(r"(?:ies|ied|ying|ing|ed|es|s|y|e|i)$")
_SHORT = 3  # letters: what is left of a word at least


def snippet(text: str, asked: Sequence[str]) -> str:
    """Return the first of the sentences of ``text`` that have most of the words ``asked``.

    It is cut to ``WIDTH`` characters around them, with an ellipsis where something is left out;
    empty where no sentence has any of them.
    """
    stems = {stem(word) for word in asked if word not in STOP_WORDS}
    best, most = "", 0
    for match in _SENTENCE.finditer(text):
        sentence = " ".join(match[0].split())
        found = len(stems & {stem(word) for word in words_of(sentence)})
        if found > most:
            best, most = sentence, found
    return _cut(best, stems)


def stem(word: str) -> str:
    """Return a word without its commonest endings: a rough likeness of what full text does."""
    short = _ENDING.sub("", word.lower())
    return short if len(short) >= _SHORT else word.lower()


def _cut(sentence: str, stems: set[str]) -> str:
    if len(sentence) <= WIDTH:
        return sentence
    first = next(
        (
            match.start()
            for match in re.finditer(r"[^\W_]+", sentence)
            if any(stem(word) in stems for word in words_of(match[0]))
        ),
        0,
    )
    start = max(0, min(first - WIDTH // 4, len(sentence) - WIDTH))
    if start:
        start = sentence.find(" ", start) + 1
    end = start + WIDTH - 2
    if end < len(sentence):
        end = max(sentence.rfind(" ", start, end), start + 1)
    before, after = "…" if start else "", "…" if end < len(sentence) else ""
    return f"{before}{sentence[start:end].strip()}{after}"
