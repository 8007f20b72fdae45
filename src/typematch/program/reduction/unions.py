"""Bring unions and intersections into normal form.

What is implied drops out, what is impossible is ``never``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, intersection, union
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
    Property,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.program.reduction.limits import LimitReached

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer

KEYWORDS: dict[str, Intrinsic] = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "bigint": BIGINT,
}


def union_of(r: Reducer, members: Iterable[Type]) -> Type:
    """Return the union of ``members``, each reduced, without literals beside their own keyword."""
    whole = union([r.normal(member) for member in members])
    if whole.__class__ is not Union:
        return whole
    parts = whole.members
    wide = _WIDE.intersection(parts)
    if not wide:
        return whole
    kept = [part for part in parts if part in wide or keyword_of(r, part) not in wide]
    return whole if len(kept) == len(parts) else union(kept)


_WIDE = frozenset((STRING, NUMBER, BIGINT, SYMBOL))


def literal_of(r: Reducer, t: Type) -> Literal | None:
    """Return the literal that ``t`` is, an enum's member included."""
    if t.__class__ is Literal:
        return t
    if t.__class__ is Reference:
        declaration = r.declaration(t.target)
        if declaration is not None and declaration.kind == "enum-member":
            value = declaration.type
            return value if isinstance(value, Literal) else None
    return None


def is_enum_member(r: Reducer, t: Type) -> bool:
    """Return whether ``t`` is a member of an enum."""
    if not isinstance(t, Reference):
        return False
    declaration = r.declaration(t.target)
    return declaration is not None and declaration.kind == "enum-member"


def is_unit(r: Reducer, t: Type) -> bool:
    """Return whether only one value has the type."""
    return t in (UNDEFINED, NULL) or _unit(r, t)


def keyword_of(r: Reducer, t: Type) -> Intrinsic | None:
    """Return ``string`` for what is a string, and so on; None for what is no primitive."""
    match t:
        case Intrinsic():
            return t if t in _PRIMITIVES else None
        case Literal(kind, _):
            return KEYWORDS[kind]
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
                return KEYWORDS[value.kind] if isinstance(value, Literal) else NUMBER
            return STRING if declaration.type in BY_THE_COMPILER else None
        case _:
            return None


_PRIMITIVES = frozenset((STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL, UNDEFINED, NULL, VOID))
# A reader without knowledge of the keyword leaves it as a name that nothing resolves.
BY_THE_COMPILER = frozenset((Intrinsic("intrinsic"), Named(("intrinsic",))))


def intersection_of(r: Reducer, members: Iterable[Type]) -> Type:
    """Return the intersection of ``members``, each reduced.

    A union of intersections where members are unions.
    """
    whole = intersection([r.normal(member) for member in members])
    if whole.__class__ is not Intersection:
        return whole
    parts: tuple[Type, ...] = whole.members
    if any(part.__class__ is Union for part in parts):
        return _distributed(r, parts)
    if len(parts) == 2 and any(part.__class__ is Free for part in parts):
        variable, other = parts if parts[0].__class__ is Free else parts[::-1]
        if _excludes(r, variable, other):
            return NEVER
    return _without_implied(r, parts)


def _excludes(r: Reducer, variable: Type, other: Type) -> bool:
    """Return whether a variable is a primitive by its constraint, and ``other`` another one."""
    bound = r.constraints.get(variable)
    if r.judge is None or bound is None or keyword_of(r, other) is None:
        return False
    bound = r.normal(bound)
    choices = constituents(bound)
    if any(keyword_of(r, choice) is None for choice in choices):
        return False
    may_be = any(r.judge.assignable(choice, other) for choice in choices)
    return not may_be and not r.judge.assignable(other, bound)


def _distributed(r: Reducer, parts: Sequence[Type]) -> Type:
    # boolean is one member here: true & boolean is true all the same.
    choices = [part.members if isinstance(part, Union) else (part,) for part in parts]
    size = prod(map(len, choices))
    if size > r.limits.product:
        raise LimitReached("an intersection of unions multiplies out to too many members")
    r.steps += size
    return union_of(r, [intersection_of(r, chosen) for chosen in product(*choices)])


def _without_implied(r: Reducer, parts: Sequence[Type]) -> Type:
    primitives = [part for part in parts if keyword_of(r, part) is not None]
    others = [part for part in parts if keyword_of(r, part) is None]
    if primitives:
        primitive = _meet(r, primitives)
        if primitive is None or (primitive in _NULLISH and _excludes_nullish(others)):
            return NEVER
        if primitive is not VOID:
            others = [part for part in others if part is not EMPTY_OBJECT]
        if OBJECT in others:
            return NEVER
        return intersection([*primitive_parts(primitive), *others])
    objects = [part for part in others if _is_object(part)]
    if len(objects) > 0:
        if len(objects) < len(others) or len(objects) > 1:
            others = [part for part in others if not _implied_object(part, objects)]
        if len(objects) > 1 and _impossible(r, objects):
            return NEVER
    return intersection(others)


def primitive_parts(meet: Type) -> tuple[Type, ...]:
    return meet.members if isinstance(meet, Intersection) else (meet,)


def _excludes_nullish(others: Sequence[Type]) -> bool:
    return any(part is OBJECT or _is_object(part) for part in others)


_NULLISH = frozenset((UNDEFINED, NULL))


def _is_object(t: Type) -> bool:
    return isinstance(t, (Object, Reference, Array, Tuple))


def _implied_object(t: Type, objects: Sequence[Type]) -> bool:
    """``{}`` beside any object says nothing, nor does ``object``."""
    if t is OBJECT:
        return any(part is not EMPTY_OBJECT for part in objects)
    return t is EMPTY_OBJECT and len(objects) > 1


def _meet(r: Reducer, primitives: Sequence[Type]) -> Type | None:
    """Return what is left of several primitives; None if nothing can be all of them."""
    left: list[Type] = []
    for new in primitives:
        keep = True
        for position, old in enumerate(left):
            both = _meet_two(r, old, new)
            if both is None:
                return None
            if both is old:
                keep = False
                break
            if both is new:
                left[position] = new
                keep = False
                break
        if keep:
            left.append(new)
    return intersection(left)


def _meet_two(r: Reducer, a: Type, b: Type) -> Type | None:
    """Return the narrower of two primitives, None if they exclude each other.

    UNKNOWN if both must stay.
    """
    if a is b:
        return a
    wide_a, wide_b = keyword_of(r, a), keyword_of(r, b)
    if {a, b} == {UNDEFINED, VOID}:
        return UNDEFINED
    if wide_a is not wide_b:
        return None
    if a is wide_a:
        return b
    if b is wide_b:
        return a
    if isinstance(a, Template) or isinstance(b, Template) or not _unit(r, a) or not _unit(r, b):
        return _meet_patterns(r, a, b)
    return None


def _unit(r: Reducer, t: Type) -> bool:
    return isinstance(t, (Literal, UniqueSymbol)) or is_enum_member(r, t)


def _meet_patterns(r: Reducer, a: Type, b: Type) -> Type | None:
    if r.judge is not None:
        if isinstance(a, Literal):
            return a if r.judge.assignable(a, b) else None
        if isinstance(b, Literal):
            return b if r.judge.assignable(b, a) else None
    return UNKNOWN


def _impossible(r: Reducer, objects: Sequence[Type]) -> bool:
    """Return whether no object can be all of ``objects``.

    A discriminant or a private member contradicts.
    """
    lengths = [found for part in objects if (found := _lengths(part)) is not None]
    if lengths and not frozenset.intersection(*lengths):
        return True
    shapes = [r.shape(part) for part in objects if not isinstance(part, (Array, Tuple))]
    if len(shapes) < 2:
        return False
    seen: dict[str, int] = {}
    for shape in shapes:
        for name in shape.names:
            seen[name] = seen.get(name, 0) + 1
    for name, times in seen.items():
        if times > 1 and _contradicts(r, [p for s in shapes if (p := s.get(name)) is not None]):
            return True
    return False


def _lengths(t: Type) -> frozenset[int] | None:
    """Return which lengths a tuple may have; None where there is no end to them."""
    if not isinstance(t, Tuple) or any(e.kind in ("rest", "variadic") for e in t.elements):
        return None
    least = sum(e.kind == "required" for e in t.elements)
    return frozenset(range(least, len(t.elements) + 1))


def _held(r: Reducer, p: Property) -> Type:
    """Return what an instance may hold, ``undefined`` too where it is optional."""
    return r.normal(union((p.type, UNDEFINED)) if p.optional else p.type)


def _tells(r: Reducer, t: Type) -> bool:
    """Return whether a property of type ``t`` is a discriminant: of few values, or a pattern."""
    return _is_pattern(r, t) or all(is_unit(r, part) for part in constituents(t))


def _is_pattern(r: Reducer, t: Type) -> bool:
    match t:
        case Template():
            held = t.types
        case Reference(_, held) if held and keyword_of(r, t) is STRING:
            pass  # ``Uppercase`` and its like
        case _:
            return False
    return all(part in _PLACEHOLDERS or _is_pattern(r, part) for part in held)


_PLACEHOLDERS = frozenset((ANY, STRING, NUMBER, BIGINT))


def _contradicts(r: Reducer, parts: Sequence[object]) -> bool:
    properties = [part for part in parts if isinstance(part, Property)]
    owners = {p.owner for p in properties if p.visibility == "private" or p.name.startswith("#")}
    if len(owners) > 1 or (owners and any(not p.owner for p in properties)):
        return True
    if any(p.optional for p in properties) and all(p.optional for p in properties):
        return False
    types = [_held(r, p) for p in properties]
    if all(t is types[0] for t in types) or any(t is NEVER for t in types):
        return False
    if not any(_tells(r, t) for t in types):
        return False
    if any(t is ANY or t.__class__ is Free for t in types):
        return False
    return intersection_of(r, types) is NEVER
