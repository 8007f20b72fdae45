"""What all steps of one search share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from typematch.index.entries.selection import Condition
from typematch.index.store import Store
from typematch.match.strictness import Strictness
from typematch.query.model import Constraint
from typematch.search.prepare.facet_conditions import facet_conditions
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.variant import STANDARD, Variant
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorers

_FACETS_SHARE = 0.9  # of the time limit; the rest is for ranking


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The store, the caches and the limits of one search.

    Attributes:
        scorers: of all types that the search compares.
        deadline: when to stop comparing types.
        open_embedder: opens the model of the vectors; without it only types and words count.
        limit: how many entries are needed; None for all.
        services: only operations of the best so many services; None for all entries.
        variant: how a measurement changes the search.
    """

    store: Store
    scorers: TypeScorers
    deadline: Deadline
    open_embedder: OpenEmbedder | None = None
    limit: int | None = None
    services: int | None = None
    variant: Variant = STANDARD

    def conditions(
        self, constraints: Sequence[Constraint], strictness: Strictness
    ) -> tuple[Condition, ...]:
        """Return the conditions of facets.

        Raises:
            UsageError: as ``facet_conditions``.
        """
        is_assignable = partial(self.scorers.is_assignable, strictness=strictness)
        return facet_conditions(
            constraints, self.store, is_assignable, lambda: self.deadline.expired(_FACETS_SHARE)
        )
