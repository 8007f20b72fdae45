"""Limits on the work of a reduction or a comparison.

Work is counted, not timed, so verdicts do not depend on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one comparison.

    Attributes:
        steps: total comparisons, expansions and instantiations.
        depth: nesting of comparisons, in levels; a level takes about six of Python's stack frames,
            of which there are a thousand.
        expansion: nesting of alias and conditional type expansions.
        tail: reductions of one type in a row: an alias of an alias, a conditional type that
            continues in a branch.
        product: members of the cross product of a template literal type, an intersection of unions
            or a mapped type.
        nesting: occurrences of a declaration around itself, each no older than the one before,
            after which a pair of types counts as infinitely expanding and is assumed to be related:
            the limit of the checker's isDeeplyNestedType.
        bases: heritage types resolved; None for no limit.
    """

    steps: int = 5_000
    depth: int = 64
    expansion: int = 48
    tail: int = 1_000
    product: int = 10_000
    nesting: int = 2
    bases: int | None = None


DEFAULT_LIMITS = Limits()
# Of the variances of one declaration, which are computed once: a large class takes 15,000 steps.
VARIANCE_LIMITS = Limits(steps=30_000, depth=90)


TOO_DEEP = "types are nested too deeply"  # for the interpreter's stack


class LimitReached(Exception):  # noqa: N818
    """A limit was exceeded; ``reason`` names it.

    ``Relation`` returns ``Undecided`` for it; callers of ``Reducer`` have to catch it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class HeritageLimitReached(LimitReached):
    """More heritage types than ``Limits.bases``."""
