"""Scores the model on finding a function by a sentence: full text, vectors, and both fused."""

from __future__ import annotations

import gzip
import json
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embedding.corpus import Documented
from embedding.pairs import sentences
from typematch.index.vectors.bundled_model import BundledModel
from typematch.index.vectors.embedding import entry_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEPTH = 100  # of each ranking, before fusion
RRF_K = 60
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
_STOP = frozenset(
    (
        "a", "an", "the", "of", "to", "in", "is", "be", "by", "for", "with", "and", "or",
        "that", "this", "it", "its", "as", "are", "at", "on", "from", "if", "was", "were",
        "will", "which", "when", "where", "has", "have", "can", "not", "no", "do", "does",
        "into", "than", "then", "there", "their", "they", "you", "your", "use", "used",
        "using", "also", "may", "should",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Task:
    """``things`` are (name, container, package, signature); answers are their indices."""

    things: Sequence[tuple[str, str, str, str]]
    questions: Sequence[str]
    answers: Sequence[Sequence[int]]


def given_task(file: Path) -> Task:
    """Read the jsdoc benchmark."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        read = json.load(stream)
    return Task(
        [(doc["name"], doc["cont"], doc["pkg"], doc["sig"]) for doc in read["docs"]],
        [question["q"] for question in read["qs"]],
        [question["rel"] for question in read["qs"]],
    )


def held_out_task(things: Sequence[Documented], *, most_things: int, most_questions: int) -> Task:
    """Make the same task of held-out packages; both numbers are for each package."""
    order = random.Random(7)
    packages: defaultdict[str, list[Documented]] = defaultdict(list)
    for thing in things:
        if thing.kind in {"func", "functype"}:
            packages[thing.package].append(thing)
    shown: list[tuple[str, str, str, str]] = []
    questions: list[tuple[str, list[int]]] = []
    for package in sorted(packages):
        chosen = order.sample(packages[package], min(most_things, len(packages[package])))
        places: defaultdict[str, list[int]] = defaultdict(list)
        for thing in chosen:
            first = sentences(thing.prose.split("\n\n")[0])
            if first and len(first[0]) >= 16:
                places[first[0]].append(len(shown))
            container = thing.container.split(".")[-1]
            shown.append((thing.name, container, package, thing.signature))
        questions = [item for item in places.items() if len(item[1]) < 8]
        questions += order.sample(questions, min(most_questions, len(questions)))
    return Task(shown, [text for text, _ in questions], [answers for _, answers in questions])


def score(task: Task, folder: Path) -> Mapping[str, Mapping[str, float]]:
    """Return mrr@10, recall@1, recall@10, recall@50 of lexical, dense and fused search.

    ``fused`` weighs both alike, ``fused, vectors twice`` counts the vectors' ranks double.
    """
    model = BundledModel(folder)
    lexical = _lexical(task)
    texts = [entry_text(name, container, text) for name, container, _, text in task.things]
    dense = _dense(
        np.stack([model.embed_query(text) for text in task.questions]), model.embed(texts)
    )
    pairs = list(zip(lexical, dense, strict=True))
    rankings = {
        "lexical": lexical,
        "dense": dense,
        "fused": [_fused(left, other, 1.0) for left, other in pairs],
        "fused, vectors twice": [_fused(left, other, 2.0) for left, other in pairs],
    }
    return {name: _measured(ranked, task.answers) for name, ranked in rankings.items()}


def _split(text: str) -> str:
    return _NO_WORD.sub(" ", _HUMP.sub(" ", text))


def _lexical(task: Task) -> list[list[int]]:
    with sqlite3.connect(":memory:") as database:
        database.execute(
            "create virtual table thing using fts5"
            "(name, container, package, signature, tokenize='porter unicode61')"
        )
        database.executemany(
            "insert into thing(rowid, name, container, package, signature) values (?, ?, ?, ?, ?)",
            [(place, *map(_split, thing)) for place, thing in enumerate(task.things, 1)],
        )
        found: list[list[int]] = []
        for question in task.questions:
            words = list(dict.fromkeys(_split(question).lower().split()))
            words = [word for word in words if word not in _STOP] or words
            rows = database.execute(
                "select rowid from thing where thing match ? "
                "order by bm25(thing, 3, 2, 1, 1), rowid limit ?",
                (" OR ".join(f'"{word}"' for word in words), DEPTH),
            )
            found.append([row - 1 for (row,) in rows])
    return found


def _dense(questions: NDArray[np.float32], found: NDArray[np.float32]) -> list[list[int]]:
    scores = questions @ found.T
    return [np.argsort(-row, kind="stable")[:DEPTH].tolist() for row in scores]


def _fused(lexical: Sequence[int], dense: Sequence[int], dense_weight: float) -> list[int]:
    shares: defaultdict[int, float] = defaultdict(float)
    for ranking, weight in ((lexical, 1.0), (dense, dense_weight)):
        for rank, place in enumerate(ranking, 1):
            shares[place] += weight / (RRF_K + rank)
    return sorted(shares, key=lambda place: (-shares[place], place))


def _measured(
    rankings: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]
) -> dict[str, float]:
    ranks = [
        next((rank for rank, place in enumerate(ranking, 1) if place in right), DEPTH + 1)
        for ranking, right in zip(rankings, map(set, answers), strict=True)
    ]
    found = {"mrr@10": sum(1 / rank for rank in ranks if rank <= 10) / len(ranks)}
    for depth in (1, 10, 50):
        found[f"recall@{depth}"] = sum(rank <= depth for rank in ranks) / len(ranks)
    return found
