"""Masks of a type as a source or as a target; the bits are those of ``masks.bits``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typematch.index.masks import bits


@dataclass(frozen=True, slots=True)
class Masks:
    """A pair of masks: for strict assignability, and for assignability after conversions."""

    strict: int
    soft: int

    def __or__(self, other: Masks) -> Masks:
        return Masks(self.strict | other.strict, self.soft | other.soft)


FULL_MASKS = Masks(bits.ALL_BITS, bits.ALL_BITS)
EMPTY_MASKS = Masks(bits.NO_BITS, bits.NO_BITS)


def symmetric(mask: int) -> Masks:
    return Masks(mask, mask)


def property_bits(properties: Mapping[str, bool], *, include_optional: bool = False) -> int:
    """Return the bits of property names.

    Args:
        properties: name -> whether it is optional.
    """
    mask = 0
    for name, optional in properties.items():
        if include_optional or not optional:
            mask |= bits.property_bit(name)
    return mask


def is_subset(subset: int, superset: int) -> bool:
    return subset & ~superset == 0
