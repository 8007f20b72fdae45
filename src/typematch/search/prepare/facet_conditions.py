"""Turn a query's facets into conditions that a store understands.

A type behind a facet (``returns:Promise<_>``) becomes a list of types: those that stand in that
place somewhere and that the relation accepts.  So a facet means what the relation says, and the
store compares numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, cast

from typematch.errors import UsageError
from typematch.index.entries.selection import Between, Condition, Facet, OneOfTypes, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.entries.selection import Value as Wanted
from typematch.index.store import Place
from typematch.ir.constructors import closed
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNKNOWN,
    WILDCARD,
    Array,
    Intrinsic,
    Named,
    Reference,
    Type,
    Var,
)
from typematch.query.model import (
    Constraint,
    Flag,
    Glob,
    HasValue,
    Range,
    TextValue,
    TypeValue,
    Value,
)

# What says nothing about a type: a facet about types does not mean these.
_SAYS_NOTHING = frozenset((ANY, UNKNOWN, UNANNOTATED, WILDCARD))

Assigns = Callable[[Type, Type], bool]


class TypeLookup(Protocol):
    """What facets ask of a store."""

    def types_in(
        self, place: Place, asked: Type | None = ..., *, name: str = ...
    ) -> Iterator[tuple[int, Type]]: ...

    def find(self, id_or_suffix: str, /, limit: int = ...) -> list[str]: ...

    def numbers(self, ids: Sequence[str], /) -> dict[str, int]: ...

    def signatures_of(self, number: int, /) -> tuple[int, ...]: ...


def selection(
    constraints: Sequence[Constraint], store: TypeLookup, assigns: Assigns
) -> tuple[Condition, ...]:
    """Return one condition for each constraint, in the same order.

    Args:
        assigns: whether a source may be assigned to a target.

    Raises:
        UsageError: ``like:`` names no entry, or several.
    """
    return tuple(
        Condition(
            cast(Facet, "type" if constraint.key == "like" else constraint.key),
            tuple(_value(constraint.key, value, store, assigns) for value in constraint.values),
            constraint.negated,
        )
        for constraint in constraints
    )


def names(words: Sequence[str]) -> Selection:
    """Return conditions that every entry meets whose id holds all of ``words``."""
    return tuple(Condition("id", (Pattern(f"*{word}*"),)) for word in words)


def _value(key: str, value: Value, store: TypeLookup, assigns: Assigns) -> Wanted:
    match value:
        case Glob(pattern):
            return Pattern(pattern)
        case Flag(name):
            return Pattern(name)
        case Range(low, high):
            return Between(low, high)
        case TextValue(text):
            return OneOfTypes(_types_of(text, store)) if key == "like" else Pattern(text)
        case HasValue(name, None):
            return Pattern(name)
        case HasValue(name, type_) if type_ is not None:
            numbers = _accepted(store.types_in("property", type_, name=name), type_, assigns)
            return OneOfTypes(numbers, name)
        case TypeValue(type_, text):
            return _typed(key, type_, text, store, assigns)
        case _:
            raise AssertionError(f"no condition for {value}")


def _typed(key: str, asked: Type, text: str, store: TypeLookup, assigns: Assigns) -> Wanted:
    if key == "mentions":
        return Pattern(_mentioned(asked, text))
    if key == "param":
        takes = (
            number
            for number, found in store.types_in("parameter", asked)
            if _says_something(found) and assigns(asked, closed(found, ANY))
        )
        return OneOfTypes(tuple(takes))
    return OneOfTypes(_accepted(store.types_in("returns", asked), asked, assigns))


def _accepted(found: Iterator[tuple[int, Type]], asked: Type, assigns: Assigns) -> tuple[int, ...]:
    anything = asked in _SAYS_NOTHING
    return tuple(
        number
        for number, type_ in found
        if anything or (_says_something(type_) and assigns(closed(type_, ANY), asked))
    )


def _says_something(found: Type) -> bool:
    return found not in _SAYS_NOTHING and not isinstance(found, Var)


def _mentioned(asked: Type, text: str) -> str:
    match asked:
        case Reference(target):
            return target
        case Intrinsic(name):
            return name
        case Named(path):
            return ".".join(path)
        case Array():
            return "Array"
        case _:
            return text


def _types_of(id_or_suffix: str, store: TypeLookup) -> tuple[int, ...]:
    found = store.find(id_or_suffix, limit=2)
    if len(found) != 1:
        what = "may be several entries" if found else "is no entry"
        raise UsageError(f"like:{id_or_suffix}: this {what}", hint="Give the whole id.")
    return store.signatures_of(store.numbers(found)[found[0]])
