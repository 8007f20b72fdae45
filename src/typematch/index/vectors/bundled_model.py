"""The bundled embedding model, evaluated with tokenizers and numpy.

The model is a table with one vector for each token (``vectors.bin``: int8, each row with a scale),
and for each line of a text a weight and a damping.  A text's vector is the sum over its tokens of
``exp(weight - damping * log(tokens in the line)) * vector``, scaled to unit length: names count
more than signatures, and long signatures no more than short ones.  ``model.onnx`` in the same
folder is the same model for onnxruntime, over the same ``vectors.bin``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from typematch.index.vectors.blocks import product_rows
from typematch.index.vectors.embedding import BUNDLED, EmbeddingError, ModelIdentity
from typematch.index.vectors.quantization import unit_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent / "model"
_TEXTS_AT_ONCE = 64  # bounds memory; more take no less time
_MAX_KNOWN_WORDS = 50_000  # whose tokens are kept: about 10 MB
_REINSTALL = "Install typematch again: the model is part of the package."


class BundledModel:
    """The default ``Embedder``; opening takes about 50 ms, a query less than a millisecond."""

    def __init__(self, folder: Path = FOLDER) -> None:
        try:
            from tokenizers import Tokenizer

            settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self._read(folder, settings["typematch"])
            self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises bare Exception for a damaged file
            raise EmbeddingError(
                f"the model cannot be read ({error})", str(folder), _REINSTALL
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self._max_tokens)
        self._tokens: dict[str, list[int]] = {}  # by word

    def _read(self, folder: Path, settings: dict[str, Any]) -> None:
        rows, dimension = int(settings["rows"]), int(settings["dimension"])
        stored = folder / "vectors.bin"
        size = rows * (dimension + 4)
        if stored.stat().st_size != size:
            raise ValueError(f"vectors.bin has {stored.stat().st_size} bytes, not {size}")
        self.identity = ModelIdentity(BUNDLED, dimension, str(settings["digest"]))
        # Memory-mapped: a query reads a few of thirty thousand rows.
        self._table = np.memmap(stored, dtype=np.int8, mode="r", shape=(rows, dimension))
        self._scale = np.fromfile(stored, dtype="<f4", offset=rows * dimension)
        self._line_weight = np.array(settings["line_weight"], dtype=np.float32)
        self._line_damping = np.array(settings["line_damping"], dtype=np.float32)
        self._line_break = int(settings["line_break"])
        self._max_tokens = int(settings["max_tokens"])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = [_readable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            self._sum(part, vectors[start : start + len(part)])
        return unit_vectors(vectors)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        # A query is prose: its lines have no meaning.
        vector: NDArray[np.float32] = self.embed([" ".join(text.split())])[0]
        return vector

    def term_cosines(self, words: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosine of each word and the token of each text that is nearest to it.

        The shape is ``(len(texts), len(words))``; 0.0 for a text without tokens.
        """
        found = np.zeros((len(texts), len(words)), dtype=np.float32)
        ids = self._distinct_tokens(texts)
        sizes = np.array([len(text_ids) for text_ids in ids])
        if not len(words) or not sizes.any():
            return found
        tokens = np.fromiter(chain.from_iterable(ids), dtype=np.int64)
        distinct, places = np.unique(tokens, return_inverse=True)
        directions = self.embed(words).T
        cosines = np.empty((len(distinct), len(words)), dtype=np.float32)
        count = product_rows(len(words), self.identity.dimension)
        for start in range(0, len(distinct), count):
            vectors = self._table[distinct[start : start + count]].astype(np.float32)
            lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
            part = vectors @ directions / np.maximum(lengths, 1e-12)[:, None]
            cosines[start : start + len(part)] = part
        cosines = cosines[places]
        filled = np.flatnonzero(sizes)
        starts = np.concatenate(([0], np.cumsum(sizes[filled])[:-1]))
        found[filled] = np.maximum.reduceat(cosines, starts, axis=0)
        return found

    def _distinct_tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text, of repeated words once, without line breaks.

        No token goes across white space, so the tokens of a word are read once in this process.
        """
        words_of = [frozenset(text.split()) for text in texts]
        if len(self._tokens) > _MAX_KNOWN_WORDS:
            self._tokens = {}
        known = self._tokens
        unknown = sorted(word for word in frozenset().union(*words_of) if word not in known)
        if unknown:
            encodings = self._tokenizer.encode_batch_fast(
                [_readable(word) for word in unknown], add_special_tokens=False
            )
            known.update(
                (word, encoding.ids) for word, encoding in zip(unknown, encodings, strict=True)
            )
        return [list(chain.from_iterable(map(known.__getitem__, words))) for words in words_of]

    def _sum(self, texts: list[str], out: NDArray[np.float32]) -> None:
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ids = [encoding.ids for encoding in encodings]
        tokens = np.fromiter(chain.from_iterable(ids), dtype=np.int64)
        text_of = np.repeat(np.arange(len(ids)), [len(text_ids) for text_ids in ids])
        breaks = tokens == self._line_break
        # Line of a token: the breaks before it in its text, at most the last line.
        passed = np.cumsum(breaks)
        earlier = np.concatenate(([0], np.cumsum(np.bincount(text_of, breaks, len(ids)))))[:-1]
        last = len(self._line_weight) - 1
        line = np.minimum(passed - earlier[text_of], last).astype(np.int64)
        tokens, text_of, line = tokens[~breaks], text_of[~breaks], line[~breaks]
        if not len(tokens):
            return
        cell = text_of * (last + 1) + line
        in_line = np.bincount(cell).astype(np.float32)[cell]
        weight = np.exp(self._line_weight[line] - self._line_damping[line] * np.log(in_line))
        vectors = self._table[tokens] * (weight * self._scale[tokens])[:, None]
        starts = np.flatnonzero(np.diff(text_of, prepend=-1))
        out[text_of[starts]] = np.add.reduceat(vectors, starts, axis=0)


def _readable(text: str) -> str:
    """Return the text without lone surrogates, which tokenizers reject."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
