"""Notice declarations that grow inside themselves without end, as the compiler does."""

from __future__ import annotations

from typing import cast

from typematch.ir.types import (
    Array,
    Conditional,
    IndexedAccess,
    Intersection,
    Object,
    Reference,
    Signature,
    Tuple,
    Type,
    Union,
)


class TypeDepths:
    """How deep the parts of types nest, remembered."""

    def __init__(self) -> None:
        self._known: dict[Type, int] = {}

    def of(self, t: Type) -> int:
        found = self._known.get(t)
        if found is None:
            found = 1 + max((self.of(part) for part in _parts(t)), default=0)
            self._known[t] = found
        return found


class RecursionStack:
    """The types on one side of a comparison, from the outermost to the one that is looked at.

    Args:
        often: after how many ever larger occurrences of one declaration inside itself it counts as
            growing without end.
    """

    __slots__ = ("_heights", "_often", "_stack")

    def __init__(self, heights: TypeDepths, often: int) -> None:
        self._heights = heights
        self._often = often
        self._stack: list[tuple[object, int, bool]] = []

    def enter(self, written: Type, reduced: Type) -> bool:
        """Note a type on the way down; return whether a declaration keeps growing on it.

        Once one does, that holds for all that is inside it.
        """
        stack = self._stack
        inside = bool(stack) and stack[-1][2]
        # An object type that an alias writes has no name of its own.
        named = written if _identity(reduced) is None else reduced
        identity = _identity(named)
        if identity is None:
            stack.append((None, 0, inside))
            return inside
        height = self._heights.of(named)
        growing = 0
        last = -1
        for other, size, _ in stack:
            if other == identity:
                if size > last:
                    growing += 1
                last = size
        grows = inside or (height > last and growing >= self._often)
        stack.append((identity, height, grows))
        return grows

    def leave(self) -> None:
        self._stack.pop()


def _identity(t: Type) -> object:
    """Return what occurrences of one declaration have in common; None if nothing declares ``t``."""
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


def _parts(t: Type) -> tuple[Type, ...]:
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
            calls = [part for call in (*t.calls, *t.constructs) for part in _places(call)]
            indexed = [one.type for one in t.indexes]
            return (*[one.type for one in t.properties], *indexed, *calls)
        case IndexedAccess():
            return (t.object, t.index)
        case Conditional():
            return (t.check,)
        case _:
            return ()


def _places(call: Signature) -> tuple[Type, ...]:
    return (*[parameter.type for parameter in call.parameters], call.returns)
