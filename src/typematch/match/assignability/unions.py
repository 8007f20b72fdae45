"""Compare where a side is a union or an intersection."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents
from typematch.ir.types import (
    NEVER,
    NULL,
    UNDEFINED,
    Array,
    Intersection,
    Intrinsic,
    Literal,
    Mapped,
    Object,
    Property,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability import members as objects
from typematch.match.verdict import Misfit
from typematch.program.reduction.members import property_of
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.unions import KEYWORDS, is_enum_member, is_unit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_OBJECTS = frozenset((Object, Reference, Array, Tuple, Intersection, Mapped))
# How many combinations of discriminants are tried (the compiler's number), and from how many
# members on a union is worth an index.
COMBINATIONS = 25
MANY = 10


def each_member(rel: Relation, s: Type, t: Type, state: int = 0) -> Misfit | None:
    """Return None if every member of the union ``s`` fits ``t``."""
    among = members_of(rel, t) if isinstance(t, Union) else _NONE
    members = s.members if isinstance(s, Union) else constituents(s)
    for member in members:
        if member in among:
            continue
        broken = rel.related(member, t, state)
        if broken is not None:
            return broken
    return None


_NONE: frozenset[Type] = frozenset()


def members_of(rel: Relation, t: Union) -> frozenset[Type]:
    """Return the members of a union as a set."""
    found = rel.members.get(t)
    if found is None:
        found = rel.members[t] = frozenset(t.members)
    return found


def some_member(rel: Relation, s: Type, t: Union, state: int = 0) -> Misfit | None:
    """Return None if ``s`` fits one member of the union ``t``."""
    among = members_of(rel, t)
    if s in among:
        return None
    if isinstance(s, Literal) and s.kind != "number" and _all_plain(rel, t, among):
        # Among keywords and literals only its own keyword can hold it.
        return None if KEYWORDS[s.kind] in among else Misfit("member", s, t)
    likely = None
    if len(t.members) >= MANY and isinstance(s, (Object, Reference, Intersection)):
        likely = _likely_member(rel, s, t)
        if likely is not None and rel.related(s, likely, state) is None:
            return None
    rel.reducer.work(len(t.members))
    near: Misfit | None = None
    for member in t.members:
        broken = rel.related(s, member, state)
        if broken is None:
            return None
        if broken.cause is not None and near is None:
            near = broken
    if near is not None and sum(m not in (UNDEFINED, NULL) for m in t.members) == 1:
        return near
    return Misfit("member", s, t)


def _all_plain(rel: Relation, t: Union, among: frozenset[Type]) -> bool:
    found = rel.plain.get(t)
    if found is None:
        found = rel.plain[t] = all(isinstance(m, (Intrinsic, Literal)) for m in among)
    return found


def _likely_member(rel: Relation, s: Type, t: Union) -> Type | None:
    """Return the member of a large union that has the literal of ``s`` where they differ."""
    found = rel.discriminants.get(t)
    if found is None:
        found = rel.discriminants[t] = _discriminant(rel, t)
    name, by_literal = found
    if not name:
        return None
    p = rel.reducer.shape(s).get(name)
    return None if p is None else by_literal.get(rel.reducer.normal(p.type))


def _discriminant(rel: Relation, t: Union) -> tuple[str, dict[Type, Type]]:
    """Return the property whose literals tell the members of a union apart, and which is whose."""
    members = [m for m in t.members if isinstance(m, (Object, Reference, Intersection))]
    if len(members) < MANY:
        return "", {}
    for name in rel.reducer.shape(members[0]).names:
        by_literal: dict[Type, Type] = {}
        for member in members:
            p = rel.reducer.shape(member).get(name)
            for unit in () if p is None else constituents(rel.reducer.normal(p.type)):
                if is_unit(rel.reducer, unit):
                    by_literal.setdefault(unit, member)
        if len(by_literal) >= MANY and len(set(by_literal.values())) >= MANY:
            return name, by_literal
    return "", {}


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
    """Return None if a member of ``t`` fits for every combination of discriminants of ``s``."""
    misfit = Misfit("member", s, t)
    targets = [
        m for m in t.members if m.__class__ in _OBJECTS and not is_enum_member(rel.reducer, m)
    ]
    if len(targets) < 2:
        return misfit
    names = rel.discriminating.get(t)
    if names is None:
        names = rel.discriminating[t] = _discriminating(rel, targets)
    if not names:
        return misfit
    source = rel.reducer.shape(s)
    found = [p for name in names if (p := source.get(name)) is not None]
    if not found:
        return misfit
    choices: list[tuple[Type, ...]] = []
    total = 1
    for p in found:
        members = constituents(rel.reducer.normal(read_type(p))) or (NEVER,)
        total *= len(members)
        if total > COMBINATIONS:
            return misfit
        choices.append(members)
    matching: dict[Type, None] = {}
    for combination in product(*choices):
        fitting = [m for m in targets if _all_fit(rel, m, found, combination)]
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
    rel: Relation, member: Type, found: list[Property], combination: tuple[Type, ...]
) -> bool:
    shape = rel.reducer.shape(member)
    for p, kind in zip(found, combination, strict=True):
        target = shape.get(p.name)
        if target is None or objects.property_related(rel, p, target, kind, True) is not None:
            return False
    return True


def _discriminating(rel: Relation, targets: list[Type]) -> tuple[str, ...]:
    """Return the properties that tell the members of a union apart, by name."""
    shared = rel.reducer.shape(targets[0]).names
    return tuple([name for name in shared if _discriminates(rel, name, targets)])


def _discriminates(rel: Relation, name: str, targets: list[Type]) -> bool:
    """Return whether a property tells the members of a union apart.

    Its types differ and one is a literal.
    """
    kinds: set[Type] = set()
    literal = False
    for member in targets:
        p = property_of(rel.reducer, member, name)
        if p is None:
            return False
        kind = rel.reducer.normal(read_type(p))
        kinds.add(kind)
        literal = literal or any(is_unit(rel.reducer, part) for part in constituents(kind))
    return len(kinds) > 1 and literal
