"""Lower bounds of a generic result: what its type parameters can be, given the arguments."""

from __future__ import annotations

from typematch.ir.constructors import bound_indices, constituents
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, VOID, Type, Var
from typematch.match.edits.argument_bounds import BoundedLayout
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.prefilter.deferred_types import UNBOUNDED, is_placeholder
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import NO_FIT_COST
from typematch.program.reduction.instantiate import instantiate


class ResultBounds:
    """Result bounds for one search; ``costs`` are the matrix of ``ArgumentBounds``."""

    def __init__(
        self, conversion_costs: ConversionCosts, quick_reject: QuickReject, head_cache: HeadCache
    ) -> None:
        self._conversion_costs = conversion_costs
        self._quick_reject = quick_reject
        self._head_cache = head_cache

    def uninferred_result_cost(
        self,
        instantiated: Signature,
        layout: BoundedLayout,
        costs: list[list[int]],
        query: QuerySignature,
    ) -> int:
        """Return the lower bound of a result that is a constrained type parameter.

        If no argument determines it, it is the expected type, or the members of that union which
        satisfy the constraint (getInferredType), and otherwise the constraint or the default.
        """
        expected = query.skolemized.returns
        if expected is VOID or expected is ANY:
            return 0
        least = NO_FIT_COST
        members = constituents(self._quick_reject.head(expected) or expected)
        variables = [instantiated.returns]
        for variable in variables:  # grows: a default may be another type parameter
            bounds = self._head_cache.placeholders.bounds(variable)
            if (
                bounds is None
                or any(self._quick_reject.may_be_assignable(t, bounds[0]) for t in members)
                or self._is_inferable(variable, layout, costs, query)
            ):
                return 0
            for bound in bounds:
                if not is_placeholder(bound):
                    least = min(least, self._conversion_costs.result_cost(bound, expected))
                elif bound not in variables:
                    variables.append(bound)
        return least

    def _is_inferable(
        self, variable: Type, layout: BoundedLayout, costs: list[list[int]], query: QuerySignature
    ) -> bool:
        """Whether some argument may determine the type parameter."""
        if layout.rest is not None and variable in layout.rest.type.free:
            return True
        arguments = query.skolemized.parameters
        for row, parameter in zip(costs, layout.parameters, strict=True):
            if variable not in parameter.type.free:
                continue
            members = constituents(self._quick_reject.head(parameter.type) or parameter.type)
            # A string passed to `T | string` determines nothing about T.
            is_bare = variable in members and sum(variable in m.free for m in members) == 1
            for cost, argument in zip(row, arguments, strict=True):
                if cost >= NO_FIT_COST:
                    continue
                if not is_bare or self._fits(argument.type, variable):
                    return True
        return False

    def _fits(self, argument: Type, variable: Type) -> bool:
        return self._conversion_costs.conversion_cost(argument, variable) < NO_FIT_COST

    def propagate_to_result(
        self,
        candidate: Signature,
        costs: list[list[int]],
        query: QuerySignature,
        result: int,
    ) -> bool:
        """Add to ``costs`` what the result costs if an argument determines its type parameter.

        In ``<T>(x: T) => T[]`` with the expected result ``string[]``, an argument that is no
        string must not be passed to ``x``.

        Args:
            result: the bound of the result so far, which is not charged again.

        Returns:
            whether any cost rose.
        """
        if not candidate.returns.loose_depth:
            return False
        expected = result_type(query.skolemized)
        if expected is ANY or expected is VOID:
            return False
        result_indices = bound_indices(candidate.returns)
        # With the constraints, whatever the query mentions.
        bounded_parameters = self._head_cache.placeholders.substitute(
            candidate, query.generic
        ).parameters
        bare_parameters = [
            (row, parameter.type, bounded.type)
            for row, parameter, bounded in zip(
                costs, candidate.parameters, bounded_parameters, strict=False
            )
            if isinstance(parameter.type, Var)
            and parameter.type.index in result_indices
            and not parameter.rest
            # What two arguments determine may be the type of neither.
            and _occurrences(candidate, parameter.type) == 1
        ]
        has_changed = False
        # One conversion of the result may suit all its type parameters: one position is charged.
        is_charged = False
        for row, variable, placeholder in bare_parameters:
            costs_of_result = [
                # An argument outside the constraint does not determine the type parameter.
                self._result_cost_for(candidate, variable, argument.type, expected)
                if self._conversion_costs.conversion_cost(argument.type, placeholder) == 0
                else 0
                for argument in query.skolemized.parameters
            ]
            for j, cost in enumerate(costs_of_result):
                if cost >= NO_FIT_COST:
                    row[j] = NO_FIT_COST
                elif cost > result and not is_charged:
                    row[j] += cost - result
                else:
                    continue
                has_changed = True
            is_charged |= any(result < cost < NO_FIT_COST for cost in costs_of_result)
        return has_changed

    def _result_cost_for(
        self, candidate: Signature, variable: Var, argument: Type, expected: Type
    ) -> int:
        """Return the cost of converting the result with ``argument`` for one type parameter."""
        type_arguments: list[Type] = [UNBOUNDED] * len(candidate.type_parameters)
        type_arguments[variable.index] = argument
        actual = instantiate(candidate.returns, type_arguments)
        return self._conversion_costs.conversion_cost(actual, expected)


def _occurrences(signature: Signature, variable: Var) -> int:
    """Count the parameters that mention a type parameter."""
    return sum(variable.index in bound_indices(p.type) for p in signature.parameters)
