"""Detect types that expand without end (the checker's isDeeplyNestedType)."""

from __future__ import annotations

from typing import cast

from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
)


class TypeDepths:
    """Nesting depth of types, memoised."""

    def __init__(self) -> None:
        self._depths: dict[Type, int] = {}

    def of(self, t: Type) -> int:
        depth = self._depths.get(t)
        if depth is None:
            depth = 1 + max((self.of(part) for part in _child_types(t)), default=0)
            self._depths[t] = depth
        return depth


class RecursionStack:
    """The types on one side of a comparison, from the outermost to the current one.

    Args:
        often: a declaration that occurs inside itself counts as deeply nested after this many
            occurrences, each deeper than the one before.
    """

    __slots__ = ("_depths", "_max_growing", "_stack")

    def __init__(self, depths: TypeDepths, max_growing: int) -> None:
        self._depths = depths
        self._max_growing = max_growing
        self._stack: list[tuple[object, int, bool]] = []

    def enter(self, declared: Type, normal: Type) -> bool:
        """Push a type; return whether it is deeply nested.

        Everything inside a deeply nested type is.

        Args:
            declared: the type as written.
            reduced: its head normal form.
        """
        stack = self._stack
        inside_growing = bool(stack) and stack[-1][2]
        # An object type that is the body of an alias is identified by the alias.
        named = declared if _recursion_identity(normal) is None else normal
        identity = _recursion_identity(named)
        if identity is None:
            stack.append((None, 0, inside_growing))
            return inside_growing
        depth = self._depths.of(named)
        growing = 0
        last_depth = -1
        for other_identity, other_depth, _ in stack:
            if other_identity == identity:
                if other_depth > last_depth:
                    growing += 1
                last_depth = other_depth
        is_deeply_nested = inside_growing or (depth > last_depth and growing >= self._max_growing)
        stack.append((identity, depth, is_deeply_nested))
        return is_deeply_nested

    def leave(self) -> None:
        self._stack.pop()


def _recursion_identity(t: Type) -> object:
    """Return a key that occurrences of one declaration share (getRecursionIdentity), or None."""
    cls = t.__class__
    if cls is Reference:
        return cast(Reference, t).target
    if cls is Array:
        return "[]"
    if cls is IndexedAccess:
        return "[.]"
    if cls is Conditional:
        return cast(Conditional, t).extends
    return None


def _child_types(t: Type) -> tuple[Type, ...]:
    match t:
        case Reference():
            return t.arguments
        case Array():
            return (t.element,)
        case Tuple():
            return tuple([e.type for e in t.elements])
        case Union() | Intersection():
            return t.members
        case Object():
            signature_types = [
                part for call in (*t.calls, *t.constructs) for part in _signature_types(call)
            ]
            index_types = [member.type for member in t.indexes]
            return (*[index.type for index in t.properties], *index_types, *signature_types)
        case IndexedAccess():
            return (t.object, t.index)
        case Conditional():
            return (t.check,)
        case _:
            return ()


def _signature_types(call: Signature) -> tuple[Type, ...]:
    return (*[parameter.type for parameter in call.parameters], call.returns)
