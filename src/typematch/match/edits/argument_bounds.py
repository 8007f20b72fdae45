"""Lower bound of what it costs to pass the query's arguments to an overload's parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import constituents, union
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ANY, UNDEFINED, Array, Free, Type, Union
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    ARRAY_SPREAD,
    OPTIONAL_SUPPLIED,
    PACKED,
)
from typematch.match.edits.argument_assignment import maximum_matching, missing_arguments_cost
from typematch.match.edits.call_layout import array_for_rest, required_positions
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.instantiation_edits import bare_type_parameters, parameter_element
from typematch.match.edits.query_signature import QuerySignature
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import NO_FIT_COST

_NOT_COMPUTED = frozenset(("",))  # marks a cache miss, compared by identity


@dataclass(frozen=True, slots=True)
class BoundedLayout:
    """The parameters of an overload with placeholders for its type parameters.

    Attributes:
        parameters: those before a rest parameter.
        required: for each of them whether an argument must be passed.
        rest: the rest parameter.
        bare_costs: position -> charge for a parameter whose type is just a type parameter.
    """

    parameters: tuple[Parameter, ...]
    required: Sequence[bool]
    rest: Parameter | None
    bare_costs: dict[int, int]


def bounded_layout(
    signature: Signature,
    parameters: tuple[Parameter, ...],
    may_accept_void: Callable[[Type], bool],
) -> BoundedLayout:
    """Return the layout of ``signature`` with ``parameters``, in which placeholders stand."""
    bare_costs = {position: kind.cost for position, kind in bare_type_parameters(signature)}
    rest = parameters[-1] if parameters and parameters[-1].rest else None
    positions = parameters if rest is None else parameters[:-1]
    required = required_positions(positions, may_accept_void)
    return BoundedLayout(positions, required, rest, bare_costs)


class ArgumentBounds:
    """Cost matrices and their lower bounds for one search."""

    def __init__(self, conversion_costs: ConversionCosts, quick_reject: QuickReject) -> None:
        self._conversion_costs = conversion_costs
        self._quick_reject = quick_reject
        self._property_names: dict[Type, frozenset[str] | None] = {}

    def cost_matrix(self, layout: BoundedLayout, query: QuerySignature) -> list[list[int]]:
        """Return, for each parameter, the lower bound of each argument; ``NO_FIT_COST`` if none."""
        return [
            self._row(position, parameter, layout, query.skolemized.parameters)
            for position, parameter in enumerate(layout.parameters)
        ]

    def _row(
        self,
        position: int,
        parameter: Parameter,
        layout: BoundedLayout,
        arguments: Sequence[Parameter],
    ) -> list[int]:
        row = [self._argument_cost(argument, parameter.type) for argument in arguments]
        bare_cost = layout.bare_costs.get(position, 0)
        if bare_cost or parameter.optional:
            for j, argument in enumerate(arguments):
                if bare_cost and argument.type is not ANY and argument.type.__class__ is not Free:
                    row[j] += bare_cost
                if parameter.optional and not argument.optional:
                    row[j] += OPTIONAL_SUPPLIED.cost
        return row

    def _argument_cost(self, argument: Parameter, parameter: Type) -> int:
        """Return the bound of an argument; an optional one may be undefined, too."""
        cost = self._conversion_costs.argument_cost(argument.type, parameter)
        if cost and argument.optional:
            optional = union((argument.type, UNDEFINED))
            cost = min(cost, self._conversion_costs.argument_cost(optional, parameter))
        return cost

    def lower_bound(
        self, layout: BoundedLayout, costs: list[list[int]], query: QuerySignature
    ) -> int:
        """Return a lower bound of the assignment problem, without solving it.

        A parameter takes one argument and an argument goes to one parameter, so a maximum matching
        limits how many are paired.  The pairs cost at least as much as that many of the cheapest
        rows, and as that many of the cheapest columns.
        """
        arguments = query.skolemized.parameters
        # Per argument, a bit set of the positions that may take it; and of the required ones.
        candidates, required_candidates = [0] * len(arguments), [0] * len(arguments)
        cheapest = [NO_FIT_COST] * len(arguments)
        required_costs: list[int] = []  # of the required parameters that some argument may fill
        required_count = 0
        for i, (row, is_required) in enumerate(zip(costs, layout.required, strict=True)):
            required_bit = 1 << i if is_required else 0
            required_count += is_required
            for j, cost in enumerate(row):
                if cost < NO_FIT_COST:
                    candidates[j] |= 1 << i
                    required_candidates[j] |= required_bit
                    cheapest[j] = min(cheapest[j], cost)
            if required_bit and (row_minimum := min(row, default=NO_FIT_COST)) < NO_FIT_COST:
                supplied_cost = 0 if query.allows_more else ARGUMENT_SUPPLIED.cost
                required_costs.append(min(row_minimum, supplied_cost))
        filled_count = maximum_matching(required_candidates)
        missing_count = 0 if query.allows_more else required_count - filled_count
        if layout.rest is not None and isinstance(layout.rest.type, Array):
            element = layout.rest.type.element
            array = array_for_rest(layout.rest.type, query)
            for j, argument in enumerate(arguments):
                cost = self._conversion_costs.argument_cost(argument.type, element)
                if array is not None and cost > ARRAY_SPREAD.cost:
                    spread_cost = self._conversion_costs.argument_cost(argument.type, array)
                    cost = min(cost, ARRAY_SPREAD.cost + spread_cost)
                if cost < NO_FIT_COST:
                    candidates[j] |= 1 << (len(costs) + j)  # each has its own rest position
                    cheapest[j] = min(cheapest[j], cost)
        used_count = maximum_matching(candidates)
        unused_count = len(arguments) - used_count
        required_costs.sort()
        column_bound = sum(
            sorted(min(cost, ARGUMENT_UNUSED.cost) for cost in cheapest)[:used_count]
        )
        pairs_bound = max(column_bound, sum(required_costs[:filled_count]))
        bound = _unpaired_cost(missing_count, unused_count) + pairs_bound
        if bound <= PACKED.cost:
            return bound
        packable = self._packable_count(layout, arguments)
        if not packable:
            return bound
        unpaired = _unpaired_cost(max(0, missing_count - 1), max(0, unused_count - packable))
        packed = PACKED.cost + unpaired + sum(required_costs[: max(0, filled_count - 1)])
        return min(bound, packed)

    def _packable_count(self, layout: BoundedLayout, arguments: Sequence[Parameter]) -> int:
        """Return how many arguments may be a property of some parameter's type, at most."""
        if not any(argument.name for argument in arguments):
            return 0
        types = [parameter.type for parameter in layout.parameters]
        if layout.rest is not None:
            types.append(parameter_element(layout.rest))
        name_sets = list(map(self._names_of, types))
        return sum(
            any(names is None or argument.name in names for names in name_sets)
            for argument in arguments
        )

    def _names_of(self, t: Type) -> frozenset[str] | None:
        """Return the property names of ``t``; None if unknown."""
        names = self._property_names.get(t, _NOT_COMPUTED)
        if names is _NOT_COMPUTED:
            names = self._property_names[t] = self._compute_names(t)
        return names

    def _compute_names(self, t: Type) -> frozenset[str] | None:
        names = frozenset[str]()
        for member in constituents(t) if t.__class__ is Union else (t,):
            if member.__class__ is Free:
                continue  # a placeholder adds no known property
            head = self._quick_reject.head(member)
            member_names = None if head is None else self._quick_reject.property_names(head)
            if member_names is None:
                return None
            names |= member_names
        return names


def _unpaired_cost(missing_count: int, unused_count: int) -> int:
    return missing_arguments_cost(missing_count) + unused_count * ARGUMENT_UNUSED.cost
