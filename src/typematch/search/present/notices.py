"""Sentences for the user about a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized

from typematch.index.store import Store
from typematch.index.text.words import split_identifier
from typematch.query.model import Query
from typematch.query.read_as import constraint_text
from typematch.query.signature.type_expr import is_type
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.llm_protocols import StageReport, skipped_notice
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.prepare.spelling import spelling_notices
from typematch.search.retrieve.text_channels import query_words
from typematch.search.score.deadline import Deadline

# How the notice of a search that reached its time limit begins.
SEARCH_ENDED = "The search ended after"
_NAMED = 100  # the first hits, whose names are compared with the name before ``::``


def search_notices(
    prepared: PreparedQuery, ranked: RankedEntries, deadline: Deadline, store: Store
) -> Iterator[str]:
    """Yield what the user should know about the query and the time limit."""
    yield from prepared.notices
    yield from prepared.empty_scopes
    yield from ranked.notices
    if prepared.empty_scopes:
        return
    yield from spelling_notices(prepared.query, store, found=bool(ranked.entries))
    yield from _type_as_words_notice(prepared.query)
    yield from _unmatched_name_notice(prepared.query, ranked, store)
    if deadline.stopped_after is not None:
        yield (f"{SEARCH_ENDED} {deadline.stopped_after:.2f} s; there may be more and better hits.")
    elif not ranked.entries:
        yield _no_hits_notice(prepared.query, store)


def _unmatched_name_notice(query: Query, ranked: RankedEntries, store: Store) -> Iterator[str]:
    """Yield a sentence if no hit has a word of the name before ``::`` in its name.

    Words that occur nowhere are named by ``spelling_notices``.
    """
    if query.signature is None and query.type is None:
        return
    words = frozenset(split_identifier(query.name))
    if not words or not ranked.entries or len(store.unknown_words(sorted(words))) == len(words):
        return
    for entry in ranked.entries[:_NAMED]:
        if words.intersection(split_identifier(entry.summary.id)):
            return
    yield f"No hit has {query.name} in its name; the hits were found by their types."


def _type_as_words_notice(query: Query) -> Iterator[str]:
    """Yield which queries find a type if the words of the query are one: ``Promise<string>``."""
    text = query.words
    if text == query.text.strip() and text.endswith((">", "]", "}")) and is_type(text):
        yield (
            f"A type alone is read as words: returns:({text}) finds functions that return it, "
            f"param:({text}) functions that accept it."
        )


def _one_of(texts: Sized) -> str:
    return "it" if len(texts) == 1 else "one of them"


def missing_ids_notice(count: int) -> list[str]:
    """Return the notice that hits of an earlier search no longer exist; none for 0."""
    if not count:
        return []
    noun = "hit is" if count == 1 else "hits are"
    return [f"{count} {noun} no longer in this database."]


def stage_notices(reports: Sequence[StageReport]) -> Iterator[str]:
    for report in reports:
        if skipped := skipped_notice(report):
            yield skipped
        yield from filter(None, report.notes)


def _no_hits_notice(query: Query, store: Store) -> str:
    """Return one sentence: why there is no hit."""
    if not store.count():
        return "This database is empty: nothing has been indexed yet."
    texts = dict.fromkeys(constraint_text(constraint) for constraint in query.constraints)
    facets = " ".join(texts)
    if query.signature is not None and query.strictness.value in ("assignable", "exact"):
        return (
            f"No function here fits so strictly; without is:{query.strictness.value} "
            "the nearest ones are listed, with their edits."
        )
    if facets and (query.signature or query.type or split_identifier(query_words(query))):
        return f"There are no hits with {facets}; leave {_one_of(texts)} out to see more."
    if facets:
        return f"No entry meets {facets}; leave {_one_of(texts)} out to see more."
    if query.type is not None:
        return "No interface, class or alias here is assignable to this type."
    if query.signature is not None:
        return "No function here is close to this signature."
    return "No name here has any of these words."
