"""Say what is known of a type that hangs on a variable: the constraint that surely holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import intersection, union
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    SYMBOL,
    UNKNOWN,
    Conditional,
    Element,
    Free,
    IndexedAccess,
    Intersection,
    KeyOf,
    Tuple,
    Type,
    Union,
)
from typematch.program.reduction.generic import is_generic
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.variadic_tuples import spread

if TYPE_CHECKING:
    from typematch.program.reduction.reduce import Reducer


def constraint_of(r: Reducer, t: Type) -> Type | None:
    """Return the constraint of a type in normal form one step up.

    None if it hangs on no variable.
    """
    match t:
        case Free():
            return r.constraints.get(t) or UNKNOWN
        case KeyOf():
            return union((STRING, NUMBER, SYMBOL))
        case IndexedAccess():
            return _of_access(r, t)
        case Conditional():
            return _of_conditional(r, t)
        case Union(members) | Intersection(members):
            return _of_members(r, t, members)
        case Tuple(elements, readonly):
            return _of_tuple(r, elements, readonly)
        case _:
            return None


def _of_access(r: Reducer, t: IndexedAccess) -> Type:
    index = constraint_of(r, r.normal(t.index))
    if index is not None and r.normal(index) is not t.index:
        narrower = r.normal(IndexedAccess(t.object, index))
        climbs = not isinstance(narrower, IndexedAccess) or not _is_open(r, t.object)
        if narrower is not t and climbs:
            return narrower
    receiver = constraint_of(r, r.normal(t.object))
    if receiver is not None and r.normal(receiver) is not UNKNOWN:
        wider = r.normal(IndexedAccess(receiver, t.index))
        if wider is not t:
            return wider
        if index is not None:
            wider = r.normal(IndexedAccess(receiver, index))
            if wider is not t:
                return wider
    return UNKNOWN


def _is_open(r: Reducer, t: Type) -> bool:
    return is_generic(r.normal(t))


def _of_conditional(r: Reducer, t: Conditional) -> Type:
    narrowed = distributive_constraint(r, t)
    return narrowed if narrowed is not None else default_constraint(r, t)


def distributive_constraint(r: Reducer, t: Conditional) -> Type | None:
    """Return what a distributive condition gives for the constraint of what it checks.

    If that is known.
    """
    if not t.distributive:
        return None
    check = r.normal(t.check)
    above = constraint_of(r, check)
    if above is None or above is UNKNOWN:
        return None
    above = r.normal(above)
    if above is check or r.depth > r.limits.expansion // 2:
        return None
    found: Type
    if isinstance(check, Free):
        found = r.normal(r.replace(t, {check: above}))
    else:
        found = r.normal(Conditional(above, t.extends, t.yes, t.no, t.infer, False))
    return None if found is NEVER or found is t else found


def default_constraint(r: Reducer, t: Conditional) -> Type:
    """Return the union of both branches of a condition that stays open."""
    yes = t.yes
    check = r.normal(t.check)
    if t.infer:
        from typematch.program.reduction.conditional_types import inferred_so_far

        yes = instantiate(yes, inferred_so_far(r, t), normal=r.normal)
    elif isinstance(check, Free):
        # In the first branch the variable is known to fit what it was checked against.
        yes = r.replace(yes, {check: intersection((check, t.extends))})
    if r.normal(yes) is ANY:
        return t.no
    return yes if r.normal(t.no) is ANY else union((yes, t.no))


def _of_members(r: Reducer, t: Type, members: tuple[Type, ...]) -> Type | None:
    changed = False
    above: list[Type] = []
    for member in members:
        constraint = constraint_of(r, member)
        if constraint is not None:
            changed = True
            above.append(r.normal(constraint))
        else:
            above.append(member)
    if not changed:
        return None
    return union(above) if isinstance(t, Union) else intersection(above)


def _of_tuple(r: Reducer, elements: tuple[Element, ...], readonly: bool) -> Type | None:
    if all(element.kind != "variadic" for element in elements):
        return None
    known: list[Element] = []
    for element in elements:
        if element.kind == "variadic":
            above = constraint_of(r, r.normal(element.type))
            known.append(
                Element(above if above is not None else element.type, "variadic", element.label)
            )
        else:
            known.append(element)
    return spread(known, readonly, r.normal)
