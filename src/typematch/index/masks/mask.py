"""Say what a mask is: what a type has, or needs, as bits (``index.features``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typematch.index.masks import bits as f


@dataclass(frozen=True, slots=True)
class Masks:
    """What a type has, or needs: for the compiler's relation, and for search's softer one."""

    strict: int
    soft: int

    def __or__(self, other: Masks) -> Masks:
        return Masks(self.strict | other.strict, self.soft | other.soft)


HAS_ALL = Masks(f.EVERYTHING, f.EVERYTHING)
NEEDS_NONE = Masks(f.NOTHING, f.NOTHING)


def both(bits: int) -> Masks:
    return Masks(bits, bits)


def name_bits(properties: Mapping[str, bool], *, optional_too: bool = False) -> int:
    """Return the bits of property names; ``properties`` says of each whether it is optional."""
    bits = 0
    for name, optional in properties.items():
        if optional_too or not optional:
            bits |= f.name_bit(name)
    return bits


def is_within(needs: int, has: int) -> bool:
    return needs & ~has == 0
