"""Table of models and prices, in US dollars per million tokens (vendor's pages, November 2026).

A model that is not listed needs a price in the settings: without one, no budget can be enforced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from typematch.llm.usage import Usage

SMALL_MODEL, STRONG_MODEL = "claude-haiku-5-5", "claude-sonnet-5-5"
BATCH_PRICE_FACTOR = 0.5  # batches cost half

_DATE_SUFFIX = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a model, in US dollars per million tokens.

    Attributes:
        cache_write, cache_read: price of input written to or read from the five-minute prompt
            cache; 0.0 means the usual 1.25 and 0.1 times ``input``.
        long_context_tokens: input above which the whole request costs ``long_context_factor``
            times as much; 0 means no such surcharge.
        has_effort: whether the model accepts the effort parameter.
    """

    input: float
    output: float
    cache_write: float = 0.0
    cache_read: float = 0.0
    long_context_tokens: int = 0
    long_context_factor: float = 1.0
    has_effort: bool = True

    def dollars(self, usage: Usage, *, batch: bool = False) -> float:
        million = (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_write * (self.cache_write or 1.25 * self.input)
            + usage.cache_read * (self.cache_read or 0.1 * self.input)
        )
        if self.long_context_tokens and usage.total_input > self.long_context_tokens:
            million *= self.long_context_factor
        return million / 1_000_000 * (BATCH_PRICE_FACTOR if batch else 1.0)


MODELS: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(
        0.10, 0.50, cache_read=0.01, long_context_tokens=100_000, long_context_factor=5.0
    ),
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


def price_of(model: str, overrides: Mapping[str, Price]) -> Price | None:
    """Return a model's price: from ``overrides``, else from the table, without a date suffix."""
    return overrides.get(model) or MODELS.get(model) or MODELS.get(_DATE_SUFFIX.sub("", model))
