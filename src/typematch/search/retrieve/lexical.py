"""Rank entries by words: those whose name it is come first, then what the texts say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary
from typematch.index.text.full_text import FullTextQuery, asked_of
from typematch.search.fuse.ordering import name_fit, rank
from typematch.search.prepare.facet_conditions import names

# Beside the best text's 1.0: what it is worth that the words are the name.
NAME_WEIGHT = 1.0
# Of the texts' score: who asks with words mostly wants something to call.
KIND_WEIGHTS: Mapping[str, float] = {
    "property": 0.8,
    "accessor": 0.8,
    "interface": 0.8,
    "alias": 0.8,
    "class": 0.9,
    "enum": 0.8,
    "constructor": 0.8,
    "call": 0.8,
}
_INTERNAL = 0.5  # of its score: what a package does not export one cannot import
_NAMED_BY = 3  # words: a longer request is no name


class LexicalStore(Protocol):
    """What this retriever asks of a store."""

    def lexical(
        self, asked: FullTextQuery, selection: Selection = ..., *, limit: int, every: bool = ...
    ) -> list[tuple[int, float]]: ...

    def select(self, selection: Selection, *, limit: int | None = ...) -> list[int]: ...

    def briefs(self, numbers: Sequence[int]) -> dict[int, EntrySummary]: ...


@dataclass(frozen=True, slots=True)
class TextHits:
    """Entries best first, as ``briefs`` too; ``every``: how many of them have each of the words."""

    entries: tuple[int, ...]
    every: int
    briefs: Mapping[int, EntrySummary]


def by_words(
    words: str, phrases: Sequence[str], store: LexicalStore, selection: Selection, *, limit: int
) -> TextHits:
    """Return the best ``limit`` entries for ``words``, in which ``phrases`` are contained."""
    asked = asked_of(without_phrases(words, phrases), phrases)
    scores = dict(store.lexical(asked, selection, limit=limit))
    whole = scores
    if len(asked.words) + len(asked.prefixes) != 1:
        whole = dict(store.lexical(asked, selection, limit=limit, every=True))
    named: list[int] = []
    called = FullTextQuery(prefixes=asked.words, named=True)
    plain = not (asked.phrases or asked.without or asked.prefixes)
    if plain and len(asked.words) <= _NAMED_BY:
        named = [number for number, _ in store.lexical(called, selection, limit=limit, every=True)]
        if not (named or scores):
            # A name is also found by a part that is no word of it.
            named = store.select((*selection, *names(asked.words)), limit=limit)
    briefs = store.briefs(list(dict.fromkeys((*scores, *whole, *named))))
    best = max(scores.values(), default=1.0)
    best = best if best > 0 else 1.0

    told = (*asked.words, *asked.prefixes)
    fits = name_fit(told) if told else lambda _: 0.0

    def order(number: int) -> tuple[object, ...]:
        brief = briefs[number]
        fit = fits(brief)
        text = scores.get(number, whole.get(number, 0.0)) / best
        score = text * KIND_WEIGHTS.get(brief.kind, 1.0) + NAME_WEIGHT * fit
        return (-round(score, 6), *rank(0, fit, brief)[1:])

    ordered = sorted(briefs, key=order)[:limit]
    # A name found by its beginning has all the words too.
    return TextHits(tuple(ordered), len(whole.keys() | set(named)), briefs)


def standing(brief: EntrySummary) -> float:
    """Return what share of its score an entry keeps for what it is, whatever its texts say."""
    return KIND_WEIGHTS.get(brief.kind, 1.0) * (1.0 if brief.exported else _INTERNAL)


def without_phrases(words: str, phrases: Sequence[str]) -> str:
    """Return ``words`` without the quoted phrases, which stand among them."""
    for phrase in phrases:
        words = words.replace(phrase, " ", 1)
    return words
