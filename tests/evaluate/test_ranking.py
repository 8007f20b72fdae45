"""Measures of rankings."""

from __future__ import annotations

import pytest

from typematch.evaluate.relevance.jsdoc import as_function_type
from typematch.evaluate.relevance.ranking import ndcg, recall, reciprocal_rank


def test_ndcg_of_an_ideal_ranking_is_one() -> None:
    assert ndcg(["a", "b"], {"a": 2, "b": 1}) == pytest.approx(1.0)


def test_ndcg_is_higher_if_the_better_grade_is_first() -> None:
    assert ndcg(["b", "a"], {"a": 2, "b": 1}) < 1.0
    assert ndcg(["c"], {"a": 2}) == 0.0


def test_reciprocal_rank_and_recall() -> None:
    assert reciprocal_rank(["x", "a"], {"a"}) == 0.5
    assert reciprocal_rank(["x"] * 10 + ["a"], {"a"}) == 0.0
    assert recall(["x", "a"], {"a", "b"}, 2) == 0.5


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(a: string): number", "(a: string) => number"),
        ("()boolean", "() => boolean"),
        ("(f: (x: T) => void)(() => void)", "(f: (x: T) => void) => (() => void)"),
    ],
)
def test_signatures_of_the_data_become_function_types(written: str, expected: str) -> None:
    assert as_function_type(written) == expected
