"""Makes training pairs of a sentence and a documented declaration, as arrays of token ids."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embedding.corpus import Documented

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MAX_SIGNATURE = 160  # characters, as in typematch.index.vectors.embedding
_MAX_SENTENCES = 4
_MAX_THINGS = 6_000  # of one package
_TEXTS_AT_ONCE = 10_000  # an encoding takes some kilobytes
_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_LINK = re.compile(r"\{@\w+\s+([^}|]+)[^}]*\}")
_MARKDOWN = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ELEMENT = re.compile(r"</?[a-zA-Z][^>]*>")
_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?](?=\s|$)|\n\s*\n|\n\s*[-*#]\s|:\s*\n")
_NO_SENTENCE = re.compile(r"https?:|import |const |see |@|\||example", re.IGNORECASE)

FIRST, FURTHER = 0, 1


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of token ids, concatenated."""

    flat: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def rows(self, which: NDArray[np.int64]) -> list[NDArray[np.int32]]:
        return [self.flat[self.offsets[i] : self.offsets[i + 1]] for i in which]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pair i is the sentence ``sentence[i]`` and the thing ``thing[i]``.

    ``first[thing]`` is the pair of its first sentence, -1 if it has none.  ``same[i]`` is equal for
    pairs of equal sentences, which are no negatives of each other.
    """

    sentence: Ragged
    thing: NDArray[np.int64]
    kind: NDArray[np.int64]
    same: NDArray[np.int64]
    package: NDArray[np.str_]
    name: Ragged
    container: Ragged
    stands_inside: NDArray[np.bool_]
    package_name: Ragged
    signature: Ragged
    first: NDArray[np.int64]


def distinct(things: Iterable[Documented]) -> list[Documented]:
    """Return the declarations without those that another package repeats."""
    found: dict[tuple[str, str, str], Documented] = {}
    for thing in things:
        said = thing.prose or "".join(thing.parameters) or thing.returns
        key = (thing.container.split(".")[-1], thing.name, said[:80] or thing.signature[:80])
        found.setdefault(key, thing)
    return list(found.values())


def balanced(things: Iterable[Documented], seed: int) -> list[Documented]:
    """Return the documented declarations; of the largest packages, a sample."""
    packages: defaultdict[str, list[Documented]] = defaultdict(list)
    for thing in things:
        if thing.prose or thing.parameters or thing.returns:
            packages[thing.package].append(thing)
    draw = random.Random(seed)
    found: list[Documented] = []
    for _, members in sorted(packages.items()):
        found += members if len(members) <= _MAX_THINGS else draw.sample(members, _MAX_THINGS)
    return found


def sentences(text: str) -> list[str]:
    """Return the sentences of a comment, without code, links and markup."""
    text = _MARKDOWN.sub(r"\1", _LINK.sub(r"\1", _BLOCK.sub("\n\n", text)))
    text = _ELEMENT.sub(" ", text).replace("`", "")
    folded = (" ".join(part.split()) for part in _END.split(text))
    return [part for part in folded if _is_sentence(part)]


def _is_sentence(text: str) -> bool:
    return (
        12 <= len(text) <= 300
        and text.count(" ") >= 2
        and sum(character.isascii() for character in text) > 0.9 * len(text)
        and not _NO_SENTENCE.match(text)
    )


def make_pairs(things: Sequence[Documented], tokenizer: Tokenizer) -> Pairs:
    written: list[tuple[int, int, str]] = []
    for index, thing in enumerate(things):
        written += [(index, kind, text) for kind, text in _said(thing)]
    texts = [text for _, _, text in written]
    numbers: dict[str, int] = {}
    first = np.full(len(things), -1, dtype=np.int64)
    for pair, (index, kind, _) in enumerate(written):
        if kind == FIRST:
            first[index] = pair
    return Pairs(
        sentence=_ragged(tokenizer, texts),
        thing=np.array([index for index, _, _ in written], dtype=np.int64),
        kind=np.array([kind for _, kind, _ in written], dtype=np.int64),
        same=np.array([numbers.setdefault(text.lower(), len(numbers)) for text in texts]),
        package=np.array([things[index].package for index, _, _ in written]),
        name=_ragged(tokenizer, [thing.name for thing in things]),
        container=_ragged(tokenizer, [thing.container or thing.stem for thing in things]),
        stands_inside=np.array([bool(thing.container) for thing in things]),
        package_name=_ragged(tokenizer, [thing.package for thing in things]),
        signature=_ragged(tokenizer, [thing.signature[:MAX_SIGNATURE] for thing in things]),
        first=first,
    )


def _said(thing: Documented) -> list[tuple[int, str]]:
    prose = sentences(thing.prose)[:_MAX_SENTENCES]
    found = [(FURTHER if index else FIRST, text) for index, text in enumerate(prose)]
    if thing.returns.count(" ") >= 3:
        found.append((FURTHER, f"returns {(sentences(thing.returns) or [thing.returns])[0]}"))
    parameters = [text for text in thing.parameters if text.count(" ") >= 3][:2]
    if parameters:
        found.append((FURTHER, "; ".join(parameters)[:250]))
    return found


def _ragged(tokenizer: Tokenizer, texts: Sequence[str]) -> Ragged:
    parts: list[NDArray[np.int32]] = []
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        part = texts[start : start + _TEXTS_AT_ONCE]
        rows = [
            encoding.ids for encoding in tokenizer.encode_batch_fast(part, add_special_tokens=False)
        ]
        offsets[start + 1 : start + 1 + len(rows)] = [len(row) for row in rows]
        parts.append(np.array([token for row in rows for token in row], dtype=np.int32))
    return Ragged(np.concatenate(parts), np.cumsum(offsets))
