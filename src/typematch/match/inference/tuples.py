"""Infer between tuples: what stands at each place, and what a spread or rest takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.types import Array, Element, Tuple, Type
from typematch.match.assignability.tuples import elements_of
from typematch.match.inference.candidates import SPECULATIVE
from typematch.program.reduction.members import element_type

if TYPE_CHECKING:
    from typematch.match.inference.infer_types import InferenceContext


def infer_tuples(found: InferenceContext, s: Array | Tuple, t: Tuple) -> None:
    """Infer from the elements of an array or tuple to those of a tuple."""
    given, wanted = elements_of(s), t.elements
    if isinstance(s, Tuple) and _unrelated(given, wanted):
        return
    if isinstance(s, Tuple) and _same_form(given, wanted):
        for one, other in zip(given, wanted, strict=True):
            found.infer(one.type, other.type)
        return
    open_target = any(e.kind in ("rest", "variadic") for e in wanted)
    start = min(_fixed_start(given), _fixed_start(wanted)) if isinstance(s, Tuple) else 0
    end = 0
    if isinstance(s, Tuple) and open_target:
        end = min(_fixed_start(given[::-1]), _fixed_start(wanted[::-1]), len(given) - start)
        end = max(end, 0)
    for i in range(start):
        found.infer(given[i].type, wanted[i].type)
    middle = wanted[start : len(wanted) - end]
    left = given[start : len(given) - end]
    if len(left) == 1 and left[0].kind == "rest":
        for element in middle:
            rest = left[0].type
            found.infer(Array(rest) if element.kind == "variadic" else rest, element.type)
    else:
        _middle(found, left, middle, wanted)
    for i in range(1, end + 1):
        found.infer(given[-i].type, wanted[-i].type)


def _middle(
    found: InferenceContext,
    left: tuple[Element, ...],
    middle: tuple[Element, ...],
    wanted: tuple[Element, ...],
) -> None:
    if len(middle) == 1 and middle[0].kind == "variadic":
        slice_of = Tuple(left, False)
        with found.priority_of(SPECULATIVE if wanted[-1].kind == "optional" else 0):
            found.infer(slice_of, middle[0].type)
    elif len(middle) == 1 and middle[0].kind == "rest":
        if left:
            found.infer(element_type(Tuple(left, False)), middle[0].type)
    elif len(middle) == 2:
        _two_open(found, left, middle)


def _two_open(
    found: InferenceContext, left: tuple[Element, ...], middle: tuple[Element, ...]
) -> None:
    """Infer to ``[...A, ...B[]]``.

    The constraint of a variadic variable says how many elements it takes.
    """
    first, second = middle
    if first.kind == "variadic" and second.kind == "rest":
        length = _length_of(found, first.type)
        if length is not None:
            found.infer(Tuple(left[:length]), first.type)
            if left[length:]:
                found.infer(element_type(Tuple(left[length:])), second.type)
    elif first.kind == "rest" and second.kind == "variadic":
        length = _length_of(found, second.type)
        if length is not None:
            cut = len(left) - length
            if left[:cut]:
                found.infer(element_type(Tuple(left[:cut])), first.type)
            found.infer(Tuple(left[cut:]), second.type)


def _length_of(found: InferenceContext, t: Type) -> int | None:
    constraint = found.rel.reducer.constraints.get(t)
    reduced = None if constraint is None else found.rel.reducer.normal(constraint)
    return len(reduced.elements) if isinstance(reduced, Tuple) else None


def _unrelated(given: Sequence[Element], wanted: Sequence[Element]) -> bool:
    """Return whether the lengths alone tell that nothing is inferred."""
    kinds = {element.kind for element in wanted}
    if "variadic" not in kinds and _least(wanted) > _least(given):
        return True
    if kinds & {"rest", "variadic"}:
        return False
    varies = any(element.kind in ("rest", "variadic") for element in given)
    return varies or _fixed_start(wanted) < _fixed_start(given)


def _least(elements: Sequence[Element]) -> int:
    """Return how many elements there are at least."""
    last = 0
    for position, element in enumerate(elements):
        if element.kind in ("required", "variadic"):
            last = position + 1
    return last


def _same_form(given: Sequence[Element], wanted: Sequence[Element]) -> bool:
    return len(given) == len(wanted) and all(
        (one.kind in ("rest", "variadic")) == (other.kind in ("rest", "variadic"))
        for one, other in zip(given, wanted, strict=True)
    )


def _fixed_start(elements: Sequence[Element]) -> int:
    for position, element in enumerate(elements):
        if element.kind in ("rest", "variadic"):
            return position
    return len(elements)
