"""Comparisons that exceed the limits of a search, repeated in a relation with larger ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from typematch.match.verdict import Undecided

if TYPE_CHECKING:
    from typematch.match.assignability.relation import Relation

T = TypeVar("T")


def compute_with_variables_of(
    relation: Relation, larger: Relation, compute: Callable[[Relation], T]
) -> T | Undecided:
    """Run ``compute`` in ``larger``, which is released, with the type variables of ``relation``.

    Args:
        larger: a new relation over the same declarations.  Its caches are empty, so the answer does
            not depend on what was compared before.
    """
    larger.reducer.take_variables(relation.reducer)
    larger.inference_variables = relation.inference_variables
    larger.key_variables = relation.key_variables
    answer = larger.within_budget(lambda: compute(larger))
    relation.reducer.take_variables(larger.reducer)
    larger.release()
    return answer
