"""Words of identifiers and texts, split alike for the index and for queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

# Words of an identifier: an acronym before a capitalized word, a word, an acronym, a number.
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]*[^\W\d_A-Z]+|[A-Z]+|\d+")
_LETTERS = re.compile(r"[^\W_]+")
# Compound identifiers.  Only a whole run of letters is tried: each of its ends would be read again.
_IDENTIFIERS = re.compile(r"(?<![^\W_])[^\W_]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z]|_[^\W_])\w*")


@lru_cache(maxsize=20_000)
def split_identifier(name: str) -> tuple[str, ...]:
    """Return the words of an identifier in lower case: ``parseHTMLText`` -> parse, html, text."""
    return tuple(split_identifiers((name,)))


def split_identifiers(names: Iterable[str]) -> Iterator[str]:
    """Yield the words of identifiers in lower case, in order; faster than one call for each."""
    return map(str.lower, _WORDS.findall(" ".join(names)))


def singular(noun: str) -> str:
    """Return a noun in the singular, by its ending: ``categories`` -> category."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, identifiers in it split."""
    return tuple(part for word in _LETTERS.findall(text) for part in split_identifier(word))


def expand_identifiers(text: str) -> str:
    """Return ``text`` with each compound identifier followed by its words."""

    def expand(match: re.Match[str]) -> str:
        return f"{match[0]} {' '.join(split_identifier(match[0]))}"

    return _IDENTIFIERS.sub(expand, text)
