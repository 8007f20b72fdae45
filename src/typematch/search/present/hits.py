"""Make the hits of a page from ranked entries."""

from __future__ import annotations

import math
from collections.abc import Sequence

from typematch.index.store import Store
from typematch.index.text.words import split_identifier
from typematch.ir.entry import Entry, EntrySignature
from typematch.match.edit_kinds import Edit
from typematch.query.model import Query
from typematch.search.fuse.ranked import RankedEntries, RankedEntry
from typematch.search.present.adapters import AdapterWriter
from typematch.search.present.doc_markup import doc_text
from typematch.search.present.snippets import snippet
from typematch.search.present.type_links import type_ids
from typematch.search.results import Hit
from typematch.search.retrieve.text_channels import query_words
from typematch.search.score.alignment import AlignmentEdge, align
from typematch.search.score.edit_text import rendered_edits
from typematch.search.score.name_match import listing_sort_key
from typematch.search.score.type_match import TypeMatch


def sorted_entries(
    ranked: Sequence[RankedEntry], sort: str, page_size: int | None
) -> Sequence[RankedEntry]:
    """Return the entries in the order of ``sort:``; by relevance they stay as they are.

    By cost the cheapest of all come first; by name and path the most relevant page is sorted.
    """
    if sort == "cost":
        return sorted(ranked, key=lambda entry: (entry.sort_key[0], entry.summary.id))
    page = list(ranked[:page_size])
    if sort == "name":
        page.sort(key=lambda entry: (entry.summary.name.lower(), entry.summary.id))
    elif sort == "path":
        page.sort(key=lambda entry: (entry.summary.path, entry.summary.line, entry.summary.id))
    return [*page, *ranked[len(page) :]]


def page_of_ids(ids: Sequence[str], ranked: RankedEntries, store: Store) -> list[RankedEntry]:
    """Return the entries with these ids that still exist, in this order.

    Those that ``ranked`` does not have any more have no match and score 0.
    """
    by_id = {entry.summary.id: entry for entry in ranked.entries}
    others = store.entry_numbers([id_ for id_ in ids if id_ not in by_id])
    summaries = store.summaries(others.values())
    for id_, number in others.items():
        summary = summaries[number]
        by_id[id_] = RankedEntry(summary, listing_sort_key(summary), 0.0)
    return [by_id[id_] for id_ in ids if id_ in by_id]


def make_hits(
    page: Sequence[RankedEntry],
    ranked: RankedEntries,
    store: Store,
    query: Query,
    signature: EntrySignature | None,
    adapters: AdapterWriter | None = None,
) -> tuple[Hit, ...]:
    """Return the hits of a page.

    Args:
        ranked: all entries, of which ``page`` is a part.
        signature: the query's, to which matches are aligned; None for no alignment.
        adapters: writes the adapters of matches; None for no adapters.
    """
    words = split_identifier(query_words(query))
    numbers = [entry.summary.number for entry in page]
    entries = store.entries(numbers)
    overloads = store.overloads(numbers, ranked.conditions)
    users = store.summaries([entry.provides_for for entry in page if entry.provides_for])
    hits = []
    links = type_ids(entries, store)
    for entry, ranked_entry, types in zip(entries, page, links, strict=True):
        match, clause = ranked_entry.match, ranked_entry.clause
        user = users.get(ranked_entry.provides_for)
        edits = rendered_edits(entry, match)
        hits.append(
            Hit(
                entry=entry,
                score=ranked_entry.score,
                cost=None if match is None or math.isinf(match.cost) else match.cost,
                edits=edits,
                types=types,
                channels=ranked_entry.channels,
                overload=match.overload if match else overloads.get(ranked_entry.summary.number),
                undecided=match.undecided if match else "",
                snippet=_snippet(entry, split_identifier(clause) if clause else words),
                clause=clause,
                provides_for=user.id if user else "",
                more=ranked_entry.repetitions,
                alignment=()
                if match is None or signature is None or ranked_entry.from_expansion
                else _alignment(entry, match, signature, edits),
                adapter=adapters.adapter(entry, match)
                if adapters is not None and match is not None and not ranked_entry.from_expansion
                else None,
            )
        )
    return tuple(hits)


def _alignment(
    entry: Entry, match: TypeMatch, signature: EntrySignature, edits: Sequence[Edit]
) -> tuple[AlignmentEdge, ...]:
    if match.undecided or match.overload >= len(entry.signatures):
        return ()
    candidate = entry.signatures[match.overload]
    return align(signature, candidate, match.assignment, edits)


def _snippet(entry: Entry, words: Sequence[str]) -> str:
    return snippet(doc_text(entry.doc), words) if words else ""
