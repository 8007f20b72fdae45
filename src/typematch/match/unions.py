"""Compare where a side is a union or an intersection."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from typematch.ir.types import (
    ANY,
    NULL,
    UNDEFINED,
    UNKNOWN,
    Array,
    Intersection,
    Literal,
    Mapped,
    Object,
    Property,
    Reference,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match import objects
from typematch.match.verdict import Misfit
from typematch.program.instantiate import constituents
from typematch.program.members import property_of
from typematch.program.normal import is_enum_member
from typematch.program.shape import read_type

if TYPE_CHECKING:
    from typematch.match.relation import Relation

COMBINATIONS = 25


def each_member(rel: Relation, s: Type, t: Type) -> Misfit | None:
    """Return None if every member of the union ``s`` fits ``t``."""
    among = t.members if isinstance(t, Union) else ()
    members = s.members if isinstance(s, Union) else constituents(s)
    for member in members:
        if member in among:
            continue
        broken = rel.related(member, t)
        if broken is not None:
            return broken
    return None


def some_member(rel: Relation, s: Type, t: Union, state: int = 0) -> Misfit | None:
    """Return None if ``s`` fits one member of the union ``t``."""
    if s in t.members:
        return None
    misfit: Misfit | None = None
    near: Misfit | None = None
    for member in t.members:
        broken = rel.related(s, member, state)
        if broken is None:
            return None
        misfit = broken
        if broken.segment or broken.cause is not None:
            near = broken if near is None else near
    if near is not None and sum(m not in (UNDEFINED, NULL) for m in t.members) == 1:
        return near
    return Misfit("member", s, t) if misfit is not None else None


def every_part(rel: Relation, s: Type, t: Intersection) -> Misfit | None:
    """Return None if ``s`` fits every member of the intersection ``t``."""
    for member in t.members:
        broken = rel.related(s, member, 2)
        if broken is not None:
            return broken
    return None


def some_part(rel: Relation, s: Intersection, t: Type) -> Misfit | None:
    """Return None if one member of the intersection ``s`` fits ``t`` alone."""
    broken: Misfit | None = None
    for member in s.members:
        broken = rel.related(member, t, 1)
        if broken is None:
            return None
    return Misfit("type", s, t)


def discriminated(rel: Relation, s: Type, t: Union) -> Misfit | None:
    """Return None if for every combination of what discriminates in ``s`` a member of ``t`` fits."""
    misfit = Misfit("member", s, t)
    targets = [
        m
        for m in t.members
        if isinstance(m, (Object, Reference, Array, Tuple, Intersection, Mapped))
    ]
    targets = [m for m in targets if not is_enum_member(rel.reducer, m)]
    if len(targets) < 2:
        return misfit
    source = rel.reducer.shape(s)
    found = [p for p in source if _discriminates(rel, p.name, targets)]
    if not found:
        return misfit
    choices: list[tuple[Type, ...]] = []
    total = 1
    for p in found:
        members = constituents(rel.reducer.normal(read_type(p)))
        total *= len(members)
        if total > COMBINATIONS:
            return misfit
        choices.append(members)
    matching: dict[Type, None] = {}
    for combination in product(*choices):
        fitting = [m for m in targets if _all_fit(rel, s, m, found, combination)]
        if not fitting:
            return misfit
        matching.update(dict.fromkeys(fitting))
    excluded = frozenset(p.name for p in found)
    for member in matching:
        broken = objects.structural(rel, s, member, 0, excluded)
        if broken is not None:
            return broken
    return None


def _all_fit(
    rel: Relation, s: Type, member: Type, found: list[Property], combination: tuple[Type, ...]
) -> bool:
    shape = rel.reducer.shape(member)
    for p, kind in zip(found, combination, strict=True):
        target = shape.get(p.name)
        if target is None or objects.property_related(rel, p, target, kind, True) is not None:
            return False
    return True


def _discriminates(rel: Relation, name: str, targets: list[Type]) -> bool:
    """Return whether a property tells the members of a union apart: its types differ and one is a literal."""
    kinds: set[Type] = set()
    literal = False
    for member in targets:
        p = property_of(rel.reducer, member, name)
        if p is None:
            return False
        kind = rel.reducer.normal(read_type(p))
        kinds.add(kind)
        literal = literal or any(is_unit(rel, part) for part in constituents(kind))
    return len(kinds) > 1 and literal


def is_unit(rel: Relation, t: Type) -> bool:
    """Return whether only one value has the type."""
    if isinstance(t, (Literal, UniqueSymbol)) or t in (UNDEFINED, NULL):
        return True
    return is_enum_member(rel.reducer, t)


__all__ = [
    "ANY",
    "UNKNOWN",
    "discriminated",
    "each_member",
    "every_part",
    "some_member",
    "some_part",
]
