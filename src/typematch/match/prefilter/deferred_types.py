"""Constraints of types that stay deferred on type parameters, such as those of a class.

Such a type has no head; what it is assignable to follows from its constraints alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from typematch.ir.constructors import constituents, replace_bound_variables
from typematch.ir.types import (
    UNKNOWN,
    Conditional,
    Free,
    IndexedAccess,
    Object,
    Reference,
    Type,
    VariableKind,
)
from typematch.match.assignability.deferred import branches_insufficient
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
# The placeholder of a type parameter without a constraint.
UNBOUNDED = Free(VariableKind.PLACEHOLDER, 0, "any type")
_OPAQUE = Free(VariableKind.OPAQUE, 0, "nothing known")
_RIGID_KINDS = frozenset(VariableKind) - {VariableKind.PLACEHOLDER, VariableKind.LOCAL}
ConstraintHeads = tuple[tuple[Type, ...], ...]


class DeferredTypeBounds:
    """Memoized constraint heads of deferred types.

    Args:
        relation: its limits should be small, as each type is reduced for it.
        head: returns the head of a type; None if unknown.
    """

    def __init__(self, relation: Relation, head: Callable[[Type], Type | None]) -> None:
        self._relation = relation
        self._head = head
        self._constraint_heads: dict[Type, ConstraintHeads | None] = {}
        self._accepts_only_deferred: dict[Type, bool] = {}

    def constraint_heads(self, t: Type) -> ConstraintHeads | None:
        """Return one group of heads per constraint of ``t``.

        If ``t`` is assignable to a type, all heads of some group are.  None if ``t`` does not stay
        deferred, or if the limits do not suffice to tell.
        """
        if t.__class__ not in _COMPUTED or t.loose_depth:
            return None
        if t not in self._constraint_heads:
            relation = self._relation
            self._constraint_heads[t] = relation.within_limits(
                lambda: self._compute_constraint_heads(t, relation.reducer)
            )
        return self._constraint_heads[t]

    def accepts_only_deferred(self, t: Type) -> bool:
        """Whether only deferred types are assignable to ``t``.

        A source is compared with both branches of a deferred conditional target, unless a branch
        depends on an ``infer`` variable or on a distributed check type (structuredTypeRelatedTo).
        """
        if t.__class__ not in _COMPUTED:
            return False
        if t not in self._accepts_only_deferred:
            relation = self._relation
            answer = relation.within_budget(lambda: _accepts_only_deferred(t, relation.reducer))
            self._accepts_only_deferred[t] = answer is True
        return self._accepts_only_deferred[t]

    def _compute_constraint_heads(self, t: Type, reducer: Reducer) -> ConstraintHeads | None:
        reduced = reducer.normal(t)
        if not _stays_deferred(reduced):
            return None
        constraints = [constraint_of(reducer, reduced)]
        if isinstance(reduced, Conditional):
            constraints = [
                default_constraint(reducer, reduced),
                distributive_constraint(reducer, reduced),
            ]
        return tuple(
            [
                self._head_types(constraint, reducer)
                for constraint in constraints
                if constraint is not None
            ]
        )

    def _head_types(self, constraint: Type, reducer: Reducer) -> tuple[Type, ...]:
        reduced = reducer.normal(constraint)
        base = base_constraint(reducer, reduced) or reduced
        if base is UNKNOWN:
            # A type parameter of the candidate itself will be instantiated.
            return () if any(map(is_placeholder, constraint.free)) else (_OPAQUE,)
        heads = [self._head(member) for member in constituents(base)]
        return tuple([head for head in heads if head is not None])


def _accepts_only_deferred(t: Type, reducer: Reducer) -> bool:
    reduced = reducer.normal(replace_bound_variables(t, UNBOUNDED))
    return (
        isinstance(reduced, Conditional)
        and _stays_deferred(reduced)
        and branches_insufficient(reduced)
    )


def _stays_deferred(t: Type) -> bool:
    match t:
        case Conditional():
            variables = t.check.free
        case IndexedAccess(Reference() | Object(), index):
            variables = index.free
        case IndexedAccess(Free() as object_, _):
            variables = frozenset((object_,))
        case _:
            return False
    return bool(variables) and all(
        isinstance(variable, Free) and variable.kind in _RIGID_KINDS for variable in variables
    )


def is_placeholder(variable: Type) -> bool:
    return isinstance(variable, Free) and variable.kind is VariableKind.PLACEHOLDER


def is_local_variable(variable: Type) -> bool:
    """Whether a variable belongs to a query, so that caches of several queries must not hold it."""
    return isinstance(variable, Free) and variable.kind is VariableKind.LOCAL
