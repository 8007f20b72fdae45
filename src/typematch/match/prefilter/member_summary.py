"""Member names of declared types, memoized per declaration and kept for many queries."""

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
    """What all instances of one declaration have in common.

    Attributes:
        names: property names.
        required: names of the properties that are not optional.
        callable: has call or construct signatures.
        indexed: has index signatures.
        string_indexed: has an index signature for strings.
        complete: false if a base type is unknown, which may add members.
    """

    names: frozenset[str]
    required: frozenset[str]
    callable: bool
    indexed: bool
    string_indexed: bool
    complete: bool = True

    @property
    def weak(self) -> bool:
        """Whether this is a weak type: it has properties, and all of them are optional."""
        plain = not (self.required or self.callable or self.indexed)
        return plain and self.complete and bool(self.names)


class MemberSummaries:
    """Memoized member summaries.

    Args:
        head: returns a type with its outermost alias expanded; None if unknown.
    """

    def __init__(self, reducer: Reducer, head: Callable[[Type], Type | None]) -> None:
        self._reducer = reducer
        self._head = head
        self._summaries: dict[str, MemberSummary | None] = {}

    def summary_of(self, t: Type) -> MemberSummary | None:
        """Return the summary of the declaration of ``t``; None for other than object types."""
        match t:
            case Reference(target):
                key = target
            case Array(_, readonly) | Tuple(_, readonly):
                key = "global#ReadonlyArray" if readonly else "global#Array"
            case Object():
                return self.object_summary(t)
            case _:
                return None
        if key not in self._summaries:
            self._summaries[key] = None  # ends the recursion of a declaration that is its own base
            self._summaries[key] = self._declared_summary(key)
        return self._summaries[key]

    def wrapper_summary(self, t: Type) -> MemberSummary | None:
        """Return the summary of a primitive's wrapper object; None if ``t`` is no primitive."""
        match t:
            case Intrinsic(name) | Literal(name):
                wrapper = WRAPPERS.get(name)
                return None if wrapper is None else self.summary_of(Reference(wrapper))
            case Template():
                return self.summary_of(Reference(WRAPPERS["string"]))
            case _:
                return None

    def _declared_summary(self, key: str) -> MemberSummary | None:
        """Return the summary of a class or interface, inherited members included."""
        declaration = self._reducer.declaration(key)
        if declaration is None or not isinstance(declaration.type, Object):
            return None
        own = self.object_summary(declaration.type)
        names, required = set(own.names), set(own.required)
        callable_, indexed, keyed, complete = own.callable, own.indexed, own.string_indexed, True
        for base in declaration.extends:
            base_head = base if isinstance(base, Array) else self._head(base)
            inherited = None if base_head is None else self.summary_of(base_head)
            if inherited is None:
                complete = False
                continue
            required |= inherited.required - own.names
            names |= inherited.names
            callable_ = callable_ or inherited.callable
            indexed = indexed or inherited.indexed
            keyed = keyed or inherited.string_indexed
            complete = complete and inherited.complete
        required_names = frozenset(required)
        return MemberSummary(frozenset(names), required_names, callable_, indexed, keyed, complete)

    def object_summary(self, t: Object) -> MemberSummary:
        """Return the summary of a type literal, without inherited members."""
        properties = self._reducer.properties_of(t)
        return MemberSummary(
            frozenset(properties),
            frozenset(name for name, p in properties.items() if not p.optional),
            bool(t.calls or t.constructs),
            bool(t.indexes),
            any(index.key is STRING for index in t.indexes),
        )
