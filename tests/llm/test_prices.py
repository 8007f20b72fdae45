"""The table of models and prices, compared with the SDK's list of models."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from anthropic.types.model import Model

from typematch.llm.gateway import worst_case_usage
from typematch.llm.prices import MODELS, SMALL_MODEL, STRONG_MODEL, Price, price_of
from typematch.llm.usage import Usage
from typematch.token_count import count_tokens

NAMES: tuple[str, ...] = get_args(get_args(Model)[0])


@pytest.mark.parametrize("name", MODELS)
def test_every_model_in_the_table_is_known_to_the_sdk(name: str) -> None:
    assert name in NAMES


@pytest.mark.parametrize("name", [SMALL_MODEL, STRONG_MODEL])
def test_the_default_models_have_prices(name: str) -> None:
    assert name in MODELS
    assert MODELS[SMALL_MODEL].output < MODELS[STRONG_MODEL].output


def test_a_date_suffix_does_not_change_the_price() -> None:
    assert price_of("claude-haiku-4-5-20251001", {}) is MODELS["claude-haiku-4-5"]
    assert price_of("claude-unheard-of", {}) is None
    mine = Price(1.0, 1.0)
    assert price_of(STRONG_MODEL, {STRONG_MODEL: mine}) is mine


@pytest.mark.parametrize(
    ("usage", "batch", "dollars"),
    [
        pytest.param(Usage(1_000_000), False, 2.0, id="input"),
        pytest.param(Usage(0, 1_000_000), False, 10.0, id="output"),
        pytest.param(Usage(cache_write=1_000_000), False, 2.5, id="cache write"),
        pytest.param(Usage(cache_read=1_000_000), False, 0.2, id="cache read"),
        pytest.param(Usage(1_000_000, 1_000_000), True, 6.0, id="batch"),
    ],
)
def test_cost_in_dollars(usage: Usage, batch: bool, dollars: float) -> None:
    assert Price(2.0, 10.0).dollars(usage, batch=batch) == pytest.approx(dollars)


def test_input_above_the_long_context_threshold_costs_more() -> None:
    price: Any = Price(0.1, 0.5, long_context_tokens=100_000, long_context_factor=5.0)
    assert price.dollars(Usage(100_000)) == pytest.approx(0.01)
    assert price.dollars(Usage(100_001)) == pytest.approx(0.05, rel=1e-4)


def test_the_worst_case_of_a_request_is_input_that_is_written_to_the_cache() -> None:
    body = {"messages": "{}();" * 1_000, "max_tokens": 200}
    usage = worst_case_usage(body)
    assert (usage.output, usage.total_input) == (200, usage.cache_write)
    assert usage.cache_write >= count_tokens("{}();" * 1_000)
