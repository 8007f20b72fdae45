"""Rank entries by the words of a query: full-text score plus name score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import FullTextQuery, full_text_query, without_phrases
from typematch.package_names import LIBRARY
from typematch.search.prepare.facet_conditions import id_conditions
from typematch.search.score.name_match import name_scorer, sort_key
from typematch.search.score.weights import WEIGHTS, Priors, Weights

_CLASS_KINDS = frozenset(("class", "constructor", "call"))
MAX_NAME_WORDS = 3  # a longer query is not a name


@dataclass(frozen=True, slots=True)
class TextHits:
    """Entries found by words.

    Attributes:
        scores: by entry number, best first.
        summaries: of all entries found, by entry number.
    """

    scores: Mapping[int, float]
    summaries: Mapping[int, EntrySummary]


def lexical_search(
    words: str,
    phrases: Sequence[str],
    store: Store,
    selection: Selection,
    *,
    limit: int,
    weights: Weights = WEIGHTS,
) -> TextHits:
    """Return the best ``limit`` entries for ``words``.

    Args:
        words: the words of the query, the text of ``phrases`` included.
        phrases: word sequences that must occur as they are.
    """
    query = full_text_query(without_phrases(words, phrases), phrases)
    # "File name" is also "filename".
    compounds = tuple(first + second for first, second in pairwise(query.words))
    any_word = replace(query, words=(*query.words, *compounds))
    scores = dict(store.lexical(any_word, selection, limit=limit))
    complete = scores
    if len(query.words) + len(query.prefixes) != 1:
        complete = dict(store.lexical(query, selection, limit=limit, match_all=True))
    named: list[int] = []
    has_plain_words = not (query.phrases or query.excluded or query.prefixes)
    if has_plain_words and len(query.words) <= MAX_NAME_WORDS:
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

    ordered = []
    for number, summary in summaries.items():
        name = name_score(summary)
        text = scores.get(number, complete.get(number, 0.0)) / best
        # Rounded: float error must not order entries of equal score.
        score = round(text * _kind_weight(summary, weights.priors) + weights.name * name, 6)
        ordered.append((-score, *sort_key(0, name, summary)[1:], number))
    ordered.sort()
    return TextHits({order[-1]: -order[0] for order in ordered[:limit]}, summaries)


def entry_weight(summary: EntrySummary, priors: Priors) -> float:
    """Return the factor of an entry's fused score: by kind, whether exported and deprecated."""
    weight = _kind_weight(summary, priors)
    weight *= 1.0 if summary.exported else priors.internal
    weight *= priors.library if summary.package == LIBRARY else 1.0
    return weight * (priors.deprecated if summary.deprecated else 1.0)


def _kind_weight(summary: EntrySummary, priors: Priors) -> float:
    if is_function(summary):
        return 1.0
    return priors.class_ if summary.kind in _CLASS_KINDS else priors.not_callable


def is_function(summary: EntrySummary) -> bool:
    """Whether an entry is called by its name, without ``new``: a function, method or constant."""
    return summary.callable and summary.kind not in _CLASS_KINDS
