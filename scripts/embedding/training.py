"""Trains a table of token vectors so that a sentence is near the declaration it describes.

The table is ``teacher @ projection + change``: the projection moves every token, also those that
training hardly sees, the change is each token's own.  A text's vector is the weighted sum that
``typematch.index.vectors.bundled_model`` describes.  The loss is symmetric InfoNCE over the batch.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch  # type: ignore[import-not-found]
from torch.nn import functional  # type: ignore[import-not-found]

from embedding.pairs import FIRST, Pairs
from embedding.tokens import SPECIAL

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

LINES = 4  # name, container, signature, prose
_UNKNOWN = SPECIAL.index("[UNK]")

# A text for training: its lines, as (line, token ids).
Text = list[tuple[int, "NDArray[np.int32]"]]


@dataclass(frozen=True, slots=True)
class Settings:
    """Hyperparameters, chosen on held-out packages; shares are of 1.

    Attributes:
        most: pairs of one package in one epoch, so that the largest do not drown the others.
        further: of sentences behind the first, as a share of the first ones.
        together: share of the pairs that come in batches with others of their package.
        left_out: share of tokens dropped from every line.
        averaged: share of the steps, the last ones, whose tables are averaged.
        smoothing: the a of a / (a + p), the first weight of a token of frequency p.
    """

    dimension: int = 256
    epochs: int = 3
    batch: int = 1_024
    rate: float = 3e-3
    projection_rate: float = 1e-3
    line_rate: float = 1e-2
    temperature: float = 0.07
    most: int = 1_500
    further: float = 0.3
    together: float = 0.4
    left_out: float = 0.1
    averaged: float = 0.4
    smoothing: float = 1e-3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The trained model: a row for each token, and two numbers for each line of a text."""

    vectors: Tensor
    line_weight: Tensor
    line_damping: Tensor


class Training:
    def __init__(self, pairs: Pairs, teacher: Tensor, settings: Settings) -> None:
        self._pairs = pairs
        self._settings = settings
        self._random = np.random.default_rng(settings.seed)
        torch.manual_seed(settings.seed)
        self._start, projection = _first_table(pairs, teacher, settings)
        self._projection = torch.nn.Parameter(projection)
        self._change = torch.nn.Parameter(torch.zeros(len(teacher), settings.dimension))
        self._line_weight = torch.nn.Parameter(torch.tensor([1.0, 0.4, 0.0, 0.0]))
        self._line_damping = torch.nn.Parameter(torch.full((LINES,), 0.5))

    def run(self, say: Callable[[str], None]) -> Table:
        """Return the table after all epochs; ``say`` receives a line every hundred steps."""
        settings = self._settings
        batches = [batch for _ in range(settings.epochs) for batch in self._epoch()]
        rates = (settings.rate, settings.projection_rate, settings.line_rate)
        groups = ([self._change], [self._projection], [self._line_weight, self._line_damping])
        optimizer = torch.optim.Adam(
            [{"params": group, "lr": rate} for group, rate in zip(groups, rates, strict=True)],
            betas=(0.9, 0.99),
        )
        parameters = [parameter for group in groups for parameter in group]
        sums = [torch.zeros_like(parameter) for parameter in parameters]
        summed, losses, begun = 0, 0.0, time.perf_counter()
        for step, batch in enumerate(batches):
            share = min(1.0, (step + 1) / 50) * max(0.02, 1 - step / len(batches))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * share
            loss = self._loss(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses += loss.item()
            if step >= len(batches) * (1 - settings.averaged) and step % 5 == 0:
                summed += 1
                with torch.no_grad():
                    for total, parameter in zip(sums, parameters, strict=True):
                        total += parameter
            if step % 100 == 99:
                spent = time.perf_counter() - begun
                say(f"  step {step + 1} of {len(batches)}: loss {losses / 100:.3f}, {spent:.0f} s")
                losses = 0.0
        with torch.no_grad():
            for total, parameter in zip(sums, parameters, strict=True):
                parameter.copy_(total / max(1, summed))
            vectors = self._start @ self._projection + self._change
            vectors[: len(SPECIAL)] = 0
        return Table(vectors, self._line_weight.detach(), self._line_damping.detach())

    def _epoch(self) -> list[NDArray[np.int64]]:
        """Return the batches of one epoch; some have few packages, for hard negatives."""
        settings, draw = self._settings, self._random
        loose: list[NDArray[np.int64]] = []
        chunks: list[NDArray[np.int64]] = []
        for chosen in self._drawn():
            cut = int(len(chosen) * settings.together)
            size = settings.batch // 4
            chunks += [chosen[start : min(start + size, cut)] for start in range(0, cut, size)]
            loose.append(chosen[cut:])
        rest = draw.permutation(np.concatenate(loose))
        batches = [rest[at : at + settings.batch] for at in range(0, len(rest), settings.batch)]
        order = random.Random(int(draw.integers(1 << 30)))
        order.shuffle(chunks)
        batches += _joined(chunks, settings.batch)
        order.shuffle(batches)
        return [batch for batch in batches if len(batch) >= settings.batch // 16]

    def _drawn(self) -> Iterator[NDArray[np.int64]]:
        """Yield, package by package, the pairs of this epoch in random order."""
        pairs, draw = self._pairs, self._random
        order = np.argsort(pairs.package, kind="stable")
        bounds = np.flatnonzero(pairs.package[order][1:] != pairs.package[order][:-1]) + 1
        for members in np.split(order, bounds):
            first = members[pairs.kind[members] == FIRST]
            further = members[pairs.kind[members] != FIRST]
            count = min(len(first), self._settings.most)
            more = min(len(further), int(count * self._settings.further))
            chosen = [draw.choice(first, count, replace=False)] if count else []
            chosen += [draw.choice(further, more, replace=False)] if more else []
            if chosen:
                yield draw.permutation(np.concatenate(chosen))

    def _loss(self, batch: NDArray[np.int64]) -> Tensor:
        sentences, things = self._sentences(batch), self._things(batch)
        texts = sentences + things
        tokens = np.concatenate([ids for text in texts for _, ids in text]).astype(np.int64)
        used, inverse = np.unique(tokens, return_inverse=True)
        rows = torch.from_numpy(used)
        table = self._start[rows] @ self._projection + self._change[rows]
        vectors = self._vectors(texts, torch.from_numpy(inverse), table)
        asked, found = vectors[: len(batch)], vectors[len(batch) :]
        same = torch.from_numpy(self._pairs.same[batch])
        twice = (same[:, None] == same[None]) & ~torch.eye(len(batch), dtype=torch.bool)
        scores = (asked @ found.T / self._settings.temperature).masked_fill(twice, -1e4)
        target = torch.arange(len(batch))
        there = functional.cross_entropy(scores, target)
        return (there + functional.cross_entropy(scores.T, target)) / 2

    def _vectors(self, texts: list[Text], tokens: Tensor, table: Tensor) -> Tensor:
        """Return a vector for each text; ``tokens`` are their rows of ``table``, in order."""
        lines = [(line, len(ids)) for text in texts for line, ids in text]
        line = torch.tensor([token for token, _ in lines])
        length = torch.tensor([float(count) for _, count in lines])
        weight = torch.exp(self._line_weight[line] - self._line_damping[line] * torch.log(length))
        sizes = [sum(len(ids) for _, ids in text) for text in texts]
        offsets = torch.from_numpy(np.cumsum([0, *sizes[:-1]]))
        summed = functional.embedding_bag(
            tokens,
            table,
            offsets,
            mode="sum",
            per_sample_weights=weight.repeat_interleave(length.long()),
        )
        return functional.normalize(summed, dim=1)

    def _sentences(self, batch: NDArray[np.int64]) -> list[Text]:
        unknown = np.array([_UNKNOWN], dtype=np.int32)
        rows = self._pairs.sentence.rows(batch)
        return [[(0, self._thinned(row) if len(row) else unknown)] for row in rows]

    def _things(self, batch: NDArray[np.int64]) -> list[Text]:
        """Return the declarations with random parts removed, as an index may lack them."""
        pairs = self._pairs
        thing = pairs.thing[batch]
        fields = (pairs.name, pairs.container, pairs.package_name, pairs.signature)
        chances = self._random.random((len(batch), 3))
        texts: list[Text] = []
        for at, (name, container, package, signature) in enumerate(
            zip(*(field.rows(thing) for field in fields), strict=True)
        ):
            whole, inside, other = chances[at]
            text: Text = [(0, name)]
            # A top-level thing stands in a file, which some catalogs name as its container.
            if inside < (0.9 if pairs.stands_inside[thing[at]] else 0.35):
                text.append(
                    (1, np.concatenate([container, package]) if other < 0.15 else container)
                )
            if whole < 0.85:
                text.append((2, signature if whole < 0.6 else signature[:12]))
            prose = pairs.first[thing[at]]
            if pairs.kind[batch[at]] != FIRST and other > 0.6 and prose >= 0:
                text.append((3, pairs.sentence.rows(np.array([prose]))[0]))
            filled = [(line, self._thinned(ids)) for line, ids in text if len(ids)]
            texts.append(filled or [(0, np.array([_UNKNOWN], dtype=np.int32))])
        return texts

    def _thinned(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        if len(ids) < 3:
            return ids
        left = ids[self._random.random(len(ids)) >= self._settings.left_out]
        return left if len(left) else ids


def _joined(chunks: list[NDArray[np.int64]], size: int) -> list[NDArray[np.int64]]:
    """Return arrays of at least ``size`` made of whole chunks; the last may be shorter."""
    found: list[NDArray[np.int64]] = []
    waiting: list[NDArray[np.int64]] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(map(len, waiting)) >= size:
            found.append(np.concatenate(waiting))
            waiting = []
    return [*found, np.concatenate(waiting)] if waiting else found


def _first_table(pairs: Pairs, teacher: Tensor, settings: Settings) -> tuple[Tensor, Tensor]:
    """Return weighted teacher vectors, and their first principal axes as the first projection."""
    count = np.zeros(len(teacher))
    for field in (pairs.sentence, pairs.name, pairs.signature):
        count += np.bincount(field.flat, minlength=len(teacher))
    used = torch.from_numpy(count > 0)
    centred = teacher - teacher[used].mean(0)
    _, _, axes = torch.linalg.svd(centred[used], full_matrices=False)
    projection = axes[: settings.dimension].T.contiguous()
    centred = centred / (centred[used] @ projection).norm(dim=1).mean()
    frequency = torch.from_numpy(count / count.sum()).float()
    weighted = centred * (settings.smoothing / (settings.smoothing + frequency))[:, None]
    weighted[: len(SPECIAL)] = 0
    return weighted, projection
