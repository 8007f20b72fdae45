"""Detect types that expand without end (the checker's isDeeplyNestedType)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

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


class TypeParts:
    """The types that are written in a type, itself included, memoized.

    Args:
        with_defaults: returns a reference with the defaults of the type arguments that it leaves
            out: both have one type id (fillMissingTypeArguments).
    """

    def __init__(self, with_defaults: Callable[[Reference], Reference]) -> None:
        self._with_defaults = with_defaults
        self._parts: dict[Type, frozenset[Type]] = {}
        self._filled: dict[Reference, Reference] = {}

    def filled(self, t: Type) -> Type:
        """Return ``t``; a reference with the defaults of the arguments that it leaves out."""
        if not isinstance(t, Reference):
            return t
        filled = self._filled.get(t)
        if filled is None:
            filled = self._filled[t] = self._with_defaults(t)
        return filled

    def of(self, t: Type) -> frozenset[Type]:
        parts = self._parts.get(t)
        if parts is None:
            own = frozenset((self.filled(t),))
            parts = self._parts[t] = own.union(*map(self.of, _child_types(t)))
        return parts


class Occurrence(NamedTuple):
    """A type on a ``RecursionStack``.

    Attributes:
        identity: what occurrences of one declaration share; None if it has none.
        order: stands for the checker's type id; higher for a type that was made later.  A type has
            the order of the outermost one in which it is written.
        level: how many occurrences of the declaration, from the outermost to this one, are no
            older than the one before; 0 without an identity.
    """

    identity: object
    type: Type
    order: int
    level: int
    is_deeply_nested: bool


class RecursionStack:
    """The types on one side of a comparison, from the outermost to the current one.

    The checker counts occurrences of a declaration whose type id is not lower than that of the one
    before.  Ids depend on what was compared earlier.  Here a type that is written in none of those
    around it is newer than them: the comparison has made it.

    Args:
        max_level: a type of a higher level is deeply nested.
        identifies_all: every type has a recursion identity, if need be itself, as in the checker.
            Otherwise only instances of declarations have one, and an alias of another type, of
            which only new types count.
    """

    __slots__ = ("_identifies_all", "_max_level", "_parts", "_stack")

    def __init__(self, parts: TypeParts, max_level: int, *, identifies_all: bool = False) -> None:
        self._parts = parts
        self._max_level = max_level
        self._identifies_all = identifies_all
        self._stack: list[Occurrence] = []

    @property
    def level(self) -> int:
        """The level of the current type; 0 if there is none."""
        return self._stack[-1].level if self._stack else 0

    def enter(self, declared: Type, normal: Type, *, is_again: bool = False) -> bool:
        """Push a type; return whether it is deeply nested.

        Everything inside a deeply nested type is.

        Args:
            declared: the type as written.
            normal: its head normal form.
            is_again: it is the current type once more, and does not count: the other side is
                related by a member or a constraint to this one as a whole (RecursionFlags).
        """
        stack = self._stack
        if is_again:
            stack.append(stack[-1]._replace(identity=None, level=0))
            return stack[-1].is_deeply_nested
        is_deeply_nested = bool(stack) and stack[-1].is_deeply_nested
        # An object type that is the body of an alias is identified by the alias.
        named, identity = normal, _recursion_identity(normal)
        only_new = identity is None and not self._identifies_all
        if identity is None:
            named, identity = declared, _recursion_identity(declared)
        named = self._parts.filled(named)
        if identity is None and self._identifies_all:
            identity = named
        order, level = len(stack), 0
        if identity is not None:
            around = [entry for entry in stack if entry.identity == identity]
            for entry in around:
                if named in self._parts.of(entry.type):
                    order = entry.order
                    break
            level = around[-1].level if around else 0
            if order == len(stack) or not (only_new or self._is_older(named, order, around[-1])):
                level += 1
            is_deeply_nested = is_deeply_nested or level > self._max_level
        stack.append(Occurrence(identity, named, order, level, is_deeply_nested))
        return is_deeply_nested

    def _is_older(self, t: Type, order: int, last: Occurrence) -> bool:
        """Whether a type was made before the last occurrence, such as a part of it."""
        return order < last.order or (t is not last.type and t in self._parts.of(last.type))

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
        conditional = cast(Conditional, t)
        # The checker compares the declared conditional types: instances differ in type arguments.
        return tuple(map(_outermost, (conditional.extends, conditional.yes, conditional.no)))
    return None


def _outermost(t: Type) -> object:
    """Return what instantiating a type does not change."""
    match t:
        case Reference():
            return t.target
        case Object():
            return tuple(property_.name for property_ in t.properties)
        case _:
            return t.__class__


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
