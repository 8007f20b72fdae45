"""Narrows what a container holds: ``Promise<A | B>`` where ``Promise<A>`` is expected.

A container is an array, a promise, an iterable, a map, an object with an index signature, or a
reference to the declaration that the target refers to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

from typematch.ir.constructors import PROMISES, constituents, union
from typematch.ir.intern import replace_fields
from typematch.ir.types import NULL, UNDEFINED, Array, Object, Reference, Type, Union

ITERABLES = frozenset(
    f"global#{name}"
    for name in (
        *("Iterable", "IterableIterator", "IteratorObject", "Iterator", "Generator"),
        *("Set", "ReadonlySet", "ArrayIterator", "SetIterator", "ArrayLike", "ConcatArray"),
    )
)
MAPS = frozenset(("global#Map", "global#ReadonlyMap"))
COVARIANT_CONTAINERS = PROMISES | ITERABLES | MAPS
_ABSENT = frozenset((NULL, UNDEFINED))
_MAX_DEPTH = 3  # levels of containers; unions further inside are not narrowed


class ContentComparison(Protocol):
    """The operations on types that narrowing uses."""

    def expand(self, t: Type, /) -> Type:
        """Return ``t`` with its outermost alias expanded as far as possible."""
        ...

    def may_be_assignable(self, source: Type, target: Type, /) -> bool:
        """Return False only if ``source`` is not assignable to ``target``."""
        ...


def superfluous_members(
    source: Type, target: Type, types: ContentComparison, depth: int = _MAX_DEPTH
) -> tuple[Type, ...]:
    """Return members of unions inside ``source`` that the same place of ``target`` rejects.

    Args:
        source, target: expanded types.
        depth: levels of containers that are compared.
    """
    superfluous: list[Type] = []
    for part, expected in _content_pairs(source, target) if depth else ():
        inner, outer = types.expand(part), types.expand(expected)
        if isinstance(inner, Union):
            rejected = [m for m in inner.members if not types.may_be_assignable(m, outer)]
            # A container is narrowed to values that it holds, not to their absence.
            if any(m not in rejected and m not in _ABSENT for m in inner.members):
                superfluous += rejected
        else:
            superfluous += superfluous_members(inner, outer, types, depth - 1)
    return tuple(dict.fromkeys(superfluous))


def _content_pairs(source: Type, target: Type) -> Iterator[tuple[Type, Type]]:
    """Yield the parts of two containers that stand in the same place."""
    match source, target:
        case Array(element), Array(expected):
            yield element, expected
        case Array(element), Reference(name, (expected, *_)) if name in ITERABLES:
            yield element, expected
        case Reference(name, parts), Reference(other, expected_parts) if parts and expected_parts:
            are_containers = name in COVARIANT_CONTAINERS and other in COVARIANT_CONTAINERS
            if name == other or (are_containers and len(parts) == len(expected_parts)):
                yield from zip(parts, expected_parts, strict=False)
        case Reference(_, parts), Object(indexes=(index, *_)) if parts:
            yield from ((part, index.type) for part in parts)
        case Object(indexes=indexes), Object(indexes=expected_indexes) if indexes:
            for index in indexes:
                for expected_index in expected_indexes:
                    if index.key is expected_index.key:
                        yield index.type, expected_index.type
        case _:
            pass


def without_members(
    source: Type,
    members: Collection[Type],
    expand: Callable[[Type], Type],
    depth: int = _MAX_DEPTH,
) -> Type:
    """Return a container without these members of the unions inside it.

    Args:
        source: an expanded type.
        members: as of ``superfluous_members``.
    """

    def narrowed(part: Type) -> Type:
        whole = expand(part)
        if isinstance(whole, Union):
            kept = [member for member in constituents(whole) if member not in members]
            return union(kept) if 0 < len(kept) < len(whole.members) else part
        inner = without_members(whole, members, expand, depth - 1)
        return part if inner is whole else inner

    match source:
        case _ if not depth:
            return source
        case Array(element):
            return replace_fields(source, element=narrowed(element))
        case Reference(_, parts) if parts:
            return replace_fields(source, arguments=tuple(map(narrowed, parts)))
        case Object(indexes=indexes) if indexes:
            narrowed_indexes = (replace_fields(i, type=narrowed(i.type)) for i in indexes)
            return replace_fields(source, indexes=tuple(narrowed_indexes))
        case _:
            return source
