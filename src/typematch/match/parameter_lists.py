"""The parameters of a signature by position, with rest tuples expanded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from typematch.ir.constructors import constituents, union
from typematch.ir.type_parts import Element, Parameter, Signature
from typematch.ir.types import (
    ANY,
    NUMBER,
    UNDEFINED,
    VOID,
    Array,
    IndexedAccess,
    Literal,
    Tuple,
    Type,
)

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

ANY_ARRAY = Array(ANY)


@dataclass(frozen=True, slots=True)
class ParameterList:
    """The parameters of a signature by position.

    Attributes:
        fixed: the type of each parameter before the rest, with ``undefined`` where it is optional.
        min_arguments: number of required arguments, without trailing ones that accept ``void``
            (getMinArgumentCount).
        rest: the array-like type of the rest parameter; None without one.
    """

    fixed: tuple[Type, ...]
    min_arguments: int
    rest: Type | None

    @property
    def count(self) -> int:
        """Number of parameters, a rest counting as one (getParameterCount)."""
        return len(self.fixed) + (self.rest is not None)

    @property
    def non_array_rest(self) -> Type | None:
        """The rest if it is no array: a variable, union or tuple (getNonArrayRestType)."""
        rest = self.rest
        if rest is None or rest.__class__ is Array or rest is ANY:
            return None
        return rest


def parameter_list(rel: Relation, signature: Signature) -> ParameterList:
    """Return the parameters of a signature without type parameters of its own, memoised."""
    parameters = rel.parameter_lists.get(signature)
    if parameters is None:
        parameters = rel.parameter_lists[signature] = _build_list(rel, signature)
    return cast(ParameterList, parameters)


def _build_list(rel: Relation, signature: Signature) -> ParameterList:
    fixed: list[Type] = []
    min_arguments = 0
    rest: Type | None = None
    for parameter in signature.parameters:
        if parameter.rest:
            rest, rest_minimum = _expand_rest(rel, parameter.type, fixed)
            if rest_minimum:
                min_arguments = rest_minimum
            break
        if parameter.optional:
            fixed.append(union((parameter.type, UNDEFINED)))
        else:
            fixed.append(parameter.type)
            min_arguments = len(fixed)
    while min_arguments > 0 and _accepts_void(rel, fixed[min_arguments - 1]):
        min_arguments -= 1
    return ParameterList(tuple(fixed), min_arguments, rest)


def _expand_rest(rel: Relation, declared: Type, fixed: list[Type]) -> tuple[Type | None, int]:
    """Append the fixed elements of a rest tuple to ``fixed``.

    Returns:
        the rest that remains, and the number of required arguments (0 if the tuple has none).
    """
    rest = rel.reducer.normal(declared)
    if rest is ANY:
        return ANY_ARRAY, 0
    if not isinstance(rest, Tuple):
        return rest, 0
    min_arguments = 0
    for position, element in enumerate(rest.elements):
        if element.kind in ("rest", "variadic"):
            tail = rest.elements[position:]
            if len(tail) == 1 and element.kind == "rest":
                return Array(element.type), min_arguments
            if len(tail) == 1:
                return rel.reducer.normal(element.type), min_arguments
            return Tuple(tail), min_arguments
        if element.kind == "optional":
            fixed.append(union((element.type, UNDEFINED)))
        else:
            fixed.append(element.type)
            min_arguments = len(fixed)
    return None, min_arguments


def _accepts_void(rel: Relation, t: Type) -> bool:
    if t is VOID:
        return True
    reduced = rel.reducer.normal(t)
    return VOID in constituents(reduced)


def parameter_type_at(parameters: ParameterList, position: int) -> Type | None:
    """Return the type at a position, None past the end (tryGetTypeAtPosition)."""
    if position < len(parameters.fixed):
        return parameters.fixed[position]
    rest = parameters.rest
    if rest is None:
        return None
    if rest.__class__ is Array:
        return rest.element
    return IndexedAccess(rest, Literal("number", str(position - len(parameters.fixed))))


def rest_type_at(parameters: ParameterList, position: int) -> Type:
    """Return the parameters from a position on as an array or tuple (getRestTypeAtPosition)."""
    count, rest = parameters.count, parameters.rest
    if rest is not None and position >= count - 1:
        if position == count - 1:
            return rest
        return Array(rest.element if rest.__class__ is Array else IndexedAccess(rest, NUMBER))
    elements = [
        Element(
            parameter_type,
            "required" if position + offset < parameters.min_arguments else "optional",
        )
        for offset, parameter_type in enumerate(parameters.fixed[position:])
    ]
    if rest is not None:
        if rest.__class__ is Array:
            elements.append(Element(rest.element, "rest"))
        else:
            elements.append(Element(rest, "variadic"))
    return Tuple(tuple(elements))


def parameter_pairs(rel: Relation, s: Signature, t: Signature) -> Iterator[tuple[Type, Type]]:
    """Yield corresponding types: receiver, parameters, rest (applyToParameterTypes)."""
    source, target = parameter_list(rel, s), parameter_list(rel, t)
    if s.this is not None and t.this is not None:
        yield s.this, t.this
    fixed = len(target.fixed)
    count = fixed if source.rest is not None else min(source.count, fixed)
    for position in range(count):
        source_type, target_type = (
            parameter_type_at(source, position),
            parameter_type_at(target, position),
        )
        if source_type is not None and target_type is not None:
            yield source_type, target_type
    if target.rest is not None:
        yield rest_type_at(source, count), target.rest


def return_types(s: Signature, t: Signature) -> tuple[Type, Type]:
    """Return the return types, or those of both type predicates (applyToReturnTypes)."""
    source_predicate, target_predicate = s.predicate, t.predicate
    if (
        source_predicate is None
        or target_predicate is None
        or source_predicate.type is None
        or target_predicate.type is None
    ):
        return s.returns, t.returns
    return source_predicate.type, target_predicate.type


def rest_type_or_any(parameters: ParameterList, position: int) -> Type:
    """Like ``rest_type_at``, but ``any`` for ``any[]`` (getRestTypeOrAnyAtPosition)."""
    rest = rest_type_at(parameters, position)
    if rest.__class__ is Array and rest.element is ANY:
        return ANY
    return rest


def parameter_at(s: Signature, position: int) -> Parameter | None:
    """Return the parameter at a position; None past the end or where the rest is no array."""
    last = s.parameters[-1] if s.parameters else None
    if last is None or not last.rest or position < len(s.parameters) - 1:
        return s.parameters[position] if position < len(s.parameters) else None
    return Parameter(last.name, last.type.element) if isinstance(last.type, Array) else None
