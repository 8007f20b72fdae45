"""Express the result of a query as SQL conditions, for counting facets and for enrichment."""

from __future__ import annotations

from typematch.index.entries.selection import Selection
from typematch.index.store import Store
from typematch.search.answer import answer
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.prepare.time_limit import cpu_seconds
from typematch.search.present.facet_counts import has_only_facets, result_selection
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorers

_LIMIT = 20  # hits of a page, which decides how many candidates are retrieved


def query_selection(
    text: str, store: Store, open_embedder: OpenEmbedder | None = None
) -> Selection:
    """Return conditions that exactly the results of ``text`` meet; no conditions without a text.

    Comparing types ends when that of a search for a page would.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: its ``like:`` names no entry.
    """
    if not text.strip():
        return ()
    prepared = prepare_query(text, store)
    ranked = RankedEntries()
    with TypeScorers(store) as scorers:
        limit = prepared.query.limit or _LIMIT
        deadline = Deadline(cpu_seconds=cpu_seconds(prepared))
        context = SearchContext(store, scorers, deadline, open_embedder, limit)
        if not has_only_facets(prepared):
            ranked = answer(prepared, context)
        return result_selection(prepared, ranked, context)
