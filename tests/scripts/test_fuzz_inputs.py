"""The mutations behind scripts/fuzz_inputs.py, and what it counts as a failure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

import fuzz_inputs
from fuzz_mutations import Mutator, smaller
from typematch.errors import UsageError

_TEXTS = ["export declare function f(a: { b: [1, 2] }): void;", '{"name": "shop", "exports": {}}']


def test_a_case_depends_on_its_seed_and_number_only() -> None:
    seeds = [(f"case{index}", text) for index, text in enumerate(_TEXTS)]
    cases = [fuzz_inputs.case_of(seeds, 7, number) for number in range(200)]
    assert [fuzz_inputs.case_of(seeds, 7, number) for number in range(200)] == cases
    assert fuzz_inputs.case_of(seeds, 8, 0) != cases[0]
    assert len(set(cases)) > 150


def test_texts_without_brackets_or_characters_are_mutated() -> None:
    for number in range(300):
        assert isinstance(Mutator(str(number)).mutated("", ["", "a"]), str)


def test_smaller_texts_leave_one_part_out() -> None:
    assert list(islice(smaller("abcd"), 3)) == ["cd", "ab", "bcd"]


def _raising(error: Exception) -> Callable[[], str]:
    def run() -> str:
        raise error

    return run


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (lambda: "", ""),
        (_raising(UsageError("refused")), ""),
        (_raising(ValueError("x")), "ValueError at test_fuzz_inputs.py"),
        (_raising(fuzz_inputs.SlowError("slow")), "slow: SlowError at"),
    ],
)
def test_errors_of_ours_are_answers(run: Callable[[], str], expected: str) -> None:
    assert fuzz_inputs.failure(run).startswith(expected)
    assert bool(fuzz_inputs.failure(run)) == bool(expected)
