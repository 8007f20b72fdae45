"""Operators on words of a query: ``-word`` excludes a word, ``word*`` is a prefix."""

from __future__ import annotations


def is_excluded(word: str) -> bool:
    """Return whether a word of a query is excluded: ``-sync``.  A lone dash is not."""
    return word.startswith("-") and word[1:2].isalnum()


def is_prefix(word: str) -> bool:
    """Return whether a word of a query is a prefix: ``retr*``."""
    return word.endswith("*") and word[-2:-1].isalnum()
