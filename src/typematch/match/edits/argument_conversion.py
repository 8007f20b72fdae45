"""Converts query arguments to parameters, and results to the type that the query expects."""

from __future__ import annotations

from collections.abc import Callable

from typematch.ir.constructors import union
from typematch.ir.type_parts import Parameter
from typematch.ir.types import UNANNOTATED, UNDEFINED, VOID, Type
from typematch.match.edit_kinds import MISMATCHED, OPTIONAL_REQUIRED, Edit
from typematch.match.edits.conversions import Conversion, cheapest_conversion
from typematch.match.edits.strict_relation import StrictRelation

Converter = Callable[[Parameter, Parameter], Conversion | None]


class ArgumentConverter:
    """Conversions of one query, memoized by pair of types.

    Args:
        allow_misfits: a pair that does not fit is accepted at the cost of ``MISMATCHED``.
    """

    def __init__(self, strict: StrictRelation, *, allow_misfits: bool) -> None:
        self._strict = strict
        self._allow_misfits = allow_misfits
        self._conversions: dict[tuple[Type, Type], Conversion | None] = {}

    def convert(self, argument: Parameter, parameter: Parameter) -> Conversion | None:
        """Return the cheapest conversion of a query argument to a parameter; None for a misfit."""
        if argument.rest != parameter.rest:
            return None
        if not argument.optional or parameter.optional:
            return self._convert_type(argument.type, parameter.type)
        with_undefined = self._convert_type(union((argument.type, UNDEFINED)), parameter.type)
        if with_undefined is not None and not with_undefined.edits:
            return with_undefined
        without_undefined = self._convert_type(argument.type, parameter.type)
        if without_undefined is None:
            return with_undefined
        required = Edit(OPTIONAL_REQUIRED, a=argument.name)
        return Conversion(without_undefined.source, (required, *without_undefined.edits))

    def _convert_type(self, source: Type, target: Type) -> Conversion | None:
        key = (source, target)
        if key in self._conversions:
            return self._conversions[key]
        conversion: Conversion | None
        if _is_unannotated(source, target):
            conversion = Conversion(source)
        else:
            conversion = cheapest_conversion(self._strict, source, target)
            if conversion is None and self._allow_misfits:
                conversion = Conversion(target, (Edit(MISMATCHED, a=source, b=target),))
        self._conversions[key] = conversion
        return conversion

    def pass_unchanged(self, argument: Parameter, parameter: Parameter) -> Conversion | None:
        """Return the argument as it is if it is assignable to the parameter; else None."""
        source, target = argument.type, parameter.type
        if argument.rest != parameter.rest:
            return None
        if argument.optional and not parameter.optional:
            source = union((source, UNDEFINED))
        if _is_unannotated(source, target) or self._strict.is_assignable(source, target):
            return Conversion(source)
        return None


def convert_result(convert: Converter, actual: Type, expected: Type) -> Conversion | None:
    """Return the conversion of a result to the expected type; ``void`` accepts every result."""
    if expected is VOID:
        return Conversion(actual)
    return convert(Parameter("", actual), Parameter("", expected))


def _is_unannotated(source: Type, target: Type) -> bool:
    """Whether one of the types was not written, so that nothing is known of the pair."""
    return target is UNANNOTATED or source is UNANNOTATED
