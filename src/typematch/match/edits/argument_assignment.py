"""Decide which query argument goes to which parameter: the cheapest few ways, cheapest first.

This is an assignment problem.  The matrix holds a lower bound for each pair, because type variables
are still open when it is filled; so the best few arrangements come out, and the full relation
decides between them.
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
    """One way to call: ``sources[i]`` is the query argument for parameter ``i``.

    ``LEFT_OUT`` stands for an optional parameter without one, ``SUPPLIED`` for a required
    parameter that the query does not mention.  ``bound`` is the least that it can cost, in edit
    units.
    """

    bound: int
    sources: tuple[int, ...]

    @property
    def ordered(self) -> bool:
        """Whether the arguments keep the query's order."""
        return _ordered(self.sources)


def price_of_supplied(count: int) -> int:
    """Return what ``count`` required arguments cost that the query does not have, in edit units."""
    return sum(ARGUMENT_SUPPLIED.price + ARGUMENT_SUPPLIED.step * k for k in range(count))


def most_pairs(taking: Sequence[int]) -> int:
    """Return how many arguments can have a place each; ``taking`` has their places as bits."""
    if len(taking) < 2:
        return sum(map(bool, taking))
    holders: dict[int, int] = {}  # place -> who has it

    def seat(one: int, seen: set[int]) -> bool:
        """Find a place for one more, others moving to places that nobody looked at yet."""
        places = taking[one]
        while places:
            place = places & -places
            places ^= place
            if place not in seen:
                seen.add(place)
                if place not in holders or seat(holders[place], seen):
                    holders[place] = one
                    return True
        return False

    return sum(seat(one, set()) for one in range(len(taking)))


def arrangements(
    matrix: Sequence[Sequence[int | None]],
    *,
    required: Sequence[bool],
    asked: int,
    ceiling: int | None,
    limit: int = 4,
    steps: int = 2_000,
    further: bool = False,
) -> list[ArgumentAssignment]:
    """Return the cheapest arrangements of ``asked`` arguments, cheapest first, ties in query order.

    Args:
        matrix: ``matrix[i][j]`` is the least price of query argument ``j`` for parameter ``i``,
            in edit units; None where it cannot go there.
        required: for each parameter, whether it must be given.
        asked: how many arguments the query has.
        ceiling: nothing dearer is returned; None for no bound.
        limit: how many at the most.
        steps: how many partial arrangements may be looked at; past them the best so far are it.
        further: the query allows any further parameters, so that supplying one is free.
    """
    count = len(matrix)
    least = _least_remaining(matrix, required, further=further)

    def bound(sources: tuple[int, ...], spent: int, supplied: int) -> int:
        total = spent + price_of_supplied(supplied) + least[len(sources)]
        if len(sources) == count:
            total += ARGUMENT_UNUSED.price * (asked - sum(1 for j in sources if j >= 0))
        total += OPTIONAL_SKIPPED.price * len(skipped(sources))
        return total if _ordered(sources) else total + ORDER_CHANGED.price

    # Best first over partial arrangements: (bound, sources) orders ties by the query's own order.
    heap: list[tuple[int, tuple[int, ...], int, int]] = []

    def offer(sources: tuple[int, ...], spent: int, supplied: int) -> None:
        total = bound(sources, spent, supplied)
        if ceiling is None or total <= ceiling:
            heapq.heappush(heap, (total, sources, spent, supplied))

    offer((), 0, 0)
    found: list[ArgumentAssignment] = []
    while heap and len(found) < limit and steps > 0:
        steps -= 1
        total, sources, spent, supplied = heapq.heappop(heap)
        place = len(sources)
        if place == count:
            found.append(ArgumentAssignment(total, sources))
            continue
        for source, price in _choices(matrix[place], sources, required=required[place]):
            offer(
                (*sources, source), spent + price, supplied + (source == SUPPLIED and not further)
            )
    return found


def skipped(sources: Sequence[int]) -> list[int]:
    """Return the optional parameters that get ``undefined``, as one behind them is given."""
    last = max((i for i, source in enumerate(sources) if source != LEFT_OUT), default=-1)
    return [i for i in range(last) if sources[i] == LEFT_OUT]


def _choices(
    row: Sequence[int | None], sources: tuple[int, ...], *, required: bool
) -> list[tuple[int, int]]:
    """Return (source, price) for each way to fill one parameter."""
    choices = [(j, price) for j, price in enumerate(row) if price is not None and j not in sources]
    choices.append((SUPPLIED if required else LEFT_OUT, 0))
    return choices


def _least_remaining(
    matrix: Sequence[Sequence[int | None]], required: Sequence[bool], *, further: bool
) -> list[int]:
    """Return, for each parameter, the least that it and those behind it can add."""
    least = [0]
    for row, must in zip(reversed(matrix), reversed(required), strict=True):
        prices = [price for price in row if price is not None]
        # Each supplied argument costs at least as much as the first one does.
        prices.append(ARGUMENT_SUPPLIED.price if must and not further else 0)
        least.append(least[-1] + min(prices))
    return least[::-1]


def _ordered(sources: Sequence[int]) -> bool:
    used = [source for source in sources if source >= 0]
    return all(a < b for a, b in pairwise(used))
