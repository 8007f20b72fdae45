"""Number what masks speak of: kinds of values, names of properties, literals.

A mask is an integer of ``3 * 63`` bits, stored as three words.  The first word holds what types
are at their head and one level down, the other two the hashed names of properties.

A *kind* is stated by its absence.  A target that takes no strings *needs* the bit "no string", and
a source *has* it if none of its values is one: so a union's bits are those that all members share,
on both sides.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

WORD_BITS = 63
WORDS = 3
NOTHING = 0
EVERYTHING = (1 << WORD_BITS * WORDS) - 1

KINDS = ("string", "number", "boolean", "bigint", "symbol", "null", "undefined", "void", "object")
_NO = {kind: 1 << place for place, kind in enumerate(KINDS)}
ALL_KINDS = (1 << len(KINDS)) - 1

# The same bits again for the element of an array and for what a promise gives.
HEAD_BITS = len(KINDS) + 3
CALL = 1 << len(KINDS)
CONSTRUCT = 1 << len(KINDS) + 1
RIGID = 1 << len(KINDS) + 2
HEAD = (1 << HEAD_BITS) - 1
ELEMENT_SHIFT = HEAD_BITS
AWAITED_SHIFT = 2 * HEAD_BITS
ELEMENT = HEAD << ELEMENT_SHIFT
AWAITED = HEAD << AWAITED_SHIFT
NESTED = ELEMENT | AWAITED

_LITERAL_FIRST = 3 * HEAD_BITS
_LITERAL_BITS = WORD_BITS - _LITERAL_FIRST
LITERALS = ((1 << _LITERAL_BITS) - 1) << _LITERAL_FIRST
NAMES = EVERYTHING & ~((1 << WORD_BITS) - 1)
_NAME_BITS = 2 * WORD_BITS

# What every value has: a target that asks for it asks for nothing.
UNIVERSAL = frozenset(
    (
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    )
)


def none_of(kinds_present: tuple[str, ...]) -> int:
    """Return the bits of a type whose values are of these kinds only."""
    bits = ALL_KINDS
    for kind in kinds_present:
        bits &= ~_NO[kind]
    return bits


NO_VOID = ALL_KINDS & ~none_of(("void",))
NO_SYMBOL = ALL_KINDS & ~none_of(("symbol",))


@lru_cache(maxsize=50_000)
def name_bit(name: str) -> int:
    """Return the bit of a property name; 0 for names that every value has."""
    if name in UNIVERSAL:
        return 0
    return 1 << WORD_BITS + _hash("p", name) % _NAME_BITS


def literal_bit(kind: str, text: str) -> int:
    return 1 << _LITERAL_FIRST + _hash(kind, text) % _LITERAL_BITS


def _hash(kind: str, text: str) -> int:
    data = f"{kind}:{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def words(mask: int) -> tuple[int, int, int]:
    """Return the three words of a mask, lowest bits first; each fits SQLite's signed integers."""
    word = (1 << WORD_BITS) - 1
    return mask & word, mask >> WORD_BITS & word, mask >> 2 * WORD_BITS & word
