"""The assignment problem: which query argument goes to which parameter.

The cost matrix holds lower bounds, because type parameters are not yet inferred when it is filled.
So the cheapest few assignments are returned, and the strict relation decides between them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    OPTIONAL_SKIPPED,
    ORDER_CHANGED,
)

LEFT_OUT = -1
SUPPLIED = -2


@dataclass(frozen=True, slots=True)
class ArgumentAssignment:
    """An assignment of query arguments to parameters.

    Attributes:
        bound: lower bound of its cost, in edit units.
        sources: for each parameter the index of its query argument; ``LEFT_OUT`` for an optional
            parameter without one, ``SUPPLIED`` for a required parameter that the query lacks.
    """

    bound: int
    sources: tuple[int, ...]

    @property
    def keeps_query_order(self) -> bool:
        """Whether the arguments are passed in the query's order."""
        return _is_increasing(self.sources)


def missing_arguments_cost(count: int) -> int:
    """Return the cost of supplying ``count`` required arguments, in edit units."""
    return sum(
        ARGUMENT_SUPPLIED.cost + ARGUMENT_SUPPLIED.step_cost * position for position in range(count)
    )


def maximum_matching(candidates: Sequence[int]) -> int:
    """Return the size of a maximum bipartite matching.

    Args:
        candidates: for each argument, a bit set of the positions that may take it.
    """
    if len(candidates) < 2:
        return sum(map(bool, candidates))
    argument_at: dict[int, int] = {}  # position bit -> argument

    def augment(argument: int, seen: set[int]) -> bool:
        """Find an augmenting path from ``argument`` over positions not in ``seen``."""
        positions = candidates[argument]
        while positions:
            position = positions & -positions
            positions ^= position
            if position not in seen:
                seen.add(position)
                if position not in argument_at or augment(argument_at[position], seen):
                    argument_at[position] = argument
                    return True
        return False

    return sum(augment(argument, set()) for argument in range(len(candidates)))


def cheapest_assignments(
    costs: Sequence[Sequence[int | None]],
    *,
    required: Sequence[bool],
    argument_count: int,
    ceiling: int | None,
    max_results: int = 4,
    max_steps: int = 2_000,
    allows_more: bool = False,
) -> list[ArgumentAssignment]:
    """Return the cheapest assignments by best-first search, ties in the query's order.

    Args:
        costs: ``costs[i][j]`` is the lower bound of query argument ``j`` for parameter ``i``, in
            edit units; None if it does not fit.
        required: for each parameter, whether an argument must be passed.
        argument_count: number of query arguments.
        ceiling: the highest bound returned; None for no limit.
        max_results: number of assignments returned, at most.
        max_steps: number of partial assignments expanded, at most; then the complete ones so far
            are returned.
        allows_more: the query allows additional parameters, so supplying one is free.
    """
    count = len(costs)
    least = _remaining_lower_bounds(costs, required, allows_more=allows_more)

    def lower_bound(sources: tuple[int, ...], spent: int, supplied: int) -> int:
        total = spent + missing_arguments_cost(supplied) + least[len(sources)]
        if len(sources) == count:
            total += ARGUMENT_UNUSED.cost * (
                argument_count - sum(1 for source in sources if source >= 0)
            )
        total += OPTIONAL_SKIPPED.cost * len(skipped_parameters(sources))
        return total if _is_increasing(sources) else total + ORDER_CHANGED.cost

    # A heap of partial assignments: (bound, sources) orders ties by the query's order.
    heap: list[tuple[int, tuple[int, ...], int, int]] = []

    def push(sources: tuple[int, ...], spent: int, supplied: int) -> None:
        total = lower_bound(sources, spent, supplied)
        if ceiling is None or total <= ceiling:
            heapq.heappush(heap, (total, sources, spent, supplied))

    push((), 0, 0)
    assignments: list[ArgumentAssignment] = []
    while heap and len(assignments) < max_results and max_steps > 0:
        max_steps -= 1
        total, sources, spent, supplied = heapq.heappop(heap)
        position = len(sources)
        if position == count:
            assignments.append(ArgumentAssignment(total, sources))
            continue
        for source, cost in _choices(costs[position], sources, required=required[position]):
            push(
                (*sources, source),
                spent + cost,
                supplied + (source == SUPPLIED and not allows_more),
            )
    return assignments


def skipped_parameters(sources: Sequence[int]) -> list[int]:
    """Return the optional parameters passed ``undefined`` because a later parameter is filled."""
    last = max(
        (position for position, source in enumerate(sources) if source != LEFT_OUT), default=-1
    )
    return [position for position in range(last) if sources[position] == LEFT_OUT]


def _choices(
    row: Sequence[int | None], sources: tuple[int, ...], *, required: bool
) -> list[tuple[int, int]]:
    """Return (source, cost) for each argument that fits a parameter, and for none."""
    choices = [
        (argument, cost)
        for argument, cost in enumerate(row)
        if cost is not None and argument not in sources
    ]
    choices.append((SUPPLIED if required else LEFT_OUT, 0))
    return choices


def _remaining_lower_bounds(
    costs: Sequence[Sequence[int | None]], required: Sequence[bool], *, allows_more: bool
) -> list[int]:
    """Return, for each parameter, a lower bound of what it and all later ones add."""
    remaining = [0]
    for row, is_required in zip(reversed(costs), reversed(required), strict=True):
        row_costs = [cost for cost in row if cost is not None]
        # A further supplied argument costs no less than the first.
        row_costs.append(ARGUMENT_SUPPLIED.cost if is_required and not allows_more else 0)
        remaining.append(remaining[-1] + min(row_costs))
    return remaining[::-1]


def _is_increasing(sources: Sequence[int]) -> bool:
    used = [source for source in sources if source >= 0]
    return all(a < b for a, b in pairwise(used))
