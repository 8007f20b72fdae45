"""A scorer compares candidate types with one target type of a query."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Type
from typematch.match.edit_kinds import Edit
from typematch.match.verdict import OVER_CEILING, Misfit, Verdict, add_edits


@dataclass(frozen=True, slots=True)
class TypeScorer:
    """Compares candidate types with one target type.  All costs are in edit units.

    Attributes:
        verdict: takes a candidate and a cost ceiling (None: no ceiling).
        lower_bound: takes a candidate and the highest bound of interest (None: no limit);
            returns a cheap lower bound of its cost, None if it cannot fit.  A bound above the
            limit may be lower than the one without it.
        minimum_cost: a lower bound of the cost of every fit.
        scorer_of_members: takes the type parameters of a container
            (``MemberGroup.outer_parameters``); returns the scorer of its members.  None if their
            constraints do not matter.
        member_type: takes the type of a class member and the key of the class; returns the
            candidate to pass to ``verdict``.
        query: equal for scorers that give equal verdicts on one state of a store; empty if no other
            scorer does.
    """

    verdict: Callable[[Type, int | None], Verdict]
    lower_bound: Callable[[Type, int | None], int | None] = lambda *_: 0
    minimum_cost: int = 0
    member_type: Callable[[Type, str], Type] = lambda member, _: member
    query: tuple[Hashable, ...] = ()
    scorer_of_members: Callable[[tuple[TypeParameter, ...]], TypeScorer] | None = None

    def for_members(self, outer_parameters: tuple[TypeParameter, ...]) -> TypeScorer:
        """Return the scorer of members of a container with these type parameters."""
        if not outer_parameters or self.scorer_of_members is None:
            return self
        return self.scorer_of_members(outer_parameters)


def with_edit(
    scorer: TypeScorer,
    edit: Edit,
    *,
    max_other_cost: int | None = None,
    accepts: Callable[[Type], bool] = bool,
) -> TypeScorer:
    """Return the scorer of a rewritten query; every fit also has ``edit`` and its cost.

    Args:
        max_other_cost: the most that the other edits may cost; None for no limit.
        accepts: candidates that it refuses do not fit.
    """
    max_cost = None if max_other_cost is None else max_other_cost + edit.cost

    def verdict(candidate: Type, ceiling: int | None) -> Verdict:
        if not accepts(candidate):
            return _NEVER_FITS
        if max_cost is not None:
            ceiling = max_cost if ceiling is None else min(ceiling, max_cost)
        result = add_edits(lambda rest: scorer.verdict(candidate, rest), (edit,), ceiling)
        at_max = max_cost is not None and ceiling == max_cost
        if at_max and isinstance(result, Misfit) and result.code == OVER_CEILING:
            return _NEVER_FITS  # a higher ceiling does not change the verdict
        return result

    def lower_bound(candidate: Type, at_most: int | None) -> int | None:
        limit = None if at_most is None else at_most - edit.cost
        bound = scorer.lower_bound(candidate, limit) if accepts(candidate) else None
        if bound is None:
            return None
        bound += edit.cost
        return None if max_cost is not None and bound > max_cost else bound

    def scorer_of_members(outer_parameters: tuple[TypeParameter, ...]) -> TypeScorer:
        members = scorer.for_members(outer_parameters)
        return with_edit(members, edit, max_other_cost=max_other_cost, accepts=accepts)

    return replace(
        scorer,
        verdict=verdict,
        lower_bound=lower_bound,
        minimum_cost=scorer.minimum_cost + edit.cost,
        query=(*scorer.query, edit) if scorer.query else (),
        scorer_of_members=scorer_of_members,
    )


_NEVER_FITS = Misfit("call", "the function", "the rewritten query")
