"""Turn texts into vectors: one protocol, three kinds of model.

    embedder = open_embedder()  # bundled with typematch: needs no network
    embedder = open_embedder("BAAI/bge-small-en-v1.5")  # any model that fastembed knows
    embedder = open_embedder("./my-model")  # a folder with model.onnx
    embedder = open_embedder("nomic-embed-text@http://localhost:11434/v1")  # /v1/embeddings

A text has up to four lines: name, container, signature, prose (``entry_text`` writes them so).  The
bundled model weighs each line as training found best; other models read them as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from typematch.errors import OutsideError, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUNDLED = "typematch"
MAX_SIGNATURE = 160  # characters; what follows tells little and costs time

_ENDPOINT = re.compile(r"(?P<model>[^@]+)@(?P<url>https?://.+)", re.DOTALL)


class EmbeddingError(OutsideError):
    """A model cannot be loaded or does not answer; ``where`` is the model as asked for."""


class WrongModelError(UserError):
    """A file's vectors were made by one model (``stored``), the query's by another (``opened``)."""

    def __init__(self, stored: ModelIdentity, opened: ModelIdentity) -> None:
        super().__init__(
            f"the vectors of this file were made by {stored}, not by {opened}",
            hint=f"Search with --model {stored.name}, or index again with --model {opened.name}.",
        )
        self.stored = stored
        self.opened = opened
        self.args = (stored, opened)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.stored, self.opened)


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What a file must record about the model its vectors were made with.

    Attributes:
        name: as ``open_embedder`` takes it.
        dimension: of the vectors.
        digest: of the weights and the tokenizer, in hexadecimal; of name and dimension where the
            weights cannot be seen (an endpoint).
    """

    name: str
    dimension: int
    digest: str

    def __str__(self) -> str:
        return f"{self.name} ({self.dimension} dimensions, {self.digest[:12]})"

    def check(self, stored: ModelIdentity) -> None:
        """Raise WrongModelError unless vectors of ``stored`` can be compared with mine."""
        if (stored.dimension, stored.digest) != (self.dimension, self.digest):
            raise WrongModelError(stored, self)


class Embedder(Protocol):
    """Vectors are unit vectors, or all zero for a text without a single word."""

    @property
    def identity(self) -> ModelIdentity: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what is searched: shape ``(len(texts), dimension)``, in the order of ``texts``.

        Raises:
            EmbeddingError: the model failed or did not answer.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector to search with, of shape ``(dimension,)``; raises as ``embed`` does."""
        ...


def open_embedder(
    model: str | Path = "", *, key: str = "", timeout_seconds: float = 60.0
) -> Embedder:
    """Return the embedder that ``model`` names.

    Args:
        model: empty or ``typematch`` for the bundled model, a folder, ``MODEL@URL`` for an
            OpenAI-compatible endpoint, else a name that fastembed knows.
        key: sent to an endpoint as a bearer token, if not empty.
        timeout_seconds: how long an endpoint may take for one request.

    Raises:
        EmbeddingError: there is no such model, or its files are missing or damaged.
    """
    named = str(model)
    if named in {"", BUNDLED}:
        from typematch.index.vectors.bundled_model import BundledModel

        return BundledModel()
    endpoint = _ENDPOINT.fullmatch(named)
    if endpoint is not None:
        from typematch.index.vectors.embedding_endpoint import EmbeddingEndpoint

        return EmbeddingEndpoint(
            endpoint["model"], endpoint["url"], key=key, timeout_seconds=timeout_seconds
        )
    from typematch.index.vectors.fastembed_model import FastembedModel

    return FastembedModel(named)


def entry_text(name: str, container: str = "", signature: str = "", prose: str = "") -> str:
    """Return the text to embed of an entry: what the bundled model was trained to read.

    The package is left out: it costs .02 of MRR when queries do not name it.
    """
    lines = (name, container, signature[:MAX_SIGNATURE], prose)
    return "\n".join(" ".join(line.split()) for line in lines).rstrip("\n")
