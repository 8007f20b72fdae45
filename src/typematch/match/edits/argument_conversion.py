"""Converts query arguments to parameters, and results to the type that the query expects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from typematch.ir.constructors import union
from typematch.ir.type_parts import Parameter
from typematch.ir.types import UNANNOTATED, UNDEFINED, VOID, Type
from typematch.match.edit_kinds import MISMATCHED, OPTIONAL_REQUIRED, Edit
from typematch.match.edits.conversions import Conversion, OverBudget, cheapest_conversion
from typematch.match.edits.strict_relation import StrictRelation

# A conversion within a budget in edit units, None for no limit; None if there is no conversion.
MaybeConversion: TypeAlias = Conversion | OverBudget | None
Converter: TypeAlias = Callable[[Parameter, Parameter, int | None], MaybeConversion]


class ArgumentConverter:
    """Conversions of one search, memoized by pair of types.

    Args:
        allow_misfits: a pair that does not fit is accepted at the cost of ``MISMATCHED``.
    """

    def __init__(self, strict: StrictRelation, *, allow_misfits: bool) -> None:
        self._strict = strict
        self._allow_misfits = allow_misfits
        self._conversions: dict[tuple[Type, Type], MaybeConversion] = {}

    def convert(
        self, argument: Parameter, parameter: Parameter, budget: int | None = None
    ) -> MaybeConversion:
        """Return the cheapest conversion of a query argument to a parameter; None for a misfit."""
        if argument.rest != parameter.rest:
            return None
        if not argument.optional or parameter.optional:
            return self._convert_type(argument.type, parameter.type, budget)
        with_undefined = self._convert_type(
            passed_type(argument, parameter), parameter.type, budget
        )
        if isinstance(with_undefined, Conversion) and not with_undefined.edits:
            return with_undefined
        required = Edit(OPTIONAL_REQUIRED, a=argument.name)
        remaining = None if budget is None else budget - required.cost
        without_undefined = self._convert_type(argument.type, parameter.type, remaining)
        if isinstance(without_undefined, Conversion):
            edits = (required, *without_undefined.edits)
            without_undefined = Conversion(without_undefined.source, edits)
        elif isinstance(without_undefined, OverBudget):
            without_undefined = OverBudget(without_undefined.least + required.cost)
        return _cheaper(without_undefined, with_undefined)

    def convert_erased(self, argument: Parameter, parameter: Parameter) -> MaybeConversion:
        """Convert to a parameter with ``any`` for its type parameters.

        An instance of a subclass is passed as it is: its base type tells the type arguments, and
        the comparison with these follows.  Compared with ``any``, large classes exceed the limits.
        """
        extends = self._strict.extends_erased(argument.type, parameter.type)
        if extends and argument.rest == parameter.rest:
            return Conversion(passed_type(argument, parameter))
        return self.convert(argument, parameter)

    def _convert_type(self, source: Type, target: Type, budget: int | None) -> MaybeConversion:
        key = (source, target)
        known = self._conversions.get(key)
        if isinstance(known, OverBudget):
            if budget is not None and budget < known.least:
                return known
        elif known is not None or key in self._conversions:
            return known
        conversion = self._conversions[key] = self._find_conversion(source, target, budget)
        return conversion

    def _find_conversion(self, source: Type, target: Type, budget: int | None) -> MaybeConversion:
        if _is_unannotated(source, target):
            return Conversion(source)
        conversion = cheapest_conversion(self._strict, source, target, budget)
        if conversion is None and self._allow_misfits:
            return Conversion(target, (Edit(MISMATCHED, a=source, b=target),))
        return conversion

    def pass_unchanged(
        self, argument: Parameter, parameter: Parameter, _: int | None = None
    ) -> Conversion | None:
        """Return the argument as it is if it is assignable to the parameter; else None."""
        source, target = passed_type(argument, parameter), parameter.type
        if argument.rest != parameter.rest:
            return None
        if _is_unannotated(source, target) or self._strict.is_assignable(source, target):
            return Conversion(source)
        return None


def _cheaper(first: MaybeConversion, second: MaybeConversion) -> MaybeConversion:
    """Return the conversion that costs, or would cost, less; the first of equals."""
    if first is None or second is None:
        return second if first is None else first
    return first if _least_cost(first) <= _least_cost(second) else second


def _least_cost(conversion: Conversion | OverBudget) -> int:
    return conversion.cost if isinstance(conversion, Conversion) else conversion.least


def passed_type(argument: Parameter, parameter: Parameter) -> Type:
    """Return the type of an argument, with ``undefined`` if only the argument is optional."""
    if argument.optional and not parameter.optional:
        return union((argument.type, UNDEFINED))
    return argument.type


def convert_result(
    convert: Converter, actual: Type, expected: Type, budget: int | None
) -> MaybeConversion:
    """Return the conversion of a result to the expected type; ``void`` accepts every result."""
    if expected is VOID:
        return Conversion(actual)
    return convert(Parameter("", actual), Parameter("", expected), budget)


def _is_unannotated(source: Type, target: Type) -> bool:
    """Whether one of the types was not written, so that nothing is known of the pair."""
    return target is UNANNOTATED or source is UNANNOTATED
