"""Rank what the words of a question find: by full text, and by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typematch.index.entries.selection import Condition, OneOfTypes, Selection, listed
from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import is_prefix
from typematch.query.model import Query
from typematch.search.fuse.fusion import WEIGHTS, ranks, reciprocal_rank_fusion
from typematch.search.retrieve.dense import OpenEmbedder, by_meaning
from typematch.search.retrieve.lexical import by_words

DEPTH = 200  # entries that words hand to the fusion, at least
_NEAREST = 50  # entries that meaning hands to it: what is farther is chance
# Entries near a sentence whose types are compared with it.  Over the sentences and mixed queries of
# the intent task 300 find more than all do (nDCG@10 .633, all .631), in half the time.
_NEIGHBOURS = 300
_JUDGED = 20  # entries found by words whose types are compared with the signature


@dataclass(frozen=True, slots=True)
class TextChannelStore:
    """What words and meaning found: ranks by channel.

    ``around``: what is worth comparing with a sentence's types; None where nobody knows.
    ``briefs``: of what is known already.
    """

    channels: Mapping[str, Mapping[int, int]]
    around: frozenset[int] | None
    briefs: Mapping[int, EntrySummary]
    full: bool
    notices: tuple[str, ...]

    def first(self, weights: str) -> list[int]:
        """Return the entries that stand first in all channels, in order of number."""
        scores = reciprocal_rank_fusion(self.channels, WEIGHTS[weights])
        return sorted(sorted(scores, key=lambda one: (-scores[one], one))[:_JUDGED])


def texts_of(
    query: Query,
    store: Store,
    conditions: Selection,
    open_embedder: OpenEmbedder | None,
    *,
    depth: int,
) -> TextChannelStore:
    """Rank what the words of a query find, by each channel; ``depth`` entries by full text."""
    words = query_words(query)
    if conditions and listed(conditions) is None:
        conditions = (among(store.chosen(conditions)),)  # once for all channels
    worded = by_words(words, query.phrases, store, conditions, limit=depth)
    channels = {"lexical": ranks(worded.entries)}
    full = len(worded.entries) >= depth
    around: frozenset[int] | None = None
    notices: tuple[str, ...] = ()
    if open_embedder is not None:
        spoken = " ".join(
            word for word in words.split() if not (word.startswith("-") or is_prefix(word))
        )
        deep = _NEAREST if query.said is None else _NEIGHBOURS
        near = by_meaning(spoken or words, store, conditions, open_embedder, limit=deep)
        nearest = near.entries[:_NEAREST]
        if near.entries:
            around = frozenset((*near.entries, *worded.entries))
        if not worded.entries and len(words.split()) == 1:
            pass  # a name that nothing has: its nearest neighbours are chance
        elif nearest and not query.phrases and spoken == words:
            channels["dense"] = ranks(nearest)
        elif nearest:
            # What must stand so, or must not occur, only the full text knows.
            known = channels["lexical"]
            channels["dense"] = ranks([one for one in nearest if one in known])
        notices = (near.problem,) if near.problem else ()
    return TextChannelStore(channels, around, worded.briefs, full, notices)


def query_words(query: Query) -> str:
    return f"{query.name} {query.words}".strip()


def among(numbers: Sequence[int]) -> Condition:
    return Condition("entry", (OneOfTypes(tuple(numbers)),))
