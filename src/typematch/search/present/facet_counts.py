"""Say what a query finds as a whole: the values of its facets, or conditions that choose it."""

from __future__ import annotations

from typematch.index.entries.selection import Selection
from typematch.index.store import Store
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.pipeline import answered
from typematch.search.prepare.prepared_query import read
from typematch.search.present.counting import Counts, by_facets_alone, counts, those_found
from typematch.search.retrieve.dense import OpenEmbedder

_LIMIT = 20  # hits of a page: so deep a search looks


def facets(text: str, store: Store, *, open_embedder: OpenEmbedder | None = None) -> Counts:
    """Return for each facet how many of the entries that ``text`` finds have which value.

    The values are as a query takes them, the most frequent first; without a text all entries are
    counted.

    Raises:
        QuerySyntaxError: the query cannot be read.
        UsageError: its ``like:`` names no entry.
    """
    return counts(chosen(text, store, open_embedder), store)


def chosen(text: str, store: Store, open_embedder: OpenEmbedder | None = None) -> Selection:
    """Return conditions that just those entries meet that ``text`` finds; all without a text.

    Raises:
        QuerySyntaxError: the query cannot be read.
    """
    if not text.strip():
        return ()
    request = read(text, store)
    answer = RankedEntries()
    if not by_facets_alone(request):
        answer = answered(request, store, request.query.limit or _LIMIT, open_embedder)
    return those_found(request, answer, store)
