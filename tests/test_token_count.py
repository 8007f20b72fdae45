from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.token_count import count_tokens, first_tokens, token_upper_bound


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param(
            "interface HTTPServer { port2: number }", 9, id="parts of identifiers, and signs"
        ),
        pytest.param("", 0, id="empty"),
        pytest.param("日本語", 3, id="script without spaces"),
        pytest.param("приём", 5, id="another alphabet"),
        pytest.param("a" * 160, 10, id="long run of letters"),
        pytest.param("1234567890", 4, id="digits"),
    ],
)
def test_count_tokens(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text("aB1 _é日{\n", max_size=60), st.integers(0, 40))
def test_the_first_tokens_are_a_prefix_with_the_given_count(text: str, limit: int) -> None:
    first = first_tokens(text, limit)
    assert text.startswith(first)
    assert count_tokens(first) == min(limit, count_tokens(text))


@given(st.text("aB1 _é日{}();\n", max_size=60))
def test_the_upper_bound_of_tokens_is_at_least_the_estimate(text: str) -> None:
    assert token_upper_bound(text) >= count_tokens(text)
