"""Normalization of tuples with variadic elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from typematch.ir.constructors import union
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    UNDEFINED,
    Array,
    Conditional,
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


def normalize_tuple(elements: Sequence[Element], readonly: bool, normal: Normal) -> Type:
    """Return the tuple of ``elements`` with each ``...T`` of known ``T`` spread.

    A union distributes.  Everything from the first rest element to the last optional, rest or
    variadic one is merged into one rest element; optional elements before a required one become
    required.  A deferred variadic element stays.  Implements createNormalizedTupleType.
    """
    flat: list[Element] = []
    for position, element in enumerate(elements):
        if element.kind != "variadic":
            flat.append(element)
            continue
        spread_type = element.type if element.type.loose_depth else normal(element.type)
        if spread_type.__class__ is Union:
            _check_product(elements[position:], normal)
            preceding, following = tuple(elements[:position]), tuple(elements[position + 1 :])
            return union(
                [
                    normalize_tuple(
                        (*preceding, Element(member, "variadic"), *following), readonly, normal
                    )
                    for member in spread_type.members
                ]
            )
        if spread_type is NEVER:
            return NEVER
        if spread_type.__class__ is Array:
            flat.append(Element(spread_type.element, "rest", element.label))
        elif spread_type.__class__ is Tuple:
            flat.extend(spread_type.elements)
            if len(flat) > DEFAULT_LIMITS.product:
                raise LimitReached("a tuple has too many elements")
        elif spread_type.__class__ in _MAY_BE_ARRAYS or spread_type.loose_depth:
            flat.append(Element(spread_type, "variadic", element.label))
        else:
            # Not an array type: the checker uses any[].
            flat.append(Element(ANY, "rest", element.label))
    return Tuple(_with_single_rest(flat), readonly)


def _check_product(elements: Sequence[Element], normal: Normal) -> None:
    """Check the number of tuples that unions multiply out to.

    Raises:
        LimitReached: there are too many.
    """
    product = 1
    for element in elements:
        if element.kind == "variadic" and not element.type.loose_depth:
            spread_type = normal(element.type)
            product *= len(spread_type.members) if isinstance(spread_type, Union) else 1
    if product > DEFAULT_LIMITS.product:
        raise LimitReached("the unions spread in a tuple multiply out to too many tuples")


_MAY_BE_ARRAYS = frozenset((Free, Conditional, IndexedAccess, Mapped, Intersection, Named, TypeOf))


def _with_single_rest(elements: list[Element]) -> tuple[Element, ...]:
    """Return the elements with at most one rest, and no optional one before a required one."""
    first_rest = next((i for i, e in enumerate(elements) if e.kind == "rest"), len(elements))
    last_optional = max((i for i, e in enumerate(elements) if e.kind != "required"), default=-1)
    if first_rest < last_optional:
        rest_type = union([_element_read_type(e) for e in elements[first_rest : last_optional + 1]])
        elements = [
            *elements[:first_rest],
            Element(rest_type, "rest"),
            *elements[last_optional + 1 :],
        ]
    last_required = max((i for i, e in enumerate(elements) if e.kind == "required"), default=-1)
    return tuple(
        Element(union((e.type, UNDEFINED)), "required", e.label)
        if e.kind == "optional" and i < last_required
        else e
        for i, e in enumerate(elements)
    )


def _element_read_type(element: Element) -> Type:
    if element.kind == "variadic":
        return IndexedAccess(element.type, NUMBER)
    if element.kind == "optional":
        return union((element.type, UNDEFINED))
    return element.type
