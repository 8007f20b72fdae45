"""How closely a candidate must match."""

from __future__ import annotations

from enum import Enum


class Strictness(Enum):
    """``WITH_EDITS`` is the default of a search; facets such as ``is:exact`` select another."""

    EXACT = "exact"  # a fit of cost 0: the same type but for names and omitted optional parameters
    ASSIGNABLE = "assignable"  # assignable under tsc's `strict`, without edits
    WITH_EDITS = "edits"  # edits up to the cost at which a hit is no longer useful
    LOOSE = "loose"  # every edit, whatever its cost
