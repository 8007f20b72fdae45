"""Compare keywords, literals and enum members, which needs no look inside."""

from __future__ import annotations

from typing import cast

from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    OBJECT,
    STRING,
    SYMBOL,
    THIS,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Intrinsic,
    Literal,
    Mapped,
    Named,
    Object,
    Reference,
    Template,
    Tuple,
    Type,
    TypeOf,
    UniqueSymbol,
)
from typematch.match.assignability.enums import enum_member_fits
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.unions import KEYWORDS, is_enum_member, keyword_of, literal_of

NO, YES, OPEN = 0, 1, 2
PLAIN = frozenset((Intrinsic, Literal, Template, UniqueSymbol))
_PLAIN_OR_REFERENCE = PLAIN | {Reference}
_OBJECTS = frozenset((Object, Array, Tuple, Mapped))
_CONCRETE = PLAIN | _OBJECTS | {Named}
_NEVER_OBJECTS = frozenset((UNDEFINED, NULL, VOID, UNKNOWN, THIS))


def plainly(r: Reducer, s: Type, t: Type) -> int:
    """Return YES if ``s`` fits ``t``, NO if it does not, OPEN if these rules do not say.

    Both are in head normal form and differ.
    """
    if t is ANY or t is UNKNOWN or s is NEVER:
        return YES
    sc, tc = s.__class__, t.__class__
    if s is ANY:
        return NO if t is NEVER else YES
    if tc is Intrinsic:
        return _to_keyword(r, s, sc, cast(Intrinsic, t))
    if tc is Literal:
        if sc is Reference:
            return YES if literal_of(r, s) is t else _unless_known(r, s)
        return NO if sc in _CONCRETE else OPEN
    if tc is UniqueSymbol:
        return NO if sc in _CONCRETE else OPEN
    if tc is Reference and s.__class__ in _PLAIN_OR_REFERENCE:
        if is_enum_member(r, t):
            return YES if enum_member_fits(r, s, cast(Reference, t)) else NO
        if sc is Intrinsic and s in _NEVER_OBJECTS:
            return NO
    elif tc in _OBJECTS and sc is Intrinsic and s in _NEVER_OBJECTS:
        return NO
    return OPEN


def _unless_known(r: Reducer, s: Type) -> int:
    return OPEN if r.declaration(cast(Reference, s).target) is None else NO


def _to_keyword(r: Reducer, s: Type, sc: type, t: Intrinsic) -> int:
    if sc is Literal:
        return YES if KEYWORDS[cast(Literal, s).kind] is t else NO
    if sc is Intrinsic:
        return YES if s is UNDEFINED and t is VOID else NO
    if sc in _OBJECTS:
        return YES if t is OBJECT else NO
    if sc is Template:
        return YES if t is STRING else NO
    if sc is UniqueSymbol:
        return YES if t is SYMBOL else NO
    if sc is Reference:
        keyword = keyword_of(r, s)
        if keyword is not None:
            return YES if keyword is t else NO
        known = r.declaration(cast(Reference, s).target) is not None
        return YES if known and t is OBJECT else NO
    return NO if sc is Named or sc is TypeOf else OPEN
