"""The properties that a tuple has beside those of an array: its elements and its length."""

from __future__ import annotations

import re

from typematch.ir.constructors import union
from typematch.ir.type_parts import Property
from typematch.ir.types import NUMBER, UNDEFINED, IndexedAccess, Literal, Tuple, Type

_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")  # as the name of a property


def tuple_properties(t: Tuple) -> list[Property]:
    """Return the elements before the first rest or variadic one, and ``length``."""
    return [*(_element(t, position) for position in range(_fixed_length(t))), _length(t)]


def tuple_property(t: Tuple, name: str) -> Property | None:
    """Return the one of ``tuple_properties`` with this name, without the others."""
    if name == "length":
        return _length(t)
    if not _POSITION.fullmatch(name):
        return None
    position = int(name)
    return _element(t, position) if position < _fixed_length(t) else None


def tuple_element_type(t: Tuple) -> Type:
    """Return the union of the types that ``t[number]`` can have."""
    parts: list[Type] = []
    for element in t.elements:
        if element.kind == "variadic":
            parts.append(IndexedAccess(element.type, NUMBER))
        else:
            parts.append(element.type)
            if element.kind == "optional":
                parts.append(UNDEFINED)
    return union(parts)


def _fixed_length(t: Tuple) -> int:
    """Return the number of elements before the first rest or variadic one."""
    variable = (at for at, e in enumerate(t.elements) if e.kind in ("rest", "variadic"))
    return next(variable, len(t.elements))


def _element(t: Tuple, position: int) -> Property:
    element = t.elements[position]
    return Property(str(position), element.type, element.kind == "optional", t.readonly)


def _length(t: Tuple) -> Property:
    """Return the property ``length``: the lengths that the tuple may have, or ``number``."""
    fixed = _fixed_length(t)
    if fixed < len(t.elements):
        return Property("length", NUMBER, False, t.readonly)
    lengths = [position for position, e in enumerate(t.elements) if e.kind == "optional"]
    literals = [Literal("number", str(length)) for length in (*lengths, fixed)]
    return Property("length", union(literals), False, t.readonly)
