"""Say how much work a reduction or a relation may do, in one table.

Work is counted, never timed: the same types give the same verdict on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Attributes:
    steps: comparisons, expansions and instantiations of one relation, all together.
    depth: how deep comparisons and reductions may nest, in levels (a level takes about six
        of Python's stack frames, of which there are a thousand).
    expansion: how deep aliases and conditional types may expand inside each other.
    tail: how many times a conditional type may continue in its own last branch.
    product: members of a union that a template literal, an intersection of unions or a mapped
        type may multiply out to.
    nesting: after how many growing occurrences of one declaration around itself a pair of types
        counts as an infinite expansion, which is assumed to hold; the compiler's number.
    """  # noqa: D205

    steps: int = 5_000
    depth: int = 64
    expansion: int = 48
    tail: int = 1_000
    product: int = 10_000
    nesting: int = 2


DEFAULT_LIMITS = Limits()


class LimitReached(Exception):  # noqa: N818
    """A bound of ``Limits`` was met; ``reason`` says which.

    It ends as ``Undecided``, never uncaught.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
