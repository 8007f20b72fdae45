"""Which models there are, and what their tokens cost: the one table of both.

Prices are US dollars for a million tokens, as the vendor's pages gave them in November 2026.  A
model that is not here needs its price in the settings: a budget in dollars cannot be held without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from typematch.llm.usage import Usage

SMALL, STRONG = "claude-haiku-5-5", "claude-sonnet-5-5"
BATCH_SHARE = 0.5  # of the price, in a batch

_DATED = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens.

    Attributes:
        cache_write, cache_read: of input that is written to or read from the prompt cache for five
            minutes; 0.0 for what is usual, 1.25 and 0.1 of ``input``.
        long_from: tokens of input from which on everything costs ``long_times`` as much; 0: never.
        has_effort: whether the model takes an effort.
    """

    input: float
    output: float
    cache_write: float = 0.0
    cache_read: float = 0.0
    long_from: int = 0
    long_times: float = 1.0
    has_effort: bool = True

    def dollars(self, usage: Usage, *, batch: bool = False) -> float:
        million = (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_write * (self.cache_write or 1.25 * self.input)
            + usage.cache_read * (self.cache_read or 0.1 * self.input)
        )
        if self.long_from and usage.all_input > self.long_from:
            million *= self.long_times
        return million / 1_000_000 * (BATCH_SHARE if batch else 1.0)


MODELS: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, cache_read=0.01, long_from=100_000, long_times=5.0),
    "claude-haiku-4-5": Price(1.0, 5.0, has_effort=False),
    "claude-sonnet-5-5": Price(2.0, 10.0, cache_read=0.10),
    "claude-sonnet-5": Price(2.0, 10.0),
    "claude-sonnet-4-6": Price(3.0, 15.0),
    "claude-opus-5-5": Price(4.0, 20.0, cache_read=0.20),
    "claude-opus-5": Price(5.0, 25.0),
    "claude-opus-4-8": Price(5.0, 25.0),
    "claude-opus-4-7": Price(5.0, 25.0),
    "claude-opus-4-6": Price(5.0, 25.0),
    "claude-opus-4-5": Price(5.0, 25.0, has_effort=False),
    "claude-fable-5-2": Price(8.0, 40.0, cache_read=0.20),
    "claude-fable-5-1": Price(10.0, 50.0, cache_read=0.25),
    "claude-fable-5": Price(10.0, 50.0),
    "claude-mythos-5-1": Price(10.0, 50.0, cache_read=0.25),
    "claude-mythos-5": Price(10.0, 50.0),
}


def price_of(model: str, others: Mapping[str, Price]) -> Price | None:
    """Return what a model costs: by ``others``, else by the table, where it may carry a date."""
    return others.get(model) or MODELS.get(model) or MODELS.get(_DATED.sub("", model))
