"""Compare two types by what they are made of, in the order the compiler tries things."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from typematch.ir.constructors import constituents, intersection
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    ANY,
    EMPTY_OBJECT,
    OBJECT,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
)
from typematch.match.assignability.deferred import from_deferred, mapped_related, to_deferred
from typematch.match.assignability.members import (
    has_members,
    is_empty,
    properties_related,
    structural,
)
from typematch.match.assignability.tuples import tuple_related
from typematch.match.assignability.unions import (
    discriminated,
    each_member,
    every_part,
    some_member,
    some_part,
)
from typematch.match.assignability.variance import UNRELIABLE, arguments_related
from typematch.match.verdict import Misfit
from typematch.program.reduction.constraints import constraint_of
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.members import apparent, element_type
from typematch.program.reduction.unions import is_enum_member, keyword_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_OBJECTS = frozenset((Object, Array, Tuple, Mapped, Reference))
_DEFERRED = frozenset((Free, KeyOf, IndexedAccess, Conditional))
_PRIMITIVES = frozenset((Intrinsic, Literal, Template, UniqueSymbol))


def related_structures(rel: Relation, s: Type, t: Type, state: int) -> Misfit | None:
    """Return None if ``s`` fits ``t``; both are in head normal form and differ."""
    sc, tc = s.__class__, t.__class__
    if sc is Template and tc is Template:
        rel.variances.report(s, UNRELIABLE)
    broken = _related(rel, s, sc, t, tc, state)
    if broken is not None:
        if sc is Intersection or (sc is Free and tc is Union):
            broken = _through_constraints(rel, s, t, tc, state, broken)
        return broken
    if tc is Intersection and state != 2 and sc in _OBJECTS | {Intersection} and not is_generic(t):
        return properties_related(rel, s, t)
    if sc is Intersection and tc in (Object, Reference) and t not in cast(Intersection, s).members:
        return properties_related(rel, s, t, optionals_only=True, state=state)
    return None


def _through_constraints(
    rel: Relation, s: Type, t: Type, tc: type, state: int, broken: Misfit
) -> Misfit | None:
    """Try the constraints of variables in an intersection, all together."""
    members = s.members if isinstance(s, Intersection) else (s,)
    to_union = tc is Union
    found: list[Type] = []
    disjoint: list[Type] = []
    for member in members:
        if is_generic(member):
            above = constraint_of(rel.reducer, member)
            while above is not None and above.__class__ in (Free, KeyOf, Conditional):
                above = constraint_of(rel.reducer, rel.reducer.normal(above))
            if above is not None:
                found.append(above)
                if to_union:
                    found.append(member)
        elif keyword_of(rel.reducer, member) is not None or member is EMPTY_OBJECT:
            disjoint.append(member)
    if not found or not (to_union or disjoint):
        return broken
    constraint = rel.reducer.normal(intersection([*found, *disjoint]))
    if s in constituents(constraint):
        return broken  # it would come back to the pair that is being compared, and be assumed
    return rel.related(constraint, t, state)


def _related(rel: Relation, s: Type, sc: type, t: Type, tc: type, state: int) -> Misfit | None:
    if sc is Union or sc is Intersection or tc is Union or tc is Intersection:
        broken = _members(rel, s, sc, t, tc, state)
        if broken is None:
            return None
        go_on = (
            sc in _DEFERRED
            or (sc in _OBJECTS and tc is Union)
            or (sc is Intersection and tc is not Intersection and tc not in _PRIMITIVES)
        )
        if not go_on:
            return broken
    else:
        broken = None
    answer = _single_variadic(rel, s, t)
    if answer is not None and answer[0]:
        return None
    settled, answer_to = to_deferred(rel, s, t, tc, state)
    if settled:
        return answer_to
    if sc in _DEFERRED or sc is Template or _is_string_mapping(rel, s):
        settled, answer_from = from_deferred(rel, s, t, state)
        if settled:
            return answer_from
        if sc in _DEFERRED:
            return answer_from or broken or Misfit("type", s, t)
    return _concrete(rel, s, sc, t, tc, state, broken)


def _is_string_mapping(rel: Relation, s: Type) -> bool:
    return (
        isinstance(s, Reference)
        and not is_enum_member(rel.reducer, s)
        and (keyword_of(rel.reducer, s) is not None)
    )


def _members(rel: Relation, s: Type, sc: type, t: Type, tc: type, state: int) -> Misfit | None:
    if sc is Union:
        return each_member(rel, s, t, state)
    if tc is Union:
        return some_member(rel, s, cast(Union, t), state)
    if tc is Intersection:
        return every_part(rel, s, cast(Intersection, t))
    return some_part(rel, cast(Intersection, s), t)


def _single_variadic(rel: Relation, s: Type, t: Type) -> tuple[bool, None] | None:
    """``[...T]`` fits what ``T`` fits, and what fits ``T`` fits it."""
    if (
        isinstance(s, Tuple)
        and _is_single(s)
        and not s.readonly
        and rel.related(s.elements[0].type, t) is None
    ):
        return True, None
    if isinstance(t, Tuple) and _is_single(t):
        mutable = isinstance(s, (Array, Tuple)) and not s.readonly
        if (t.readonly or mutable) and rel.related(s, t.elements[0].type) is None:
            return True, None
    return None


def _is_single(t: Tuple) -> bool:
    return len(t.elements) == 1 and t.elements[0].kind == "variadic"


def _concrete(
    rel: Relation, s: Type, sc: type, t: Type, tc: type, state: int, broken: Misfit | None
) -> Misfit | None:
    misfit = broken or Misfit("type", s, t)
    if tc is Mapped:
        target = cast(Mapped, t)
        if target.optional == "+" and is_empty(rel, s):
            return None
        return mapped_related(rel, cast(Mapped, s), target) if sc is Mapped else misfit
    primitive = sc in _PRIMITIVES or (sc is Reference and keyword_of(rel.reducer, s) is not None)
    source = s
    if primitive and s is not OBJECT:
        source = apparent(rel.reducer, s)
        if source is s or source.__class__ is not Reference:
            return misfit
        if source is t:
            return None
    if s is OBJECT:
        return _from_object(rel, t, tc, misfit)
    if source.__class__ is Reference and tc is Reference:
        answer = _references(rel, source, cast(Reference, t))
        if answer is not None:
            return answer[0]
    elif tc is Array:
        return _to_array(rel, source, cast(Array, t), misfit)
    elif sc is Tuple and tc is Tuple:
        return tuple_related(rel, cast(Tuple, source), cast(Tuple, t), state=state)
    return _by_members(rel, source, t, tc, state, primitive, misfit)


def _from_object(rel: Relation, t: Type, tc: type, misfit: Misfit) -> Misfit | None:
    """``object`` has no members, and its unknown ones stand for no index signature."""
    if tc not in _OBJECTS or (tc is Reference and not has_members(rel, cast(Reference, t))):
        return misfit
    indexes = rel.reducer.shape(t).indexes
    if indexes and all(rel.reducer.normal(index.type) is not ANY for index in indexes):
        return misfit
    return structural(rel, EMPTY_OBJECT, t, 0)


def _by_members(
    rel: Relation, s: Type, t: Type, tc: type, state: int, primitive: bool, misfit: Misfit
) -> Misfit | None:
    sc = s.__class__
    if sc not in _OBJECTS and sc is not Intersection:
        return misfit
    if sc is Intersection and not _is_one_object(rel, cast(Intersection, s)):
        return misfit
    if sc is Reference and rel.reducer.declaration(cast(Reference, s).target) is None:
        return misfit
    if tc in _OBJECTS:
        if tc is Reference and not has_members(rel, cast(Reference, t)):
            return misfit
        return structural(rel, s, t, state, primitive=primitive)
    if tc is Union:
        return discriminated(rel, s, cast(Union, t)) and misfit
    return misfit


def _is_one_object(rel: Relation, s: Intersection) -> bool:
    """Return whether the objects behind the parts of an intersection are an object together.

    They are none where all may be null, say, and several where a variable is one of several things.
    """
    whole = rel.reducer.normal(intersection([apparent(rel.reducer, m) for m in s.members]))
    return whole.__class__ in _OBJECTS or whole.__class__ is Intersection


def by_alias(rel: Relation, s: Reference, t: Reference) -> tuple[Misfit | None] | None:
    """Compare two uses of one generic alias by their arguments.

    None if only what they stand for tells.
    """
    if s.target != t.target:
        return None
    declaration = rel.reducer.declaration(s.target)
    if declaration is None or declaration.kind != "alias" or not declaration.type_parameters:
        return None
    if not _stands_for(rel, declaration, rel.reducer.normal(s)):
        return None
    if rel.variances.busy(s.target):
        rel.assumed = -1
        return (None,)
    given = Reference(s.target, rel.reducer.arguments(declaration, s.arguments))
    wanted = Reference(t.target, rel.reducer.arguments(declaration, t.arguments))
    settled, broken = arguments_related(rel, given, wanted, rel.variances.of(rel, s.target))
    return (broken,) if settled else None


def _stands_for(rel: Relation, declaration: Declaration | None, normal: Type) -> bool:
    """Return whether ``normal`` is the very type that an alias writes, not what it came to."""
    for _ in range(rel.reducer.limits.expansion):
        body = None if declaration is None else declaration.type
        if not isinstance(body, Reference):
            break
        declaration = rel.reducer.declaration(body.target)
    else:
        return False
    if isinstance(normal, Conditional):
        return isinstance(body, Conditional)
    return isinstance(body, (Object, Mapped))


def _references(rel: Relation, s: Reference, t: Reference) -> tuple[Misfit | None] | None:
    """Compare two references to one declaration; None if only their members tell."""
    if s.target != t.target or not s.arguments:
        return None
    if rel.variances.busy(s.target):
        # The compiler assumes that it holds while it finds out how the declaration varies.
        rel.assumed = -1
        return (None,)
    settled, broken = arguments_related(rel, s, t, rel.variances.of(rel, s.target))
    return (broken,) if settled else None


def _to_array(rel: Relation, s: Type, t: Array, misfit: Misfit) -> Misfit | None:
    if isinstance(s, (Array, Tuple)):
        if s.readonly and not t.readonly:
            return Misfit("readonly", s, t)
        element = s.element if isinstance(s, Array) else element_type(s)
        broken = rel.related(element, t.element)
        return None if broken is None else broken.at("[]")
    if isinstance(s, (Object, Reference, Intersection, Mapped)):
        if isinstance(s, Reference) and not has_members(rel, s):
            return misfit
        return structural(rel, s, t, 0)
    return misfit
