"""An embedder that counts letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from typematch.index.text.words import words_of
from typematch.index.vectors.embedding import EmbeddingError, ModelIdentity


class LetterCountEmbedder:
    """Embeds a text as its letter counts: texts with the same letters are near each other.

    After ``fails_after`` calls it fails, as a model does when the power goes; ``width`` is the
    dimension of its vectors, of which only the first 26 say something.
    """

    def __init__(self, name: str = "letters", fails_after: int = -1, width: int = 26) -> None:
        self.identity = ModelIdentity(name, width, f"{name}-1")
        self.embedded: list[str] = []
        self._calls = fails_after

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._calls == 0:
            raise EmbeddingError("the model does not answer", self.identity.name)
        self._calls -= 1
        self.embedded += texts
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        counts = np.zeros(self.identity.dimension, dtype=np.float32)
        for letter in "".join(words_of(text)):
            if "a" <= letter <= "z":
                counts[ord(letter) - ord("a")] += 1
        length = float(np.linalg.norm(counts))
        return counts / np.float32(length) if length else counts
