"""Embedding models: one protocol, three implementations.

    embedder = open_embedder()  # bundled with typematch, needs no network
    embedder = open_embedder("BAAI/bge-small-en-v1.5")  # any model known to fastembed
    embedder = open_embedder("./my-model")  # a folder with model.onnx
    embedder = open_embedder("nomic-embed-text@http://localhost:11434/v1")  # /v1/embeddings

A text has up to four lines: name, container, signature, prose (``entry_text``).  The bundled model
has a trained weight for each line; other models read plain text.

A database file may come from a stranger.  It names a model; where that model is, an address or a
folder, is said only by the caller or by the user's environment (``open_stored_embedder``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from typematch.errors import OutsideError, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUNDLED = "typematch"
MODEL_VARIABLE = "TYPEMATCH_EMBEDDING_MODEL"  # read by ``config.embedding_model``
MAX_SIGNATURE = 160  # characters; more costs time without improving results

_ENDPOINT = re.compile(r"(?P<model>[^@]+)@(?P<url>https?://.+)", re.DOTALL)


class EmbeddingError(OutsideError):
    """A model cannot be loaded or does not answer; ``where`` is the requested model."""


class WrongModelError(UserError):
    """The stored vectors are of one model (``stored``), the query's of another (``opened``)."""

    def __init__(self, stored: ModelIdentity, opened: ModelIdentity) -> None:
        super().__init__(
            f"the vectors of this database were made by {stored}, not by {opened}",
            hint=f"Set {MODEL_VARIABLE} to the model of the vectors, or index again with "
            f"--model {opened.name}.",
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
        name: of an endpoint's model, without the address; else as ``open_embedder`` takes it.
        dimension: of the vectors.
        digest: hexadecimal, of weights and tokenizer; of name and dimension for an endpoint, whose
            weights are unknown.
    """

    name: str
    dimension: int
    digest: str

    def __str__(self) -> str:
        return f"{self.name} ({self.dimension} dimensions, {self.digest[:12]})"

    @property
    def is_of_endpoint(self) -> bool:
        """Whether the model is behind an address, which the name does not contain."""
        return self.digest == endpoint_digest(self.name, self.dimension)

    def check(self, stored: ModelIdentity) -> None:
        """Raise WrongModelError unless vectors of ``stored`` are comparable with this model's."""
        if (stored.dimension, stored.digest) != (self.dimension, self.digest):
            raise WrongModelError(stored, self)


class Embedder(Protocol):
    """An embedding model.  Vectors are unit vectors, or zero for a text without words."""

    @property
    def identity(self) -> ModelIdentity: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of shape ``(len(texts), dimension)``, in the order of ``texts``.

        Raises:
            EmbeddingError: the model failed or did not answer.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, of shape ``(dimension,)``; raises as ``embed`` does."""
        ...


@runtime_checkable
class TermModel(Protocol):
    """A model that has a vector for each token, whatever the tokens around it."""

    def term_cosines(self, words: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosine of each word and the token of each text that is nearest to it.

        The shape is ``(len(texts), len(words))``; 0.0 for a text without tokens.
        """
        ...


def open_embedder(
    model: str | Path = "", *, key: str = "", timeout_seconds: float = 60.0
) -> Embedder:
    """Return the embedder that ``model`` names.

    Args:
        model: empty or ``typematch`` for the bundled model, a folder, ``MODEL@URL`` for an
            OpenAI-compatible endpoint, else a name known to fastembed.
        key: bearer token for an endpoint; empty for none.
        timeout_seconds: of one request to an endpoint.

    Raises:
        EmbeddingError: there is no such model, or its files are missing or damaged.
    """
    name = str(model)
    if name in {"", BUNDLED}:
        from typematch.index.vectors.bundled_model import BundledModel

        return BundledModel()
    endpoint = _ENDPOINT.fullmatch(name)
    if endpoint is not None:
        from typematch.index.vectors.embedding_endpoint import EmbeddingEndpoint

        return EmbeddingEndpoint(
            endpoint["model"], endpoint["url"], key=key, timeout_seconds=timeout_seconds
        )
    from typematch.index.vectors.fastembed_model import FastembedModel

    return FastembedModel(name)


def open_stored_embedder(stored: ModelIdentity, setting: str) -> Embedder:
    """Return the embedder for the vectors of a database file, which is not trusted.

    Opened are the bundled model, models known to fastembed, and what ``setting`` names.

    Args:
        setting: the user's own, as ``open_embedder`` takes it (``MODEL_VARIABLE``); may be empty.

    Raises:
        EmbeddingError: the model is behind an address or in a folder that ``setting`` does not
            name, or it cannot be opened.
    """
    if stored.name in {"", BUNDLED}:
        return open_embedder()
    endpoint = _ENDPOINT.fullmatch(setting)
    if stored.is_of_endpoint:
        if endpoint is not None and endpoint["model"] == stored.name:
            return open_embedder(setting)
        raise EmbeddingError(
            "the model of these vectors needs an address, and none is taken from a database file",
            stored.name,
            f"Set {MODEL_VARIABLE}={stored.name}@URL to the address you trust.",
        )
    if setting == stored.name:
        return open_embedder(setting)
    from typematch.index.vectors.fastembed_model import FastembedModel, is_known

    if is_known(stored.name):
        return FastembedModel(stored.name, folders=False)
    if endpoint is None and setting not in {"", BUNDLED} and not is_known(setting):
        return open_embedder(setting)  # a folder, wherever it is on this machine
    raise EmbeddingError(
        "the model of these vectors is in a folder, and none is taken from a database file",
        stored.name,
        f"Set {MODEL_VARIABLE} to the model's folder if you trust it.",
    )


def without_address(name: str) -> str:
    """Return a model's name without the address of its endpoint."""
    endpoint = _ENDPOINT.fullmatch(name)
    return name if endpoint is None else endpoint["model"]


def endpoint_digest(model: str, dimension: int) -> str:
    """Return the digest of an endpoint's model: the weights are unknown, a server may move."""
    return hashlib.sha256(f"{model} {dimension}".encode("utf-8", "replace")).hexdigest()


def entry_text(name: str, container: str = "", signature: str = "", prose: str = "") -> str:
    """Return the text of an entry to embed, in the form that the bundled model was trained on.

    The package is left out: with it, MRR is .02 lower for queries that do not name it.
    """
    lines = (name, container, signature[:MAX_SIGNATURE], prose)
    return "\n".join(" ".join(line.split()) for line in lines).rstrip("\n")
