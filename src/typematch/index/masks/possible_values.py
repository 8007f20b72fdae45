"""The types that a computed type may have as its value, for unknown type arguments."""

from __future__ import annotations

from collections.abc import Iterator

from typematch.index.masks.declared_members import LIMITS
from typematch.index.masks.memo import MaskMemo
from typematch.index.masks.placeholders import OPEN, open_reducer
from typematch.ir.constructors import intersection_members, union
from typematch.ir.types import (
    ANY,
    NEVER,
    UNDEFINED,
    UNKNOWN,
    Conditional,
    IndexedAccess,
    Object,
    Reference,
    Type,
)
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.reduce import Reducer

_MAX_VALUES = 64  # beyond, a type counts as unknown
_NO_VALUES = (ANY, NEVER, UNKNOWN)


def possible_values(t: Type, memo: MaskMemo) -> list[Type] | None:
    """Return types of which the value of ``t`` is one, or a union of some.

    It may also be ``any``, ``never`` or ``unknown``.  None if it may be anything.
    """
    match t:
        case Conditional():
            values = list(_branches(t))
        case IndexedAccess(indexed, _):
            values = _property_types(indexed, memo)
        case _:
            return None
    if not values or len(values) > _MAX_VALUES or OPEN in values:
        return None
    return [value for value in values if value not in _NO_VALUES]


def _branches(t: Type) -> Iterator[Type]:
    """Yield the branches of a conditional type, and of those it continues with if it fails."""
    while isinstance(t, Conditional):
        yield t.yes
        t = t.no
    yield t


def _property_types(t: Type, memo: MaskMemo) -> list[Type]:
    """Return the types of all properties and index signatures; none if they are not known."""
    reducer = open_reducer(Reducer(memo.declarations, limits=LIMITS))
    try:
        normal = reducer.normal(t)
        parts = intersection_members(normal)
        # ``T & { kind: "a" }`` has properties that are not known.
        if not all(isinstance(part, (Object, Reference)) for part in parts):
            return []
        members = reducer.members_of(normal)
        types = [
            union((member.type, UNDEFINED)) if member.optional else member.type
            for member in members
        ]
    except (LimitReached, RecursionError):
        return []
    return [*types, *(index.type for index in members.indexes)]
