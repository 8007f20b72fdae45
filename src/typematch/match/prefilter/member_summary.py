"""Member names of declared types, memoized per declaration and kept for many queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from typematch.ir.constructors import intersection_members, is_base_value
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
from typematch.program.reduction.typeof import base_type


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
        if isinstance(t, Object):
            return self.object_summary(t)
        key = _declaration_key(t)
        if key is None:
            return None
        if key not in self._summaries:
            for declared in self._ancestors_first(key):
                self._summaries[declared] = self._declared_summary(declared)
        return self._summaries[key]

    def _ancestors_first(self, key: str) -> Iterator[str]:
        """Yield the declarations to summarize for ``key``, each after those that it extends.

        Without recursion: a chain of heritage may be longer than the interpreter's stack.
        """
        self._summaries[key] = None  # while it is in progress, also for itself as its base
        pending = [(key, self._base_keys(key))]
        while pending:
            declared, base_keys = pending[-1]
            base = next((base for base in base_keys if base not in self._summaries), None)
            if base is None:
                pending.pop()
                yield declared
            else:
                self._summaries[base] = None
                pending.append((base, self._base_keys(base)))

    def _base_keys(self, key: str) -> Iterator[str]:
        declaration = self._reducer.declaration(key)
        for base in () if declaration is None else declaration.extends:
            for head in self._base_heads(base):
                base_key = None if head is None else _declaration_key(head)
                if base_key is not None:
                    yield base_key

    def _base_heads(self, base: Type) -> Sequence[Type | None]:
        """Return the head of a base type, or of each member of an intersection.

        A class that extends a mixin has an intersection as base type.  None for a head that is
        unknown within the limits.
        """
        if is_base_value(base):
            instance = self._reducer.with_own_budget(lambda: base_type(self._reducer, base))
            if instance is None:
                return (None,)
            return [self._head(member) for member in intersection_members(instance)]
        return (base if isinstance(base, Array) else self._head(base),)

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
        for head in [head for base in declaration.extends for head in self._base_heads(base)]:
            inherited = None if head is None else self.summary_of(head)
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
            # A key that is an alias may be `string`.
            any(index.key is STRING or index.key.__class__ is Reference for index in t.indexes),
        )


def _declaration_key(t: Type) -> str | None:
    """Return the key of the declaration of ``t``; None for other types."""
    match t:
        case Reference(target):
            return target
        case Array(_, readonly) | Tuple(_, readonly):
            return "global#ReadonlyArray" if readonly else "global#Array"
        case _:
            return None
