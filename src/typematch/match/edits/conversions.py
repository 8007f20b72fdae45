"""Get a value from where it is to where it is wanted, at a price: await it, check it, copy it.

The words are the relation's: a value of type ``source`` is wanted as a ``target``.  For an
argument the source is the query's and the target the found parameter's; for a result it is the
other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from typematch.ir.constructors import PROMISES, union
from typematch.ir.intern import replaced
from typematch.ir.types import (
    NULL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Element,
    Intersection,
    Object,
    Reference,
    Signature,
    Tuple,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    AWAITED,
    DEFERRED,
    ITERABLE_COLLECTED,
    NOT_EMPTY,
    READONLY_COPIED,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
    WRAPPED,
    Edit,
    EditKind,
)

ITERABLES = frozenset(
    f"global#{name}"
    for name in (
        *("Iterable", "IterableIterator", "IteratorObject", "Iterator", "Generator"),
        *("Set", "ReadonlySet", "ArrayIterator", "SetIterator", "ArrayLike", "ConcatArray"),
    )
)


_MAPS = frozenset(("global#Map", "global#ReadonlyMap"))
_HOLDING = PROMISES | ITERABLES | _MAPS
_NO_VALUE = frozenset((UNKNOWN, VOID, UNDEFINED))
_COPIED_DEPTH = 4  # what lies deeper is left as it is


class TypeExpander(Protocol):
    """What a change asks of a type."""

    def expanded(self, t: Type, /) -> Type:
        """Return ``t`` with the alias at its top followed, as far as it goes."""
        ...

    def call(self, t: Type, /) -> Signature | None:
        """Return the call signature of a type that has just one; else None."""
        ...


class AssignabilityCheck(TypeExpander, Protocol):
    """What a bridge asks of the strict relation."""

    def fits(self, source: Type, target: Type) -> bool: ...


@dataclass(frozen=True, slots=True)
class Conversion:
    """``source`` is what the value has become; ``edits`` are the steps, ``price`` their sum."""

    source: Type
    edits: tuple[Edit, ...] = ()

    @property
    def price(self) -> int:
        return sum(edit.price for edit in self.edits)


def bridge(strict: AssignabilityCheck, source: Type, target: Type) -> Conversion | None:
    """Return the cheapest way, of at most two steps, to make ``source`` fit ``target``, or None.

    Nothing is charged where the strict relation accepts the pair as it stands.
    """
    if strict.fits(source, target):
        return Conversion(source)
    best: Conversion | None = None
    first_steps = _steps(strict, Conversion(source), target)
    for crossed in first_steps:
        if (best is None or crossed.price < best.price) and strict.fits(crossed.source, target):
            best = crossed
    for first in first_steps:
        for second in _steps(strict, first, target):
            wanted = best is None or second.price < best.price
            if wanted and second.source is not source and strict.fits(second.source, target):
                best = second
    return best


def _steps(strict: AssignabilityCheck, start: Conversion, target: Type) -> list[Conversion]:
    """Return what one more step makes of the value, cheapest first."""
    steps = changes(strict.expanded(start.source), strict.expanded(target), strict)
    taken = {edit.kind for edit in start.edits}
    crossed = [
        Conversion(changed, (*start.edits, Edit(kind, a=start.source, b=detail)))
        for kind, changed, detail in steps
        # Nobody writes a promise of a promise, or a function that returns one that returns it.
        if kind not in taken
    ]
    return sorted(crossed, key=lambda bridge: bridge.price)


Change = tuple[EditKind, Type, Type | str]


def changes(source: Type, target: Type, opens: TypeExpander) -> Iterator[Change]:
    """Yield (kind, what the source becomes, detail for the sentence) for each step that applies.

    ``source`` and ``target`` are expanded; ``opens`` opens what is inside them.
    """
    yield from changes_of(source, opens)
    yield from changes_towards(source, target, opens)


def changes_of(source: Type, opens: TypeExpander) -> Iterator[Change]:
    """Yield the steps that a value allows, whatever it is to become."""
    copy = copied(source, opens.expanded)
    if copy is not source:
        yield READONLY_COPIED, copy, ""
    match source:
        case Reference(name, (element, *_)) if name in ITERABLES:
            yield ITERABLE_COLLECTED, Array(element), ""
        case Reference(name, (value,)) if name in PROMISES:
            yield AWAITED, value, ""
        case Union(members):
            kept = [member for member in members if member is not UNDEFINED and member is not NULL]
            for member in kept if len(kept) > 1 else ():
                yield UNION_MEMBER, member, member
            if kept and len(kept) < len(members):
                nothing = union(member for member in members if member not in kept)
                yield UNDEFINED_CHECKED, union(kept), nothing
        case _:
            pass


def changes_towards(source: Type, target: Type, opens: TypeExpander) -> Iterator[Change]:
    """Yield the steps that what is wanted allows."""
    match target:
        case Reference(name, (_,)) if name in PROMISES:
            yield WRAPPED, Reference("global#Promise", (source,)), ""
        case Object(calls=(_,)) | Reference():
            call = opens.call(target)
            if call is not None and gives_a_value(call):
                yield DEFERRED, Object(calls=(Signature((), source),)), ""
        case _:
            pass
    if isinstance(source, Array) and not isinstance(target, Array):
        first = Element(source.element)
        others = Element(source.element, "rest")
        yield NOT_EMPTY, Tuple((first, others), source.readonly), ""


def gives_a_value(call: Signature) -> bool:
    """Whether a function is called for what it gives alone: ``() => T``."""
    says_something = call.returns not in _NO_VALUE
    return says_something and not (call.parameters or call.type_parameters or call.predicate)


def copied(t: Type, expanded: Callable[[Type], Type], depth: int = _COPIED_DEPTH) -> Type:
    """Return what a copy of ``t`` may be: its arrays may be written to, and those inside it.

    What holds no readonly array is returned as it is, aliases and all.
    """
    if not depth:
        return t

    def inside(part: Type) -> Type:
        return copied(part, expanded, depth - 1)

    whole = t if t.loose else expanded(t)
    copy = whole
    match whole:
        case Array(element):
            copy = Array(inside(element))
        case Tuple(elements):
            copy = Tuple(tuple(replaced(one, type=inside(one.type)) for one in elements))
        case Reference(name, (_, *_) as arguments) if name in _HOLDING:
            copy = Reference(name, tuple(map(inside, arguments)))
        case Object(calls=(call,)):
            copy = replaced(whole, calls=(replaced(call, returns=inside(call.returns)),))
        case Object(indexes=(_, *_) as indexes):
            made = tuple(replaced(one, type=inside(one.type)) for one in indexes)
            copy = replaced(whole, indexes=made)
        case Intersection(members):
            # A list of which more is known (that it has a first element): the copy is a plain one.
            lists = (inside(one) for one in members if isinstance(one, Array) and one.readonly)
            copy = next(lists, whole)
        case _:
            pass
    return t if copy is whole else copy
