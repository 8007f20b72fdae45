from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.evaluate.metrics import ConfusionCounts, count, macro, micro, percent, percentile


@pytest.mark.parametrize(
    ("expected", "found", "recall", "precision"),
    [
        pytest.param({"a", "b"}, {"a", "b"}, 1.0, 1.0, id="the same"),
        pytest.param({"a", "b"}, {"a", "c", "d", "e"}, 0.5, 0.25, id="half of it, much else"),
        pytest.param(set(), {"a"}, 1.0, 0.0, id="nothing expected: nothing missing, all too much"),
        pytest.param({"a"}, set(), 0.0, 1.0, id="nothing found: all missing, nothing wrong"),
    ],
)
def test_recall_and_precision(
    expected: set[str], found: set[str], recall: float, precision: float
) -> None:
    counts = count(expected, found)
    assert (counts.recall, counts.precision) == (recall, precision)


def test_macro_averages_queries_and_micro_averages_matches() -> None:
    counts = [
        ConfusionCounts(expected=90, found=90, both=90),
        ConfusionCounts(expected=10, found=5, both=0),
    ]
    assert macro(counts) == (0.5, 0.5)
    assert micro(counts) == (0.9, 90 / 95)


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.5, 3), (0.95, 5), (1.0, 5), (0.0, 1), (0.2, 1), (0.21, 2)],
)
def test_percentile_is_a_value_that_occurs(share: float, expected: float) -> None:
    assert percentile([5, 1, 4, 2, 3], share) == expected


def test_percentile_of_an_empty_sequence_is_zero() -> None:
    assert percentile([], 0.5) == 0.0


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        (995, 1000, "99.50 %"),
        (99_999, 100_000, "99.99 %"),
        (0.29, 1, "29.00 %"),
        (0, 0, "100.00 %"),
    ],
)
def test_percent_never_rounds_up(part: float, whole: float, expected: str) -> None:
    assert percent(part, whole) == expected


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_percent_is_100_only_for_all(part: int, whole: int) -> None:
    assert (percent(min(part, whole), whole) == "100.00 %") == (part >= whole)
