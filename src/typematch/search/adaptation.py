"""Adapt one entry to a signature: the match of both, with the code that calls the entry."""

from __future__ import annotations

from typematch.errors import UsageError
from typematch.index.store import Store
from typematch.query.entry_signature import compared_signature
from typematch.search.fuse.ranked import RankedEntries, RankedEntry
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.present.adapters import adapter_writer
from typematch.search.present.hits import make_hits
from typematch.search.results import Hit
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.text_channels import entry_condition
from typematch.search.retrieve.type_search import match_functions
from typematch.search.score.deadline import Deadline
from typematch.search.score.name_match import listing_sort_key
from typematch.search.score.scoring import TypeScorers


def adapt_entry(text: str, id_: str, store: Store) -> Hit | None:
    """Return the match of the entry ``id_`` with a query's signature; None if it does not fit.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: the query has no signature, or a ``like:`` names no entry or several.
        KeyError: there is no entry ``id_``.
    """
    prepared = prepare_query(text, store)
    if not prepared.signatures:
        raise UsageError(
            "the query has no signature that an entry could be adapted to",
            text,
            hint="Give the type that you need: (size: number, items: T[]) => T[][]",
        )
    number = store.entry_numbers([id_])[id_]
    with TypeScorers(store) as scorers:
        context = SearchContext(store, scorers, Deadline(), limit=1)
        matches = match_functions(prepared, context, (entry_condition([number]),))
    match = matches.by_entry.get(number)
    if match is None:
        return None
    summary = store.summaries([number])[number]
    entry = RankedEntry(summary, listing_sort_key(summary), 0.0, match)
    [hit] = make_hits(
        [entry],
        RankedEntries([entry]),
        store,
        prepared.query,
        compared_signature(prepared.query),
        adapter_writer(prepared, store),
    )
    return hit
