"""The cost matrix of one overload: each query argument against each parameter."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from typematch.ir.type_parts import Parameter
from typematch.match.edits.argument_assignment import ArgumentAssignment, cheapest_assignments
from typematch.match.edits.argument_conversion import ArgumentConverter
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.conversions import Conversion
from typematch.match.verdict import NO_FIT_COST

# Assignments that are tried; all orders of three where the cost of a position is unknown.
_MAX_ASSIGNMENTS = 4
_MAX_COMPUTED = 6


class PairCosts:
    """A cost matrix that starts as lower bounds and is refined pair by pair.

    Args:
        arguments: the query's arguments, one column each.
        parameters: the overload's parameters with ``any`` for its type parameters, one row each.
        bounded: the same parameters with placeholders for its type parameters.
        required: for each parameter, whether an argument must be passed.
        allows_more: the query allows additional parameters, so supplying one is free.
        computed: positions whose type shows only once its type parameters are inferred.
        conversion_costs: lower bounds of pairs, without the strict relation.
        converter: converts by the strict relation, type parameters being ``any``.
    """

    def __init__(
        self,
        arguments: Sequence[Parameter],
        parameters: Sequence[Parameter],
        bounded: Sequence[Parameter],
        *,
        required: Sequence[bool],
        allows_more: bool,
        computed: Collection[int],
        conversion_costs: ConversionCosts,
        converter: ArgumentConverter,
    ) -> None:
        self._arguments = arguments
        self._parameters = parameters
        self._required = required
        self._allows_more = allows_more
        self._computed = computed
        self._conversion_costs = conversion_costs
        self._converter = converter
        rows = bounded if len(bounded) == len(parameters) else parameters
        self._costs = [[self._bound(argument, row) for argument in arguments] for row in rows]
        self._refined: set[tuple[int, int]] = set()

    def assignments(self, known: int = 0) -> list[ArgumentAssignment]:
        """Return the cheapest assignments by the current matrix, cheapest first.

        Args:
            known: how many of them were returned before and compared; there are as many more.
        """
        return cheapest_assignments(
            self._costs,
            required=self._required,
            argument_count=len(self._arguments),
            max_results=known + (_MAX_COMPUTED if self._computed else _MAX_ASSIGNMENTS),
            allows_more=self._allows_more,
        )

    def refine(self, assignment: ArgumentAssignment) -> bool:
        """Compute the costs of the assignment's pairs; return whether one of them rose."""
        changed = False
        for pair in enumerate(assignment.sources):
            position, source = pair
            # The types of computed positions with ``any`` say nothing of the inferred ones.
            if source < 0 or position in self._computed or pair in self._refined:
                continue
            self._refined.add(pair)
            cost = self._cost(self._arguments[source], self._parameters[position])
            if cost is None or cost > (self._costs[position][source] or 0):
                self._costs[position][source] = cost
                changed = True
        return changed

    def _bound(self, argument: Parameter, parameter: Parameter) -> int | None:
        """Return the lower bound of a pair, in edit units; None for a misfit."""
        if argument.rest != parameter.rest:
            return None
        cost = self._conversion_costs.conversion_cost(argument.type, parameter.type)
        return None if cost >= NO_FIT_COST else cost

    def _cost(self, argument: Parameter, parameter: Parameter) -> int | None:
        """Return the cost of a pair, in edit units; None for a misfit."""
        conversion = self._converter.convert_erased(argument, parameter)
        return conversion.cost if isinstance(conversion, Conversion) else None
