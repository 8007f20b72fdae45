from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.search.present.token_count import count_tokens, first_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("interface HTTPServer { port2: number }", 9, id="parts of words and signs"),
        pytest.param("", 0, id="nothing"),
        pytest.param("日本語", 3, id="what has no spaces"),
        pytest.param("приём", 5, id="another alphabet"),
        pytest.param("a" * 160, 10, id="no word"),
        pytest.param("1234567890", 4, id="digits"),
    ],
)
def test_tokens(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text("aB1 _é日{\n", max_size=60), st.integers(0, 40))
def test_the_beginning_of_a_text_is_as_long_as_may_be(text: str, most: int) -> None:
    first = first_tokens(text, most)
    assert text.startswith(first)
    assert count_tokens(first) == min(most, count_tokens(text))
