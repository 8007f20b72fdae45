"""The assignment problem: which query argument goes to which parameter.

The cost matrix holds lower bounds, because type parameters are not yet inferred when it is filled.
So the cheapest few assignments are returned, and the strict relation decides between them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

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
    max_results: int,
    max_steps: int = 2_000,
    allows_more: bool = False,
) -> list[ArgumentAssignment]:
    """Return the cheapest assignments by best-first search, ties in the query's order.

    Args:
        costs: ``costs[i][j]`` is the lower bound of query argument ``j`` for parameter ``i``, in
            edit units; None if it does not fit.
        required: for each parameter, whether an argument must be passed.
        argument_count: number of query arguments.
        max_results: number of assignments returned, at most.
        max_steps: number of partial assignments expanded, at most; then the complete ones so far
            are returned.
        allows_more: the query allows additional parameters, so supplying one is free.
    """
    count = len(costs)
    least = _remaining_lower_bounds(costs, required, allows_more=allows_more)
    missing_costs = [missing_arguments_cost(missing) for missing in range(count + 1)]
    # A heap of partial assignments: (bound, sources) orders ties by the query's order.
    heap = [_Partial(least[0] + (0 if count else ARGUMENT_UNUSED.cost * argument_count), ())]
    assignments: list[ArgumentAssignment] = []
    while heap and len(assignments) < max_results and max_steps > 0:
        max_steps -= 1
        partial = heapq.heappop(heap)
        position = len(partial.sources)
        if position == count:
            assignments.append(ArgumentAssignment(partial.bound, partial.sources))
            continue
        is_last = position + 1 == count
        for source, cost in _choices(costs[position], partial.used, required=required[position]):
            spent = partial.spent + cost
            supplied = partial.supplied + (source == SUPPLIED and not allows_more)
            left_out, skipped = partial.left_out, partial.left_out
            used, last_used, in_order = partial.used, partial.last_used, partial.in_order
            if source >= 0:
                in_order = in_order and source > last_used
                used, last_used = used | 1 << source, source
            elif source == LEFT_OUT:
                left_out, skipped = left_out + 1, partial.skipped
            bound = spent + missing_costs[supplied] + least[position + 1]
            bound += OPTIONAL_SKIPPED.cost * skipped
            if is_last:
                bound += ARGUMENT_UNUSED.cost * (argument_count - used.bit_count())
            if not in_order:
                bound += ORDER_CHANGED.cost
            extended = (*partial.sources, source)
            heapq.heappush(
                heap,
                _Partial(
                    bound, extended, spent, supplied, used, last_used, in_order, left_out, skipped
                ),
            )
    return assignments


class _Partial(NamedTuple):
    """An assignment of the first parameters, with sums over its ``sources``.

    Attributes:
        bound: lower bound of the cost of every assignment that begins so.
        spent: costs of the arguments.
        supplied: number of required parameters without an argument.
        used: bit set of the arguments.
        last_used: the last argument.
        in_order: the arguments are in the query's order.
        left_out: number of optional parameters without an argument.
        skipped: number of those that are before a filled parameter.
    """

    bound: int
    sources: tuple[int, ...]
    spent: int = 0
    supplied: int = 0
    used: int = 0
    last_used: int = -1
    in_order: bool = True
    left_out: int = 0
    skipped: int = 0


def skipped_parameters(sources: Sequence[int]) -> list[int]:
    """Return the optional parameters passed ``undefined`` because a later parameter is filled."""
    last = max(
        (position for position, source in enumerate(sources) if source != LEFT_OUT), default=-1
    )
    return [position for position in range(last) if sources[position] == LEFT_OUT]


def _choices(row: Sequence[int | None], used: int, *, required: bool) -> list[tuple[int, int]]:
    """Return (source, cost) for each unused argument that fits a parameter, and for none."""
    choices = [
        (argument, cost)
        for argument, cost in enumerate(row)
        if cost is not None and not used >> argument & 1
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
