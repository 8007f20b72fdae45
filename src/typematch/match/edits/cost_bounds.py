"""Lower bounds of the cost of a candidate, computed before anything is inferred.

Each position of the candidate's signature is considered by itself, with placeholders for its type
parameters that take whatever value is cheapest.  So a bound never exceeds the cost of the fit.
Search matches candidates in the order of their bounds and stops when no further one can reach the
page.
"""

from __future__ import annotations

from dataclasses import replace

from typematch.ir.constructors import bound_indices
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, Object
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    CONSTRAINED,
    CONTAINER_INSTANTIATED,
    PACKED,
    SPECIALISED,
    UNINFERRED,
)
from typematch.match.edits.argument_bounds import ArgumentBounds, bounded_layout
from typematch.match.edits.call_layout import (
    has_non_array_rest,
    is_compared_whole,
    predicates_agree,
    requires_this,
    whole_signature_charges,
)
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.instantiation_edits import (
    has_closed_parameters,
    has_constraints,
    may_become_any,
)
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.edits.result_bounds import ResultBounds
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import NO_FIT_COST
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer


class CostLowerBounds:
    """Lower bounds for the queries of one search, in edit units, memoized by pair of signatures.

    Args:
        reducer: the reducer that knows the query's variables.
    """

    def __init__(
        self,
        conversion_costs: ConversionCosts,
        quick_reject: QuickReject,
        head_cache: HeadCache,
        reducer: Reducer,
    ) -> None:
        self._conversion_costs = conversion_costs
        self._quick_reject = quick_reject
        self._head_cache = head_cache
        self._reducer = reducer
        self._arguments = ArgumentBounds(conversion_costs, quick_reject)
        self._results = ResultBounds(conversion_costs, quick_reject, head_cache)
        self._signature_bounds: dict[tuple[Signature, Signature, bool, bool], int] = {}
        self._erased_queries: dict[QuerySignature, QuerySignature] = {}
        self._constrained_queries: dict[QuerySignature, QuerySignature] = {}

    def lower_bound(
        self,
        function: Object,
        query: QuerySignature,
        outer_count: int = 0,
        at_most: int | None = None,
    ) -> int | None:
        """Return the lowest bound over the overloads of ``function``; None if none can fit.

        Args:
            outer_count: how many leading type parameters belong to the enclosing class.
            at_most: the highest bound of interest, in edit units; None for no limit.  A bound
                above it may be lower than the one without this limit.
        """
        limit = NO_FIT_COST if at_most is None else at_most
        bounds = (
            self.signature_bound(signature, query, at_most)
            + _class_instantiation_cost(signature, query, outer_count)
            for signature in function.calls
        )
        bound = min(bounds, default=NO_FIT_COST)
        if query.variables:
            rewritings = (
                (CONSTRAINED.cost, self.constrained_bound),
                (SPECIALISED.cost, self.specialised_bound),
            )
            for cost, bound_of in rewritings:
                if bound > cost > limit:
                    return cost
                if bound > cost:
                    bound = min(bound, *(bound_of(call, query) for call in function.calls))
        return None if bound >= NO_FIT_COST else bound

    def constrained_bound(self, signature: Signature, query: QuerySignature) -> int:
        """Return the bound with the candidate's constraints added to the query's variables.

        ``NO_FIT_COST`` or more if no variable can get one.
        """
        if not has_constraints(signature):
            return NO_FIT_COST
        constrained = self._constrained_queries.get(query)
        if constrained is None:
            # ``any`` stands for whatever constraint the candidate has.
            constraints = [ANY] * len(query.variables)
            constrained = query.with_constraints(constraints, self._reducer)
            self._constrained_queries[query] = constrained
        return self.signature_bound(signature, constrained) + CONSTRAINED.cost

    def specialised_bound(self, signature: Signature, query: QuerySignature) -> int:
        """Return the bound with types of the candidate for the query's variables.

        Each variable that is the type of an argument gets one, unless a parameter has a type
        parameter in it, or none at all, or arguments are packed into an options object.
        ``NO_FIT_COST`` or more if it cannot fit.
        """
        bound = self.signature_bound(signature, self.erased_query(query)) + SPECIALISED.cost
        further = SPECIALISED.cost * (query.variable_arguments - 1)
        packed = PACKED.cost + SPECIALISED.cost
        if further <= 0 or bound >= packed or not has_closed_parameters(signature):
            return bound
        return min(bound + further, packed)

    def erased_query(self, query: QuerySignature) -> QuerySignature:
        """Return the query with ``any`` for its variables, and for types computed from them."""
        erased = self._erased_queries.get(query)
        if erased is None:
            is_computed = self._head_cache.depends_on_variables
            erased = self._erased_queries[query] = query.erased(self._reducer, is_computed)
        return erased

    def signature_bound(
        self, candidate: Signature, query: QuerySignature, at_most: int | None = None
    ) -> int:
        """Return the bound of one overload, the query's variables being skolems.

        ``NO_FIT_COST`` if it cannot fit.

        Args:
            at_most: as for ``lower_bound``.
        """
        key = (candidate, query.skolemized, query.allows_more, query.mentions_any_or_never)
        bound = self._signature_bounds.get(key)
        if bound is None:
            instantiated = self.with_placeholders(candidate, query)
            result = self._result_bound(candidate, instantiated, query)
            is_whole = is_compared_whole(candidate, query)
            if at_most is not None and at_most < result < NO_FIT_COST and not is_whole:
                return result
            bound = self._with_arguments(result, candidate, instantiated, query)
            if is_whole:
                bound = min(bound, self._whole_signature_bound(candidate, query))
            self._signature_bounds[key] = bound
        return bound

    def _result_bound(
        self, candidate: Signature, instantiated: Signature, query: QuerySignature
    ) -> int:
        """Return the bound of the result and of ``this``, without the arguments."""
        target = query.skolemized
        if not predicates_agree(candidate, target):
            return NO_FIT_COST
        if target.predicate is not None:
            actual, expected = result_type(instantiated), result_type(target)
        else:
            actual, expected = instantiated.returns, target.returns
        result = self._conversion_costs.result_cost(actual, expected)
        if result and query.mentions_any_or_never and may_become_any(candidate.returns):
            # Its type parameters may be ``any``.
            erased = instantiate(actual, [ANY] * len(candidate.type_parameters))
            result = min(result, self._conversion_costs.result_cost(erased, expected))
        if result < NO_FIT_COST and requires_this(candidate, query):
            result += ARGUMENT_SUPPLIED.cost
        return result

    def _with_arguments(
        self, result: int, candidate: Signature, instantiated: Signature, query: QuerySignature
    ) -> int:
        """Return the bound of an overload, ``result`` being that of its result."""
        target = query.skolemized
        if result >= NO_FIT_COST or query.has_rest:
            return result
        layout = bounded_layout(
            candidate, instantiated.parameters, self._quick_reject.may_accept_void
        )
        if has_non_array_rest(instantiated):
            layout = replace(layout, rest=None)
        costs = self._arguments.cost_matrix(layout, query)
        if target.predicate is None:
            uninferred = self._results.uninferred_result_cost(instantiated, layout, costs, query)
            result = max(result, uninferred)
        total = result + self._arguments.lower_bound(layout, costs, query)
        if total < ARGUMENT_UNUSED.cost and self._results.propagate_to_result(
            candidate, costs, query, result
        ):
            total = result + self._arguments.lower_bound(layout, costs, query)
        return total

    def _whole_signature_bound(self, candidate: Signature, query: QuerySignature) -> int:
        """Return the bound of a signature that is compared as a whole, without assignment."""
        target = query.generic
        if not self._quick_reject.signature_may_be_assignable(candidate, query.skolemized):
            return NO_FIT_COST
        if len(candidate.parameters) == len(target.parameters) and (
            len(candidate.type_parameters) == len(target.type_parameters)
        ):
            return 0  # may be the same type written differently
        return sum(kind.cost for kind in whole_signature_charges(candidate, target.returns))

    def with_placeholders(self, candidate: Signature, query: QuerySignature) -> Signature:
        """Return ``candidate`` with placeholders for its type parameters.

        A query that mentions ``any`` or ``never`` may instantiate a type parameter outside its
        constraint; then the candidate is returned unchanged.
        """
        if query.mentions_any_or_never:
            return candidate
        return self._head_cache.placeholders.substitute(candidate, query.generic)


def _class_instantiation_cost(candidate: Signature, query: QuerySignature, outer_count: int) -> int:
    """Return the cost of a result that depends on type parameters of the enclosing class.

    Zero for a query with variables of its own: the class's type parameters may be those; and where
    the whole signatures are compared, with a cost of its own.
    """
    has_rest = candidate.parameters and candidate.parameters[-1].rest
    if not outer_count or query.variables or query.has_rest or has_rest:
        return 0
    determined = frozenset[int]().union(*(bound_indices(p.type) for p in candidate.parameters))
    cost = 0
    for index in bound_indices(candidate.returns):
        if index < outer_count:
            parameter = candidate.type_parameters[index]
            has_preset_value = parameter.default is not None or parameter.constraint is not None
            may_be_given = index in determined or has_preset_value
            cost += (CONTAINER_INSTANTIATED if may_be_given else UNINFERRED).cost
    return cost
