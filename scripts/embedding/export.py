"""Writes the model's folder, for typematch and for fastembed, with one file of vectors.

``vectors.bin`` holds the rows as int8 and then a scale for each; ``model.onnx`` is a graph of a few
nodes that names it as external data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper  # type: ignore[import-not-found]
from tokenizers import Tokenizer

from embedding.tokens import SPECIAL
from embedding.training import Table

MAX_TOKENS = 512
_TABLE_FILE = "vectors.bin"
_OPSET = 17
_IR_VERSION = 8


def write_model(folder: Path, table: Table, tokenizer: Tokenizer) -> int:
    """Write all files but the model card; return their size in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    largest = table.vectors.abs().amax(1).clamp(min=1e-9) / 127
    rows = (table.vectors / largest[:, None]).round().numpy().astype(np.int8)
    stored = rows.tobytes() + largest.numpy().astype("<f4").tobytes()
    read = tokenizer.to_str(pretty=False)
    settings: dict[str, object] = {
        "rows": rows.shape[0],
        "dimension": rows.shape[1],
        "line_break": SPECIAL.index("[LINE]"),
        "line_weight": [round(float(value), 5) for value in table.line_weight],
        "line_damping": [round(float(value), 5) for value in table.line_damping],
        "max_tokens": MAX_TOKENS,
    }
    everything = stored + read.encode() + json.dumps(settings).encode()
    settings["digest"] = hashlib.sha256(everything).hexdigest()
    files: dict[str, bytes] = {
        _TABLE_FILE: stored,
        "tokenizer.json": read.encode(),
        "tokenizer_config.json": _json(
            {
                "tokenizer_class": "PreTrainedTokenizerFast",
                "model_max_length": MAX_TOKENS,
                "pad_token": SPECIAL[0],
                "unk_token": SPECIAL[1],
            }
        ),
        "config.json": _json({"model_type": "typematch", "pad_token_id": 0, "typematch": settings}),
        "model.onnx": _graph(rows.shape, table).SerializeToString(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return sum(map(len, files.values()))


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _graph(shape: Sequence[int], table: Table) -> helper.ModelProto:
    """Return the sum that ``typematch.index.vectors.bundled_model`` computes, not normalised."""
    rows, dimension = shape
    lines = len(table.line_weight)
    constants = {
        "break_id": np.int64(SPECIAL.index("[LINE]")),
        "last_line": np.int64(lines - 1),
        "lines": np.int64(lines),
        "off_on": np.array([0, 1], dtype=np.float32),
        "one": np.float32(1),
        "axis_1": np.int64(1),
        "axes_1": np.array([1], dtype=np.int64),
        "axes_2": np.array([2], dtype=np.int64),
        "line_weight": np.round(table.line_weight.numpy(), 5).astype(np.float32),
        "line_damping": np.round(table.line_damping.numpy(), 5).astype(np.float32),
    }
    initial = [
        numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()
    ]
    initial.append(_external("vectors", TensorProto.INT8, (rows, dimension), 0, rows * dimension))
    initial.append(_external("scale", TensorProto.FLOAT, (rows,), rows * dimension, rows * 4))
    node = helper.make_node
    nodes = [
        node("Equal", ["input_ids", "break_id"], ["is_break"]),
        node("Cast", ["is_break"], ["breaks"], to=TensorProto.INT64),
        node("CumSum", ["breaks", "axis_1"], ["passed"]),
        node("Min", ["passed", "last_line"], ["line"]),
        # Neither breaks nor padding count.
        node("Sub", ["attention_mask", "breaks"], ["counts"]),
        node("Cast", ["counts"], ["counts_signed"], to=TensorProto.FLOAT),
        node("Relu", ["counts_signed"], ["counting"]),
        node("Unsqueeze", ["counting", "axes_2"], ["counting_3"]),
        node("OneHot", ["line", "lines", "off_on"], ["in_line"], axis=-1),
        node("Mul", ["in_line", "counting_3"], ["cells"]),
        node("ReduceSum", ["cells", "axes_1"], ["length"], keepdims=1),
        node("Max", ["length", "one"], ["length_1"]),
        node("Log", ["length_1"], ["log_length"]),
        node("Mul", ["log_length", "line_damping"], ["damping"]),
        node("Sub", ["line_weight", "damping"], ["exponent"]),
        node("Exp", ["exponent"], ["of_line"]),
        node("Mul", ["cells", "of_line"], ["of_cell"]),
        node("ReduceSum", ["of_cell", "axes_2"], ["of_token"], keepdims=0),
        node("Gather", ["scale", "input_ids"], ["token_scale"]),
        node("Mul", ["of_token", "token_scale"], ["weight"]),
        node("Unsqueeze", ["weight", "axes_1"], ["weight_row"]),
        node("Gather", ["vectors", "input_ids"], ["picked"]),
        node("Cast", ["picked"], ["picked_float"], to=TensorProto.FLOAT),
        node("MatMul", ["weight_row", "picked_float"], ["sum"]),
        node("Squeeze", ["sum", "axes_1"], ["sentence_embedding"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "typematch",
        [
            value("input_ids", TensorProto.INT64, ["batch", "length"]),
            value("attention_mask", TensorProto.INT64, ["batch", "length"]),
        ],
        [value("sentence_embedding", TensorProto.FLOAT, ["batch", dimension])],
        initial,
    )
    opset = [helper.make_opsetid("", _OPSET)]
    return helper.make_model(graph, opset_imports=opset, ir_version=_IR_VERSION)


def _external(name: str, kind: int, shape: Sequence[int], offset: int, length: int) -> TensorProto:
    tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, text in (("location", _TABLE_FILE), ("offset", offset), ("length", length)):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(text)
    return tensor
