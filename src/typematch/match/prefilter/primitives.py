"""Quick reject for keywords, literals and template literal types."""

from __future__ import annotations

from typematch.ir.constructors import LITERAL_PRIMITIVES
from typematch.ir.types import (
    BIGINT,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Intrinsic,
    Literal,
    Template,
    Type,
)

NULLISH_OR_VOID = frozenset((UNDEFINED, NULL, VOID))
# Members of every value that is not nullish; a target that requires them requires nothing.
UNIVERSAL_PROPERTIES = frozenset(
    (
        *("constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty"),
        *("isPrototypeOf", "propertyIsEnumerable"),
    )
)
_PRIMITIVES = frozenset((STRING, NUMBER, BOOLEAN, SYMBOL, BIGINT))


def primitive_may_be_assignable(s: Type, t: Type) -> bool:
    """Return False only if ``s`` is not assignable to ``t``."""
    if t.__class__ is Intrinsic:
        if s.__class__ is Intrinsic:
            return _keyword_may_be_assignable(s, t)
        if s.__class__ is Literal:
            return LITERAL_PRIMITIVES.get(s.kind) is t
        if s.__class__ is Template:
            return t is STRING
        return t is SYMBOL
    if s.__class__ is Intrinsic:
        # `boolean` is `true | false`; a template literal may be just `${string}`.
        return (s not in _PRIMITIVES and s not in NULLISH_OR_VOID) or (
            t.__class__ is Template and s is STRING
        )
    return s.__class__ is t.__class__ or t.__class__ is Template


def _keyword_may_be_assignable(s: Type, t: Type) -> bool:
    if s in _PRIMITIVES or s in NULLISH_OR_VOID or s is OBJECT:
        if t in _PRIMITIVES or t in NULLISH_OR_VOID or t is OBJECT or t is NEVER:
            return s is t or (s is UNDEFINED and t is VOID)
        return True
    return s is not UNKNOWN or t not in _PRIMITIVES
