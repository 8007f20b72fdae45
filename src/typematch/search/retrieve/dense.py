"""Rank entries by meaning: how near is their text's vector to the question's?

The vectors of a file belong to one model, and only the same model can ask them.  Where that cannot
be had, the other channels answer, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from typematch.errors import TypematchError
from typematch.index.entries.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.vectors.embedding import Embedder, ModelIdentity

# Opens the model that a file names.
OpenEmbedder: TypeAlias = "Callable[[str], Embedder]"


class VectorSearch(Protocol):
    """What this retriever asks of a store."""

    def model(self) -> ModelIdentity | None: ...

    def waiting(self) -> int: ...

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = ..., *, limit: int
    ) -> list[tuple[int, float]]: ...


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Entries, the nearest first; ``problem`` is a sentence where some or all are missing."""

    entries: tuple[int, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Vectors to search with, a row for each text; None where there are none, ``problem`` why."""

    vectors: NDArray[np.float32] | None = None
    problem: str = ""


def query_vectors(
    texts: Sequence[str], store: VectorSearch, open_embedder: OpenEmbedder
) -> QueryVectors:
    """Return the vectors of ``texts`` by the model of the file; never raises for want of it."""
    import numpy as np

    model = store.model()
    if model is None:
        return QueryVectors(
            problem="This database has no vectors, so words alone were compared; "
            "typematch index makes them."
        )
    try:
        embedder = open_embedder(model.name)
        embedder.identity.check(model)
        vectors = np.stack([embedder.embed_query(text) for text in texts])
    except TypematchError as error:
        return QueryVectors(problem=f"Only words were compared: {' '.join(str(error).split())}")
    missing = store.waiting()
    problem = f"{missing:,} texts have no vector yet; typematch index goes on with them."
    return QueryVectors(vectors, problem if missing else "")


def by_meaning(
    text: str, store: VectorSearch, selection: Selection, open_embedder: OpenEmbedder, *, limit: int
) -> VectorHits:
    """Return the ``limit`` entries nearest to ``text``; never raises for want of a model."""
    asked = query_vectors((text,), store, open_embedder)
    if asked.vectors is None or not asked.vectors.any():
        return VectorHits(problem=asked.problem if asked.vectors is None else "")
    near = store.dense(asked.vectors[0], selection, limit=limit)
    return VectorHits(tuple(number for number, _ in near), asked.problem)
