"""Comparisons that exceed the limits of a search, repeated in a relation with larger ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from typematch.ir.types import ANY, UNKNOWN, Type
from typematch.match.verdict import Undecided
from typematch.program.reduction.limits import LimitReached

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

T = TypeVar("T")
_TOP_TYPES = (ANY, UNKNOWN)


def compute_with_variables_of(
    relation: Relation,
    larger: Relation,
    compute: Callable[[Relation], T],
    reduced_first: Sequence[Type] = (),
) -> T | Undecided:
    """Run ``compute`` in ``larger``, which is released, with the type variables of ``relation``.

    Args:
        larger: a new relation over the same declarations.  Its caches are empty, so the answer does
            not depend on what was compared before.
        reduced_first: types that ``compute`` reduces before anything else, in this order; after
            ``any`` and ``unknown`` it reduces no other.  One that alone exceeds the limits is added
            to ``relation.irreducible``.
    """
    larger.reducer.take_variables(relation.reducer)
    larger.inference_variables = relation.inference_variables
    larger.key_variables = relation.key_variables

    def answered() -> T:
        reducer, steps = larger.reducer, 0
        for t in reduced_first:
            larger.reset_budget()
            try:
                reduced = reducer.normal(t)
            except LimitReached as limit:
                relation.irreducible[t] = Undecided(limit.reason)
                raise
            steps += reducer.steps
            if reduced in _TOP_TYPES:
                break
        reducer.steps = steps
        return compute(larger)

    answer = larger.within_budget(answered)
    relation.reducer.take_variables(larger.reducer)
    larger.release()
    return answer
