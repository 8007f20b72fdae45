"""Constraints of types that depend on type variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import intersection, union
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    SYMBOL,
    UNKNOWN,
    Conditional,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Tuple,
    Type,
    Union,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.variadic_tuples import normalize_tuple

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def constraint_of(r: Reducer, t: Type) -> Type | None:
    """Return the constraint of a type in head normal form, one step up: getConstraintOfType.

    None if it depends on no variable.
    """
    match t:
        case Free():
            constraint = r.constraints.get(t)
            # A constraint that is any constrains nothing: getConstraintFromTypeParameter.
            return UNKNOWN if constraint is None or r.normal(constraint) is ANY else constraint
        case KeyOf():
            return union((STRING, NUMBER, SYMBOL))
        case IndexedAccess():
            return _access_constraint(r, t)
        case Conditional():
            return _conditional_constraint(r, t)
        case Union(members) | Intersection(members):
            return _member_constraints(r, t, members)
        case Tuple(elements, readonly):
            return _tuple_constraint(r, elements, readonly)
        case _:
            return None


def _access_constraint(r: Reducer, t: IndexedAccess) -> Type:
    index_constraint = constraint_of(r, r.normal(t.index))
    if index_constraint is not None and r.normal(index_constraint) is not t.index:
        indexed = r.normal(IndexedAccess(t.object, index_constraint))
        is_progress = not isinstance(indexed, IndexedAccess) or not _is_generic(r, t.object)
        if indexed is not t and is_progress:
            return indexed
    object_constraint = constraint_of(r, r.normal(t.object))
    if object_constraint is not None and r.normal(object_constraint) is not UNKNOWN:
        indexed_constraint = r.normal(IndexedAccess(object_constraint, t.index))
        if indexed_constraint is not t:
            return indexed_constraint
        if index_constraint is not None:
            indexed_constraint = r.normal(IndexedAccess(object_constraint, index_constraint))
            if indexed_constraint is not t:
                return indexed_constraint
    return UNKNOWN


def _is_generic(r: Reducer, t: Type) -> bool:
    return is_generic(r.normal(t))


def _conditional_constraint(r: Reducer, t: Conditional) -> Type:
    constraint = distributive_constraint(r, t)
    return constraint if constraint is not None else default_constraint(r, t)


def distributive_constraint(r: Reducer, t: Conditional) -> Type | None:
    """Return a distributive conditional type for the constraint of its check type.

    None if that is unknown; getConstraintOfDistributiveConditionalType.
    """
    if not t.distributive:
        return None
    check = r.normal(t.check)
    check_constraint = constraint_of(r, check)
    if check_constraint is None or check_constraint is UNKNOWN:
        return None
    check_constraint = r.normal(check_constraint)
    if check_constraint is check or r.depth > r.limits.expansion // 2:
        return None
    constraint: Type
    if isinstance(check, Free):
        constraint = r.normal(r.replace(t, {check: check_constraint}))
    else:
        constraint = r.normal(Conditional(check_constraint, t.extends, t.yes, t.no, t.infer, False))
    return None if constraint is NEVER or constraint is t else constraint


def default_constraint(r: Reducer, t: Conditional) -> Type:
    """Return the union of both branches: getDefaultConstraintOfConditionalType."""
    yes = t.yes
    check = r.normal(t.check)
    if t.infer:
        from typematch.program.reduction.conditional_types import partial_inferences

        yes = r.instantiate(yes, partial_inferences(r, t))
    elif isinstance(check, Free):
        # In the true branch the variable is narrowed by the extends type.
        yes = r.replace(yes, {check: intersection((check, t.extends))})
    if r.normal(yes) is ANY:
        return t.no
    return yes if r.normal(t.no) is ANY else union((yes, t.no))


def _member_constraints(r: Reducer, t: Type, members: tuple[Type, ...]) -> Type | None:
    changed = False
    constraints: list[Type] = []
    for member in members:
        constraint = constraint_of(r, member)
        if constraint is not None:
            changed = True
            constraints.append(r.normal(constraint))
        else:
            constraints.append(member)
    if not changed:
        return None
    return union(constraints) if isinstance(t, Union) else intersection(constraints)


def _tuple_constraint(r: Reducer, elements: tuple[Element, ...], readonly: bool) -> Type | None:
    if all(element.kind != "variadic" for element in elements):
        return None
    constrained: list[Element] = []
    for element in elements:
        if element.kind == "variadic":
            constraint = constraint_of(r, r.normal(element.type))
            constrained.append(
                Element(
                    constraint if constraint is not None else element.type,
                    "variadic",
                    element.label,
                )
            )
        else:
            constrained.append(element)
    return normalize_tuple(constrained, readonly, r.normal)
