"""The embedding models that a process has opened for one catalog, each opened once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from typematch.config import embedding_model

if TYPE_CHECKING:
    from typematch.index.vectors.embedding import Embedder, ModelIdentity


class OpenEmbedders:
    """Opens models when they are first needed: their imports take a tenth of a second.

    Attributes:
        by_name: the models that are open.
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Embedder] = {}

    def named(self, model: str) -> Embedder:
        """Return the model of that name; empty: the one of the settings."""
        from typematch.index.vectors.embedding import open_embedder

        name = model or embedding_model(os.environ)
        if name not in self.by_name:
            self.by_name[name] = open_embedder(name)
        return self.by_name[name]

    def stored(self, stored: ModelIdentity) -> Embedder:
        """Return the model of a file: one that the caller has named, or one safe to open."""
        from typematch.index.vectors.embedding import open_stored_embedder

        if stored.name not in self.by_name:
            named = (opened for opened in self.by_name.values() if opened.identity == stored)
            self.by_name[stored.name] = next(named, None) or open_stored_embedder(
                stored, embedding_model(os.environ)
            )
        return self.by_name[stored.name]
