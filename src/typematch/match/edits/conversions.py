"""Conversions: steps in code that make a value assignable, such as awaiting or copying it.

A value of type ``source`` is converted for a position of type ``target``.  For an argument the
source is the query's type and the target the candidate's parameter; for a result the source is the
candidate's result and the target the query's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from typematch.ir.constructors import PROMISES, union
from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Element, Signature
from typematch.ir.types import (
    NULL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Intersection,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    AWAITED,
    CONTENT_NARROWED,
    ITERABLE_COLLECTED,
    MISMATCHED,
    NOT_EMPTY,
    PASSED_AS_THUNK,
    READONLY_COPIED,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
    WRAPPED,
    Edit,
    EditKind,
)
from typematch.match.edits.content_narrowing import (
    COVARIANT_CONTAINERS,
    ITERABLES,
    ContentComparison,
    superfluous_members,
    without_members,
)
from typematch.match.edits.strict_relation import StrictRelation
from typematch.match.verdict import NO_FIT_COST

_NO_VALUE_TYPES = frozenset((UNKNOWN, VOID, UNDEFINED))
MAX_COPY_DEPTH = 4  # levels of nesting; deeper parts are not copied


class TypeExpander(Protocol):
    """The operations on types that the steps of a source use."""

    def expand(self, t: Type, /) -> Type:
        """Return ``t`` with its outermost alias expanded as far as possible."""
        ...

    def single_call(self, t: Type, /) -> Signature | None:
        """Return the call signature of a type that has exactly one; else None."""
        ...


class StepTypes(TypeExpander, ContentComparison, Protocol):
    """The operations on types that the steps between two types use."""


@dataclass(frozen=True, slots=True)
class OverBudget:
    """There is no conversion within the budget; one costs at least ``least``, in edit units."""

    least: int


@dataclass(frozen=True, slots=True)
class Conversion:
    """The converted type ``source``, and the steps that lead to it."""

    source: Type
    edits: tuple[Edit, ...] = ()

    @property
    def cost(self) -> int:
        return sum(edit.cost for edit in self.edits)

    @property
    def is_mismatch(self) -> bool:
        """Whether the value does not fit, and is accepted all the same in a loose search."""
        return any(edit.kind is MISMATCHED for edit in self.edits)


def cheapest_conversion(
    strict: StrictRelation, source: Type, target: Type, budget: int | None = None
) -> Conversion | OverBudget | None:
    """Return the cheapest conversion of at most two steps; None if there is none.

    It has no steps if ``source`` is assignable to ``target``.

    Args:
        budget: the highest cost of interest, in edit units; None for no limit.  Dearer conversions
            are not compared; one without steps is returned whatever the budget.
    """
    if strict.is_assignable(source, target):
        return Conversion(source)
    if budget is not None and budget < READONLY_COPIED.cost:
        return OverBudget(READONLY_COPIED.cost)
    steps = _steps(strict, Conversion(source), target)
    ceiling = NO_FIT_COST - 1 if budget is None else budget
    least_skipped = min((step.cost for step in steps if step.cost > ceiling), default=NO_FIT_COST)
    affordable = [step for step in steps if step.cost <= ceiling]
    best = next((step for step in affordable if strict.is_assignable(step.source, target)), None)
    for first in affordable:
        for second in _steps(strict, first, target):
            if best is not None and second.cost >= best.cost:
                continue
            if second.cost > ceiling:
                least_skipped = min(least_skipped, second.cost)
            elif second.source is not source and strict.is_assignable(second.source, target):
                best = second
    if best is None and least_skipped < NO_FIT_COST:
        return OverBudget(least_skipped)
    return best


def _steps(strict: StrictRelation, start: Conversion, target: Type) -> list[Conversion]:
    """Return the conversions that add one step to ``start``, cheapest first."""
    steps = conversion_steps(strict.expand(start.source), strict.expand(target), strict)
    applied = {edit.kind for edit in start.edits}
    conversions = [
        Conversion(converted, (*start.edits, Edit(kind, a=start.source, b=detail)))
        for kind, converted, detail in steps
        # A step is not repeated: no promise of a promise, no thunk of a thunk.
        if kind not in applied
    ]
    return sorted(conversions, key=lambda conversion: conversion.cost)


ConversionStep = tuple[EditKind, Type, Type | str]


def conversion_steps(source: Type, target: Type, types: StepTypes) -> Iterator[ConversionStep]:
    """Yield (kind, converted type, detail for the sentence) for each step that applies.

    ``source`` and ``target`` are expanded types; ``types`` expands their parts.
    """
    yield from source_steps(source, types)
    yield from target_steps(source, target, types)


def source_steps(source: Type, expander: TypeExpander) -> Iterator[ConversionStep]:
    """Yield the steps that depend on the source only."""
    copy = mutable_copy(source, expander.expand)
    if copy is not source:
        yield READONLY_COPIED, copy, ""
    match source:
        case Reference(name, (element, *_)) if name in ITERABLES:
            yield ITERABLE_COLLECTED, Array(element), ""
        case Reference(name, (value,)) if name in PROMISES:
            yield AWAITED, value, ""
        case Union(members):
            non_nullish = [
                member for member in members if member is not UNDEFINED and member is not NULL
            ]
            for member in non_nullish if len(non_nullish) > 1 else ():
                yield UNION_MEMBER, member, member
            if non_nullish and len(non_nullish) < len(members):
                nullish = union(member for member in members if member not in non_nullish)
                yield UNDEFINED_CHECKED, union(non_nullish), nullish
        case _:
            pass


def target_steps(source: Type, target: Type, types: StepTypes) -> Iterator[ConversionStep]:
    """Yield the steps that depend on the target."""
    match target:
        case Reference(name, (_,)) if name in PROMISES:
            yield WRAPPED, Reference("global#Promise", (source,)), ""
        case Object(calls=(_,)) | Reference():
            call = types.single_call(target)
            if call is not None and is_thunk(call):
                yield PASSED_AS_THUNK, Object(calls=(Signature((), source),)), ""
        case _:
            pass
    if isinstance(source, Array) and not isinstance(target, Array):
        first = Element(source.element)
        rest = Element(source.element, "rest")
        yield NOT_EMPTY, Tuple((first, rest), source.readonly), ""
    superfluous = superfluous_members(source, target, types)
    if superfluous:
        narrowed = without_members(source, superfluous, types.expand)
        yield CONTENT_NARROWED, narrowed, union(superfluous)


def is_thunk(call: Signature) -> bool:
    """Whether a signature is that of a thunk, ``() => T`` for a T that is a value."""
    has_value = call.returns not in _NO_VALUE_TYPES
    return has_value and not (call.parameters or call.type_parameters or call.predicate)


def mutable_copy(t: Type, expand: Callable[[Type], Type], depth: int = MAX_COPY_DEPTH) -> Type:
    """Return the type of a deep copy of ``t``, with mutable arrays.

    Returns ``t`` itself, aliases kept, if it contains no readonly array.
    """
    if not depth:
        return t

    def copy_part(part: Type) -> Type:
        return mutable_copy(part, expand, depth - 1)

    whole = t if t.loose_depth else expand(t)
    copy = whole
    match whole:
        case Array(element):
            copy = Array(copy_part(element))
        case Tuple(elements):
            copied_elements = (replace_fields(e, type=copy_part(e.type)) for e in elements)
            copy = Tuple(tuple(copied_elements))
        case Reference(name, arguments) if arguments and name in COVARIANT_CONTAINERS:
            copy = Reference(name, tuple(map(copy_part, arguments)))
        case Object(calls=(call,)):
            copy = replace_fields(
                whole, calls=(replace_fields(call, returns=copy_part(call.returns)),)
            )
        case Object(indexes=indexes) if indexes:
            copied_indexes = tuple(
                replace_fields(index, type=copy_part(index.type)) for index in indexes
            )
            copy = replace_fields(whole, indexes=copied_indexes)
        case Intersection(members):
            # An array intersected with more, such as a known first element, copies to an array.
            array_copies = (
                copy_part(member)
                for member in members
                if isinstance(member, Array) and member.readonly
            )
            copy = next(array_copies, whole)
        case _:
            pass
    return t if copy is whole else copy
