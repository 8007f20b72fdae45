from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.match.edit_kinds import ARGUMENT_UNUSED, OPTIONAL_SKIPPED, ORDER_CHANGED
from typematch.match.edits.argument_assignment import (
    LEFT_OUT,
    SUPPLIED,
    ArgumentAssignment,
    arrangements,
    price_of_supplied,
)

Matrix = list[list[int | None]]


@pytest.mark.parametrize(
    ("matrix", "required", "asked", "expected"),
    [
        pytest.param([[0, None], [None, 4]], [True, True], 2, (4, (0, 1)), id="as asked"),
        pytest.param([[None, 0], [4, None]], [True, True], 2, (34, (1, 0)), id="swapped"),
        pytest.param([[0], [0]], [True, False], 1, (0, (0, LEFT_OUT)), id="optional left out"),
        pytest.param([[0], [None]], [True, True], 1, (300, (0, SUPPLIED)), id="one supplied"),
        pytest.param([[0, 0]], [True], 2, (1000, (0,)), id="a query argument is unused"),
        pytest.param([], [], 0, (0, ()), id="nothing to arrange"),
    ],
)
def test_the_cheapest_arrangement_comes_first(
    matrix: Matrix, required: list[bool], asked: int, expected: tuple[int, tuple[int, ...]]
) -> None:
    best = arrangements(matrix, required=required, asked=asked, ceiling=None)[0]
    assert (best.bound, best.sources) == expected


def test_nothing_dearer_than_the_ceiling_comes_back() -> None:
    assert arrangements([[None]], required=[True], asked=1, ceiling=1299) == []
    assert arrangements([[None]], required=[True], asked=1, ceiling=1300)[0].bound == 1300


def test_further_arguments_are_free_where_the_query_allows_any() -> None:
    best = arrangements([[0], [None]], required=[True, True], asked=1, ceiling=0, further=True)
    assert best == [ArgumentAssignment(0, (0, SUPPLIED))]


prices = st.one_of(st.none(), st.integers(0, 100))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Matrix, list[bool], int]:
    rows, columns = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    matrix = [[draw(prices) for _ in range(columns)] for _ in range(rows)]
    return matrix, [draw(st.booleans()) for _ in range(rows)], columns


@given(problems())
def test_the_first_is_the_least_of_all(problem: tuple[Matrix, list[bool], int]) -> None:
    matrix, required, asked = problem
    found = arrangements(matrix, required=required, asked=asked, ceiling=None, steps=100_000)
    assert found[0].bound == min(_all_prices(matrix, required, asked))
    assert [a.bound for a in found] == sorted(a.bound for a in found)


def _all_prices(matrix: Matrix, required: list[bool], asked: int) -> list[int]:
    prices = []
    options = [[*range(asked), -3] for _ in matrix]
    for choice in product(*options):
        used = [j for j in choice if j >= 0]
        if len(set(used)) < len(used):
            continue
        cells = [matrix[i][j] for i, j in enumerate(choice) if j >= 0]
        if any(cell is None for cell in cells):
            continue
        supplied = sum(1 for i, j in enumerate(choice) if j < 0 and required[i])
        price = sum(cell for cell in cells if cell is not None) + price_of_supplied(supplied)
        price += ARGUMENT_UNUSED.price * (asked - len(used))
        price += ORDER_CHANGED.price * (used != sorted(used))
        given = [i for i, j in enumerate(choice) if j >= 0 or required[i]]
        price += OPTIONAL_SKIPPED.price * (max(given, default=-1) + 1 - len(given))
        prices.append(price)
    return prices


def test_ties_come_in_the_order_of_the_query() -> None:
    matrix: Matrix = [[0, 0], [0, 0]]
    orders = [a.sources for a in arrangements(matrix, required=[True] * 2, asked=2, ceiling=30)]
    assert orders == list(permutations((0, 1)))
