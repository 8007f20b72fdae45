"""Compare tuples and arrays by position (the tuple branch of propertiesRelatedTo)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import union
from typematch.ir.type_parts import Element
from typematch.ir.types import UNDEFINED, Array, Tuple, Type
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.inference.tuples import elements_of
from typematch.match.verdict import Misfit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_VARIABLE = ("rest", "variadic")


def start_count(elements: tuple[Element, ...]) -> int:
    """Number of elements before the first rest element (getStartElementCount)."""
    for position, element in enumerate(elements):
        if element.kind == "rest":
            return position
    return len(elements)


def end_count(elements: tuple[Element, ...]) -> int:
    """Number of elements after the last rest element (getEndElementCount)."""
    return start_count(elements[::-1])


def tuple_types_related(
    rel: Relation,
    s: Array | Tuple,
    t: Tuple,
    excluded: frozenset[str] = frozenset(),
    state: IntersectionState = IntersectionState.NONE,
) -> Misfit | None:
    """Compare an array or tuple with a tuple.

    Args:
        excluded: positions, as property names, that are not compared.
    """
    if s.readonly and not t.readonly:
        return Misfit("readonly", s, t)
    source, target = elements_of(s), t.elements
    rest_in_source = any(e.kind == "rest" for e in source)
    open_target = any(e.kind in _VARIABLE for e in target)
    target_minimum = _minimum_length(target)
    if not rest_in_source and len(source) < target_minimum:
        return Misfit("length", s, t)
    if not open_target and (
        len(target) < _minimum_length(source) or rest_in_source or len(target) < len(source)
    ):
        return Misfit("length", s, t)
    return _elements_related(rel, source, target, open_target, excluded, state)


def _minimum_length(elements: tuple[Element, ...]) -> int:
    """Position of the last required element, counted from 1, without rest elements before it."""
    last = 0
    for position, element in enumerate(elements):
        if element.kind in ("required", "variadic"):
            last = position + 1
    return sum(1 for e in elements[:last] if e.kind != "rest")


def _elements_related(
    rel: Relation,
    source: tuple[Element, ...],
    target: tuple[Element, ...],
    open_target: bool,
    excluded: frozenset[str],
    state: IntersectionState,
) -> Misfit | None:
    start, end = start_count(target), end_count(target)
    has_variadic = any(e.kind == "variadic" for e in target)
    if has_variadic and not any(e.kind == "rest" for e in target):
        start = end = len(target)
    for position, source_element in enumerate(source):
        from_end = len(source) - 1 - position
        target_position = position
        if open_target and position >= start:
            target_position = len(target) - 1 - min(from_end, end)
        if target_position < 0 or target_position >= len(target):
            return Misfit("length", source_element.type, str(len(target)))
        target_element = target[target_position]
        if target_element.kind == "variadic" and source_element.kind != "variadic":
            return Misfit("type", source_element.type, target_element.type)
        if source_element.kind == "variadic" and target_element.kind not in _VARIABLE:
            return Misfit("type", source_element.type, target_element.type)
        if target_element.kind == "required" and source_element.kind != "required":
            return Misfit("length", source_element.type, target_element.type)
        if (
            str(position) in excluded
            and source_element.kind != "rest"
            and target_element.kind != "rest"
        ):
            continue
        misfit = rel.related(
            _source_element_type(source_element, target_element),
            _target_element_type(source_element, target_element),
            state,
        )
        if misfit is not None:
            return misfit.at(f"[{position}]")
    return None


def _source_element_type(source: Element, target: Element) -> Type:
    if source.kind == "optional" and target.kind != "optional":
        return union((source.type, UNDEFINED))
    return source.type


def _target_element_type(source: Element, target: Element) -> Type:
    if source.kind == "variadic" and target.kind == "rest":
        return Array(target.type)
    if target.kind == "optional":
        return union((target.type, UNDEFINED))
    return target.type
