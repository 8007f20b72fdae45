"""Lower bounds of assigning a query's arguments to positions, for many functions at once.

A dynamic program over the sets of filled positions.  Besides the pairs of arguments and positions
it charges another order, optional parameters that are skipped, and required ones without argument,
as ``match.edits.argument_assignment`` does for one function.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from typematch.index.masks.signature_columns import POSITIONS
from typematch.match.edit_kinds import OPTIONAL_SKIPPED, ORDER_CHANGED
from typematch.match.edits.argument_assignment import missing_arguments_cost

Bounds = NDArray[np.int64]

# A set of positions is a bit set; this bit stands for all positions after the first ``POSITIONS``.
_LATER = 1 << POSITIONS
_BIT_COUNTS = np.array([positions.bit_count() for positions in range(_LATER)])
_SUPPLIED_COSTS = np.array([missing_arguments_cost(count) for count in range(POSITIONS + 1)])


def assignment_bounds(
    costs: Sequence[Sequence[Bounds]], required: Bounds, skippable: Bounds, missing: Bounds
) -> Bounds:
    """Return by function the cost of the cheapest assignment of all arguments, in edit units.

    Args:
        costs: for each argument the bounds of passing it to each of the first ``POSITIONS``
            positions, then the bound of passing it to any later one.
        required: by function, bit set of the positions that need an argument.
        skippable: by function, bit set of the optional positions before a rest parameter.
        missing: by function, how many required positions get no argument, at least; up to
            ``POSITIONS``.
    """
    # By filled positions, and whether the arguments are in the query's order.
    spent = {(0, True): np.zeros(len(required), dtype=np.int64)}
    for argument_costs in costs:
        extended: dict[tuple[int, bool], Bounds] = {}
        for (filled, in_order), cost in spent.items():
            for position, pair_costs in enumerate(argument_costs):
                bit = 1 << position
                if filled & bit and bit != _LATER:
                    continue
                ascending = bit.bit_length() >= filled.bit_length()
                key = filled | bit, in_order and ascending
                total = cost + pair_costs
                known = extended.get(key)
                extended[key] = total if known is None else np.minimum(known, total, out=known)
        spent = extended
    bounds: Bounds = np.minimum.reduce(
        [
            cost
            + _SUPPLIED_COSTS[np.maximum(_BIT_COUNTS[required & ~filled], missing)]
            + OPTIONAL_SKIPPED.cost * _skipped_counts(filled, skippable)
            + (0 if in_order else ORDER_CHANGED.cost)
            for (filled, in_order), cost in spent.items()
        ]
    )
    return bounds


def _skipped_counts(filled: int, skippable: Bounds) -> Bounds:
    """Return how many skippable positions are empty before the last filled one."""
    before_last = (1 << filled.bit_length() - 1) - 1 if filled else 0
    counts: Bounds = _BIT_COUNTS[skippable & before_last & ~filled]
    return counts
