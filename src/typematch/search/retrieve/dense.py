"""Rank entries by the cosine of their text's vector and the query's.

The vectors of a database belong to one embedding model, and queries must be embedded by the same
model.  Without it there are no hits and ``problem`` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from typematch.errors import TypematchError
from typematch.index.entries.selection import Selection
from typematch.index.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.vectors.embedding import Embedder, ModelIdentity

_MAX_VECTORS = 50  # of queries, in memory

# Opens the embedding model that a database file names.
OpenEmbedder: TypeAlias = "Callable[[ModelIdentity], Embedder]"


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Cosines by entry number, the nearest first.

    Attributes:
        problem: why some or all are missing, or empty.
        vector: of the query, a unit vector; None if it has none.
    """

    cosines: Mapping[int, float] = field(default_factory=dict)
    problem: str = ""
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Vectors of texts.

    Attributes:
        vectors: unit vectors of shape ``(texts, dimension)``; None if they cannot be computed.
        problem: why there are none, or that entries have no vector yet; else empty.
    """

    vectors: NDArray[np.float32] | None = None
    problem: str = ""


def query_vectors(texts: Sequence[str], store: Store, open_embedder: OpenEmbedder) -> QueryVectors:
    """Embed ``texts`` with the model of the database; failures become ``problem``."""
    import numpy as np

    model = store.model()
    if model is None:
        return QueryVectors(
            problem="This database has no vectors, so only words were compared; "
            "the next indexing run computes them."
        )
    try:
        embedder = open_embedder(model)
        embedder.identity.check(model)
        vectors = np.stack([_query_vector(text, embedder) for text in texts])
    except TypematchError as error:
        sentences = str(error).replace("\n", ". ")
        return QueryVectors(problem=f"Only words were compared: {' '.join(sentences.split())}")
    without_vector = store.texts_without_vector()
    problem = f"{without_vector:,} texts have no vector yet; the next indexing run computes them."
    return QueryVectors(vectors, problem if without_vector else "")


# One search asks for the vector of its words several times.
_vectors: WeakKeyDictionary[Embedder, dict[str, NDArray[np.float32]]] = WeakKeyDictionary()


def _query_vector(text: str, embedder: Embedder) -> NDArray[np.float32]:
    known = _vectors.setdefault(embedder, {})
    vector = known.get(text)
    if vector is None:
        if len(known) >= _MAX_VECTORS:
            known.clear()
        vector = known[text] = embedder.embed_query(text)
    return vector


def opened_model(store: Store, open_embedder: OpenEmbedder | None) -> Embedder | None:
    """Return the model of the vectors of the database; None without vectors or model."""
    model = store.model()
    if model is None or open_embedder is None:
        return None
    try:
        return open_embedder(model)
    except TypematchError:
        return None  # ``query_vectors`` says why


def all_cosines(
    vector: NDArray[np.float32], numbers: Collection[int], store: Store
) -> dict[int, float]:
    """Return the cosine of a query's vector and each entry; 0.0 for one without a vector."""
    import numpy as np

    ordered = np.array(sorted(numbers), dtype=np.int64)
    cosines = store.cosines(vector[None], ordered)[0]
    return dict(zip(ordered.tolist(), cosines.tolist(), strict=True))


def vector_search(
    text: str, store: Store, selection: Selection, open_embedder: OpenEmbedder, *, limit: int
) -> VectorHits:
    """Return the ``limit`` entries nearest to ``text``."""
    query = query_vectors((text,), store, open_embedder)
    if query.vectors is None or not query.vectors.any():
        return VectorHits(problem=query.problem if query.vectors is None else "")
    nearest = store.dense(query.vectors[0], selection, limit=limit)
    return VectorHits(dict(nearest), query.problem, query.vectors[0])
