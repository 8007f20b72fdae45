"""Infers the type arguments of an overload from assigned arguments and the expected result."""

from __future__ import annotations

from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import UNKNOWN, Array, Tuple, Type
from typematch.match.edits.argument_assignment import ArgumentAssignment
from typematch.match.edits.argument_conversion import ArgumentConverter, passed_type
from typematch.match.edits.call_layout import CallLayout, layout_for
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.conversions import Conversion
from typematch.match.edits.query_signature import QuerySignature, result_type
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.verdict import Undecided


class TypeArgumentInference:
    """Inference for the queries of one search."""

    def __init__(
        self,
        strict: StrictRelation,
        conversion_costs: ConversionCosts,
        converter: ArgumentConverter,
    ) -> None:
        self._strict = strict
        self._conversion_costs = conversion_costs
        self._converter = converter

    def is_computed(self, t: Type) -> bool:
        """Whether a type shows only once type parameters are inferred, not when they are erased."""
        return bool(t.loose_depth) and self._conversion_costs.is_computed(t)

    def type_arguments(
        self,
        layout: CallLayout,
        erased: CallLayout,
        query: QuerySignature,
        assignment: ArgumentAssignment,
    ) -> tuple[Type, ...] | Undecided:
        """Infer the type arguments of one assignment.

        Args:
            erased: the layout with ``any`` for the type parameters, of as many parameters; the
                layout itself if arguments are passed unchanged.
        """
        sources, targets = [], []
        for parameter, erased_parameter, source in zip(
            layout.parameters, erased.parameters, assignment.sources, strict=True
        ):
            if source < 0:
                if parameter.rest and not isinstance(parameter.type, Array):
                    # inferTypeArguments: no arguments are the tuple [] (getSpreadArgumentType).
                    sources.append(Parameter("", Tuple(())))
                    targets.append(Parameter("", parameter.type))
                continue
            argument = query.skolemized.parameters[source]
            # Arguments passed unchanged need no comparison before inference.
            conversion = (
                Conversion(passed_type(argument, parameter))
                if erased is layout
                else self._converter.convert_erased(argument, erased_parameter)
            )
            if not isinstance(conversion, Conversion) or conversion.is_mismatch:
                if not self.is_computed(parameter.type):
                    continue
                conversion = Conversion(argument.type)
            sources.append(Parameter("", conversion.source))
            targets.append(Parameter("", parameter.type))
        pattern = Signature(tuple(targets), layout.returns, layout.signature.type_parameters)
        return self._strict.type_arguments(
            pattern, Signature(tuple(sources), result_type(query.skolemized))
        )

    def unconstrained_type_arguments(
        self,
        signature: Signature,
        erased: CallLayout,
        query: QuerySignature,
        assignment: ArgumentAssignment,
    ) -> tuple[Type, ...]:
        """Infer the type arguments of one assignment as if the type parameters had no constraints.

        ``unknown`` for those that are not known.

        Args:
            erased: the layout of ``signature`` with ``any`` for its type parameters.
        """
        unknown = (UNKNOWN,) * len(signature.type_parameters)
        parameters = tuple(
            replace_fields(parameter, constraint=None) for parameter in signature.type_parameters
        )
        layout = layout_for(replace_fields(signature, type_parameters=parameters), query)
        if not len(layout.parameters) == len(erased.parameters) == len(assignment.sources):
            return unknown
        values = self.type_arguments(layout, erased, query, assignment)
        return unknown if isinstance(values, Undecided) else values
