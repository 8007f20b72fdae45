"""Infer between tuples: fixed elements by position, then variadic and rest elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typematch.ir.type_parts import Element
from typematch.ir.types import Array, Tuple, Type
from typematch.match.inference.candidates import SPECULATIVE_TUPLE
from typematch.program.reduction.tuple_properties import tuple_element_type

if TYPE_CHECKING:
    from typematch.match.inference.infer_types import InferenceContext


def elements_of(t: Array | Tuple) -> tuple[Element, ...]:
    """Return the elements of a tuple; an array is one rest element."""
    return t.elements if isinstance(t, Tuple) else (Element(t.element, "rest"),)


def infer_to_tuple(context: InferenceContext, s: Array | Tuple, t: Tuple) -> None:
    """Infer from an array or tuple to a tuple (the tuple branch of inferFromObjectTypes)."""
    sources, targets = elements_of(s), t.elements
    if isinstance(s, Tuple) and _definitely_unrelated(sources, targets):
        return
    if isinstance(s, Tuple) and _same_structure(sources, targets):
        for source, target in zip(sources, targets, strict=True):
            context.infer(source.type, target.type)
        return
    open_target = any(e.kind in ("rest", "variadic") for e in targets)
    start = min(_fixed_start(sources), _fixed_start(targets)) if isinstance(s, Tuple) else 0
    end = 0
    if isinstance(s, Tuple) and open_target:
        end = min(_fixed_start(sources[::-1]), _fixed_start(targets[::-1]), len(sources) - start)
        end = max(end, 0)
    for i in range(start):
        context.infer(sources[i].type, targets[i].type)
    target_middle = targets[start : len(targets) - end]
    source_middle = sources[start : len(sources) - end]
    if len(source_middle) == 1 and source_middle[0].kind == "rest":
        for element in target_middle:
            rest = source_middle[0].type
            context.infer(Array(rest) if element.kind == "variadic" else rest, element.type)
    else:
        _infer_to_middle(context, source_middle, target_middle, targets)
    for i in range(1, end + 1):
        context.infer(sources[-i].type, targets[-i].type)


def _infer_to_middle(
    context: InferenceContext,
    sources: tuple[Element, ...],
    targets: tuple[Element, ...],
    all_targets: tuple[Element, ...],
) -> None:
    if len(targets) == 1 and targets[0].kind == "variadic":
        slice_type = Tuple(sources, False)
        with context.with_priority(SPECULATIVE_TUPLE if all_targets[-1].kind == "optional" else 0):
            context.infer(slice_type, targets[0].type)
    elif len(targets) == 1 and targets[0].kind == "rest":
        if sources:
            context.infer(tuple_element_type(Tuple(sources, False)), targets[0].type)
    elif len(targets) == 2:
        _infer_to_two_open(context, sources, targets)


def _infer_to_two_open(
    context: InferenceContext, sources: tuple[Element, ...], targets: tuple[Element, ...]
) -> None:
    """Infer to ``[...A, ...B[]]`` or ``[...A[], ...B]``.

    The variadic element takes as many elements as the tuple that constrains it.
    """
    first, second = targets
    if first.kind == "variadic" and second.kind == "rest":
        length = _constraint_length(context, first.type)
        if length is not None:
            context.infer(Tuple(sources[:length]), first.type)
            if sources[length:]:
                context.infer(tuple_element_type(Tuple(sources[length:])), second.type)
    elif first.kind == "rest" and second.kind == "variadic":
        length = _constraint_length(context, second.type)
        if length is not None:
            cut = len(sources) - length
            if sources[:cut]:
                context.infer(tuple_element_type(Tuple(sources[:cut])), first.type)
            context.infer(Tuple(sources[cut:]), second.type)


def _constraint_length(context: InferenceContext, t: Type) -> int | None:
    constraint = context.rel.reducer.constraints.get(t)
    reduced = None if constraint is None else context.rel.reducer.normal(constraint)
    return len(reduced.elements) if isinstance(reduced, Tuple) else None


def _definitely_unrelated(sources: Sequence[Element], targets: Sequence[Element]) -> bool:
    """Return whether the lengths exclude each other (tupleTypesDefinitelyUnrelated)."""
    kinds = {element.kind for element in targets}
    if "variadic" not in kinds and _minimum_length(targets) > _minimum_length(sources):
        return True
    if kinds & {"rest", "variadic"}:
        return False
    has_open_source = any(element.kind in ("rest", "variadic") for element in sources)
    return has_open_source or _fixed_start(targets) < _fixed_start(sources)


def _minimum_length(elements: Sequence[Element]) -> int:
    """Position of the last required or variadic element, counted from 1."""
    last = 0
    for position, element in enumerate(elements):
        if element.kind in ("required", "variadic"):
            last = position + 1
    return last


def _same_structure(sources: Sequence[Element], targets: Sequence[Element]) -> bool:
    return len(sources) == len(targets) and all(
        (source.kind in ("rest", "variadic")) == (target.kind in ("rest", "variadic"))
        for source, target in zip(sources, targets, strict=True)
    )


def _fixed_start(elements: Sequence[Element]) -> int:
    for position, element in enumerate(elements):
        if element.kind in ("rest", "variadic"):
            return position
    return len(elements)
