"""What the channels retrieved for a query, before it is fused and ordered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from typematch.index.store import EntrySummary
from typematch.search.score.type_match import TypeMatch


@dataclass(frozen=True, slots=True)
class RetrievedByWords:
    """What the channels found for a query with words; its order depends on weights alone.

    Attributes:
        words: of the query, as they were typed.
        query_kind: a key of ``Weights.channels``.
        channels: scores by entry number, by text channel, of the entries that the channel found.
        scores: the scores to fuse, by text channel; also of entries that other channels found.
        matches: type matches by entry number; they are the ``structural`` channel.
        summaries: of every entry in ``scores`` and ``matches``.
    """

    words: str
    query_kind: str
    channels: Mapping[str, Mapping[int, float]]
    scores: Mapping[str, Mapping[int, float]]
    matches: Mapping[int, TypeMatch]
    summaries: Mapping[int, EntrySummary]


@dataclass(frozen=True, slots=True)
class RetrievedByType:
    """What a query without words found, by entry number.

    Attributes:
        pages: from 0; an entry of a later page is never before one of an earlier page.
        name_scores: how well the name matches a name in the query, from 0 to 1.
        similarity: of the words of its signature to the query's, from 0 to 1.
        parameter_words: the share of the words of the query's parameters that are in its name.
    """

    matches: Mapping[int, TypeMatch]
    pages: Mapping[int, int]
    name_scores: Mapping[int, float]
    similarity: Mapping[int, float]
    parameter_words: Mapping[int, float]
    summaries: Mapping[int, EntrySummary]


Retrieved: TypeAlias = RetrievedByWords | RetrievedByType
