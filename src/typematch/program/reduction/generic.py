"""Whether a type is deferred because it depends on type variables."""

from __future__ import annotations

from typematch.ir.types import (
    THIS,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Mapped,
    Template,
    Tuple,
    Type,
    Union,
)


def is_generic(t: Type) -> bool:
    """Whether the head of a type in head normal form depends on a type variable."""
    cls = t.__class__
    if cls in _DEFERRED or t is THIS:
        return True
    if isinstance(t, (Union, Intersection)):
        return any(is_generic(member) for member in t.members)
    if isinstance(t, Tuple):
        return any(element.kind == "variadic" for element in t.elements)
    if isinstance(t, Template):
        return any(is_generic(part) for part in t.types)
    return False


_DEFERRED = frozenset((Free, KeyOf, IndexedAccess, Conditional, Mapped))
