"""Read a signature as a list of places.

What stands at each, how many are needed, what the rest takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from typematch.ir.constructors import constituents, union
from typematch.ir.types import (
    ANY,
    NUMBER,
    UNDEFINED,
    VOID,
    Array,
    Element,
    IndexedAccess,
    Literal,
    Parameter,
    Signature,
    Tuple,
    Type,
)

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

ANY_ARRAY = Array(ANY)


@dataclass(frozen=True, slots=True)
class ParameterList:
    """Attributes:
    fixed: the type at each place before the rest, ``undefined`` included where it is optional.
    least: how many must be given; trailing places that take ``void`` need not be.
    rest: the array-like type of the rest parameter; None without one.
    """  # noqa: D205

    fixed: tuple[Type, ...]
    least: int
    rest: Type | None

    @property
    def count(self) -> int:
        """Return how many places there are, a rest counting as one."""
        return len(self.fixed) + (self.rest is not None)

    @property
    def open_rest(self) -> Type | None:
        """Return the rest where it is no plain array: a variable, a union, the tail of a tuple."""
        rest = self.rest
        if rest is None or rest.__class__ is Array or rest is ANY:
            return None
        return rest


def places_of(rel: Relation, signature: Signature) -> ParameterList:
    """Return the places of a signature without type parameters of its own."""
    found = rel.flat.get(signature)
    if found is None:
        found = rel.flat[signature] = _places(rel, signature)
    return cast(ParameterList, found)


def _places(rel: Relation, signature: Signature) -> ParameterList:
    fixed: list[Type] = []
    least = 0
    rest: Type | None = None
    for parameter in signature.parameters:
        if parameter.rest:
            rest, needed = _rest(rel, parameter.type, fixed)
            if needed:
                least = needed
            break
        if parameter.optional:
            fixed.append(union((parameter.type, UNDEFINED)))
        else:
            fixed.append(parameter.type)
            least = len(fixed)
    while least > 0 and _takes_void(rel, fixed[least - 1]):
        least -= 1
    return ParameterList(tuple(fixed), least, rest)


def _rest(rel: Relation, written: Type, fixed: list[Type]) -> tuple[Type | None, int]:
    """Append the fixed elements of a rest tuple.

    Return what is left as rest and how many are needed, if any.
    """
    rest = rel.reducer.normal(written)
    if rest is ANY:
        return ANY_ARRAY, 0
    if not isinstance(rest, Tuple):
        return rest, 0
    needed = 0
    for position, element in enumerate(rest.elements):
        if element.kind in ("rest", "variadic"):
            tail = rest.elements[position:]
            if len(tail) == 1 and element.kind == "rest":
                return Array(element.type), needed
            if len(tail) == 1:
                return rel.reducer.normal(element.type), needed
            return Tuple(tail), needed
        if element.kind == "optional":
            fixed.append(union((element.type, UNDEFINED)))
        else:
            fixed.append(element.type)
            needed = len(fixed)
    return None, needed


def _takes_void(rel: Relation, t: Type) -> bool:
    if t is VOID:
        return True
    reduced = rel.reducer.normal(t)
    return VOID in constituents(reduced)


def type_at(places: ParameterList, position: int) -> Type | None:
    """Return the type at a position, None past the end."""
    if position < len(places.fixed):
        return places.fixed[position]
    rest = places.rest
    if rest is None:
        return None
    if rest.__class__ is Array:
        return rest.element
    return IndexedAccess(rest, Literal("number", str(position - len(places.fixed))))


def rest_at(places: ParameterList, position: int) -> Type:
    """Return everything from a position on, as an array or tuple."""
    count, rest = places.count, places.rest
    if rest is not None and position >= count - 1:
        if position == count - 1:
            return rest
        return Array(rest.element if rest.__class__ is Array else IndexedAccess(rest, NUMBER))
    elements = [
        Element(kind, "required" if position + offset < places.least else "optional")
        for offset, kind in enumerate(places.fixed[position:])
    ]
    if rest is not None:
        if rest.__class__ is Array:
            elements.append(Element(rest.element, "rest"))
        else:
            elements.append(Element(rest, "variadic"))
    return Tuple(tuple(elements))


def corresponding(rel: Relation, s: Signature, t: Signature) -> Iterator[tuple[Type, Type]]:
    """Yield what stands at the same place of two signatures: receiver, parameters, the rest."""
    given, wanted = places_of(rel, s), places_of(rel, t)
    if s.this is not None and t.this is not None:
        yield s.this, t.this
    fixed = len(wanted.fixed)
    count = fixed if given.rest is not None else min(given.count, fixed)
    for position in range(count):
        one, other = type_at(given, position), type_at(wanted, position)
        if one is not None and other is not None:
            yield one, other
    if wanted.rest is not None:
        yield rest_at(given, count), wanted.rest


def coming_out(s: Signature, t: Signature) -> tuple[Type, Type]:
    """Return what two signatures say of their results: what they are, or what they tell of."""
    one, other = s.predicate, t.predicate
    if one is None or other is None or one.type is None or other.type is None:
        return s.returns, t.returns
    return one.type, other.type


def rest_or_any(places: ParameterList, position: int) -> Type:
    """Return everything from a position on, ``any`` where that is ``any[]``."""
    rest = rest_at(places, position)
    if rest.__class__ is Array and rest.element is ANY:
        return ANY
    return rest


def taken_at(s: Signature, place: int) -> Parameter | None:
    """Return what a signature takes at a place; None where that is nothing, or not plain."""
    last = s.parameters[-1] if s.parameters else None
    if last is None or not last.rest or place < len(s.parameters) - 1:
        return s.parameters[place] if place < len(s.parameters) else None
    return Parameter(last.name, last.type.element) if isinstance(last.type, Array) else None
