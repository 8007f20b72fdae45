"""Which part of an intersection a comparison is for."""

from __future__ import annotations

from enum import IntEnum


class IntersectionState(IntEnum):
    """The checker's IntersectionState: some rules do not apply to one part of an intersection.

    ``SOURCE`` parts have no implicit index signature; ``TARGET`` parts skip the weak type check.
    """

    NONE = 0
    SOURCE = 1
    TARGET = 2
