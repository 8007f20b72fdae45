"""What all steps of one search share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from typematch.index.store import Store
from typematch.match.strictness import Strictness
from typematch.search.prepare.facet_conditions import IsAssignable
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorers


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The store, the caches and the limits of one search.

    Attributes:
        scorers: of all types that the search compares.
        deadline: when to stop comparing types.
        open_embedder: opens the model of the vectors; without it only types and words count.
        limit: how many entries are needed; None for all.
        services: only operations of the best so many services; None for all entries.
    """

    store: Store
    scorers: TypeScorers
    deadline: Deadline
    open_embedder: OpenEmbedder | None = None
    limit: int | None = None
    services: int | None = None

    def is_assignable(self, strictness: Strictness) -> IsAssignable:
        return partial(self.scorers.is_assignable, strictness=strictness)
