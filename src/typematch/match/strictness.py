"""Say how strictly a type must fit."""

from __future__ import annotations

from enum import Enum


class Strictness(Enum):
    """``SOFT`` is what a search uses unless ``is:exact`` or its like names another."""

    EXACT = "exact"  # the same type, up to names
    ASSIGNABLE = "assignable"  # TypeScript's own assignability under `strict`, no edits
    SOFT = "soft"  # edits up to the price at which a hit stops being useful
    LOOSE = "loose"  # every edit, whatever its price
