"""Spread arrays and tuples that are known into the tuple around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from typematch.ir.constructors import union
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    UNDEFINED,
    Array,
    Conditional,
    Element,
    Free,
    IndexedAccess,
    Intersection,
    Mapped,
    Named,
    Tuple,
    Type,
    TypeOf,
    Union,
)
from typematch.program.reduction.limits import DEFAULT_LIMITS, LimitReached

Normal = Callable[[Type], Type]


def spread(elements: Sequence[Element], readonly: bool, normal: Normal) -> Type:
    """Return the tuple of ``elements`` with every ``...T`` whose array is known spread out.

    A spread union gives a union of tuples.  What follows a first rest element in the middle is
    joined with it as far as the last one, as the language has at most one; optional elements
    before a required one become required.  A variadic element that is still open stays.
    """
    flat: list[Element] = []
    for position, element in enumerate(elements):
        if element.kind != "variadic":
            flat.append(element)
            continue
        given = element.type if element.type.loose else normal(element.type)
        if given.__class__ is Union:
            _bound_product(elements[position:], normal)
            before, after = tuple(elements[:position]), tuple(elements[position + 1 :])
            return union(
                [
                    spread((*before, Element(member, "variadic"), *after), readonly, normal)
                    for member in given.members
                ]
            )
        if given is NEVER:
            return NEVER
        if given.__class__ is Array:
            flat.append(Element(given.element, "rest", element.label))
        elif given.__class__ is Tuple:
            flat.extend(given.elements)
            if len(flat) > DEFAULT_LIMITS.product:
                raise LimitReached("a tuple has too many elements")
        elif given.__class__ in _MAY_BE_ARRAYS or given.loose:
            flat.append(Element(given, "variadic", element.label))
        else:
            # No array at all, or one by another name: the compiler takes its elements for any.
            flat.append(Element(ANY, "rest", element.label))
    return Tuple(_one_rest(flat), readonly)


def _bound_product(elements: Sequence[Element], normal: Normal) -> None:
    """Raise LimitReached if spread unions would multiply out to too many tuples."""
    product = 1
    for element in elements:
        if element.kind == "variadic" and not element.type.loose:
            given = normal(element.type)
            product *= len(given.members) if isinstance(given, Union) else 1
    if product > DEFAULT_LIMITS.product:
        raise LimitReached("the unions spread in a tuple multiply out to too many tuples")


_MAY_BE_ARRAYS = frozenset((Free, Conditional, IndexedAccess, Mapped, Intersection, Named, TypeOf))


def _one_rest(elements: list[Element]) -> tuple[Element, ...]:
    """Join into one what may be left out from the first rest element on.

    What stands before a required element becomes required.
    """
    first = next((i for i, e in enumerate(elements) if e.kind == "rest"), len(elements))
    last = max((i for i, e in enumerate(elements) if e.kind != "required"), default=-1)
    if first < last:
        joined = union([_joined(e) for e in elements[first : last + 1]])
        elements = [*elements[:first], Element(joined, "rest"), *elements[last + 1 :]]
    required = max((i for i, e in enumerate(elements) if e.kind == "required"), default=-1)
    return tuple(
        Element(union((e.type, UNDEFINED)), "required", e.label)
        if e.kind == "optional" and i < required
        else e
        for i, e in enumerate(elements)
    )


def _joined(element: Element) -> Type:
    if element.kind == "variadic":
        return IndexedAccess(element.type, NUMBER)
    if element.kind == "optional":
        return union((element.type, UNDEFINED))
    return element.type
