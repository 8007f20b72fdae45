"""Mutates texts: bytes, tokens and bracketed groups.  The same seed gives the same mutations."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r"\w+|\s+|\"[^\"\n]*\"|'[^'\n]*'|=>|\.\.\.|[^\w\s]")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_MAX_LENGTH = 200_000  # characters of a mutated text
_STRANGE = (
    "\0", "\x1b[2J", "\u202e", "\ud800", "\udfff", "\ufeff", "\u2028", "\N{PARTY POPPER}", "\\",
    "'", '"', "`", "`${", "}", "{@link ", "*/", "/*", "//", "<", ">", "=>", "...", "?", "@", "#",
    "-1", "1e400", "0x", "9" * 40, "NaN", "null", "__proto__", "constructor", "$ref", "../../x",
)  # fmt: skip
_WORDS = (
    "any", "unknown", "never", "this", "infer", "keyof", "typeof", "extends", "readonly", "unique",
    "asserts", "is", "new", "abstract", "import", "export", "default", "declare", "global",
    "namespace", "enum", "class", "interface", "type", "const", "async", "get", "set", "static",
)  # fmt: skip


class Mutator:
    """Draws mutations from one random source."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def mutated(self, text: str, others: Sequence[str]) -> str:
        """Return ``text`` after one to six mutations; parts may come from ``others``."""
        for _ in range(self._random.choice((1, 1, 2, 3, 6))):
            change = self._random.choice(
                (self._characters, self._tokens, self._tokens, self._groups, self._groups)
            )
            text = change(text, others)[:_MAX_LENGTH]
        return text

    def pick(self, texts: Sequence[str]) -> str:
        return self._random.choice(texts)

    def _characters(self, text: str, _: Sequence[str]) -> str:
        start = self._random.randrange(len(text) + 1)
        end = min(len(text), start + self._random.choice((0, 0, 1, 1, 5, 40)))
        kinds = ("", text[start:end] * 2, self._random.choice(_STRANGE), chr(self._code_point()))
        return text[:start] + self._random.choice(kinds) + text[end:]

    def _code_point(self) -> int:
        return self._random.choice((self._random.randrange(128), self._random.randrange(0x110000)))

    def _tokens(self, text: str, others: Sequence[str]) -> str:
        tokens = _TOKEN.findall(text)
        if not tokens:
            return self._random.choice(_WORDS)
        position = self._random.randrange(len(tokens))
        match self._random.randrange(6):
            case 0:
                del tokens[position]
            case 1:
                tokens.insert(position, tokens[position])
            case 2:
                other = self._random.randrange(len(tokens))
                tokens[position], tokens[other] = tokens[other], tokens[position]
            case 3:
                tokens[position] = f" {self._random.choice((*_WORDS, *_STRANGE))} "
            case 4:
                tokens[position] = self._random.choice(tokens)
            case _:
                foreign = _TOKEN.findall(self._random.choice(others)[:20_000]) or [""]
                tokens[position] = self._random.choice(foreign)
        return "".join(tokens)

    def _groups(self, text: str, others: Sequence[str]) -> str:
        """Delete, repeat, nest or exchange a bracketed group."""
        group = self._group(text)
        if group is None:
            return self._tokens(text, others)
        start, end = group
        inner = text[start:end]
        match self._random.randrange(5):
            case 0:
                new = ""
            case 1:
                new = inner * self._random.choice((2, 3, 20))
            case 2:
                opening, closing = inner[0], inner[-1]
                levels = self._random.choice((1, 3, 30, 300))
                new = opening * levels + inner + closing * levels
            case 3:
                other = self._random.choice(others)
                found = self._group(other)
                new = inner if found is None else other[found[0] : found[1]]
            case _:
                new = inner[:1] + inner[-1:]
        return text[:start] + new + text[end:]

    def _group(self, text: str) -> tuple[int, int] | None:
        """Return the span of a bracketed group; brackets in strings count too."""
        openings = [i for i, c in enumerate(text[:20_000]) if c in _BRACKETS]
        if not openings:
            return None
        start = self._random.choice(openings)
        opening, closing = text[start], _BRACKETS[text[start]]
        depth = 0
        for position in range(start, min(len(text), start + 5_000)):
            depth += (text[position] == opening) - (text[position] == closing)
            if not depth:
                return start, position + 1
        return None


def smaller(text: str) -> Iterator[str]:
    """Yield the text without one of its parts, large parts first."""
    size = len(text) // 2
    while size:
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size :]
        size //= 2
