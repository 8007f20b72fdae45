"""Models behind an OpenAI-compatible ``/v1/embeddings`` endpoint (Ollama, vLLM, hosted)."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

import numpy as np

from typematch.index.vectors.embedding import EmbeddingError, ModelIdentity, endpoint_digest
from typematch.index.vectors.quantization import unit_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXTS_AT_ONCE = 64
_MAX_QUOTED = 300  # characters of a reply quoted in a message


class EmbeddingEndpoint:
    """An ``Embedder`` over HTTP; opening it requests one vector, to learn the dimension."""

    def __init__(
        self, model: str, url: str, *, key: str = "", timeout_seconds: float = 60.0
    ) -> None:
        """Open ``model`` at ``url``, with or without ``/embeddings`` at its end."""
        self._model = model
        self._key = key
        self._timeout_seconds = timeout_seconds
        address = url.rstrip("/")
        self._url = address if address.endswith("/embeddings") else f"{address}/embeddings"
        dimension = self._request(["text"]).shape[1]
        # The address stays out of the identity: files are passed on.
        self.identity = ModelIdentity(model, dimension, endpoint_digest(model, dimension))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        parts = [
            self._request(texts[start : start + _TEXTS_AT_ONCE])
            for start in range(0, len(texts), _TEXTS_AT_ONCE)
        ]
        vectors = (
            np.concatenate(parts) if parts else np.zeros((0, self.identity.dimension), np.float32)
        )
        if vectors.shape[1] != self.identity.dimension:
            raise self._error(
                f"vectors of {vectors.shape[1]} dimensions instead of {self.identity.dimension}"
            )
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector

    def _request(self, texts: Sequence[str]) -> NDArray[np.float32]:
        # Servers reject an empty text; a blank is equivalent.
        body = {"model": self._model, "input": [text or " " for text in texts]}
        answer = self._post(json.dumps(body).encode())
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._error(f"an unexpected reply: {_quoted(json.dumps(answer))}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise self._error(
                f"{len(vectors)} vectors for {len(texts)} texts, or values that are no numbers"
            )
        return unit_vectors(vectors)

    def _post(self, body: bytes) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_seconds) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                body_text = _quoted(error.read(2_000).decode("utf-8", "replace"))
            hint = (
                "The key is missing or rejected."
                if error.code in {401, 403}
                else "Check the model's name and the address."
            )
            raise self._error(f"HTTP {error.code}: {body_text}", hint) from error
        except json.JSONDecodeError as error:
            raise self._error("a reply that is not JSON") from error
        except HTTPException as error:
            raise self._error(f"a reply that is not HTTP ({error!r})") from error
        except (OSError, ValueError) as error:  # refused, timed out, no such host, not a URL
            reason = getattr(error, "reason", error)
            raise self._error(
                f"no reply ({reason})", "Is the server running at this address?"
            ) from error

    def _error(self, problem: str, hint: str = "") -> EmbeddingError:
        return EmbeddingError(f"the endpoint gave {problem}", f"{self._model}@{self._url}", hint)


def _quoted(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MAX_QUOTED else f"{folded[:_MAX_QUOTED]}…"
