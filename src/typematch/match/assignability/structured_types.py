"""Compare two types by structure, rule by rule in the checker's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from typematch.ir.constructors import constituents, intersection, intersection_members
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
from typematch.match.assignability.deferred import mapped_types_related, source_rules, target_rules
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.members import (
    is_class_or_interface,
    is_empty_object,
    members_related,
    properties_related,
)
from typematch.match.assignability.rules import NO_RULE, RELATED, RuleResult
from typematch.match.assignability.tuples import tuple_types_related
from typematch.match.assignability.unions import (
    discriminated_union_related,
    each_source_member_related,
    related_to_each_part,
    related_to_some_member,
    some_part_related,
)
from typematch.match.assignability.variance import UNRELIABLE, type_arguments_related
from typematch.match.verdict import Misfit
from typematch.program.reduction.constraints import constraint_of
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.members import GLOBAL_THIS, apparent_type
from typematch.program.reduction.tuple_properties import tuple_element_type
from typematch.program.reduction.unions import is_enum_member, primitive_of

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_OBJECTS = frozenset((Object, Array, Tuple, Mapped, Reference))
_DEFERRED = frozenset((Free, KeyOf, IndexedAccess, Conditional))
_PRIMITIVES = frozenset((Intrinsic, Literal, Template, UniqueSymbol))


def structured_types_related(
    rel: Relation, s: Type, t: Type, state: IntersectionState
) -> Misfit | None:
    """Compare two types in head normal form that differ (structuredTypeRelatedTo)."""
    sc, tc = s.__class__, t.__class__
    if sc is Template and tc is Template:
        rel.variances.report(s, UNRELIABLE)
    misfit = _related_worker(rel, s, sc, t, tc, state)
    if misfit is not None:
        if sc is Intersection or (sc is Free and tc is Union):
            misfit = _constraint_intersection_related(rel, s, t, tc, state, misfit)
        return misfit
    if (
        tc is Intersection
        and state is not IntersectionState.TARGET
        and sc in _OBJECTS | {Intersection}
        and not is_generic(t)
    ):
        return properties_related(rel, s, t)
    if sc is Intersection and tc in (Object, Reference) and t not in cast(Intersection, s).members:
        return properties_related(rel, s, t, optionals_only=True, state=state)
    return None


def _constraint_intersection_related(
    rel: Relation, s: Type, t: Type, tc: type, state: IntersectionState, misfit: Misfit
) -> Misfit | None:
    """Compare the intersection of the constraints of type variables in ``s``.

    The checker's getEffectiveConstraintOfIntersection.
    """
    members = intersection_members(s)
    to_union = tc is Union
    constraints: list[Type] = []
    disjoint: list[Type] = []
    for member in members:
        if is_generic(member):
            bound = constraint_of(rel.reducer, member)
            while bound is not None and bound.__class__ in (Free, KeyOf, Conditional):
                bound = constraint_of(rel.reducer, rel.reducer.normal(bound))
            if bound is not None:
                constraints.append(bound)
                if to_union:
                    constraints.append(member)
        elif primitive_of(rel.reducer, member) is not None or member is EMPTY_OBJECT:
            disjoint.append(member)
    if not constraints or not (to_union or disjoint):
        return misfit
    constraint = rel.reducer.normal(intersection([*constraints, *disjoint]))
    if s in constituents(constraint):
        return misfit  # the same pair again: it would be assumed to hold
    return rel.related(constraint, t, state)


def _related_worker(
    rel: Relation, s: Type, sc: type, t: Type, tc: type, state: IntersectionState
) -> Misfit | None:
    """Apply the rules in order (structuredTypeRelatedToWorker)."""
    if sc is Union or sc is Intersection or tc is Union or tc is Intersection:
        misfit = _union_or_intersection_related(rel, s, sc, t, tc, state)
        if misfit is None:
            return None
        try_further_rules = (
            sc in _DEFERRED
            or (sc in _OBJECTS and tc is Union)
            or (sc is Intersection and tc is not Intersection and tc not in _PRIMITIVES)
        )
        if not try_further_rules:
            return misfit
    else:
        misfit = None
    if _single_variadic_related(rel, s, t):
        return None
    decided, target_misfit = target_rules(rel, s, t, tc, state)
    if decided:
        return target_misfit
    if sc in _DEFERRED or sc is Template or _is_string_mapping(rel, s):
        decided, source_misfit = source_rules(rel, s, t, state)
        if decided:
            return source_misfit
        if sc in _DEFERRED:
            return misfit or Misfit("type", s, t)
    return _object_types_related(rel, s, sc, t, tc, state, misfit)


def _is_string_mapping(rel: Relation, s: Type) -> bool:
    return (
        isinstance(s, Reference)
        and not is_enum_member(rel.reducer, s)
        and (primitive_of(rel.reducer, s) is not None)
    )


def _union_or_intersection_related(
    rel: Relation, s: Type, sc: type, t: Type, tc: type, state: IntersectionState
) -> Misfit | None:
    if sc is Union:
        return each_source_member_related(rel, s, t, state)
    if tc is Union:
        return related_to_some_member(rel, s, cast(Union, t), state)
    if tc is Intersection:
        return related_to_each_part(rel, s, cast(Intersection, t))
    return some_part_related(rel, cast(Intersection, s), t)


def _single_variadic_related(rel: Relation, s: Type, t: Type) -> bool:
    """Compare ``[...T]`` as ``T``, on either side."""
    if (
        isinstance(s, Tuple)
        and _is_single_variadic(s)
        and not s.readonly
        and rel.related(s.elements[0].type, t) is None
    ):
        return True
    if isinstance(t, Tuple) and _is_single_variadic(t):
        mutable = isinstance(s, (Array, Tuple)) and not s.readonly
        return (t.readonly or mutable) and rel.related(s, t.elements[0].type) is None
    return False


def _is_single_variadic(t: Tuple) -> bool:
    return len(t.elements) == 1 and t.elements[0].kind == "variadic"


def _object_types_related(
    rel: Relation,
    s: Type,
    sc: type,
    t: Type,
    tc: type,
    state: IntersectionState,
    earlier_misfit: Misfit | None,
) -> Misfit | None:
    misfit = earlier_misfit or Misfit("type", s, t)
    if tc is Mapped:
        target = cast(Mapped, t)
        if target.optional == "+" and is_empty_object(rel, s):
            return None
        return mapped_types_related(rel, cast(Mapped, s), target) if sc is Mapped else misfit
    primitive = sc in _PRIMITIVES or (sc is Reference and primitive_of(rel.reducer, s) is not None)
    source = s
    if primitive and s is not OBJECT:
        source = apparent_type(rel.reducer, s)
        if source is s or source.__class__ is not Reference:
            return misfit
        if source is t:
            return None
    if s is OBJECT:
        return _from_non_primitive(rel, t, tc, misfit)
    if source.__class__ is Reference and tc is Reference:
        decided, arguments_misfit = _references_related(rel, source, cast(Reference, t))
        if decided:
            return arguments_misfit
    elif tc is Array:
        return _to_array_related(rel, source, cast(Array, t), misfit)
    elif sc is Tuple and tc is Tuple:
        return tuple_types_related(rel, cast(Tuple, source), cast(Tuple, t), state=state)
    return _by_members_related(rel, source, t, tc, state, primitive, misfit)


def _from_non_primitive(rel: Relation, t: Type, tc: type, misfit: Misfit) -> Misfit | None:
    """Compare ``object``: it has no members and no implicit index signature."""
    if tc not in _OBJECTS or (
        tc is Reference and not is_class_or_interface(rel, cast(Reference, t))
    ):
        return misfit
    indexes = rel.reducer.members_of(t).indexes
    if indexes and all(rel.reducer.normal(index.type) is not ANY for index in indexes):
        return misfit
    return members_related(rel, EMPTY_OBJECT, t)


def _by_members_related(
    rel: Relation,
    s: Type,
    t: Type,
    tc: type,
    state: IntersectionState,
    primitive: bool,
    misfit: Misfit,
) -> Misfit | None:
    sc = s.__class__
    if sc not in _OBJECTS and sc is not Intersection and s is not GLOBAL_THIS:
        return misfit
    if sc is Intersection and not _is_single_object(rel, cast(Intersection, s)):
        return misfit
    if sc is Reference and rel.reducer.declaration(cast(Reference, s).target) is None:
        return misfit
    if tc in _OBJECTS:
        if tc is Reference and not is_class_or_interface(rel, cast(Reference, t)):
            return misfit
        return members_related(rel, s, t, state, primitive=primitive)
    if tc is Union:
        return discriminated_union_related(rel, s, cast(Union, t)) and misfit
    return misfit


def _is_single_object(rel: Relation, s: Intersection) -> bool:
    """Return whether the apparent type of an intersection is one object type.

    It may be never, or a union where the constraint of a type variable is one.
    """
    whole = rel.reducer.normal(intersection([apparent_type(rel.reducer, m) for m in s.members]))
    return whole.__class__ in _OBJECTS or whole.__class__ is Intersection


def _references_related(rel: Relation, s: Reference, t: Reference) -> RuleResult:
    """Compare two references to one class or interface by variance (relateVariances)."""
    if s.target != t.target or not s.arguments:
        return NO_RULE
    if rel.variances.in_progress(s.target):
        # As in the checker, assumed while the variance is being computed.
        rel.stack.assume_variance()
        return RELATED
    return type_arguments_related(rel, s, t, rel.variances.of(rel, s.target))


def _to_array_related(rel: Relation, s: Type, t: Array, misfit: Misfit) -> Misfit | None:
    if isinstance(s, (Array, Tuple)):
        if s.readonly and not t.readonly:
            return Misfit("readonly", s, t)
        element = s.element if isinstance(s, Array) else tuple_element_type(s)
        element_misfit = rel.related(element, t.element)
        return None if element_misfit is None else element_misfit.at("[]")
    if isinstance(s, (Object, Reference, Intersection, Mapped)):
        if isinstance(s, Reference) and not is_class_or_interface(rel, s):
            return misfit
        return members_related(rel, s, t)
    return misfit
