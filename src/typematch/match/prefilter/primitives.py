"""Tell at a glance whether one keyword, literal or template may fit another."""

from __future__ import annotations

from typematch.ir.types import (
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

NOTHING = frozenset((UNDEFINED, NULL, VOID))
_BIGINT = Intrinsic("bigint")
_PLAIN = frozenset((STRING, NUMBER, BOOLEAN, SYMBOL, _BIGINT))
_KEYWORDS = {"string": STRING, "number": NUMBER, "boolean": BOOLEAN, "bigint": _BIGINT}


def scalar_may_fit(s: Type, t: Type) -> bool:
    """Whether one keyword, literal or template may fit another."""
    if t.__class__ is Intrinsic:
        if s.__class__ is Intrinsic:
            return _keyword_may_fit(s, t)
        if s.__class__ is Literal:
            return _KEYWORDS.get(s.kind) is t
        if s.__class__ is Template:
            return t is STRING
        return t is SYMBOL
    if s.__class__ is Intrinsic:
        # `boolean` is true or false; a template may hold nothing but `string`.
        return (s not in _PLAIN and s not in NOTHING) or (t.__class__ is Template and s is STRING)
    return s.__class__ is t.__class__ or t.__class__ is Template


def _keyword_may_fit(s: Type, t: Type) -> bool:
    if s in _PLAIN or s in NOTHING or s is OBJECT:
        if t in _PLAIN or t in NOTHING or t is OBJECT or t is NEVER:
            return s is t or (s is UNDEFINED and t is VOID)
        return True
    return s is not UNKNOWN or t not in _PLAIN
