"""Rank entries by meaning: how near is their text's vector to the question's?

The vectors of a file belong to one model, and only the same model can ask them.  Where that cannot
be had, the other channels answer, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from typematch.errors import TypematchError
from typematch.index.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.embedding import Embedder, ModelIdentity

# Opens the model that a file names.
OpenEmbedder: TypeAlias = "Callable[[str], Embedder]"


class Near(Protocol):
    """What this retriever asks of a store."""

    def model(self) -> ModelIdentity | None: ...

    def waiting(self) -> int: ...

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = ..., *, limit: int
    ) -> list[tuple[int, float]]: ...


@dataclass(frozen=True, slots=True)
class Nearest:
    """Entries, the nearest first, and how near, from -1.0 to 1.0.

    ``problem`` is a sentence where some or all are missing.
    """

    entries: tuple[int, ...] = ()
    problem: str = ""
    cosines: tuple[float, ...] = ()


def by_meaning(
    text: str, store: Near, selection: Selection, open_embedder: OpenEmbedder, *, limit: int
) -> Nearest:
    """Return the ``limit`` entries nearest to ``text``; never raises for want of a model."""
    model = store.model()
    if model is None:
        return Nearest(
            problem="This database has no vectors, so words alone were compared; "
            "typematch index makes them."
        )
    try:
        embedder = open_embedder(model.name)
        embedder.identity.check(model)
        vector = embedder.embed_query(text)
    except TypematchError as error:
        return Nearest(problem=f"Only words were compared: {' '.join(str(error).split())}")
    if not vector.any():
        return Nearest()
    near = store.dense(vector, selection, limit=limit)
    missing = store.waiting()
    problem = f"{missing:,} texts have no vector yet; typematch index goes on with them."
    return Nearest(
        tuple(number for number, _ in near),
        problem if missing else "",
        tuple(cosine for _, cosine in near),
    )
