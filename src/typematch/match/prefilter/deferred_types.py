"""Know types that stay open for good: they hang on the type parameters of the class around."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from typematch.ir.constructors import closed, constituents
from typematch.ir.types import (
    UNKNOWN,
    Conditional,
    Free,
    IndexedAccess,
    Object,
    Reference,
    Type,
)
from typematch.match.assignability.deferred import takes_nothing_plain
from typematch.match.verdict import Undecided
from typematch.program.reduction.constraints import (
    constraint_of,
    default_constraint,
    distributive_constraint,
)
from typematch.program.reduction.members import base_constraint
from typematch.program.reduction.reduce import Reducer

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

_COMPUTED = (Conditional, IndexedAccess, Reference)
# Stand-ins for a found signature's type parameters have serials from here down: they meet neither
# the relation's variables nor the rigid ones of a class around a method.
STAND_INS = -100_000
ANY_TYPE = Free(STAND_INS, "any type")
# What a type fits of which nothing is known: itself, and what everything fits.
_NOTHING_KNOWN = Free(-1, "nothing known")
Limits = tuple[tuple[Type, ...], ...]


class DeferredTypeBounds:
    """What is known of types without a head that stay open for good.

    Args:
        relation: gives one that knows the variables that they hang on, and has patience.
        head: what a type is at its head; None where that is not seen.
    """

    def __init__(
        self, relation: Callable[[], Relation], head: Callable[[Type], Type | None]
    ) -> None:
        self._relation = relation
        self._head = head
        self._limits: dict[Type, Limits | None] = {}
        self._closed: dict[Type, bool] = {}

    def limits(self, t: Type) -> Limits | None:
        """Return groups of heads: what ``t`` fits, all of one group fit.

        None where ``t`` does not stay open, or that needs thought.
        """
        if t.__class__ not in _COMPUTED or t.loose:
            return None
        if t not in self._limits:
            relation = self._relation()
            found = relation.within_budget(lambda: self._limits_of(t, relation.reducer))
            self._limits[t] = None if isinstance(found, Undecided) else found
        return self._limits[t]

    def takes_only_itself(self, t: Type) -> bool:
        """Whether nothing fits ``t`` that is not open itself.

        The compiler compares a condition with both of its branches, but not where a branch hangs
        on what is inferred or distributed.
        """
        if t.__class__ not in _COMPUTED:
            return False
        if t not in self._closed:
            relation = self._relation()
            found = relation.within_budget(lambda: _takes_only_itself(t, relation.reducer))
            self._closed[t] = found is True
        return self._closed[t]

    def _limits_of(self, t: Type, reducer: Reducer) -> Limits | None:
        reduced = reducer.normal(t)
        if not _stays_open(reduced):
            return None
        above = [constraint_of(reducer, reduced)]
        if isinstance(reduced, Conditional):
            above = [
                default_constraint(reducer, reduced),
                distributive_constraint(reducer, reduced),
            ]
        return tuple([self._heads(one, reducer) for one in above if one is not None])

    def _heads(self, limit: Type, reducer: Reducer) -> tuple[Type, ...]:
        reduced = reducer.normal(limit)
        outermost = base_constraint(reducer, reduced) or reduced
        if outermost is UNKNOWN:
            # A found function's own type parameter will be known.
            return () if any(map(is_stand_in, limit.free)) else (_NOTHING_KNOWN,)
        heads = [self._head(one) for one in constituents(outermost)]
        return tuple([head for head in heads if head is not None])


def _takes_only_itself(t: Type, reducer: Reducer) -> bool:
    reduced = reducer.normal(closed(t, ANY_TYPE))
    return (
        isinstance(reduced, Conditional) and _stays_open(reduced) and takes_nothing_plain(reduced)
    )


def _stays_open(t: Type) -> bool:
    match t:
        case Conditional():
            hanging = t.check.free
        case IndexedAccess(Reference() | Object(), index):
            hanging = index.free
        case IndexedAccess(Free() as object_, _):
            hanging = frozenset((object_,))
        case _:
            return False
    return bool(hanging) and all(
        isinstance(free, Free) and STAND_INS < free.serial < 0 for free in hanging
    )


def is_stand_in(variable: Type) -> bool:
    return isinstance(variable, Free) and variable.serial <= STAND_INS


def is_of_a_query(variable: Type) -> bool:
    """Whether only one query knows what a variable is."""
    return isinstance(variable, Free) and variable.serial > 0
