"""Compare unions and intersections (unionOrIntersectionRelatedTo)."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from typematch.ir.constructors import LITERAL_PRIMITIVES, UNKNOWN_LIKE, constituents
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    BOOLEAN,
    NEVER,
    NULL,
    UNDEFINED,
    Array,
    Intersection,
    Intrinsic,
    Literal,
    Mapped,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability import members as objects
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.simple_types import SIMPLE_CLASSES
from typematch.match.verdict import Misfit
from typematch.program.reduction.members import property_of
from typematch.program.reduction.resolved_members import read_type
from typematch.program.reduction.unions import is_enum_member, is_unit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_OBJECTS = frozenset((Object, Reference, Array, Tuple, Intersection, Mapped))
# The checker's limit on combinations of discriminants, and the size from which on a union gets
# an index from discriminant to member.
MAX_COMBINATIONS = 25
MIN_INDEXED_MEMBERS = 10


def each_source_member_related(
    rel: Relation, s: Type, t: Type, state: IntersectionState = IntersectionState.NONE
) -> Misfit | None:
    """Return None if every member of the union ``s`` is related to ``t``.

    The checker's eachTypeRelatedToType; ``boolean`` counts as a union.
    """
    target_members = union_members(rel, t) if isinstance(t, Union) else _NONE
    members = s.members if isinstance(s, Union) else constituents(s)
    for member in members:
        if member in target_members:
            continue
        misfit = rel.related(member, t, state)
        if misfit is not None:
            return misfit
    return None


def target_union_related(
    rel: Relation, s: Type, t: Union, state: IntersectionState, source: Type, target: Type
) -> Misfit | None:
    """Compare with a target union: shortcuts, then as any other pair."""
    if UNKNOWN_LIKE.issubset(union_members(rel, t)):
        return None
    if s is BOOLEAN:
        return each_source_member_related(rel, s, t, state)
    if s.__class__ in SIMPLE_CLASSES:
        return related_to_some_member(rel, s, t, state)
    return rel.related_by_declaration(s, t, state, source, target)


_NONE: frozenset[Type] = frozenset()


def union_members(rel: Relation, t: Union) -> frozenset[Type]:
    """Return the members of a union as a set, memoised."""
    members = rel.union_members.get(t)
    if members is None:
        members = rel.union_members[t] = frozenset(t.members)
    return members


def related_to_some_member(
    rel: Relation, s: Type, t: Union, state: IntersectionState = IntersectionState.NONE
) -> Misfit | None:
    """Return None if ``s`` is related to a member of the union ``t`` (typeRelatedToSomeType)."""
    target_members = union_members(rel, t)
    if s in target_members:
        return None
    if isinstance(s, Literal) and s.kind != "number" and _all_primitive(rel, t, target_members):
        # Of keywords and literals only its own keyword accepts it.
        return None if LITERAL_PRIMITIVES[s.kind] in target_members else Misfit("member", s, t)
    discriminated = None
    if len(t.members) >= MIN_INDEXED_MEMBERS and isinstance(s, (Object, Reference, Intersection)):
        discriminated = _member_by_discriminant(rel, s, t)
        if discriminated is not None and rel.related(s, discriminated, state) is None:
            return None
    rel.reducer.count_members(len(t.members))
    nested_misfit: Misfit | None = None
    for member in t.members:
        misfit = rel.related(s, member, state)
        if misfit is None:
            return None
        if misfit.cause is not None and nested_misfit is None:
            nested_misfit = misfit
    if nested_misfit is not None and sum(m not in (UNDEFINED, NULL) for m in t.members) == 1:
        return nested_misfit
    return Misfit("member", s, t)


def _all_primitive(rel: Relation, t: Union, members: frozenset[Type]) -> bool:
    all_primitive = rel.primitive_unions.get(t)
    if all_primitive is None:
        all_primitive = rel.primitive_unions[t] = all(
            isinstance(m, (Intrinsic, Literal)) for m in members
        )
    return all_primitive


def _member_by_discriminant(rel: Relation, s: Type, t: Union) -> Type | None:
    """Return the member of a large union that has the discriminant of ``s``."""
    index = rel.discriminant_indexes.get(t)
    if index is None:
        index = rel.discriminant_indexes[t] = _discriminant_index(rel, t)
    name, by_literal = index
    if not name:
        return None
    p = rel.reducer.members_of(s).get(name)
    return None if p is None else by_literal.get(rel.reducer.normal(p.type))


def _discriminant_index(rel: Relation, t: Union) -> tuple[str, dict[Type, Type]]:
    """Return a discriminant and the member for each of its values; ``""`` if there is none."""
    members = [m for m in t.members if isinstance(m, (Object, Reference, Intersection))]
    if len(members) < MIN_INDEXED_MEMBERS:
        return "", {}
    for name in rel.reducer.members_of(members[0]).names:
        by_literal: dict[Type, Type] = {}
        for member in members:
            p = rel.reducer.members_of(member).get(name)
            for unit in () if p is None else constituents(rel.reducer.normal(p.type)):
                if is_unit(rel.reducer, unit):
                    by_literal.setdefault(unit, member)
        if (
            len(by_literal) >= MIN_INDEXED_MEMBERS
            and len(set(by_literal.values())) >= MIN_INDEXED_MEMBERS
        ):
            return name, by_literal
    return "", {}


def related_to_each_part(rel: Relation, s: Type, t: Intersection) -> Misfit | None:
    """Return None if ``s`` is related to every part of ``t`` (typeRelatedToEachType)."""
    for member in t.members:
        misfit = rel.related(s, member, IntersectionState.TARGET)
        if misfit is not None:
            return misfit
    return None


def some_part_related(rel: Relation, s: Intersection, t: Type) -> Misfit | None:
    """Return None if one part of ``s`` alone is related to ``t`` (someTypeRelatedToType)."""
    misfit: Misfit | None = None
    for member in s.members:
        misfit = rel.related(member, t, IntersectionState.SOURCE)
        if misfit is None:
            return None
    return Misfit("type", s, t)


def discriminated_union_related(rel: Relation, s: Type, t: Union) -> Misfit | None:
    """Return None if for each combination of discriminants of ``s`` a member of ``t`` matches.

    The checker's typeRelatedToDiscriminatedType.
    """
    misfit = Misfit("member", s, t)
    targets = [
        m for m in t.members if m.__class__ in _OBJECTS and not is_enum_member(rel.reducer, m)
    ]
    if len(targets) < 2:
        return misfit
    names = rel.discriminant_names.get(t)
    if names is None:
        names = rel.discriminant_names[t] = _discriminant_names(rel, targets)
    if not names:
        return misfit
    source = rel.reducer.members_of(s)
    discriminants = [p for name in names if (p := source.get(name)) is not None]
    if not discriminants:
        return misfit
    alternatives: list[tuple[Type, ...]] = []
    total = 1
    for p in discriminants:
        members = constituents(rel.reducer.normal(read_type(p))) or (NEVER,)
        total *= len(members)
        if total > MAX_COMBINATIONS:
            return misfit
        alternatives.append(members)
    matching: dict[Type, None] = {}
    for combination in product(*alternatives):
        matched = [m for m in targets if _combination_related(rel, m, discriminants, combination)]
        if not matched:
            return misfit
        matching.update(dict.fromkeys(matched))
    excluded = frozenset(p.name for p in discriminants)
    for member in matching:
        member_misfit = objects.members_related(rel, s, member, excluded=excluded)
        if member_misfit is not None:
            return member_misfit
    return None


def _combination_related(
    rel: Relation, member: Type, discriminants: list[Property], combination: tuple[Type, ...]
) -> bool:
    members = rel.reducer.members_of(member)
    for p, discriminant_type in zip(discriminants, combination, strict=True):
        target = members.get(p.name)
        if (
            target is None
            or objects.property_related(rel, p, target, discriminant_type, True) is not None
        ):
            return False
    return True


def _discriminant_names(rel: Relation, targets: list[Type]) -> tuple[str, ...]:
    """Return the names of the discriminants of a union."""
    shared = rel.reducer.members_of(targets[0]).names
    return tuple([name for name in shared if _is_union_discriminant(rel, name, targets)])


def _is_union_discriminant(rel: Relation, name: str, targets: list[Type]) -> bool:
    """Return whether the types of a property differ and one is a unit (isDiscriminantProperty)."""
    types: set[Type] = set()
    literal = False
    for member in targets:
        p = property_of(rel.reducer, member, name)
        if p is None:
            return False
        member_type = rel.reducer.normal(read_type(p))
        types.add(member_type)
        literal = literal or any(is_unit(rel.reducer, part) for part in constituents(member_type))
    return len(types) > 1 and literal
