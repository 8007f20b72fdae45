"""Runs MiniLM (all-MiniLM-L6-v2) on short texts: its vectors initialise the training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch  # type: ignore[import-not-found]
from safetensors.torch import load_file  # type: ignore[import-not-found]
from tokenizers import Tokenizer
from torch.nn import functional  # type: ignore[import-not-found]

from embedding.tokens import SPECIAL, Vocabulary

if TYPE_CHECKING:
    from torch import Tensor

DIMENSION = 384
_HEADS = 12
_LAYERS = 6
_EPSILON = 1e-12
_TEXTS_AT_ONCE = 256


class MiniLM:
    """The six layers of the model in ``folder``, as published (Apache 2.0)."""

    def __init__(self, folder: Path) -> None:
        stored = load_file(str(folder / "model.safetensors"))
        self._weights = {
            name.removeprefix("bert."): value.float() for name, value in stored.items()
        }
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def mean_vectors(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return the mean over each row's tokens; rows hold ids and begin and end as BERT's do."""
        found = torch.zeros(len(rows), DIMENSION)
        order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
        start = 0
        while start < len(order):
            length = len(rows[order[start]])
            end = start
            while (
                end < len(order)
                and end - start < _TEXTS_AT_ONCE
                and len(rows[order[end]]) == length
            ):
                end += 1
            part = order[start:end]  # of one length, so that nothing is padded
            found[part] = self._forward(torch.tensor([rows[index] for index in part])).mean(1)
            start = end
        return found

    def _forward(self, ids: Tensor) -> Tensor:
        count, length = ids.shape
        hidden = self._weights["embeddings.word_embeddings.weight"][ids]
        hidden = hidden + self._weights["embeddings.position_embeddings.weight"][:length]
        hidden = hidden + self._weights["embeddings.token_type_embeddings.weight"][0]
        hidden = self._normed(hidden, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            at = f"encoder.layer.{layer}"
            query, key, value = (
                self._linear(hidden, f"{at}.attention.self.{part}")
                .view(count, length, _HEADS, DIMENSION // _HEADS)
                .transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = functional.scaled_dot_product_attention(query, key, value)
            mixed = mixed.transpose(1, 2).reshape(count, length, DIMENSION)
            mixed = self._linear(mixed, f"{at}.attention.output.dense")
            hidden = self._normed(hidden + mixed, f"{at}.attention.output.LayerNorm")
            inner = functional.gelu(self._linear(hidden, f"{at}.intermediate.dense"))
            inner = self._linear(inner, f"{at}.output.dense")
            hidden = self._normed(hidden + inner, f"{at}.output.LayerNorm")
        return hidden

    def _linear(self, value: Tensor, name: str) -> Tensor:
        return functional.linear(
            value, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        )

    def _normed(self, value: Tensor, name: str) -> Tensor:
        return functional.layer_norm(
            value,
            (DIMENSION,),
            self._weights[f"{name}.weight"],
            self._weights[f"{name}.bias"],
            _EPSILON,
        )


def token_vectors(teacher: MiniLM, vocabulary: Vocabulary) -> Tensor:
    """Return MiniLM's vector for each token alone, shape ``(len(vocabulary), DIMENSION)``.

    A word that was added is what MiniLM makes of its pieces; special tokens are zero.
    """
    ids = teacher.tokenizer.get_vocab()
    begin, end = ids["[CLS]"], ids["[SEP]"]
    rows = [[begin, ids[token], end] for token in vocabulary.kept]
    rows += [encoding.ids for encoding in teacher.tokenizer.encode_batch(list(vocabulary.added))]
    return torch.cat([torch.zeros(len(SPECIAL), DIMENSION), teacher.mean_vectors(rows)])
