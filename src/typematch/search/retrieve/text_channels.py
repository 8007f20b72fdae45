"""Rank entries by the words of a query: by full text (``lexical``) and by vectors (``dense``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from typematch.index.entries.selection import Condition, InNumbers, Selection, listed_entries
from typematch.index.store import EntrySummary, Store
from typematch.query.model import Query
from typematch.search.retrieve.dense import OpenEmbedder, vector_search
from typematch.search.retrieve.lexical import lexical_search
from typematch.search.score.ranks import relative_scores
from typematch.search.score.weights import Weights
from typematch.word_operators import is_excluded, is_prefix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_DEPTH = 200  # entries of the lexical channel, at least
_DENSE_DEPTH = 200  # entries of the dense channel
# Entries near a sentence whose types are compared with it.  On the sentences and mixed queries of
# the intent task nDCG@10 is .633 with 300 and .631 with all, at half the time.
_NEARBY = 300


@dataclass(frozen=True, slots=True)
class TextChannels:
    """What the words of a query found.

    Attributes:
        channels: scores by entry number, best first, by channel; the best score is 1.0.
        nearby: entries whose types are worth comparing with a sentence; None without vectors.
        summaries: of entries of the lexical channel, by entry number.
        truncated: the lexical channel is full, so there may be more entries.
        notices: sentences for the user.
        vector: of the words, a unit vector; None without vectors.
    """

    channels: Mapping[str, Mapping[int, float]]
    nearby: frozenset[int] | None
    summaries: Mapping[int, EntrySummary]
    truncated: bool
    notices: tuple[str, ...]
    vector: NDArray[np.float32] | None = None


def text_channels(
    query: Query,
    store: Store,
    conditions: Selection,
    open_embedder: OpenEmbedder | None,
    *,
    depth: int,
    weights: Weights,
) -> TextChannels:
    """Rank the entries that meet ``conditions``; the lexical channel has at most ``depth``."""
    words = query_words(query)
    if conditions and listed_entries(conditions) is None:
        # Evaluated once for all channels.
        conditions = (entry_condition(store.matching_entries(conditions)),)
    hits = lexical_search(words, query.phrases, store, conditions, limit=depth, weights=weights)
    channels = {"lexical": relative_scores(hits.scores)}
    nearby: frozenset[int] | None = None
    notices: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    if open_embedder is not None:
        plain = plain_words(words)
        dense_limit = _DENSE_DEPTH if query.sentence is None else _NEARBY
        near = vector_search(plain or words, store, conditions, open_embedder, limit=dense_limit)
        nearest = dict(islice(near.cosines.items(), _DENSE_DEPTH))
        if near.cosines:
            nearby = frozenset((*near.cosines, *hits.scores))
        is_unknown_name = not hits.scores and len(words.split()) == 1
        if nearest and not is_unknown_name:
            if query.phrases or plain != " ".join(words.split()):
                # Vectors know no phrases, prefixes or excluded words: the full text decides.
                nearest = {entry: nearest[entry] for entry in nearest if entry in hits.scores}
            channels["dense"] = relative_scores(nearest)
        notices = (near.problem,) if near.problem else ()
        vector = near.vector
    truncated = len(hits.scores) >= depth
    return TextChannels(channels, nearby, hits.summaries, truncated, notices, vector)


def plain_words(words: str) -> str:
    """Return words without excluded ones and prefixes, which vectors do not know."""
    return " ".join(word for word in words.split() if not (is_excluded(word) or is_prefix(word)))


def query_words(query: Query) -> str:
    """Return the name before ``::`` and the words of a query."""
    return f"{query.name} {query.words}".strip()


def entry_condition(numbers: Sequence[int]) -> Condition:
    """Return the condition that an entry has one of these numbers."""
    return Condition("entry", (InNumbers(tuple(numbers)),))
