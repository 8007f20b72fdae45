"""Price what lies between two types of which one fits the other: nothing, an alias, or slack."""

from __future__ import annotations

from typing import Protocol

from typematch.ir.constructors import closed, nameless
from typematch.ir.intern import InternedNode, children
from typematch.ir.types import (
    ANY,
    BOOLEAN,
    NEVER,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Intersection,
    Object,
    Reference,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    ANYTHING,
    ANYTHING_INSIDE,
    NARROWER_RESULT,
    UNANNOTATED_PLACE,
    WIDER_PARAMETER,
    Edit,
)

_MOST_EXTRA = 20
_ALIASES_DEEP = 3  # levels below which nobody looks for any
_SIZED = (Object, Reference, Intersection)


class FitCheck(Protocol):
    """What pricing asks of the strict relation."""

    def fits(self, source: Type, target: Type) -> bool: ...

    def expanded(self, t: Type, /) -> Type: ...

    def size(self, type: Type) -> int | None:  # noqa: A002
        """Return how many members values of ``type`` have; None where that needs thought."""
        ...


def gap(
    strict: FitCheck, found: Type, asked: Type, *, path: str, name: str, result: bool = False
) -> list[Edit]:
    """Return what it costs that a place of a function is ``found`` where ``asked`` was asked for.

    The one fits the other already, in the direction that counts.  ``name`` is what a sentence
    calls the place.  ``any`` in the query asks nothing of it.
    """
    if asked is ANY or nameless(found) is nameless(asked):
        return []
    if found is UNANNOTATED:
        return [Edit(UNANNOTATED_PLACE, path, name)]
    whole = strict.expanded(found)
    if whole is ANY or whole is UNKNOWN or (result and whole is NEVER and asked is not NEVER):
        # A function that never returns fits every result, and gives none.
        return [Edit(ANYTHING, path, name)]
    if result and (asked is VOID or asked is UNDEFINED) and found is not VOID:
        return [Edit(NARROWER_RESULT, path, name, found)]
    if result and _fits_as_a_set_alone(strict, whole, asked):
        return [Edit(ANYTHING_INSIDE, path, name)]
    backwards = (asked, found) if result else (found, asked)
    if strict.fits(*backwards):
        if mentions_anything(asked) or not _comes_to_anything(strict, found):
            return [Edit(ALIAS_FOLLOWED, path, found, asked)]
        return [Edit(ANYTHING_INSIDE, path, name)]
    kind = NARROWER_RESULT if result else WIDER_PARAMETER
    wide, narrow = (asked, found) if result else (found, asked)
    return [Edit(kind, path, name, found, extra=_extra(strict, wide, narrow))]


def _fits_as_a_set_alone(strict: FitCheck, found: Type, asked: Type) -> bool:
    """Whether overloads fit a function that no one of them fits.

    The compiler compares a set of them with ``any`` for their type parameters.
    """
    if not isinstance(found, Object) or len(found.calls) < 2:
        return False
    wanted = strict.expanded(asked)
    if not isinstance(wanted, Object) or len(wanted.calls) != 1:
        return False
    return not any(strict.fits(Object(calls=(one,)), wanted) for one in found.calls)


def _comes_to_anything(strict: FitCheck, t: InternedNode, depth: int = _ALIASES_DEEP) -> bool:
    """Whether ``any`` stands inside a type, or inside what its aliases stand for."""
    if isinstance(t, Type):
        # What is generic in itself comes to no more for one value of its variables than another.
        t = strict.expanded(closed(t, UNKNOWN))
        depth -= 1
    if t is ANY:
        return True
    return depth > 0 and any(_comes_to_anything(strict, part, depth) for part in children(t))


def mentions_anything(t: InternedNode) -> bool:
    """Whether ``any`` stands somewhere inside the type as written."""
    return t is ANY or any(mentions_anything(part) for part in children(t))


def _extra(strict: FitCheck, wide: Type, narrow: Type) -> int:
    """Count what sets the two apart: members that one union has more, properties one object has."""
    wide, narrow = strict.expanded(wide), strict.expanded(narrow)
    if isinstance(wide, Union) or isinstance(narrow, Union):
        return min(_MOST_EXTRA, abs(len(_members(wide)) - len(_members(narrow))))
    if isinstance(narrow, Intersection) and not isinstance(wide, Intersection):
        return min(_MOST_EXTRA, 5 * len(narrow.members))
    if not isinstance(wide, _SIZED) or not isinstance(narrow, _SIZED):
        return 0
    least, most = strict.size(wide), strict.size(narrow)
    return 0 if least is None or most is None else min(_MOST_EXTRA, abs(most - least))


def _members(t: Type) -> tuple[Type, ...]:
    if isinstance(t, Union):
        return t.members
    return (t, t) if t is BOOLEAN else (t,)
