"""Count tokens about as a language model does, without its tables."""

from __future__ import annotations

import re
from itertools import islice

# The parts of words and the signs.  What is written without spaces, or in few languages' training
# texts, takes a token for each character; so does, nearly, what is no word.
_TOKEN = re.compile(r"[A-Z]?[a-z]{1,16}|[A-Z]{1,8}|[0-9]{1,3}|[^\w\s]|_|\w")


def count_tokens(text: str) -> int:
    """Return about how many tokens a language model reads; a little more, rather than less."""
    return sum(1 for _ in _TOKEN.finditer(text))


def first_tokens(text: str, most: int) -> str:
    """Return the beginning of ``text`` that has at most ``most`` tokens."""
    found = next(islice(_TOKEN.finditer(text), most, None), None)
    return text if found is None else text[: found.start()].rstrip()
