"""Rank entries by the words of a query: full-text score plus name score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import FullTextQuery, full_text_query
from typematch.search.prepare.facet_conditions import id_conditions
from typematch.search.score.name_match import name_scorer, sort_key

# Weight of the name score; the best full-text score has weight 1.0.
NAME_WEIGHT = 1.0
# Factors of the full-text score: queries in words mostly look for functions and methods.
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
_INTERNAL_WEIGHT = 0.5  # of entries that their package does not export
_MAX_NAME_WORDS = 3  # a longer query is not looked up as a name


@dataclass(frozen=True, slots=True)
class TextHits:
    """Entries found by words.

    Attributes:
        entries: entry numbers, best first.
        summaries: of all entries found, by entry number.
    """

    entries: tuple[int, ...]
    summaries: Mapping[int, EntrySummary]


def lexical_search(
    words: str, phrases: Sequence[str], store: Store, selection: Selection, *, limit: int
) -> TextHits:
    """Return the best ``limit`` entries for ``words``.

    Args:
        words: the words of the query, the text of ``phrases`` included.
        phrases: word sequences that must occur as they are.
    """
    query = full_text_query(without_phrases(words, phrases), phrases)
    scores = dict(store.lexical(query, selection, limit=limit))
    complete = scores
    if len(query.words) + len(query.prefixes) != 1:
        complete = dict(store.lexical(query, selection, limit=limit, match_all=True))
    named: list[int] = []
    has_plain_words = not (query.phrases or query.excluded or query.prefixes)
    if has_plain_words and len(query.words) <= _MAX_NAME_WORDS:
        by_name = FullTextQuery(prefixes=query.words, names_only=True)
        named = [
            number for number, _ in store.lexical(by_name, selection, limit=limit, match_all=True)
        ]
        if not (named or scores):
            # No word begins with these words; they may be substrings of an id.
            named = store.select((*selection, *id_conditions(query.words)), limit=limit)
    summaries = store.summaries(list(dict.fromkeys((*scores, *complete, *named))))
    best = max(scores.values(), default=1.0)
    best = best if best > 0 else 1.0
    name_words = (*query.words, *query.prefixes)
    name_score = name_scorer(name_words) if name_words else lambda _: 0.0

    def order(number: int) -> tuple[object, ...]:
        summary = summaries[number]
        name = name_score(summary)
        text = scores.get(number, complete.get(number, 0.0)) / best
        score = text * KIND_WEIGHTS.get(summary.kind, 1.0) + NAME_WEIGHT * name
        return (-round(score, 6), *sort_key(0, name, summary)[1:])

    ordered = sorted(summaries, key=order)[:limit]
    return TextHits(tuple(ordered), summaries)


def entry_weight(summary: EntrySummary) -> float:
    """Return the factor of an entry's fused score, by kind and export."""
    return KIND_WEIGHTS.get(summary.kind, 1.0) * (1.0 if summary.exported else _INTERNAL_WEIGHT)


def without_phrases(words: str, phrases: Sequence[str]) -> str:
    """Return ``words`` without the first occurrence of each phrase."""
    for phrase in phrases:
        words = words.replace(phrase, " ", 1)
    return words
