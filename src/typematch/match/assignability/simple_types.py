"""Compare types without members: keywords, literals, enum members (isSimpleTypeRelatedTo)."""

from __future__ import annotations

from typing import cast

from typematch.ir.constructors import LITERAL_PRIMITIVES
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
from typematch.match.assignability.enums import enum_member_assignable
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.unions import (
    is_enum_member,
    literal_of,
    primitive_of,
)

NO, YES, MAYBE = 0, 1, 2
SIMPLE_CLASSES = frozenset((Intrinsic, Literal, Template, UniqueSymbol))
_SIMPLE_OR_REFERENCE = SIMPLE_CLASSES | {Reference}
_OBJECTS = frozenset((Object, Array, Tuple, Mapped))
_CONCRETE = SIMPLE_CLASSES | _OBJECTS | {Named}
_NEVER_OBJECTS = frozenset((UNDEFINED, NULL, VOID, UNKNOWN, THIS))


def simple_types_related(reducer: Reducer, s: Type, t: Type) -> int:
    """Return YES, NO, or MAYBE where another rule has to decide.

    Both types are in head normal form and differ.
    """
    if t is ANY or t is UNKNOWN or s is NEVER:
        return YES
    sc, tc = s.__class__, t.__class__
    if s is ANY:
        return NO if t is NEVER else YES
    if sc is Named and tc is Named:
        return YES if _same_undeclared(cast(Named, s), cast(Named, t)) else NO
    if tc is Intrinsic:
        return _to_intrinsic(reducer, s, sc, cast(Intrinsic, t))
    if tc is Literal:
        if sc is Reference:
            return YES if literal_of(reducer, s) is t else _no_if_declared(reducer, s)
        return NO if sc in _CONCRETE else MAYBE
    if tc is UniqueSymbol:
        return NO if sc in _CONCRETE else MAYBE
    if tc is Reference and s.__class__ in _SIMPLE_OR_REFERENCE:
        if is_enum_member(reducer, t):
            return YES if enum_member_assignable(reducer, s, cast(Reference, t)) else NO
        if sc is Intrinsic and s in _NEVER_OBJECTS:
            # ``Uppercase<any>`` and the other string mappings accept what they do not map.
            return MAYBE if primitive_of(reducer, t) is STRING else NO
    elif tc in _OBJECTS and sc is Intrinsic and s in _NEVER_OBJECTS:
        return NO
    return MAYBE


def _same_undeclared(s: Named, t: Named) -> bool:
    """Return whether two names that nothing declares are the same; type arguments may be left out.

    The checker has no such types: an unknown name is an error there.
    """
    same_name = (s.path, s.module) == (t.path, t.module)
    return same_name and not (s.arguments and t.arguments)


def _no_if_declared(reducer: Reducer, s: Type) -> int:
    return MAYBE if reducer.declaration(cast(Reference, s).target) is None else NO


def _to_intrinsic(reducer: Reducer, s: Type, sc: type, t: Intrinsic) -> int:
    if sc is Literal:
        return YES if LITERAL_PRIMITIVES[cast(Literal, s).kind] is t else NO
    if sc is Intrinsic:
        return YES if s is UNDEFINED and t is VOID else NO
    if sc in _OBJECTS:
        return YES if t is OBJECT else NO
    if sc is Template:
        return YES if t is STRING else NO
    if sc is UniqueSymbol:
        return YES if t is SYMBOL else NO
    if sc is Reference:
        keyword = primitive_of(reducer, s)
        if keyword is not None:
            return YES if keyword is t else NO
        declared = reducer.declaration(cast(Reference, s).target) is not None
        return YES if declared and t is OBJECT else NO
    return NO if sc is Named or sc is TypeOf else MAYBE
