"""Matches a function type against a query with edits, the cheapest fit over its overloads.

Every decision is made by the strict relation.  An edit changes the query's signature (another
argument order, an awaited promise, an additional argument); the cheapest changed signature that
the candidate is assignable to gives the verdict.  So a fit with edits means: with these edits, the
TypeScript compiler accepts the candidate.

``OverloadMatcher`` matches one overload with the query's variables as skolems.  ``Matcher`` adds
what changes the query as a whole: comparison as whole signatures, constrained or specialised query
variables, and arguments packed into an options object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from typematch.ir.constructors import without_parameter_names
from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, NEVER, UNKNOWN, Object, Type, Var
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import (
    ARRAY_SPREAD,
    CONSTRAINED,
    IS_ANY,
    MISMATCHED,
    PACKED,
    SPECIALISED,
    Edit,
)
from typematch.match.edits.argument_assignment import ArgumentAssignment
from typematch.match.edits.call_layout import (
    is_compared_whole,
    predicates_agree,
    receiver_edits,
    unused_argument_edit,
    whole_signature_charges,
    with_array_for_rest,
)
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.cost_bounds import CostLowerBounds
from typematch.match.edits.options_object import OptionsObjectRewrites
from typematch.match.edits.overload_matcher import OverloadMatcher, not_callable
from typematch.match.edits.query_signature import QuerySignature
from typematch.match.edits.second_call import second_call_edits
from typematch.match.edits.specialisation import Specialisations
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.edits.subtyping_edits import alias_edits, mentions_any
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.strictness import Strictness
from typematch.match.verdict import (
    NO_FIT_COST,
    Fit,
    Misfit,
    Undecided,
    Verdict,
    add_edits,
    min_verdict,
    over_ceiling,
    sort_key,
    up_to,
)
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import (
    at_binder,
    instantiate_signature,
    skolemized,
)

_UNINFORMATIVE = (ANY, UNKNOWN, NEVER)


class Matcher:
    """Matches function types against the queries of one search.

    Conversions and lower bounds are memoized by pair.
    """

    def __init__(
        self,
        relation: Relation,
        strictness: Strictness = Strictness.WITH_EDITS,
        head_cache: HeadCache | None = None,
    ) -> None:
        self.relation = relation
        self.reducer = relation.reducer
        self.strictness = strictness
        head_cache = head_cache or RelationPool(self.reducer.declarations).head_cache
        allow_misfits = strictness is Strictness.LOOSE
        self.quick_reject = QuickReject(head_cache, self.reducer)
        self.strict = StrictRelation(relation, self.quick_reject)
        self.conversion_costs = ConversionCosts(
            self.quick_reject,
            head_cache,
            no_fit_cost=MISMATCHED.cost if allow_misfits else NO_FIT_COST,
        )
        self.lower_bounds = CostLowerBounds(
            self.conversion_costs, self.quick_reject, head_cache, self.reducer
        )
        self.options_rewrites = OptionsObjectRewrites(relation.reducer)
        self._specialisations = Specialisations(self.strict, self.reducer)
        self._constrained_queries: dict[
            tuple[QuerySignature, tuple[Type | None, ...]], QuerySignature
        ] = {}
        self.overload_matcher = OverloadMatcher(
            self.strict, self.conversion_costs, self.lower_bounds, allow_misfits=allow_misfits
        )

    def match(
        self,
        function: Object,
        query: QuerySignature,
        *,
        ceiling: int | None = None,
        outer_count: int = 0,
    ) -> Verdict:
        """Return the cheapest fit over the overloads of ``function``, the first of equals.

        Args:
            function: a closed function type with at least one call signature.
            ceiling: the highest cost of interest, in edit units; None for no limit.  A misfit with
                code ``OVER_CEILING`` then holds a lower bound of the cost; any other misfit holds
                for every ceiling.
            outer_count: how many leading type parameters belong to the enclosing class.
        """
        if self.strictness is Strictness.ASSIGNABLE:
            return self.relation.assign(function, query.type)
        if self.strictness is Strictness.EXACT:
            ceiling = 0
        best: Verdict | None = None
        for signature in function.calls:
            verdict = self._match_overload(signature, query, ceiling, outer_count)
            if best is None or sort_key(verdict) < sort_key(best):
                best = verdict
            if isinstance(verdict, Fit):
                ceiling = verdict.cost - 1
                if ceiling < 0:
                    break
        return Misfit("call", function, query.type) if best is None else best

    def _match_overload(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        verdict = self._match_as_declared(signature, query, ceiling, outer_count)
        if isinstance(verdict, Fit) and verdict.cost <= ARRAY_SPREAD.cost:
            return verdict
        rewritten = with_array_for_rest(signature, query)
        if rewritten is None:
            return verdict
        position = len(rewritten.parameters) - 1
        edit = Edit(ARRAY_SPREAD, f"$.parameters[{position}]", rewritten.parameters[position].name)
        spread = add_edits(
            lambda rest: self._match_as_declared(rewritten, query, rest, outer_count),
            (edit,),
            ceiling,
        )
        return min_verdict(verdict, spread)

    def _match_as_declared(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        if not predicates_agree(signature, query.skolemized):
            return Misfit("predicate", "", query.type, ".returns")
        if self._is_same_type(signature, query):
            same = Fit(
                tuple(alias_edits(*self._with_equal_variables(signature, query))),
                tuple(range(len(signature.parameters))),
            )
            # Above its cost it is another type, and a type parameter that may be anything.
            if same.cost >= self.lower_bounds.signature_bound(signature, query):
                return up_to(same, ceiling)
        verdict = self.overload_matcher.match_overload(signature, query, ceiling, outer_count)
        if is_compared_whole(signature, query):
            whole = self._match_whole_signature(signature, query, ceiling)
            verdict = verdict if whole is None else min_verdict(verdict, whole)
        rewritings = (
            (CONSTRAINED.cost, self._match_constrained),
            (SPECIALISED.cost, self._match_specialised),
        )
        for cost, match in rewritings if query.variables else ():
            if not isinstance(verdict, Fit):
                verdict = min_verdict(verdict, match(signature, query, ceiling, outer_count))
            elif verdict.cost > cost:
                cheaper = match(signature, query, verdict.cost - 1, outer_count)
                verdict = cheaper if isinstance(cheaper, Fit) else verdict
        if isinstance(verdict, Fit) and verdict.cost <= PACKED.cost:
            return verdict
        return min_verdict(verdict, self._match_packed(signature, query, ceiling, outer_count))

    def _is_same_type(self, signature: Signature, query: QuerySignature) -> bool:
        """Whether signature and query are mutually assignable, compared as whole signatures.

        Needed for generic signatures and rest parameters, where argument assignment and inference
        may miss the identity.
        """
        target = query.generic
        if not (
            signature.type_parameters or any(parameter.rest for parameter in signature.parameters)
        ):
            return False
        if len(signature.parameters) != len(target.parameters) or (
            len(signature.type_parameters) != len(target.type_parameters)
        ):
            return False
        if without_parameter_names(signature) is without_parameter_names(target):
            return True
        if mentions_any(signature) or mentions_any(target):
            return False
        may_be_assignable = self.quick_reject.signature_may_be_assignable
        if not may_be_assignable(signature, query.skolemized) or not may_be_assignable(
            target, skolemized(self.reducer, signature, target)
        ):
            return False
        return self.strict.is_signature_assignable(
            signature, target
        ) and self.strict.is_signature_assignable(target, signature)

    def _with_equal_variables(
        self, signature: Signature, query: QuerySignature
    ) -> tuple[Signature, Signature]:
        """Return a signature of the query's type and the query, in the variables of the query.

        These may be declared in another order.
        """
        values = self.strict.type_arguments(signature, query.skolemized)
        if isinstance(values, Undecided) or frozenset(values) != frozenset(query.variables):
            return signature, query.generic
        instantiated = instantiate_signature(self.reducer, signature, values)
        return instantiated, query.skolemized

    def _match_whole_signature(
        self, signature: Signature, query: QuerySignature, ceiling: int | None
    ) -> Verdict | None:
        """Compare the signature as a whole, for rest parameters that are not arrays."""
        if not self.quick_reject.signature_may_be_assignable(signature, query.skolemized):
            return None
        if not self.strict.is_signature_assignable(signature, query.generic):
            return None
        whole_kind, *type_parameter_kinds = whole_signature_charges(
            signature, query.skolemized.returns
        )
        last = signature.parameters[-1] if signature.parameters else None
        if last is not None and last.rest:
            whole = Edit(whole_kind, "$.parameters", last.name, last.type)
        else:
            called = Object(calls=(signature,))
            whole = Edit(whole_kind, "$.parameters", "the signature", called)
        type_parameter_edits = (
            Edit(type_parameter_kind, "$", Var(0, index))
            for index, type_parameter_kind in enumerate(type_parameter_kinds)
        )
        edits = (whole, *type_parameter_edits, *receiver_edits(signature, query, 0))
        result = self._whole_result_edits(signature, query)
        if result is None:
            return None
        fit = Fit((*edits, *self._unused_arguments(signature, query), *result))
        return up_to(fit, ceiling)

    def _whole_result_edits(self, signature: Signature, query: QuerySignature) -> list[Edit] | None:
        """Return an edit if a result computed from type parameters is ``any`` or says nothing.

        None if the query calls the result with an argument that it does not take.
        """
        expected = query.skolemized.returns
        is_computed = bool(signature.returns.loose_depth) and expected not in _UNINFORMATIVE
        if not is_computed and not query.is_called_twice:
            return []
        arguments = self.strict.type_arguments(signature, query.skolemized)
        if isinstance(arguments, Undecided):
            return []
        result = self.strict.expand(instantiate(signature.returns, arguments))
        if is_computed and result in _UNINFORMATIVE:
            return [Edit(IS_ANY, "$.returns", "the result")]
        if query.is_called_twice:
            return second_call_edits(self.strict, result, expected)
        return []

    def _unused_arguments(self, signature: Signature, query: QuerySignature) -> Iterator[Edit]:
        """Yield an edit for each argument that the rest tuple of a signature has no place for."""
        taken = self.strict.max_arguments(signature)
        if taken is not None:
            for position, argument in enumerate(query.skolemized.parameters[taken:], taken):
                if not argument.rest:
                    yield unused_argument_edit(argument, position)

    def _match_packed(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        """Match with some arguments packed into a parameter that takes an options object."""
        best: Verdict = not_callable(signature, query)
        erased_layout = self.overload_matcher.erased_layout(signature, query)
        for rewritten, edit in self.options_rewrites.rewrites(erased_layout, query):
            verdict = self._match_rewritten(signature, rewritten, (edit,), ceiling, outer_count)
            best = min_verdict(best, verdict)
        return best

    def _match_rewritten(
        self,
        signature: Signature,
        rewritten: QuerySignature,
        edits: Sequence[Edit],
        ceiling: int | None,
        outer_count: int,
    ) -> Verdict:
        """Match a rewritten query; the rewriting edits are added to the fit."""
        return add_edits(
            lambda room: self.overload_matcher.match_overload(
                signature, rewritten, room, outer_count
            ),
            edits,
            ceiling,
        )

    # The query's variables constrained or specialised ------------------------------------------

    def _match_constrained(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        """Match with the candidate's constraints added to the query's variables."""
        best: Verdict = not_callable(signature, query)
        bound = self.lower_bounds.constrained_bound(signature, query)
        if bound >= NO_FIT_COST:
            return best
        if ceiling is not None and ceiling < bound:
            return over_ceiling(bound)
        erased = self.lower_bounds.erased_query(query)
        for assignment in self.overload_matcher.assignments(signature, erased)[:1]:
            constraints = self._required_constraints(signature, query, assignment)
            edits = tuple(
                Edit(CONSTRAINED, a=variable.name, b=instantiate(constraint, query.variables))
                for constraint, variable in zip(constraints, query.variables, strict=True)
                if constraint is not None
            )
            if edits:
                constrained = self._with_constraints(query, constraints)
                verdict = self._match_rewritten(signature, constrained, edits, ceiling, outer_count)
                best = min_verdict(best, verdict)
        return best

    def _required_constraints(
        self, signature: Signature, query: QuerySignature, assignment: ArgumentAssignment
    ) -> tuple[Type | None, ...]:
        """Return, for each query variable, the constraint of the type parameter that it becomes.

        None for a variable that has it.
        """
        constraints: dict[Type, Type] = {}
        erased = self.overload_matcher.erased_layout(signature, query)
        values = self.overload_matcher.inference.unconstrained_type_arguments(
            signature, erased, query, assignment
        )
        for parameter, value in zip(signature.type_parameters, values, strict=True):
            if parameter.constraint is None or value not in query.variables:
                continue
            required = instantiate(parameter.constraint, values)
            constraint = at_binder(required, query.variables)
            if constraint is not None and not self.strict.is_assignable(value, required):
                constraints.setdefault(value, constraint)
        return tuple(constraints.get(variable) for variable in query.variables)

    def _with_constraints(
        self, query: QuerySignature, constraints: tuple[Type | None, ...]
    ) -> QuerySignature:
        constrained = self._constrained_queries.get((query, constraints))
        if constrained is None:
            constrained = self._constrained_queries[query, constraints] = query.with_constraints(
                constraints, self.reducer
            )
        return constrained

    def _match_specialised(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        """Match with concrete types for the query's variables, inferred from the candidate."""
        if ceiling is not None and ceiling < SPECIALISED.cost:
            return over_ceiling(SPECIALISED.cost)
        erased_query = self.lower_bounds.erased_query(query)
        bound = self.lower_bounds.specialised_bound(signature, query)
        if ceiling is not None and ceiling < bound < NO_FIT_COST:
            return over_ceiling(bound)
        best: Verdict = not_callable(signature, query)
        if bound >= NO_FIT_COST:
            return best
        assignments = self.overload_matcher.assignments(signature, erased_query)[:2]
        inferred = self._specialisations.values(signature, query, erased_query, assignments)
        for values, edits in inferred:
            match = partial(self._match_values, signature, query, values, outer_count)
            verdict = add_edits(match, edits, ceiling)
            if isinstance(verdict, Fit):
                verdict = self._specialisations.without_skolems(verdict, signature)
                ceiling = verdict.cost - 1
            best = min_verdict(best, verdict)
        return best

    def _match_values(
        self,
        signature: Signature,
        query: QuerySignature,
        values: Sequence[Type],
        outer_count: int,
        ceiling: int | None,
    ) -> Verdict:
        """Match with these types for the query's variables."""
        specialised = self._specialisations.specialised(query, values)
        if specialised is None:
            return not_callable(signature, query)
        return self.overload_matcher.match_overload(signature, specialised, ceiling, outer_count)
