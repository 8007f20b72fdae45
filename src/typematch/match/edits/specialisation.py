"""Replaces the query's variables with types of a candidate: it fits only for ``T = string``.

The type parameters of the candidate are skolems meanwhile: in ``<U>(x: Set<U>) => U`` a variable
becomes ``Set<U>``, not ``Set<any>``, which would fit whatever the candidate returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ANY, UNKNOWN, Free, Type
from typematch.match.edit_kinds import SPECIALISED, Edit
from typematch.match.edits.argument_assignment import ArgumentAssignment
from typematch.match.edits.call_layout import CallLayout, layout_for
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.verdict import Fit, Undecided
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.skolemize import skolems_for


class Specialisations:
    """Finds the types of a candidate that the variables of a query may stand for."""

    def __init__(self, strict: StrictRelation, reducer: Reducer) -> None:
        self._strict = strict
        self._reducer = reducer

    def values(
        self,
        signature: Signature,
        query: QuerySignature,
        erased: QuerySignature,
        assignments: Iterable[ArgumentAssignment],
    ) -> Iterator[tuple[Sequence[Type], list[Edit]]]:
        """Yield types for the query's variables, and an edit for each that is specialised.

        The edits name skolems; ``without_skolems`` replaces them in a fit.

        Args:
            signature: the candidate's.
            erased: the query with ``any`` for its variables.
            assignments: of its arguments to the candidate's parameters.
        """
        skolems = skolems_for(self._reducer, signature.type_parameters)
        layout = layout_for(signature, erased).instantiated(skolems)
        for assignment in assignments:
            values = self._infer_variables(layout, skolems, query, assignment)
            edits = [
                Edit(SPECIALISED, a=variable.name, b=value)
                for value, variable in zip(values, query.variables, strict=True)
                if value is not variable
            ]
            if edits:
                yield values, edits

    def specialised(self, query: QuerySignature, values: Sequence[Type]) -> QuerySignature | None:
        """Return the query with these types; None if its variables' constraints exclude them."""
        if not self._satisfies_constraints(query, values):
            return None
        return query.with_type_arguments(values, self._reducer)

    def without_skolems(self, fit: Fit, signature: Signature) -> Fit:
        """Return ``fit`` with ``any`` for the candidate's type parameters in its edits."""
        skolems = skolems_for(self._reducer, signature.type_parameters)
        replacements: dict[Type, Type] = dict.fromkeys(skolems, ANY)
        edits = [
            replace(edit, b=self._reducer.replace(edit.b, replacements))
            if edit.kind is SPECIALISED
            else edit
            for edit in fit.edits
        ]
        return Fit(tuple(edits), fit.assignment)

    def _infer_variables(
        self,
        layout: CallLayout,
        skolems: Sequence[Free],
        query: QuerySignature,
        assignment: ArgumentAssignment,
    ) -> list[Type]:
        """Infer the query's variables from the candidate; a variable not inferred stays itself.

        Args:
            layout: with ``skolems`` for the candidate's type parameters.
        """
        parameter_types, argument_types = [], []
        for parameter, source in zip(layout.parameters, assignment.sources, strict=True):
            if source >= 0:
                parameter_types.append(Parameter("", parameter.type))
                argument_types.append(Parameter("", query.generic.parameters[source].type))
        pattern = Signature(
            tuple(argument_types), result_type(query.generic), query.generic.type_parameters
        )
        values = self._strict.type_arguments(
            pattern, Signature(tuple(parameter_types), layout.returns)
        )
        if isinstance(values, Undecided):
            return list(query.variables)
        return [
            variable if value is ANY or value is UNKNOWN or value in skolems else value
            for value, variable in zip(values, query.variables, strict=True)
        ]

    def _satisfies_constraints(self, query: QuerySignature, values: Sequence[Type]) -> bool:
        """Whether concrete types for the query's variables have the constraints of these."""
        return all(
            value is variable
            or parameter.constraint is None
            or self._strict.is_assignable(value, instantiate(parameter.constraint, values))
            for value, variable, parameter in zip(
                values, query.variables, query.generic.type_parameters, strict=True
            )
        )
