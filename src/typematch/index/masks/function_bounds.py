"""Lower bounds of the costs of all function types of a file, from their arrays.

For each query argument the bound of every distinct parameter type is computed once, by masks; then
a function's bound is that of its result, of its arguments in whichever positions are cheapest, and
of required positions that no argument fills.  It is never above the cost of a fit
(``match.edits``), and takes a few milliseconds for a hundred thousand functions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from typematch.index.masks.assignment_bounds import Bounds, assignment_bounds
from typematch.index.masks.bits import ALL_ABSENT, NO_VOID
from typematch.index.masks.function_arrays import UNBOUNDED_ARITY, Flags, FunctionColumns, Numbers
from typematch.index.masks.placeholders import OPEN
from typematch.index.masks.query_masks import QueryArgument, QueryMasks, QueryMaskSet
from typematch.index.masks.signature_columns import (
    CHARGE_BITS,
    CONSTRAINABLE,
    GENERIC,
    OPTIONAL_POSITION,
    POSITIONS,
    RESULT_MAY_BE_ANY,
    Charge,
)
from typematch.ir.types import ANY, NEVER, UNANNOTATED, UNKNOWN, VOID, WILDCARD, Free, Type
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    CONSTRAINED,
    HIGHEST_COST,
    NARROWER_RESULT,
    OPTIONAL_SUPPLIED,
    PACKED,
    READONLY_COPIED,
    SPECIALISED,
)
from typematch.match.verdict import NO_FIT_COST

_CHEAPEST_CONVERSION = READONLY_COPIED.cost
_CODE = (1 << CHARGE_BITS) - 1
_FREE_OF_CHARGE = frozenset((ANY, WILDCARD, UNANNOTATED))
_MAX_MATCHED_ARGUMENTS = 12  # with more, the arguments are not compared


def function_bounds(
    functions: FunctionColumns, query: QueryMaskSet, *, mismatch: int | None = None
) -> Bounds:
    """Return the lower bound of each function's cost, in edit units, by row of ``functions``.

    Args:
        query: masks of the query's function type.
        mismatch: the cost of a pair of types that no conversion relates; None if it does not fit.
    """
    computation = _Bounds(functions, NO_FIT_COST if mismatch is None else mismatch)
    bounds = computation.bounds(query.skolemized)
    if query.opened is not query.skolemized:
        specialised = computation.bounds(query.opened, SPECIALISED.cost)
        closed = (functions.bounded & GENERIC) == 0
        with_all = _with_specialised_arguments(specialised, query.variable_arguments)
        bounds = np.minimum(bounds, np.where(closed, with_all, specialised))
    if query.constrained is not None:
        constrained = computation.bounds(query.constrained, CONSTRAINED.cost)
        may_constrain = (functions.bounded & CONSTRAINABLE) != 0
        bounds = np.where(may_constrain, np.minimum(bounds, constrained), bounds)
    return np.minimum(bounds, NO_FIT_COST)


def _with_specialised_arguments(bounds: Bounds, count: int) -> Bounds:
    """Raise bounds of functions without type parameters, of which one variable is specialised.

    So is each of the ``count`` variables that are the type of an argument, unless arguments are
    packed into an options object.
    """
    packed = PACKED.cost + SPECIALISED.cost
    raised = bounds + SPECIALISED.cost * max(0, count - 1)
    result: Bounds = np.minimum(raised, np.maximum(bounds, packed))
    return result


def may_be_assignable(
    functions: FunctionColumns, query: QueryMasks, *, erased: bool = False
) -> Flags:
    """Return whether each function may be assignable to the query, as the compiler decides.

    Args:
        erased: the function is one of several overloads, which are compared with ``any`` for all
            type parameters (signaturesRelatedTo).
    """
    erased = erased or query.mentions_any_or_never
    passing: Flags = functions.sources.assignable_to(query.result)[functions.result]
    if query.guard:
        passing = passing & functions.guards
    if erased:
        any_result = (functions.bounded & RESULT_MAY_BE_ANY) != 0
        passing = passing | (any_result & functions.guards if query.guard else any_result)
    return passing & _may_accept_arguments(functions, query, erased=erased)


def _may_accept_arguments(functions: FunctionColumns, query: QueryMasks, *, erased: bool) -> Flags:
    passing = np.ones(len(functions), dtype=np.bool_)
    if query.rest is None:
        passing = functions.min_arity <= len(query.arguments)
    for position in range(POSITIONS):
        argument = query.argument_at(position)
        if argument is not None:
            fits = functions.targets.accepting(argument)[functions.positions[position]]
            passing = passing & (fits | _is_bounded(functions, position) if erased else fits)
    return passing


def _is_bounded(functions: FunctionColumns, position: int) -> Flags:
    flags: Flags = (functions.bounded & 1 << position) != 0
    return flags


class _Bounds:
    """The computation for one query; what its interpretations share is computed once.

    Args:
        mismatch: the bound of a pair of types that no conversion relates.
    """

    def __init__(self, functions: FunctionColumns, mismatch: int) -> None:
        self._functions = functions
        self._mismatch = mismatch
        self._result_codes = functions.charges & _CODE
        self._position_codes = [
            functions.charges >> CHARGE_BITS * (position + 1) & _CODE
            for position in range(POSITIONS)
        ]
        # The position of the rest parameter.
        self._first_rest = np.where(
            functions.max_arity == UNBOUNDED_ARITY, functions.parameter_counts - 1, UNBOUNDED_ARITY
        )
        self._arguments: dict[tuple[QueryArgument, bool], list[Bounds]] = {}

    def bounds(self, query: QueryMasks, cost: int = 0) -> Bounds:
        """Return the bounds for one interpretation of the query's variables, which costs ``cost``.

        Those of possible hits are computed by assigning the arguments.
        """
        result = self._result_bounds(query) + cost
        if query.rest is not None and not query.allows_more:
            return result + self._rest_bounds(query)
        if len(query.arguments) > _MAX_MATCHED_ARGUMENTS:
            return result
        bounds = result + self._argument_bounds(query)
        if not query.allows_more and len(query.arguments) <= POSITIONS:
            rows = np.flatnonzero(bounds <= HIGHEST_COST)
            bounds[rows] = result[rows] + self._assignment_bounds(query, rows)
        return bounds

    def _result_bounds(self, query: QueryMasks) -> Bounds:
        functions = self._functions
        of_any = _result_charge(Charge.ANY_TYPE, query.returns)
        costs = functions.sources.costs_to(query.result, self._mismatch, of_any)
        bounds = costs[functions.result]
        if query.returns is VOID:
            # A result that is never void is more specific.  One that may be anything has the bits
            # of all kinds.
            absent = functions.sources.strict[:, 0] & ALL_ABSENT
            never_void = ((absent & NO_VOID) != 0) & (absent != ALL_ABSENT)
            bounds = np.where(never_void[functions.result], NARROWER_RESULT.cost, bounds)
        elif query.mentions_any_or_never:
            bounds = np.where(functions.bounded & RESULT_MAY_BE_ANY, 0, bounds)
        charges = _by_code(lambda charge, _: _result_charge(charge, query.returns))
        bounds = bounds + charges[self._result_codes]
        if query.guard:
            bounds = np.where(functions.guards, bounds, NO_FIT_COST)
        return bounds

    def _rest_bounds(self, query: QueryMasks) -> Bounds:
        """Return the bounds of arguments of which some are for a rest parameter."""
        functions = self._functions
        passing = _may_accept_arguments(functions, query, erased=query.mentions_any_or_never)
        has_rest = functions.max_arity == UNBOUNDED_ARITY
        soft = np.where(has_rest, _CHEAPEST_CONVERSION, ARGUMENT_UNUSED.cost)
        bounds: Bounds = np.where(passing, 0, soft)
        return bounds

    def _argument_bounds(self, query: QueryMasks) -> Bounds:
        functions = self._functions
        zeros = np.zeros(len(functions), dtype=np.int64)
        cheapest_arguments = [zeros + NO_FIT_COST for _ in range(POSITIONS)]  # per position
        used = zeros.copy()
        for argument in query.arguments:
            cheapest = np.where(functions.parameter_counts > POSITIONS, 0, ARGUMENT_UNUSED.cost)
            costs_by_position = self._argument_costs(argument, any_=query.mentions_any_or_never)
            for position, costs in enumerate(costs_by_position):
                np.minimum(cheapest, costs, out=cheapest)
                np.minimum(cheapest_arguments[position], costs, out=cheapest_arguments[position])
            used += cheapest
        if query.allows_more:
            return np.minimum(used, PACKED.cost)
        filled, unfilled = zeros.copy(), zeros.copy()
        for position, costs in enumerate(cheapest_arguments):
            required = functions.min_arity > position
            filled += np.where(required, np.minimum(costs, ARGUMENT_SUPPLIED.cost), 0)
            unfilled += required & (costs >= NO_FIT_COST)
        missing = np.maximum(unfilled, functions.min_arity - len(query.arguments))
        supplied = ARGUMENT_SUPPLIED.cost * missing + (
            ARGUMENT_SUPPLIED.step_cost * missing * (missing - 1) // 2
        )
        bounds: Bounds = np.minimum(np.maximum(used + supplied, filled), PACKED.cost)
        return bounds

    def _assignment_bounds(self, query: QueryMasks, rows: Numbers) -> Bounds:
        """Return the bounds of the arguments of the functions in ``rows``."""
        functions = self._functions
        min_arity = functions.min_arity[rows]
        first_rest = self._first_rest[rows]
        required, skippable = np.zeros_like(rows), np.zeros_like(rows)
        for position in range(POSITIONS):
            is_required = min_arity > position
            required |= is_required << position
            skippable |= (~is_required & (first_rest > position)) << position
        has_later = functions.parameter_counts[rows] > POSITIONS
        has_rest = first_rest < POSITIONS
        costs = []
        for argument in query.arguments:
            by_position = [
                position_costs[rows]
                for position_costs in self._argument_costs(
                    argument, any_=query.mentions_any_or_never
                )
            ]
            # The last position also stands for the further ones of its rest parameter.
            later = np.where(has_later, 0, np.where(has_rest, by_position[-1], NO_FIT_COST))
            costs.append([*by_position, later])
        missing = np.clip(min_arity - len(query.arguments), 0, POSITIONS)
        bounds = assignment_bounds(costs, required, skippable, missing)
        return np.minimum(bounds, PACKED.cost)

    def _argument_costs(self, argument: QueryArgument, *, any_: bool) -> list[Bounds]:
        """Return, for each position, the bound of passing the argument there.

        Args:
            any_: type parameters may be instantiated outside their constraints.
        """
        known = self._arguments.get((argument, any_))
        if known is not None:
            return known
        functions = self._functions
        by_type = functions.targets.costs_from(argument.masks, self._mismatch)
        charges = _by_code(lambda charge, optional: _argument_charge(charge, optional, argument))
        costs_by_position = []
        for position in range(POSITIONS):
            costs = by_type[functions.positions[position]]
            if any_:
                costs = np.where(functions.bounded & 1 << position, 0, costs)
            costs = costs + charges[self._position_codes[position]]
            if argument.spread_cost is not None:
                is_rest = position >= self._first_rest
                costs = np.where(is_rest, np.minimum(costs, argument.spread_cost), costs)
            costs_by_position.append(np.where(functions.max_arity > position, costs, NO_FIT_COST))
        self._arguments[argument, any_] = costs_by_position
        return costs_by_position


def _by_code(cost: Callable[[Charge, bool], int]) -> Bounds:
    """Return the costs of all bit patterns of a charge and whether it is of an optional parameter.

    Args:
        cost: takes both.
    """
    costs = np.zeros(1 << CHARGE_BITS, dtype=np.int64)
    for charge in Charge:
        costs[charge] = cost(charge, False)
        costs[charge | OPTIONAL_POSITION] = cost(charge, True)
    return costs


def _argument_charge(charge: Charge, optional: bool, argument: QueryArgument) -> int:
    """Return what a position with this charge adds to the cost of an argument."""
    cost = OPTIONAL_SUPPLIED.cost if optional and not argument.optional else 0
    match argument.type:
        case t if t in _FREE_OF_CHARGE or t is OPEN:
            return cost
        case Free():
            is_charged = charge in (Charge.ANY_TYPE, Charge.UNANNOTATED)
        case t:
            is_charged = t is not UNKNOWN or charge is not Charge.ANY_TYPE
    return cost + charge.cost if is_charged else cost


def _result_charge(charge: Charge, expected: Type) -> int:
    """Return what a result with this charge adds."""
    if expected in _FREE_OF_CHARGE or expected is OPEN or expected is NEVER:
        return 0
    return charge.cost
