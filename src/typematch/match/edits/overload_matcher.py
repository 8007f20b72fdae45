"""Matches one overload against a query: assigns arguments, converts them, converts the result.

Expensive steps come last.  A matrix of lower bounds orders the argument assignments; the pairs of
an assignment are then compared by the strict relation with ``any`` for the overload's type
parameters; only assignments that survive have their type arguments inferred and every position
related.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from typematch.ir.type_parts import Signature
from typematch.ir.types import ANY, Object, Reference, Type
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    CHEAPEST_REJECTED_COST,
    HIGHEST_COST,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SKIPPED,
    OPTIONAL_SUPPLIED,
    Edit,
)
from typematch.match.edits.argument_assignment import (
    LEFT_OUT,
    SUPPLIED,
    ArgumentAssignment,
    skipped_parameters,
)
from typematch.match.edits.argument_conversion import (
    ArgumentConverter,
    Converter,
    MaybeConversion,
    convert_result,
)
from typematch.match.edits.call_layout import (
    CallLayout,
    layout_for,
    order_edits,
    receiver_edits,
    required_positions,
    uninformative_edits,
    unused_argument_edits,
    withheld_any_edits,
)
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.conversions import Conversion, OverBudget
from typematch.match.edits.cost_bounds import CostLowerBounds
from typematch.match.edits.instantiation_edits import instantiation_edits
from typematch.match.edits.pair_costs import PairCosts
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.edits.second_call import second_call_edits
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.edits.subtyping_edits import subtyping_edits
from typematch.match.edits.type_argument_inference import TypeArgumentInference
from typematch.match.verdict import (
    NO_FIT_COST,
    Fit,
    Misfit,
    Undecided,
    Verdict,
    lower_bound,
    min_verdict,
    over_ceiling,
    up_to,
)

# How often assignments are ordered: again after a pair's cost rose, and for the next few.  After
# the first few only those are compared that a default search may list.
_MAX_ROUNDS = 12


class OverloadMatcher:
    """Matches overloads against the queries of one search; the query's variables are skolems.

    Args:
        allow_misfits: a pair that does not fit is accepted at the cost of ``MISMATCHED``.

    Attributes:
        inference: infers the type arguments of overloads.
    """

    def __init__(
        self,
        strict: StrictRelation,
        conversion_costs: ConversionCosts,
        lower_bounds: CostLowerBounds,
        *,
        allow_misfits: bool = False,
    ) -> None:
        self._strict = strict
        self._conversion_costs = conversion_costs
        self._lower_bounds = lower_bounds
        self._converter = ArgumentConverter(strict, allow_misfits=allow_misfits)
        self.inference = TypeArgumentInference(strict, conversion_costs, self._converter)
        self._erased_layouts: dict[tuple[Signature, QuerySignature], CallLayout] = {}
        self._assignments: dict[tuple[Signature, QuerySignature], list[ArgumentAssignment]] = {}
        self._misfits: dict[tuple[Signature, QuerySignature, int], Misfit] = {}

    def match_overload(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int = 0
    ) -> Verdict:
        """Return the cheapest fit of ``signature`` for the query.

        Args:
            ceiling: the highest cost of interest, in edit units; None for no limit.
            outer_count: how many leading type parameters belong to the enclosing class.
        """
        bound = self._lower_bounds.signature_bound(signature, query)
        if bound >= NO_FIT_COST:
            return not_callable(signature, query)
        if ceiling is not None and ceiling < bound:
            return over_ceiling(bound)
        if ceiling is not None and ceiling < CHEAPEST_REJECTED_COST:
            # Only calls in query order and without conversions can fit.
            verdict = self._match_in_order(signature, query, ceiling, outer_count)
            if isinstance(verdict, Misfit):
                # In another order or with conversions it may still fit.
                return over_ceiling(min(lower_bound(verdict), CHEAPEST_REJECTED_COST))
            return verdict
        key = (signature, query, outer_count)
        known = self._misfits.get(key)
        if known is not None and _holds_up_to(known, ceiling):
            return known
        verdict = self._match_with_edits(signature, query, ceiling, outer_count)
        if isinstance(verdict, Misfit):
            self._misfits[key] = verdict
        return verdict

    def _match_in_order(
        self, signature: Signature, query: QuerySignature, ceiling: int, outer_count: int
    ) -> Verdict:
        """Match the single assignment that keeps the query's order and converts nothing."""
        layout = layout_for(signature, query, outer_count)
        count = len(query.skolemized.parameters)
        if count > len(layout.parameters):
            return not_callable(signature, query)
        required = required_positions(layout.parameters, self._strict.accepts_void)
        remaining = [SUPPLIED if needed else LEFT_OUT for needed in required[count:]]
        if SUPPLIED in remaining and not query.allows_more:
            return not_callable(signature, query)
        assignment = ArgumentAssignment(0, (*range(count), *remaining))
        return self._verify(
            layout, layout, query, assignment, self._converter.pass_unchanged, ceiling
        )

    def _match_with_edits(
        self, signature: Signature, query: QuerySignature, ceiling: int | None, outer_count: int
    ) -> Verdict:
        erased = self.erased_layout(signature, query)
        expected = result_type(query.skolemized)
        result: MaybeConversion
        if self.inference.is_computed(signature.returns) or _same_declaration(
            erased.returns, expected
        ):
            result = Conversion(erased.returns)  # the type arguments decide
        else:
            result = convert_result(self._converter.convert, erased.returns, expected, ceiling)
        if result is None:
            return Misfit("type", erased.returns, expected, ".returns")
        if isinstance(result, OverBudget):
            return over_ceiling(result.least)
        layout = layout_for(signature, query, outer_count)
        pairs = self._pair_costs(signature, query, erased)
        best: Verdict = not_callable(signature, query)
        tried: set[tuple[int, ...]] = set()
        for _ in range(_MAX_ROUNDS):
            cheapest = pairs.assignments(known=len(tried))
            highest = HIGHEST_COST if tried else NO_FIT_COST
            untried = [
                item for item in cheapest if item.sources not in tried and item.bound <= highest
            ]
            if not untried:
                break
            for assignment in untried:
                bound = assignment.bound + result.cost
                if isinstance(best, Fit) and bound >= best.cost:
                    return best
                if ceiling is not None and bound > ceiling:
                    return min_verdict(best, over_ceiling(bound))
                if pairs.refine(assignment):
                    break
                tried.add(assignment.sources)
                verdict = self._verify(
                    layout, erased, query, assignment, self._converter.convert, ceiling
                )
                best = min_verdict(best, verdict)
        return best

    def assignments(self, signature: Signature, query: QuerySignature) -> list[ArgumentAssignment]:
        """Return the cheapest assignments with ``any`` for the type parameters, cheapest first."""
        key = (signature, query)
        assignments = self._assignments.get(key)
        if assignments is None:
            assignments = self._assignments[key] = self._find_assignments(signature, query)
        return assignments

    def _find_assignments(
        self, signature: Signature, query: QuerySignature
    ) -> list[ArgumentAssignment]:
        pairs = self._pair_costs(signature, query, self.erased_layout(signature, query))
        assignments = pairs.assignments()
        for _ in range(_MAX_ROUNDS):
            changed = [pairs.refine(assignment) for assignment in assignments]
            if not any(changed):
                break
            assignments = pairs.assignments()
        return assignments

    def erased_layout(self, signature: Signature, query: QuerySignature) -> CallLayout:
        """Return the layout with ``any`` for the type parameters, its parameters kept in number.

        A rest parameter ``...items: [...T]`` becomes an array only when ``T`` is ``any``.
        """
        key = (signature, query)
        erased = self._erased_layouts.get(key)
        if erased is None:
            erased = self._erased_layouts[key] = self._erase_layout(signature, query)
        return erased

    def _erase_layout(self, signature: Signature, query: QuerySignature) -> CallLayout:
        layout = layout_for(signature, query)
        erased = layout_for(self._strict.erase(signature), query)
        if len(erased.parameters) == len(layout.parameters):
            return erased
        return layout.instantiated((ANY,) * len(signature.type_parameters))

    def _pair_costs(
        self, signature: Signature, query: QuerySignature, erased: CallLayout
    ) -> PairCosts:
        bounded = self._lower_bounds.with_placeholders(signature, query)
        return PairCosts(
            query.skolemized.parameters,
            erased.parameters,
            layout_for(bounded, query).parameters,
            required=required_positions(erased.parameters, self._strict.accepts_void),
            allows_more=query.allows_more,
            computed=[
                position
                for position, parameter in enumerate(signature.parameters)
                if self.inference.is_computed(parameter.type)
            ],
            conversion_costs=self._conversion_costs,
            converter=self._converter,
        )

    # One assignment, with type arguments inferred ----------------------------------------------

    def _verify(
        self,
        layout: CallLayout,
        erased: CallLayout,
        query: QuerySignature,
        assignment: ArgumentAssignment,
        convert: Converter,
        ceiling: int | None,
    ) -> Verdict:
        """Infer the type arguments of one assignment and relate every position by ``convert``.

        The result is related first: most candidates fail there.  Edits beyond the ceiling end the
        comparison.
        """
        edits: list[Edit] = []
        if layout.signature.type_parameters:
            type_arguments = self.inference.type_arguments(layout, erased, query, assignment)
            if isinstance(type_arguments, Undecided):
                return type_arguments
            pairs = zip(layout.parameters, assignment.sources, strict=True)
            filled = [parameter.type for parameter, source in pairs if source >= 0]
            edits += instantiation_edits(
                layout.signature, type_arguments, filled, layout.outer_count
            )
            layout = layout.instantiated(type_arguments)
        edits += order_edits(query, assignment)
        cost = _total_cost(edits)
        if ceiling is not None and cost > ceiling:
            return over_ceiling(cost)
        expected = result_type(query.skolemized)
        result = convert_result(convert, layout.returns, expected, _remaining(ceiling, cost))
        if result is None:
            return Misfit("type", layout.returns, expected, ".returns")
        if isinstance(result, OverBudget):
            return over_ceiling(cost + result.least)
        name, path = "the result", "$.returns"
        result_edits = _at_path(result, path, name)
        result_edits += subtyping_edits(
            self._strict, result.source, expected, path=path, name=name, is_result=True
        )
        if query.is_called_twice:
            second_call = second_call_edits(self._strict, result.source, expected)
            if second_call is None:
                return not_callable(layout.signature, query)
            result_edits += second_call
        cost += _total_cost(result_edits)
        if ceiling is not None and cost > ceiling:
            return over_ceiling(cost)
        budget = _remaining(ceiling, cost)
        parameter_edits = self._parameter_edits(layout, query, assignment, convert, budget)
        if parameter_edits is None:
            return not_callable(layout.signature, query)
        if isinstance(parameter_edits, OverBudget):
            return over_ceiling(cost + parameter_edits.least)
        edits += parameter_edits
        missing = 0 if query.allows_more else assignment.sources.count(SUPPLIED)
        edits += receiver_edits(layout.signature, query, missing)
        edits += unused_argument_edits(query, assignment)
        edits += withheld_any_edits(layout, query, assignment)
        edits += result_edits
        edits += uninformative_edits(layout.signature, query, assignment)
        return up_to(Fit(tuple(edits), assignment.sources), ceiling)

    def _parameter_edits(
        self,
        layout: CallLayout,
        query: QuerySignature,
        assignment: ArgumentAssignment,
        convert: Converter,
        budget: int | None,
    ) -> list[Edit] | OverBudget | None:
        """Return the edits of all parameters in order; None if an argument does not fit.

        Args:
            budget: the highest cost of interest, in edit units; None for no limit.
        """
        edits: list[Edit] = []
        skipped = skipped_parameters(assignment.sources)
        missing = 0
        for position, (parameter, source) in enumerate(
            zip(layout.parameters, assignment.sources, strict=True)
        ):
            path = f"$.parameters[{position}]"
            if source >= 0:
                argument = query.skolemized.parameters[source]
                spent = _total_cost(edits)
                conversion = convert(argument, parameter, _remaining(budget, spent))
                if conversion is None:
                    return None
                if isinstance(conversion, OverBudget):
                    return OverBudget(spent + conversion.least)
                edits += _at_path(conversion, path, parameter.name)
                if _is_optional_parameter(layout, position) and not argument.optional:
                    edits.append(Edit(OPTIONAL_SUPPLIED, path, parameter.name))
                edits += subtyping_edits(
                    self._strict, parameter.type, conversion.source, path=path, name=parameter.name
                )
            elif source == SUPPLIED and not query.allows_more:
                edits.append(Edit(ARGUMENT_SUPPLIED, path, parameter.name, extra_units=missing))
                missing += 1
            elif source == LEFT_OUT and not parameter.rest:
                kind = OPTIONAL_SKIPPED if position in skipped else OPTIONAL_LEFT_OUT
                edits.append(Edit(kind, path, parameter.name))
        return edits


def not_callable(signature: Signature, query: QuerySignature) -> Misfit:
    return Misfit("call", Object(calls=(signature,)), query.type)


def _holds_up_to(misfit: Misfit, ceiling: int | None) -> bool:
    """Whether a misfit under some ceiling is one under ``ceiling``, too."""
    least = lower_bound(misfit)
    return least >= NO_FIT_COST if ceiling is None else ceiling < least


def _same_declaration(actual: Type, expected: Type) -> bool:
    """Whether two types instantiate one declaration; then their type arguments decide."""
    return (
        isinstance(actual, Reference)
        and isinstance(expected, Reference)
        and actual.target == expected.target
    )


def _is_optional_parameter(layout: CallLayout, position: int) -> bool:
    """Whether a position is a declared optional parameter, not part of a rest parameter."""
    parameters = layout.signature.parameters
    return position < len(parameters) and parameters[position].optional


def _remaining(ceiling: int | None, cost: int) -> int | None:
    return None if ceiling is None else ceiling - cost


def _total_cost(edits: Iterable[Edit]) -> int:
    return sum(edit.cost for edit in edits)


def _at_path(conversion: Conversion, path: str, name: str) -> list[Edit]:
    return [replace(edit, path=path, a=name) for edit in conversion.edits]
