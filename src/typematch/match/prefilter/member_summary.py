"""Know what types of a declaration have, over many queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from typematch.ir.types import (
    STRING,
    Array,
    Intrinsic,
    Literal,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
)
from typematch.program.reduction.members import WRAPPERS
from typematch.program.reduction.reduce import Reducer


@dataclass(frozen=True, slots=True)
class MemberSummary:
    """What is known of all types of one declaration.

    Attributes:
        names: of its properties.
        required: those that are not optional.
        callable: whether it has call or construct signatures.
        indexed: whether it has index signatures.
        keyed: whether one of these is for strings.
        complete: whether this is all; else a base is computed, and may add to it.
    """

    names: frozenset[str]
    required: frozenset[str]
    callable: bool
    indexed: bool
    keyed: bool
    complete: bool = True

    @property
    def weak(self) -> bool:
        """Whether all that it asks for is optional: what shares none of it does not fit."""
        plain = not (self.required or self.callable or self.indexed)
        return plain and self.complete and bool(self.names)


class MemberSummaries:
    """What is known of the types of each declaration.

    Args:
        head: gives a type with the alias at its top followed; None where that needs thought.
    """

    def __init__(self, reducer: Reducer, head: Callable[[Type], Type | None]) -> None:
        self._reducer = reducer
        self._head = head
        self._members: dict[str, MemberSummary | None] = {}

    def members_of(self, t: Type) -> MemberSummary | None:
        """Return what all types of ``t``'s declaration have; None where that is not plain."""
        match t:
            case Reference(target):
                key = target
            case Array(_, readonly) | Tuple(_, readonly):
                key = "global#ReadonlyArray" if readonly else "global#Array"
            case Object():
                return self.written(t)
            case _:
                return None
        if key not in self._members:
            self._members[key] = None  # a declaration that is its own base says nothing
            self._members[key] = self._declared_members(key)
        return self._members[key]

    def wrapper(self, t: Type) -> MemberSummary | None:
        """Return what values of a keyword or literal have; None where that is not known."""
        match t:
            case Intrinsic(name) | Literal(name):
                wrapper = WRAPPERS.get(name)
                return None if wrapper is None else self.members_of(Reference(wrapper))
            case Template():
                return self.members_of(Reference(WRAPPERS["string"]))
            case _:
                return None

    def _declared_members(self, key: str) -> MemberSummary | None:
        """Return what the types of a class or interface have."""
        declared = self._reducer.declaration(key)
        if declared is None or not isinstance(declared.type, Object):
            return None
        own = self.written(declared.type)
        names, required = set(own.names), set(own.required)
        callable_, indexed, keyed, complete = own.callable, own.indexed, own.keyed, True
        for base in declared.extends:
            head = base if isinstance(base, Array) else self._head(base)
            known = None if head is None else self.members_of(head)
            if known is None:
                complete = False
                continue
            required |= known.required - own.names
            names |= known.names
            callable_ = callable_ or known.callable
            indexed = indexed or known.indexed
            keyed = keyed or known.keyed
            complete = complete and known.complete
        required_names = frozenset(required)
        return MemberSummary(frozenset(names), required_names, callable_, indexed, keyed, complete)

    def written(self, t: Object) -> MemberSummary:
        """Return what an object type has, as it is written."""
        properties = self._reducer.by_name(t)
        return MemberSummary(
            frozenset(properties),
            frozenset(name for name, p in properties.items() if not p.optional),
            bool(t.calls or t.constructs),
            bool(t.indexes),
            any(index.key is STRING for index in t.indexes),
        )
