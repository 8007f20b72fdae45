"""Count tokens: what was sent and what came back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; ``input`` is neither written to the prompt cache nor read from it."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def all_input(self) -> int:
        return self.input + self.cache_write + self.cache_read

    @property
    def total(self) -> int:
        return self.all_input + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
        )


def most_tokens(text: str) -> int:
    """Return how many tokens a text has at most, near enough to hold a budget.

    Code has about three characters to a token, other scripts up to one token for each.
    """
    plain = sum(1 for c in text if c.isascii())
    return plain // 3 + (len(text) - plain) + 1
