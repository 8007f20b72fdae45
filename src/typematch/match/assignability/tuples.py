"""Compare tuples and arrays position by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.ir.constructors import union
from typematch.ir.types import UNDEFINED, Array, Element, Tuple, Type
from typematch.match.verdict import Misfit

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_VARIABLE = ("rest", "variadic")


def elements_of(t: Array | Tuple) -> tuple[Element, ...]:
    """Return the places of a tuple; an array is one rest element."""
    return t.elements if isinstance(t, Tuple) else (Element(t.element, "rest"),)


def minimum(elements: tuple[Element, ...]) -> int:
    """Return how many elements there are at least."""
    return sum(1 for e in elements if e.kind == "required" or e.kind == "variadic")


def start_count(elements: tuple[Element, ...]) -> int:
    """Return how many elements stand before the first rest."""
    for position, element in enumerate(elements):
        if element.kind == "rest":
            return position
    return len(elements)


def end_count(elements: tuple[Element, ...]) -> int:
    """Return how many elements stand after the last rest."""
    return start_count(elements[::-1])


def tuple_related(
    rel: Relation,
    s: Array | Tuple,
    t: Tuple,
    excluded: frozenset[str] = frozenset(),
    state: int = 0,
) -> Misfit | None:
    """Return None if an array or tuple fits a tuple."""
    if s.readonly and not t.readonly:
        return Misfit("readonly", s, t)
    source, target = elements_of(s), t.elements
    rest_in_source = any(e.kind == "rest" for e in source)
    open_target = any(e.kind in _VARIABLE for e in target)
    needed = _minimum_length(target)
    if not rest_in_source and len(source) < needed:
        return Misfit("length", s, t)
    if not open_target and (
        len(target) < _minimum_length(source) or rest_in_source or len(target) < len(source)
    ):
        return Misfit("length", s, t)
    return _positions_related(rel, source, target, open_target, excluded, state)


def _minimum_length(elements: tuple[Element, ...]) -> int:
    """Return where the last required element stands, counted from 1."""
    last = 0
    for position, element in enumerate(elements):
        if element.kind in ("required", "variadic"):
            last = position + 1
    return sum(1 for e in elements[:last] if e.kind != "rest")


def _positions_related(
    rel: Relation,
    source: tuple[Element, ...],
    target: tuple[Element, ...],
    open_target: bool,
    excluded: frozenset[str],
    state: int,
) -> Misfit | None:
    before, after = start_count(target), end_count(target)
    has_variadic = any(e.kind == "variadic" for e in target)
    if has_variadic and not any(e.kind == "rest" for e in target):
        before = after = len(target)
    for position, given in enumerate(source):
        from_end = len(source) - 1 - position
        place = position
        if open_target and position >= before:
            place = len(target) - 1 - min(from_end, after)
        if place < 0 or place >= len(target):
            return Misfit("length", given.type, str(len(target)))
        wanted = target[place]
        if wanted.kind == "variadic" and given.kind != "variadic":
            return Misfit("type", given.type, wanted.type)
        if given.kind == "variadic" and wanted.kind not in _VARIABLE:
            return Misfit("type", given.type, wanted.type)
        if wanted.kind == "required" and given.kind != "required":
            return Misfit("length", given.type, wanted.type)
        if str(position) in excluded and given.kind != "rest" and wanted.kind != "rest":
            continue
        broken = rel.related(_given(given, wanted), _wanted(given, wanted), state)
        if broken is not None:
            return broken.at(f"[{position}]")
    return None


def _given(given: Element, wanted: Element) -> Type:
    if given.kind == "optional" and wanted.kind != "optional":
        return union((given.type, UNDEFINED))
    return given.type


def _wanted(given: Element, wanted: Element) -> Type:
    if given.kind == "variadic" and wanted.kind == "rest":
        return Array(wanted.type)
    if wanted.kind == "optional":
        return union((wanted.type, UNDEFINED))
    return wanted.type
