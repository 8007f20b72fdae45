"""What ``Store`` says of texts: words, spelling and vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.text.full_text import FullTextQuery

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.vectors.embedding import ModelIdentity
    from typematch.index.vectors.vector_index import VectorState


class StoredTexts(Protocol):
    """The part of ``Store`` about words and vectors."""

    def lexical(
        self,
        query: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        match_all: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        """Return (entry number, BM25 score) of the best ``limit`` entries, highest score first.

        Args:
            match_all: every word must occur; else one is enough.
            operations: only operations, with the document frequencies among operations.
        """
        ...

    def has_coverage(self, words: Sequence[str], numbers: Sequence[int], share: float, /) -> bool:
        """Return whether the texts of one of the entries have this share of ``words``.

        Rare words count more, by their inverse document frequency; unknown ones most.

        Args:
            share: from 0.0 to 1.0.
        """
        ...

    def word_weights(self, words: Sequence[str], /) -> tuple[float, ...]:
        """Return the inverse document frequency of each word, as a logarithm."""
        ...

    def unknown_words(self, words: Sequence[str], /) -> tuple[str, ...]:
        """Return those of ``words`` that occur in no text."""
        ...

    def similar_words(self, word: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the words and names of entries spelled most like ``word``."""
        ...

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = EVERYTHING, *, limit: int
    ) -> list[tuple[int, float]]:
        """Return (entry number, cosine) of the ``limit`` nearest entries, nearest first."""
        ...

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]:
        """Return the cosines of unit vectors and entries, of shape ``(vectors, numbers)``.

        0.0 for an entry without a vector.
        """
        ...

    def package_cosines(self, vector: NDArray[np.float32], /) -> Mapping[str, float]:
        """Return the cosine of a unit vector and what each package is for, by package.

        Packages without a vector are left out; so are services.
        """
        ...

    def model(self) -> ModelIdentity | None:
        """Return the model of the vectors; None while there are none."""
        ...

    def texts_without_vector(self) -> int:
        """Return how many distinct texts have no vector yet."""
        ...

    def vector_state(self) -> VectorState: ...
