"""Masks of a type as a source or as a target; the bits are those of ``masks.bits``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from typematch.index.masks import bits

# Conversions of one type; further ones are merged, so a query is compared with few masks.
_MAX_CONVERTED = 8


@dataclass(frozen=True, slots=True)
class ConvertedMask:
    """The mask of a type after conversion steps, which cost at least ``cost`` edit units."""

    cost: int
    mask: int


@dataclass(frozen=True, slots=True)
class Masks:
    """The masks of a type, as a source or as a target.

    Attributes:
        strict: mask of the type itself, for assignability.
        converted: masks of the types that a source may be converted to, or that a source converted
            for the target must have.
        names: for the weak type check (isWeakType).  Of a source, bits of all property names that
            a value may have; of a weak target, bits of its names, one of which a source must have.
            None if the check cannot refuse.
    """

    strict: int
    converted: tuple[ConvertedMask, ...] = ()
    names: int | None = None


FULL_MASKS = Masks(bits.ALL_BITS)
EMPTY_MASKS = Masks(bits.NO_BITS)


def conversion_bound(source: Masks, target: Masks) -> int | None:
    """Return the lower bound of converting a source to a target; None if no conversion may do.

    It is 0 if the source may be assignable; the weak type check is left out.
    """
    if source.strict & bits.MAY_BE_ANY:
        return 0
    alternatives = [
        first.cost + second.cost
        for first in (ConvertedMask(0, source.strict), *source.converted)
        for second in (ConvertedMask(0, target.strict), *target.converted)
        if not second.mask & ~first.mask
    ]
    return min(alternatives, default=None)


def converted_by(cost: int, masks: Masks) -> list[ConvertedMask]:
    """Return the alternatives after a step to a type with ``masks``.

    Args:
        cost: of the step, in edit units.
    """
    return [
        ConvertedMask(cost, masks.strict),
        *(ConvertedMask(cost + other.cost, other.mask) for other in masks.converted),
    ]


def distinct_conversions(
    converted: Iterable[ConvertedMask], merge: Callable[[int, int], int]
) -> tuple[ConvertedMask, ...]:
    """Return the cheapest conversion to each mask, cheapest first.

    Args:
        merge: makes one mask that passes wherever one of two masks passes.
    """
    costs: dict[int, int] = {}
    for alternative in converted:
        known = costs.get(alternative.mask)
        if known is None or alternative.cost < known:
            costs[alternative.mask] = alternative.cost
    ordered = sorted((cost, mask) for mask, cost in costs.items())
    if len(ordered) > _MAX_CONVERTED:
        rest = ordered[_MAX_CONVERTED - 1 :]
        merged = (rest[0][0], reduce(merge, (mask for _, mask in rest)))
        ordered = [*ordered[: _MAX_CONVERTED - 1], merged]
    return tuple(ConvertedMask(cost, mask) for cost, mask in ordered)


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
