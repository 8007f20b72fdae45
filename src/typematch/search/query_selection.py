"""Express the result of a query as SQL conditions, for counting facets and for enrichment."""

from __future__ import annotations

from typematch.index.entries.selection import Selection
from typematch.index.store import Store
from typematch.search.answer import answer
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.present.facet_counts import has_only_facets, result_selection
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.score.deadline import TimeLimit
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.time_limit import search_deadline

_LIMIT = 20  # hits of a page, which decides how many candidates are retrieved


def query_selection(
    text: str,
    store: Store,
    open_embedder: OpenEmbedder | None = None,
    *,
    seconds: TimeLimit = None,
    is_page: bool = False,
    may_relax: bool = True,
) -> Selection:
    """Return conditions that exactly the results of ``text`` meet; no conditions without a text.

    Args:
        seconds: time limit for comparing types; what was found so far counts.
        is_page: without ``seconds``, the limit is that of a search for a page.
        may_relax: whether a query of facets alone is relaxed if it has no results.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: its ``like:`` names no entry.
    """
    if not text.strip():
        return ()
    prepared = prepare_query(text, store)
    with TypeScorers(store) as scorers:
        limit = prepared.query.limit or _LIMIT
        deadline = search_deadline(prepared, seconds, is_page=is_page)
        context = SearchContext(store, scorers, deadline, open_embedder, limit)
        if has_only_facets(prepared):
            selection = result_selection(prepared, RankedEntries(), context)
            if not may_relax or store.select(selection, limit=1):
                return selection  # it is not relaxed, so nothing need be ranked
        return result_selection(prepared, answer(prepared, context), context)
