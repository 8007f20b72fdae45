"""Estimate the number of tokens of a language model without its vocabulary."""

from __future__ import annotations

import re
from itertools import islice

# Parts of identifiers, groups of digits, and signs.  A letter outside ASCII and a long run of
# letters, which is not a word, are split as tokenizers split what is rare in their training text.
_TOKEN = re.compile(r"[A-Z]?[a-z]{1,16}|[A-Z]{1,8}|[0-9]{1,3}|[^\w\s]|_|\w")


def count_tokens(text: str) -> int:
    """Return an estimate that is more often too high than too low."""
    return sum(1 for _ in _TOKEN.finditer(text))


def first_tokens(text: str, limit: int) -> str:
    """Return the beginning of ``text`` that has at most ``limit`` tokens."""
    next_token = next(islice(_TOKEN.finditer(text), limit, None), None)
    return text if next_token is None else text[: next_token.start()].rstrip()


def token_upper_bound(text: str) -> int:
    """Return an approximate upper bound of a text's tokens, for budgets.

    Counts three ASCII characters per token and one token per other character, or what
    ``count_tokens`` counts, if that is more: signs are tokens of their own.
    """
    ascii_count = sum(1 for c in text if c.isascii())
    return max(ascii_count // 3 + (len(text) - ascii_count) + 1, count_tokens(text))
