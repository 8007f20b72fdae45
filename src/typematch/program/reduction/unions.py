"""Normal forms of unions and intersections: no redundant members, ``never`` if impossible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from typematch.ir.constructors import (
    LITERAL_PRIMITIVES,
    constituents,
    intersection,
    intersection_members,
    union,
)
from typematch.ir.type_parts import Property
from typematch.ir.types import (
    ANY,
    BIGINT,
    BOOLEAN,
    EMPTY_OBJECT,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Free,
    Intersection,
    Intrinsic,
    Literal,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.program.reduction.alias_bodies import mapped_declaration
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.resolved_members import read_type

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def union_of(r: Reducer, members: Iterable[Type]) -> Type:
    """Return the union of reduced ``members``, without literals of a primitive that is a member."""
    union_type = union([r.normal(member) for member in members])
    if union_type.__class__ is not Union:
        return union_type
    union_members = union_type.members
    primitives = _WIDE_PRIMITIVES.intersection(union_members)
    if not primitives:
        return union_type
    not_implied = [
        part
        for part in union_members
        if part in primitives or primitive_of(r, part) not in primitives
    ]
    return union_type if len(not_implied) == len(union_members) else union(not_implied)


_WIDE_PRIMITIVES = frozenset((STRING, NUMBER, BIGINT, SYMBOL))


def literal_of(r: Reducer, t: Type) -> Literal | None:
    """Return ``t`` as a literal type, with the value of an enum member; None otherwise."""
    if t.__class__ is Literal:
        return t
    if t.__class__ is Reference:
        declaration = r.declaration(t.target)
        if declaration is not None and declaration.kind == "enum-member":
            value = declaration.type
            return value if isinstance(value, Literal) else None
    return None


def is_enum_member(r: Reducer, t: Type) -> bool:
    """Whether ``t`` is a member of an enum."""
    if not isinstance(t, Reference):
        return False
    declaration = r.declaration(t.target)
    return declaration is not None and declaration.kind == "enum-member"


def is_unit(r: Reducer, t: Type) -> bool:
    """Whether the type has exactly one value: isUnitType."""
    return t in (UNDEFINED, NULL) or _is_single_value(r, t)


def primitive_of(r: Reducer, t: Type) -> Intrinsic | None:
    """Return the primitive type that ``t`` is a subtype of; None if it is not primitive."""
    match t:
        case Intrinsic():
            return t if t in _PRIMITIVES else None
        case Literal(kind, _):
            return LITERAL_PRIMITIVES[kind]
        case Template():
            return STRING
        case UniqueSymbol():
            return SYMBOL
        case Reference(target):
            declaration = r.declaration(target)
            if declaration is None:
                return None
            if declaration.kind == "enum-member":
                value = declaration.type
                return LITERAL_PRIMITIVES[value.kind] if isinstance(value, Literal) else NUMBER
            return STRING if declaration.type in INTRINSIC_BODIES else None
        case _:
            return None


_PRIMITIVES = frozenset((STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL, UNDEFINED, NULL, VOID))
# ``intrinsic`` is an unresolved name for a parser that does not know the keyword.
INTRINSIC_BODIES = frozenset((Intrinsic("intrinsic"), Named(("intrinsic",))))


def intersection_of(r: Reducer, members: Iterable[Type]) -> Type:
    """Return the intersection of reduced ``members``, distributed over unions."""
    members = tuple(members)
    reduced = [r.normal(member) for member in members]
    intersection_type = intersection(_with_empty_mapped_types(r, members, reduced))
    if intersection_type.__class__ is not Intersection:
        return intersection_type
    parts: tuple[Type, ...] = intersection_type.members
    if any(part.__class__ is Union for part in parts):
        return _distribute(r, parts)
    if len(parts) == 2 and any(part.__class__ is Free for part in parts):
        variable, other_member = parts if parts[0].__class__ is Free else parts[::-1]
        if _excludes_primitive(r, variable, other_member):
            return NEVER
    return _remove_implied(r, parts)


def _with_empty_mapped_types(
    r: Reducer, members: Sequence[Type], reduced: Sequence[Type]
) -> Sequence[Type]:
    """Return ``reduced``, with mapped types that have no keys as they were.

    Beside weak types they count: isEmptyAnonymousObjectType is true for ``{}`` only, and an
    intersection with them is no weak type.
    """
    if EMPTY_OBJECT not in reduced or len(set(reduced)) < 2:
        return reduced
    if not all(map(_is_weak_or_empty, reduced)):
        return reduced
    return [
        member if part is EMPTY_OBJECT and mapped_declaration(r, member) is not None else part
        for member, part in zip(members, reduced, strict=True)
    ]


def _is_weak_or_empty(t: Type) -> bool:
    if not isinstance(t, Object) or t.calls or t.constructs or t.indexes:
        return False
    return all(item.optional for item in t.properties)


def _excludes_primitive(r: Reducer, variable: Type, other: Type) -> bool:
    """Whether a variable with a primitive constraint and ``other`` have no common value."""
    constraint = r.constraints.get(variable)
    if r.oracle is None or constraint is None or primitive_of(r, other) is None:
        return False
    constraint = r.normal(constraint)
    choices = constituents(constraint)
    if other in choices:
        # Without this, a union and itself are intersected by comparing all pairs of its members.
        return False
    if any(primitive_of(r, choice) is None for choice in choices):
        return False
    may_intersect = any(r.oracle.assignable(choice, other) for choice in choices)
    return not may_intersect and not r.oracle.assignable(other, constraint)


def _distribute(r: Reducer, parts: Sequence[Type]) -> Type:
    # boolean is not split: true & boolean is true in any case.
    choices = [part.members if isinstance(part, Union) else (part,) for part in parts]
    size = prod(map(len, choices))
    if size > r.limits.product:
        raise LimitReached("an intersection of unions multiplies out to too many members")
    r.steps += size
    return union_of(r, [intersection_of(r, combination) for combination in product(*choices)])


def _remove_implied(r: Reducer, parts: Sequence[Type]) -> Type:
    primitives = [part for part in parts if primitive_of(r, part) is not None]
    others = [part for part in parts if primitive_of(r, part) is None]
    if primitives:
        met = _meet_primitives(r, primitives)
        if met is None or (met in _NULLISH and _excludes_nullish(others)):
            return NEVER
        if met is not VOID:
            others = [part for part in others if part is not EMPTY_OBJECT]
        if OBJECT in others:
            return NEVER
        return intersection([*intersection_members(met), *others])
    objects = [part for part in others if _is_object(part)]
    if len(objects) > 1:
        # getIntersectionType removes {} beside other object types; object stays.
        others = [part for part in others if part is not EMPTY_OBJECT]
        if _is_impossible(r, objects):
            return NEVER
    return intersection(others)


def _excludes_nullish(others: Sequence[Type]) -> bool:
    return any(part is OBJECT or _is_object(part) for part in others)


_NULLISH = frozenset((UNDEFINED, NULL))


def _is_object(t: Type) -> bool:
    return isinstance(t, (Object, Reference, Array, Tuple))


def _meet_primitives(r: Reducer, primitives: Sequence[Type]) -> Type | None:
    """Return the intersection of primitives; None if it is empty."""
    result: list[Type] = []
    for primitive in primitives:
        keep = True
        for position, current in enumerate(result):
            met = _meet_two(r, current, primitive)
            if met is None:
                return None
            if met is current:
                keep = False
                break
            if met is primitive:
                result[position] = primitive
                keep = False
                break
        if keep:
            result.append(primitive)
    return intersection(result)


def _meet_two(r: Reducer, a: Type, b: Type) -> Type | None:
    """Return the narrower of two primitives; None if they are disjoint.

    UNKNOWN if both must stay.
    """
    if a is b:
        return a
    wide_a, wide_b = primitive_of(r, a), primitive_of(r, b)
    if {a, b} == {UNDEFINED, VOID}:
        return UNDEFINED
    if wide_a is not wide_b:
        return None
    if a is wide_a:
        return b
    if b is wide_b:
        return a
    if (
        isinstance(a, Template)
        or isinstance(b, Template)
        or not _is_single_value(r, a)
        or not _is_single_value(r, b)
    ):
        return _meet_patterns(r, a, b)
    return None


def _is_single_value(r: Reducer, t: Type) -> bool:
    return isinstance(t, (Literal, UniqueSymbol)) or is_enum_member(r, t)


def _meet_patterns(r: Reducer, a: Type, b: Type) -> Type | None:
    if r.oracle is not None:
        if isinstance(a, Literal):
            return a if r.oracle.assignable(a, b) else None
        if isinstance(b, Literal):
            return b if r.oracle.assignable(b, a) else None
    return UNKNOWN


def _is_impossible(r: Reducer, objects: Sequence[Type]) -> bool:
    """Whether discriminants or private members conflict: isNeverReduced."""
    lengths = [lengths_ for part in objects if (lengths_ := _possible_lengths(part)) is not None]
    if lengths and not frozenset.intersection(*lengths):
        return True
    resolved = [r.members_of(part) for part in objects if not isinstance(part, (Array, Tuple))]
    if len(resolved) < 2:
        return False
    names, shared = set[str](), set[str]()
    for members in resolved:
        shared |= names.intersection(members.names)
        names.update(members.names)
    return any(
        _discriminants_conflict(
            r, [p for members in resolved if (p := members.get(name)) is not None]
        )
        for name in sorted(shared)
    )


def _possible_lengths(t: Type) -> frozenset[int] | None:
    """Return the possible lengths of a tuple; None if it is unbounded."""
    if not isinstance(t, Tuple) or any(e.kind in ("rest", "variadic") for e in t.elements):
        return None
    minimum = sum(e.kind == "required" for e in t.elements)
    return frozenset(range(minimum, len(t.elements) + 1))


def _is_unit_property(r: Reducer, t: Type) -> bool:
    """Whether a type has unit types only, or is a pattern (isDiscriminantWithNeverType)."""
    return _is_pattern(r, t) or all(is_unit(r, part) for part in constituents(t))


def _is_pattern(r: Reducer, t: Type) -> bool:
    match t:
        case Template():
            placeholders = t.types
        case Reference(_, placeholders) if placeholders and primitive_of(r, t) is STRING:
            pass  # a string mapping
        case _:
            return False
    return all(part in _PLACEHOLDERS or _is_pattern(r, part) for part in placeholders)


_PLACEHOLDERS = frozenset((ANY, STRING, NUMBER, BIGINT))


def _discriminants_conflict(r: Reducer, properties: Sequence[Property]) -> bool:
    """Whether properties of one name exclude each other: other owners, or disjoint types."""
    owners = {p.owner for p in properties if p.visibility == "private" or p.name.startswith("#")}
    if len(owners) > 1 or (owners and any(not p.owner for p in properties)):
        return True
    if all(p.optional for p in properties):
        return False
    types = [r.normal(read_type(p)) for p in properties]
    if all(t is types[0] for t in types) or any(t is NEVER for t in types):
        return False
    if not any(_is_unit_property(r, t) for t in types):
        return False
    if any(t is ANY or t.__class__ is Free for t in types):
        return False
    return intersection_of(r, types) is NEVER
