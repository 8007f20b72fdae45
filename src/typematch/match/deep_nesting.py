"""Detect types that expand without end (the checker's isDeeplyNestedType)."""

from __future__ import annotations

from collections.abc import Callable
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


class RecursionStack:
    """The types on one side of a comparison, from the outermost to the current one.

    An occurrence of a declaration is *newer* than those around it if it is written in none of them:
    then the comparison has made it.  So is one whose type is that of the occurrence before: a
    comparison ends whose target stays the same while its source grows.  The checker counts
    occurrences with a type id that is not lower than that of the one before; ids depend on what was
    compared earlier, and this does not.

    Args:
        max_newer: a declaration that occurs inside itself counts as deeply nested after this many
            newer occurrences.
        identifies_all: every type has a recursion identity, if need be itself, as in the checker.
            Otherwise only instances of declarations have one, and an alias of another type, which
            is never newer by being repeated.
    """

    __slots__ = ("_identifies_all", "_max_newer", "_parts", "_stack")

    def __init__(self, parts: TypeParts, max_newer: int, *, identifies_all: bool = False) -> None:
        self._parts = parts
        self._max_newer = max_newer
        self._identifies_all = identifies_all
        # By type: identity, type, its level, whether it is deeply nested.
        self._stack: list[tuple[object, Type, int, bool]] = []

    @property
    def level(self) -> int:
        """How many newer occurrences of its declaration the current type ends; 0 if it is older."""
        return self._stack[-1][2] if self._stack else 0

    def enter(self, declared: Type, normal: Type) -> bool:
        """Push a type; return whether it is deeply nested.

        Everything inside a deeply nested type is.

        Args:
            declared: the type as written.
            normal: its head normal form.
        """
        stack = self._stack
        is_deeply_nested = bool(stack) and stack[-1][3]
        # An object type that is the body of an alias is identified by the alias.
        named, identity = normal, _recursion_identity(normal)
        counts_repeated = self._identifies_all or identity is not None
        if identity is None:
            named, identity = declared, _recursion_identity(declared)
        named = self._parts.filled(named)
        if identity is None and self._identifies_all:
            identity = named
        level = 0
        if identity is not None:
            around = [entry for entry in stack if entry[0] == identity]
            is_repeated = counts_repeated and bool(around) and around[-1][1] is named
            if is_repeated or not any(named in self._parts.of(other) for _, other, _, _ in around):
                level = 1 + sum(1 for entry in around if entry[2])
            is_deeply_nested = is_deeply_nested or level > self._max_newer
        stack.append((identity, named, level, is_deeply_nested))
        return is_deeply_nested

    def enter_again(self) -> bool:
        """Push the current type once more without counting it; return whether it is deeply nested.

        For a member of the other side, a union or intersection (the checker's RecursionFlags).
        """
        _, current, _, is_deeply_nested = self._stack[-1]
        self._stack.append((None, current, 0, is_deeply_nested))
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
