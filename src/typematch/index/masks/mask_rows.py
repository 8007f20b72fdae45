"""How masks are stored: the columns of ``source_mask`` and ``target_mask``."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_

from typematch.index.masks.bits import NO_BITS, WORDS, words
from typematch.index.masks.mask import EMPTY_MASKS, FULL_MASKS, Masks

_NAMES = ("names1", "names2")  # the first word of a mask has no property names
_MASKS = tuple(f"{name}{word}" for name in ("strict", "converted") for word in range(WORDS))
MASK_COLUMNS = {
    "source_mask": (*_MASKS, "step"),
    "target_mask": (*_MASKS, "step", *_NAMES),
}


def mask_row(table: str, masks: Masks) -> tuple[int, ...]:
    """Return the values of ``MASK_COLUMNS[table]``.

    The conversions of a type are stored as one mask, which passes wherever one of them passes,
    with the cost of the cheapest.
    """
    merge = or_ if table == "source_mask" else and_
    converted = [alternative.mask for alternative in masks.converted]
    row = (
        *words(masks.strict),
        *words(reduce(merge, converted) if converted else NO_BITS),
        min((alternative.cost for alternative in masks.converted), default=0),
    )
    return row if table == "source_mask" else (*row, *words(masks.names or NO_BITS)[1:])


def initial_row(table: str) -> tuple[int, ...]:
    """Return the values of a type whose masks are not computed: it passes every filter."""
    return mask_row(table, FULL_MASKS if table == "source_mask" else EMPTY_MASKS)
