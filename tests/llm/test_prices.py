"""The one table of models and prices, held against the SDK's own list."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from anthropic.types.model import Model

from typematch.llm.prices import MODELS, SMALL, STRONG, Price, price_of
from typematch.llm.usage import Usage

NAMES: tuple[str, ...] = get_args(get_args(Model)[0])


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_one_that_the_sdk_knows(name: str) -> None:
    assert name in NAMES


@pytest.mark.parametrize("name", [SMALL, STRONG])
def test_the_models_that_are_asked_unless_told_otherwise_have_a_price(name: str) -> None:
    assert name in MODELS
    assert MODELS[SMALL].output < MODELS[STRONG].output


def test_a_dated_name_costs_what_the_model_costs() -> None:
    assert price_of("claude-haiku-4-5-20251001", {}) is MODELS["claude-haiku-4-5"]
    assert price_of("claude-unheard-of", {}) is None
    mine = Price(1.0, 1.0)
    assert price_of(STRONG, {STRONG: mine}) is mine


@pytest.mark.parametrize(
    ("usage", "batch", "dollars"),
    [
        pytest.param(Usage(1_000_000), False, 2.0, id="input"),
        pytest.param(Usage(0, 1_000_000), False, 10.0, id="output"),
        pytest.param(Usage(cache_write=1_000_000), False, 2.5, id="written to the cache"),
        pytest.param(Usage(cache_read=1_000_000), False, 0.2, id="read from the cache"),
        pytest.param(Usage(1_000_000, 1_000_000), True, 6.0, id="half in a batch"),
    ],
)
def test_dollars(usage: Usage, batch: bool, dollars: float) -> None:
    assert Price(2.0, 10.0).dollars(usage, batch=batch) == pytest.approx(dollars)


def test_long_prompts_cost_more() -> None:
    price: Any = Price(0.1, 0.5, long_from=100_000, long_times=5.0)
    assert price.dollars(Usage(100_000)) == pytest.approx(0.01)
    assert price.dollars(Usage(100_001)) == pytest.approx(0.05, rel=1e-4)
