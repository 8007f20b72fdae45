"""Say which members a type has, opened only where somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from typematch.ir.constructors import intersection, union
from typematch.ir.intern import replaced
from typematch.ir.types import (
    UNDEFINED,
    IndexSignature,
    Object,
    Property,
    Signature,
    Type,
)

Opener = Callable[[Property], Property]
METHOD = "method"


class ResolvedMembers:
    """The members of one type: its own first, then those of what it extends.

    Attributes:
        calls, constructs, indexes: inherited ones included.
        implicit: written out (an alias, not an interface), so that its properties stand for the
            index signatures it does not declare.
    """

    __slots__ = (
        "_bases",
        "_done",
        "_names",
        "_open",
        "_own",
        "calls",
        "constructs",
        "implicit",
        "indexes",
    )

    def __init__(
        self,
        own: Mapping[str, Property],
        *,
        calls: tuple[Signature, ...] = (),
        constructs: tuple[Signature, ...] = (),
        indexes: tuple[IndexSignature, ...] = (),
        bases: tuple[ResolvedMembers, ...] = (),
        opener: Opener | None = None,
        implicit: bool = False,
    ) -> None:
        self._own = own
        self._open = opener
        self._bases = bases
        self._done: dict[str, Property | None] = {}
        self._names: tuple[str, ...] | None = None
        self.calls = calls
        self.constructs = constructs
        self.indexes = indexes
        self.implicit = implicit

    def get(self, name: str) -> Property | None:
        """Return the property of that name, or None."""
        done = self._done
        if name in done:
            return done[name]
        found = self._own.get(name)
        if found is not None:
            if self._open is not None:
                found = self._open(found)
            if found.method:
                found = as_method(found)
        else:
            for base in self._bases:
                found = base.get(name)
                if found is not None:
                    break
        done[name] = found
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all properties, in order."""
        if self._names is None:
            every = set(self._own)
            for base in self._bases:
                every.update(base.names)
            self._names = tuple(sorted(every))
        return self._names

    def __iter__(self) -> Iterator[Property]:
        for name in self.names:
            found = self.get(name)
            if found is not None:
                yield found

    def __bool__(self) -> bool:
        return bool(self.names or self.calls or self.constructs or self.indexes)


NO_MEMBERS = ResolvedMembers({})


@lru_cache(maxsize=20_000)
def as_method(p: Property) -> Property:
    """Return a method with its signatures marked.

    They are compared bivariantly wherever they go.
    """
    if not isinstance(p.type, Object) or not p.type.calls:
        return p
    kind = Object(
        p.type.properties,
        tuple(mark(signature, METHOD) for signature in p.type.calls),
        p.type.constructs,
        p.type.indexes,
    )
    return Property(
        p.name, kind, p.optional, p.readonly, True, p.visibility, p.owner, p.write, p.quoted
    )


def mark(s: Signature, word: str) -> Signature:
    """Return the signature with one more word in its modifier."""
    if word in s.modifier:
        return s
    return replaced(s, modifier=f"{s.modifier} {word}".strip())


def read_type(p: Property) -> Type:
    """Return what reading the property gives: ``undefined`` too if it is optional."""
    return union((p.type, UNDEFINED)) if p.optional else p.type


def merge(name: str, parts: Iterable[Property]) -> Property:
    """Return the property of an intersection whose members have ``parts`` under one name."""
    every = list(parts)
    if len(every) == 1:
        return every[0]
    optional = all(p.optional for p in every)
    types = [p.type if optional else read_type(p) for p in every]
    hidden = next((p for p in every if p.visibility != "public"), every[0])
    return Property(
        name,
        intersection(types),
        optional,
        all(p.readonly for p in every),
        all(p.method for p in every),
        hidden.visibility,
        hidden.owner,
    )
