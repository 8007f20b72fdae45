"""Rank operations by one published way of saying them, the request as a whole.

Full text (bm25, stemmed, stop words dropped) and the model of the catalog each rank the texts of a
recipe; an operation stands where the best of its texts does, and the two are fused by rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from typematch.catalog import Catalog
from typematch.evaluate.relevance.representations import (
    CRAFT,
    FROM_A_MODEL,
    RECIPES,
    Recipe,
    Source,
)
from typematch.index.database import driver
from typematch.index.sqlite import open_store
from typematch.index.text.full_text import asked_of
from typematch.index.text.text_views import Enrichment
from typematch.index.vectors.embedding import open_embedder
from typematch.search.fuse.fusion import ranks, reciprocal_rank_fusion

# Returns "VERB /path" of operations, best first.
Ranker = Callable[[str], Sequence[str]]
_WEIGHTS = {"lexical": 1.0, "dense": 1.0}


def rankers(catalog: Catalog, told: Mapping[str, Enrichment]) -> Mapping[str, Ranker]:
    """Return a ranker for each recipe, and ``craft``.

    ``told`` is what a model said, by "VERB /path"; without it what only repeats it is left out.
    """
    store = open_store(catalog.path, create=False)
    try:
        entries = [entry for entry in catalog.entries() if entry.kind == "operation"]
        sources = [Source(one, store, told.get(one.http, Enrichment())) for one in entries]
        made = {
            name: _Texts(sources, recipe)
            for name, recipe in RECIPES.items()
            if told or name not in FROM_A_MODEL
        }
    finally:
        store.close()

    def agreement(request: str) -> Sequence[str]:
        channels = {name: ranks(made[name].rank(request)) for name in CRAFT}
        scores = reciprocal_rank_fusion(channels, dict.fromkeys(CRAFT, 1.0))
        return sorted(scores, key=lambda one: (-scores[one], one))

    return {**{name: texts.rank for name, texts in made.items()}, "craft": agreement}


class _Texts:
    """The texts of a recipe, to be ranked by words and by meaning."""

    def __init__(self, sources: Iterable[Source], recipe: Recipe) -> None:
        pairs = [(one.entry.http, text) for one in sources for text in recipe(one)]
        self._operations = [http for http, _ in pairs]
        self._connection = driver().connect(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE text USING fts5(said, tokenize = 'porter unicode61')"
        )
        self._connection.executemany(
            "INSERT INTO text (rowid, said) VALUES (?, ?)",
            [(place, text) for place, (_, text) in enumerate(pairs)],
        )
        self._embedder = open_embedder()
        self._vectors = self._embedder.embed([text for _, text in pairs])

    def rank(self, request: str) -> Sequence[str]:
        nearest = np.argsort(-(self._vectors @ self._embedder.embed_query(request)), kind="stable")
        words = " OR ".join(f'"{word}"' for word in asked_of(request).words)
        query = "SELECT rowid FROM text WHERE text MATCH ? ORDER BY bm25(text), 1"
        worded = self._connection.execute(query, (words,)) if words else ()
        channels = {
            "lexical": ranks(self._first(chain.from_iterable(worded))),
            "dense": ranks(self._first(nearest.tolist())),
        }
        scores = reciprocal_rank_fusion(channels, _WEIGHTS, k=60)
        return sorted(scores, key=lambda one: (-scores[one], one))

    def _first(self, places: Iterable[int]) -> list[str]:
        """Return operations, each where the first of its texts stands."""
        return list(dict.fromkeys(self._operations[place] for place in places))
