"""Ranks operations for a whole request by one text representation.

Full text (bm25, stemmed, without stop words) and the catalog's embedding model rank the texts; the
rank of an operation is that of its best text, and the two rankings are fused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from typematch.catalog import Catalog
from typematch.evaluate.metrics import ranks
from typematch.evaluate.relevance.ranking import reciprocal_rank_fusion
from typematch.evaluate.relevance.representations import (
    COMBINED,
    MODEL_WRITTEN,
    REPRESENTATIONS,
    OperationSource,
    Representation,
)
from typematch.index.engines.sqlite_driver import driver
from typematch.index.sql_store import open_store
from typematch.index.text.full_text import full_text_query
from typematch.index.text.text_fields import Enrichment
from typematch.index.vectors.embedding import open_embedder

# Returns "VERB /path" of operations, best first.
Ranker = Callable[[str], Sequence[str]]
_WEIGHTS = {"lexical": 1.0, "dense": 1.0}


def rankers(catalog: Catalog, enrichments: Mapping[str, Enrichment]) -> Mapping[str, Ranker]:
    """Return a ranker for each representation, and ``craft``, which fuses several.

    ``enrichments`` are keyed by "VERB /path"; without them, model-written texts are left out.
    """
    store = open_store(catalog.path, create=False)
    try:
        entries = [entry for entry in catalog.entries() if entry.kind == "operation"]
        sources = [
            OperationSource(entry, store, enrichments.get(entry.http, Enrichment()))
            for entry in entries
        ]
        indexes = {
            name: _RepresentationIndex(sources, recipe)
            for name, recipe in REPRESENTATIONS.items()
            if enrichments or name not in MODEL_WRITTEN
        }
    finally:
        store.close()

    def combined(request: str) -> Sequence[str]:
        channels = {name: ranks(indexes[name].rank(request)) for name in COMBINED}
        scores = reciprocal_rank_fusion(channels, dict.fromkeys(COMBINED, 1.0), k=20)
        return sorted(scores, key=lambda operation: (-scores[operation], operation))

    return {**{name: texts.rank for name, texts in indexes.items()}, "craft": combined}


class _RepresentationIndex:
    """The texts of a representation, with a full-text index and vectors."""

    def __init__(self, sources: Iterable[OperationSource], recipe: Representation) -> None:
        pairs = [(source.entry.http, text) for source in sources for text in recipe(source)]
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
        words = " OR ".join(f'"{word}"' for word in full_text_query(request).words)
        query = "SELECT rowid FROM text WHERE text MATCH ? ORDER BY bm25(text), 1"
        worded = self._connection.execute(query, (words,)) if words else ()
        channels = {
            "lexical": ranks(self._operations_of(chain.from_iterable(worded))),
            "dense": ranks(self._operations_of(nearest.tolist())),
        }
        scores = reciprocal_rank_fusion(channels, _WEIGHTS)
        return sorted(scores, key=lambda operation: (-scores[operation], operation))

    def _operations_of(self, places: Iterable[int]) -> list[str]:
        """Return the operations in the order of their first texts."""
        return list(dict.fromkeys(self._operations[place] for place in places))
