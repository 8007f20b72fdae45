"""Models evaluated by fastembed: by name, or from a local ONNX folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from typematch.index.vectors.embedding import EmbeddingError, ModelIdentity
from typematch.index.vectors.quantization import unit_vectors

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from numpy.typing import NDArray

_REQUIRED_FILES = ("model.onnx", "tokenizer.json", "tokenizer_config.json")
_DIGESTED_FILES = ("*.onnx", "*.onnx_data", "*.bin", "tokenizer.json")
_BLOCK_BYTES = 1 << 20
_BATCH = 64  # texts
_LOCAL_PREFIX = "local/"  # of the names under which folders are registered with fastembed


class FastembedModel:
    """An ``Embedder`` over fastembed.

    A folder holds ``model.onnx``, ``tokenizer.json`` and ``tokenizer_config.json``.  A model whose
    output has three axes is pooled by ``1_Pooling/config.json``, or by the mean without that file;
    an output with two axes has one vector for each text.
    """

    def __init__(self, model: str, *, folders: bool = True) -> None:
        """Load ``model``: a folder (unless ``folders`` is false), or a name known to fastembed."""
        self._name = model
        folder = Path(model)
        local = folders and (folder.is_dir() or model.startswith((".", "/", "~")))
        try:
            self._model = _local(folder.expanduser()) if local else _named(self._name)
            vectors = self._vectors(self._model.embed(["text"]))
        except EmbeddingError:
            raise
        except (
            Exception
        ) as error:  # onnxruntime, tokenizers and hub clients raise errors of their own
            raise EmbeddingError(
                f"the model cannot be loaded ({_first_line(error)})", self._name, _hint(local=local)
            ) from error
        dimension = vectors.shape[1]
        self.identity = ModelIdentity(
            self._name, dimension, _digest(self._model, self._name, dimension)
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        # A batch is padded to its longest text, so texts of one length are embedded together.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        by_length = [texts[place] for place in order]
        vectors = self._run(lambda: self._model.passage_embed(by_length, batch_size=_BATCH))
        return vectors[np.argsort(order)]

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._run(lambda: self._model.query_embed([text]))[0]
        return vector

    def _run(self, embed: Any) -> NDArray[np.float32]:
        try:
            return self._vectors(embed())
        except Exception as error:
            raise EmbeddingError(f"the model failed ({_first_line(error)})", self._name) from error

    @staticmethod
    def _vectors(rows: Iterable[NDArray[Any]]) -> NDArray[np.float32]:
        return unit_vectors(np.asarray(list(rows), dtype=np.float32))


def is_known(name: str) -> bool:
    """Whether ``name`` is in fastembed's own list of models."""
    from fastembed import TextEmbedding

    known = {str(model["model"]).lower() for model in TextEmbedding.list_supported_models()}
    return name.lower() in known and not name.startswith(_LOCAL_PREFIX)


def _named(name: str) -> TextEmbedding:
    from fastembed import TextEmbedding

    if not is_known(name):
        raise EmbeddingError(
            "there is no such model",
            name,
            "Give a name known to fastembed (BAAI/bge-small-en-v1.5), a folder with model.onnx, "
            "or MODEL@URL for an endpoint; without --model the bundled one is used.",
        )
    return TextEmbedding(name)


def _local(folder: Path) -> TextEmbedding:
    missing = [name for name in _REQUIRED_FILES if not (folder / name).is_file()]
    if missing:
        raise EmbeddingError(
            f"the model folder has no {', '.join(missing)}",
            str(folder),
            f"A model folder needs {', '.join(_REQUIRED_FILES)}.",
        )
    import onnxruntime
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    axes = len(session.get_outputs()[0].shape)
    pooling = PoolingType.DISABLED if axes == 2 else PoolingType[_pooling(folder)]
    # fastembed registers models by name for the whole process; a name can be registered once.
    name = f"{_LOCAL_PREFIX}{folder.resolve()}"
    if name not in {known["model"] for known in TextEmbedding.list_supported_models()}:
        TextEmbedding.add_custom_model(
            model=name,
            pooling=pooling,
            normalization=True,
            sources=ModelSource(hf=name),
            dim=int(session.get_outputs()[0].shape[-1]),
            model_file="model.onnx",
        )
    return TextEmbedding(name, specific_model_path=str(folder))


def _pooling(folder: Path) -> str:
    """Return fastembed's name of the pooling that sentence-transformers configured."""
    config = folder / "1_Pooling" / "config.json"
    if not config.is_file():
        return "MEAN"
    settings = json.loads(config.read_text(encoding="utf-8"))
    return "CLS" if settings.get("pooling_mode_cls_token") else "MEAN"


def _digest(model: TextEmbedding, name: str, dimension: int) -> str:
    """Return the digest of the model's files; of its name if they are not known."""
    digest = hashlib.sha256(f"{dimension}".encode())
    folder = getattr(model.model, "_model_dir", None)
    files = (
        sorted(path for pattern in _DIGESTED_FILES for path in Path(folder).glob(pattern))
        if folder
        else []
    )
    if not files:
        digest.update(name.encode())
    for path in files:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:300]


def _hint(*, local: bool) -> str:
    if local:
        return "Check the files of the folder: one of them is damaged or of another format."
    return (
        "A model given by name is downloaded on first use: check the network, give a "
        "folder with model.onnx, or omit --model for the bundled model."
    )
