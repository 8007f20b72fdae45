from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.match.edit_kinds import ARGUMENT_UNUSED, OPTIONAL_SKIPPED, ORDER_CHANGED
from typematch.match.edits.argument_assignment import (
    LEFT_OUT,
    SUPPLIED,
    ArgumentAssignment,
    cheapest_assignments,
    missing_arguments_cost,
)

Matrix = list[list[int | None]]


@pytest.mark.parametrize(
    ("costs", "required", "argument_count", "expected"),
    [
        pytest.param([[0, None], [None, 4]], [True, True], 2, (4, (0, 1)), id="in query order"),
        pytest.param([[None, 0], [4, None]], [True, True], 2, (34, (1, 0)), id="reordered"),
        pytest.param([[0], [0]], [True, False], 1, (0, (0, LEFT_OUT)), id="optional left out"),
        pytest.param([[0], [None]], [True, True], 1, (300, (0, SUPPLIED)), id="one supplied"),
        pytest.param([[0, 0]], [True], 2, (1000, (0,)), id="a query argument is unused"),
        pytest.param([], [], 0, (0, ()), id="no parameters"),
    ],
)
def test_the_cheapest_assignment_comes_first(
    costs: Matrix, required: list[bool], argument_count: int, expected: tuple[int, tuple[int, ...]]
) -> None:
    best = cheapest_assignments(
        costs, required=required, argument_count=argument_count, max_results=4
    )[0]
    assert (best.bound, best.sources) == expected


def test_supplied_arguments_are_free_if_the_query_allows_more() -> None:
    best = cheapest_assignments(
        [[0], [None]],
        required=[True, True],
        argument_count=1,
        max_results=1,
        allows_more=True,
    )
    assert best == [ArgumentAssignment(0, (0, SUPPLIED))]


totals = st.one_of(st.none(), st.integers(0, 100))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Matrix, list[bool], int]:
    rows, columns = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    costs = [[draw(totals) for _ in range(columns)] for _ in range(rows)]
    return costs, [draw(st.booleans()) for _ in range(rows)], columns


@given(problems())
def test_the_first_assignment_has_the_least_cost_of_all(
    problem: tuple[Matrix, list[bool], int],
) -> None:
    costs, required, argument_count = problem
    assignments = cheapest_assignments(
        costs,
        required=required,
        argument_count=argument_count,
        max_results=4,
        max_steps=100_000,
    )
    assert assignments[0].bound == min(_all_costs(costs, required, argument_count))
    assert [a.bound for a in assignments] == sorted(a.bound for a in assignments)


def _all_costs(costs: Matrix, required: list[bool], argument_count: int) -> list[int]:
    totals = []
    options = [[*range(argument_count), -3] for _ in costs]
    for choice in product(*options):
        used = [j for j in choice if j >= 0]
        if len(set(used)) < len(used):
            continue
        cells = [costs[i][j] for i, j in enumerate(choice) if j >= 0]
        if any(cell is None for cell in cells):
            continue
        supplied = sum(1 for i, j in enumerate(choice) if j < 0 and required[i])
        total = sum(cell for cell in cells if cell is not None) + missing_arguments_cost(supplied)
        total += ARGUMENT_UNUSED.cost * (argument_count - len(used))
        total += ORDER_CHANGED.cost * (used != sorted(used))
        given = [i for i, j in enumerate(choice) if j >= 0 or required[i]]
        total += OPTIONAL_SKIPPED.cost * (max(given, default=-1) + 1 - len(given))
        totals.append(total)
    return totals


def test_ties_are_ordered_by_the_query() -> None:
    costs: Matrix = [[0, 0], [0, 0]]
    orders = [
        a.sources
        for a in cheapest_assignments(costs, required=[True] * 2, argument_count=2, max_results=2)
    ]
    assert orders == list(permutations((0, 1)))
