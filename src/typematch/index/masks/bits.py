"""Bit layout of masks: kinds of values, hashed property names, hashed literals.

A mask is an integer of ``3 * 63`` bits, stored as three words.  The first word describes the head
of a type, of its array element, and of its awaited type or the result of its call; the other two
hold hashed property names.

A *kind* is encoded by its absence.  The target mask of a type that accepts no strings contains the
bit "no string", and a source mask contains it if no value is a string.  So the bits of a union are
the intersection of its members' bits, for sources and targets.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from typematch.match.prefilter.primitives import UNIVERSAL_PROPERTIES

WORD_BITS = 63
WORDS = 3
NO_BITS = 0
ALL_BITS = (1 << WORD_BITS * WORDS) - 1

KINDS = ("string", "number", "boolean", "bigint", "symbol", "null", "undefined", "void", "object")
_ABSENT = {kind: 1 << index for index, kind in enumerate(KINDS)}
ALL_ABSENT = (1 << len(KINDS)) - 1

# The head bits are repeated for the element of an array, and for the awaited type of a promise or
# the result of a function.
HEAD_BITS = len(KINDS) + 3
CALL = 1 << len(KINDS)
CONSTRUCT = 1 << len(KINDS) + 1
SKOLEM = 1 << len(KINDS) + 2  # assignable to a type parameter of the query
HEAD = (1 << HEAD_BITS) - 1
ELEMENT_SHIFT = HEAD_BITS
RESULT_SHIFT = 2 * HEAD_BITS
ELEMENT = HEAD << ELEMENT_SHIFT
RESULT = HEAD << RESULT_SHIFT
NESTED = ELEMENT | RESULT

# An index signature, or the properties of a type literal, which has an implicit one.
INDEX = 1 << 3 * HEAD_BITS
_MAX_ARITY = 2
_CALLABLE_WITH = tuple(INDEX << arity + 1 for arity in range(_MAX_ARITY + 1))
CALLABLE = sum(_CALLABLE_WITH)

# A computed type that is ``any`` or ``never`` for some type arguments.
MAY_BE_ANY = INDEX << _MAX_ARITY + 2

_LITERAL_FIRST = 3 * HEAD_BITS + 3 + _MAX_ARITY
_LITERAL_BITS = WORD_BITS - _LITERAL_FIRST
LITERALS = ((1 << _LITERAL_BITS) - 1) << _LITERAL_FIRST
NAMES = ALL_BITS & ~((1 << WORD_BITS) - 1)
_NAME_BITS = 2 * WORD_BITS


def absent_kinds(present: tuple[str, ...]) -> int:
    """Return the absence bits of a type whose values are of the ``present`` kinds only."""
    absent = ALL_ABSENT
    for kind in present:
        absent &= ~_ABSENT[kind]
    return absent


def callable_with(arguments: int) -> int:
    """Return the bit of a function that so many arguments, or fewer, suffice for."""
    return _CALLABLE_WITH[arguments] if arguments <= _MAX_ARITY else NO_BITS


def callable_from(min_arity: int) -> int:
    """Return the bits of a function with so many required parameters."""
    return sum(_CALLABLE_WITH[min_arity:])


NO_VOID = ALL_ABSENT & ~absent_kinds(("void",))
NO_SYMBOL = ALL_ABSENT & ~absent_kinds(("symbol",))
NO_OBJECT = ALL_ABSENT & ~absent_kinds(("object",))


@lru_cache(maxsize=50_000)
def property_bit(name: str) -> int:
    """Return the bit of a property name; 0 for members that every value has."""
    if name in UNIVERSAL_PROPERTIES:
        return 0
    return 1 << WORD_BITS + _hash("p", name) % _NAME_BITS


def literal_bit(kind: str, text: str) -> int:
    return 1 << _LITERAL_FIRST + _hash(kind, text) % _LITERAL_BITS


def _hash(kind: str, text: str) -> int:
    data = f"{kind}:{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def words(mask: int) -> tuple[int, int, int]:
    """Return the three words of a mask, lowest bits first; each fits a signed SQLite integer."""
    word_mask = (1 << WORD_BITS) - 1
    return mask & word_mask, mask >> WORD_BITS & word_mask, mask >> 2 * WORD_BITS & word_mask
