"""Get a value from where it is to where it is wanted, at a price: await it, check it, copy it.

The words are the relation's: a value of type ``source`` is wanted as a ``target``.  For an
argument the source is the query's and the target the found parameter's; for a result it is the
other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from typematch.ir.build import union
from typematch.ir.types import (
    NULL,
    UNDEFINED,
    Array,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.edits import (
    AWAITED,
    ITERABLE_COLLECTED,
    READONLY_COPIED,
    UNDEFINED_CHECKED,
    UNION_MEMBER,
    WRAPPED,
    Edit,
    EditKind,
)

PROMISES = frozenset(("global#Promise", "global#PromiseLike"))
ITERABLES = frozenset(
    f"global#{name}"
    for name in (
        *("Iterable", "IterableIterator", "IteratorObject", "Iterator", "Generator"),
        *("Set", "ReadonlySet", "ArrayIterator", "SetIterator", "ArrayLike", "ConcatArray"),
    )
)


class Assigns(Protocol):
    """What a bridge asks of the strict relation."""

    def fits(self, source: Type, target: Type) -> bool: ...

    def expanded(self, type: Type) -> Type:  # noqa: A002
        """Return ``type`` with the alias at its top followed, as far as it goes."""
        ...


@dataclass(frozen=True, slots=True)
class Bridge:
    """``source`` is what the value has become; ``edits`` are the steps, ``price`` their sum."""

    source: Type
    edits: tuple[Edit, ...] = ()

    @property
    def price(self) -> int:
        return sum(edit.price for edit in self.edits)


def bridge(strict: Assigns, source: Type, target: Type) -> Bridge | None:
    """Return the cheapest way, of at most two steps, to make ``source`` fit ``target``, or None.

    Nothing is charged where the strict relation accepts the pair as it stands.
    """
    if strict.fits(source, target):
        return Bridge(source)
    best: Bridge | None = None
    first_steps = _steps(strict, Bridge(source), target)
    for crossed in first_steps:
        if (best is None or crossed.price < best.price) and strict.fits(crossed.source, target):
            best = crossed
    for first in first_steps:
        for second in _steps(strict, first, target):
            wanted = best is None or second.price < best.price
            if wanted and second.source is not source and strict.fits(second.source, target):
                best = second
    return best


def _steps(strict: Assigns, start: Bridge, target: Type) -> list[Bridge]:
    """Return what one more step makes of the value, cheapest first."""
    steps = changes(strict.expanded(start.source), strict.expanded(target))
    crossed = [
        Bridge(changed, (*start.edits, Edit(kind, a=start.source, b=detail)))
        for kind, changed, detail in steps
    ]
    return sorted(crossed, key=lambda bridge: bridge.price)


def changes(source: Type, target: Type) -> Iterator[tuple[EditKind, Type, Type | str]]:
    """Yield (kind, what the source becomes, detail for the sentence) for each step that applies."""
    match source:
        case Array(element, True):
            yield READONLY_COPIED, Array(element), ""
        case Tuple(elements, True):
            yield READONLY_COPIED, Tuple(elements), ""
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
    match target:
        case Reference(name, (_,)) if name in PROMISES:
            yield WRAPPED, Reference("global#Promise", (source,)), ""
        case _:
            pass
