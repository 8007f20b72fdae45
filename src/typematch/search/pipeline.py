"""Search: prepare the query, retrieve and score entries, fuse the rankings, present the hits.

``answer`` does the middle steps for one query.  Optional stages by a model select packages before
it, search other wordings, and rerank the hits after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.errors import UsageError
from typematch.index.store import Store
from typematch.index.text.full_text import full_text_query
from typematch.query.chips import query_chips
from typematch.query.entry_signature import compared_signature
from typematch.query.model import Query
from typematch.query.read_as import read_as
from typematch.search.answer import answer
from typematch.search.fuse.folding import fold_repetitions, read_repetitions
from typematch.search.fuse.merging import merge_expansions, merge_scopes
from typematch.search.fuse.ranked import RankedEntries
from typematch.search.fuse.reranking import reranked
from typematch.search.llm_protocols import (
    NO_STAGES,
    Expander,
    Reranker,
    ScopeChoice,
    StageReport,
    Stages,
)
from typematch.search.prepare.package_selection import scope_choices, within_scopes
from typematch.search.prepare.prepared_query import PreparedQuery, prepare_query
from typematch.search.prepare.query_expansion import dropped_note, expand_query, is_expandable
from typematch.search.present.adapters import adapter_writer
from typematch.search.present.facet_counts import count_facets as counts_by_facet
from typematch.search.present.facet_counts import result_selection
from typematch.search.present.hits import make_hits, page_of_ids, sorted_entries
from typematch.search.present.notices import missing_ids_notice, search_notices, stage_notices
from typematch.search.results import Hit, SearchResult
from typematch.search.retrieve.closeness import are_close
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.text_channels import query_words
from typematch.search.retrieve.variant import STANDARD, Variant
from typematch.search.score.deadline import TimeLimit
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.time_limit import search_deadline

_COMPARED = 25  # entries, the best of all and the best by words, that decide whether any is close
_NEAREST = 3  # entries that are listed if none is close
_NOT_CLOSE = "Nothing here is close to this; the nearest entries are listed."


def search(
    text: str,
    store: Store,
    *,
    limit: int | None,
    max_limit: int | None = None,
    page: int = 1,
    open_embedder: OpenEmbedder | None = None,
    services: int | None = None,
    count_facets: bool = False,
    only: Sequence[str] | None = None,
    stages: Stages = NO_STAGES,
    seconds: TimeLimit = None,
    variant: Variant = STANDARD,
) -> SearchResult:
    """Return the best ``limit`` hits for ``text``; None for all.  Its own ``limit:`` overrides it.

    Args:
        max_limit: the largest ``limit:`` of a query; above it, a notice says so.
        page: 2 for the next ``limit`` hits, and so on; only the first page is reranked.
        open_embedder: opens the model of the vectors; without it only types and words count.
        services: only operations of the best so many services.
        count_facets: count the values of facets among all entries found.
        only: ids of entries that an earlier search for the same text found.  These are the hits,
            in this order; a notice counts those that no longer exist.
        stages: what a model does.
        seconds: time limit for comparing types; a notice says if it was reached.  None: no limit
            for all hits; for a page 10 seconds of CPU time, 1.5 for sentences and very large types.
        variant: how a measurement changes the search.

    Raises:
        QuerySyntaxError: the query cannot be parsed.
        UsageError: its ``like:`` names no entry, a limit is negative, or ``page`` is not positive.
    """
    if limit is not None and limit < 0:
        raise UsageError(
            f"the limit of hits is {limit}", hint="Give 0 or more hits, or None for all."
        )
    if page < 1:
        raise UsageError(f"the page is {page}", hint="The first page is 1.")
    prepared = prepare_query(text, store)
    if not variant.sentences:
        plain = replace(prepared.query, sentence=None)
        prepared = replace(prepared, query=plain, sentence_constraints=())
    query = prepared.query
    deadline = search_deadline(prepared, seconds, is_page=limit is not None)
    limit, limit_notices = _hit_limit(query, limit, max_limit)
    reranker = stages.reranker if page == 1 else None
    page_size = _page_size(query, limit, reranker)
    with TypeScorers(store) as scorers:
        context = SearchContext(
            store, scorers, deadline, open_embedder, page_size, services, variant
        )
        ranked, reports = _answer_with_stages(prepared, context, stages)
        if stages.expander is None:
            ranked = _without_chance_hits(prepared, ranked, context)
        if query_words(query) and variant.folding:
            repetitions = read_repetitions([entry.summary for entry in ranked.entries], store)
            ranked = replace(ranked, entries=fold_repetitions(ranked.entries, repetitions))
        facets = None
        if count_facets:
            facets = counts_by_facet(result_selection(prepared, ranked, context), store)
    notices = [*limit_notices, *search_notices(prepared, ranked, context.deadline, store)]
    if only is None:
        listed = sorted_entries(ranked.entries, query.sort, page_size)
        start = (page - 1) * (limit or 0)
        shown = listed[start:][:page_size]
    else:
        shown = listed = page_of_ids(only, ranked, store)
        start = 0
        notices += missing_ids_notice(len(only) - len(shown))
    signature = None if ranked.clauses else compared_signature(query)
    adapters = None if ranked.clauses else adapter_writer(prepared, store)
    hits: Sequence[Hit] = make_hits(shown, ranked, store, query, signature, adapters)
    if reranker is not None and hits:
        hits, report = _rerank(prepared, hits, store, reranker)
        reports.append(report)
    notices += stage_notices(reports)
    return SearchResult(
        query=text,
        read_as=_read_as(prepared, ranked),
        hits=tuple(hits[:limit]),
        total=len(ranked.entries),
        at_least=context.deadline.has_stopped or not ranked.complete,
        relaxed=ranked.relaxed,
        left_out=ranked.left_out,
        notices=tuple(notices),
        undecided=sum(1 for entry in ranked.entries if entry.match and entry.match.undecided),
        clauses=ranked.clauses,
        services=ranked.services if services is None else ranked.services[:services],
        parts=query_chips(query),
        query_signature=signature,
        ids=(
            *[entry.summary.id for entry in listed[:start]],
            *[hit.entry.id for hit in hits],
            *[entry.summary.id for entry in listed[start + len(hits) :]],
        ),
        facets=facets,
        stages=tuple(reports),
    )


def _hit_limit(
    query: Query, limit: int | None, max_limit: int | None
) -> tuple[int | None, list[str]]:
    """Return the number of hits of a page, and the notice that it is less than requested."""
    if query.limit is None:
        return limit, []
    if max_limit is None or query.limit <= max_limit:
        return query.limit, []
    return max_limit, [f"limit:{query.limit} is too large; an answer has at most {max_limit} hits."]


def _without_chance_hits(
    prepared: PreparedQuery, ranked: RankedEntries, context: SearchContext
) -> RankedEntries:
    """Cut the entries for words to the nearest few, with a notice, if none is close."""
    query, entries = prepared.query, ranked.entries
    terms = full_text_query(query.words, query.phrases)
    is_precise = bool(query.name or query.phrases or terms.excluded or terms.prefixes)
    if not terms.words or is_precise or prepared.signatures or prepared.types:
        return ranked
    if not entries or any(entry.name_score for entry in entries):
        return ranked
    # "async method that takes a key" is answered by types, whatever its words.
    has_type = any(
        constraint.key in ("param", "returns") for constraint in prepared.sentence_constraints
    )
    if has_type and any("structural" in entry.channels for entry in entries[:_COMPARED]):
        return ranked
    texts = (query.words, *ranked.clauses)
    numbers = [
        entry.summary.number
        for rank, entry in enumerate(entries, start=1)
        if rank <= _COMPARED or entry.channels.get("lexical", rank) <= _COMPARED
    ]
    if are_close(
        texts,
        numbers,
        context.store,
        context.open_embedder,
        operations=bool(ranked.services),
    ):
        return ranked
    return replace(
        ranked,
        entries=entries[:_NEAREST],
        services=(),
        notices=(*ranked.notices, _NOT_CLOSE),
    )


def _page_size(query: Query, limit: int | None, reranker: Reranker | None) -> int | None:
    """Return how many hits are needed for a page of ``limit``; a reranker may read more."""
    if reranker is None or limit is None or not query.is_by_relevance:
        return limit
    return max(limit, reranker.candidates)


def _read_as(prepared: PreparedQuery, ranked: RankedEntries) -> str:
    """Return how the query was read; its sentence counts only where code was searched."""
    query = prepared.query
    if not ranked.services or query.sentence is None or query.constraints:
        return prepared.read_as
    return read_as(replace(query, sentence=None))


# Stages of a model --------------------------------------------------------------------------------


def _answer_with_stages(
    prepared: PreparedQuery, context: SearchContext, stages: Stages
) -> tuple[RankedEntries, list[StageReport]]:
    """Answer a query; a model may select packages and services, and add other wordings."""
    ranked = answer(prepared, context)
    reports: list[StageReport] = []
    chosen: Sequence[ScopeChoice] = ()
    if stages.selector is not None and not prepared.empty_scopes:
        choices = scope_choices([entry.summary.number for entry in ranked.entries], context.store)
        chosen, report = stages.selector.select(prepared.query.text, choices)
        reports.append(report)
        if chosen:
            ranked = _answer_in_scopes(prepared, chosen, context)
    if stages.expander is not None and not prepared.empty_scopes:
        ranked, report = _answer_expanded(prepared, ranked, chosen, stages.expander, context)
        reports.append(report)
    return ranked, reports


def _answer_in_scopes(
    prepared: PreparedQuery, chosen: Sequence[ScopeChoice], context: SearchContext
) -> RankedEntries:
    return merge_scopes([answer(scoped, context) for scoped in within_scopes(prepared, chosen)])


def _answer_expanded(
    prepared: PreparedQuery,
    ranked: RankedEntries,
    chosen: Sequence[ScopeChoice],
    expander: Expander,
    context: SearchContext,
) -> tuple[RankedEntries, StageReport]:
    """Merge ``ranked`` with the answers to other wordings, in the chosen scopes."""
    if not is_expandable(prepared.query):
        return ranked, StageReport("expand", skipped="only a query in words is reworded")
    expansion, report = expander.expand(prepared.query.words)
    expanded = expand_query(prepared, expansion, context.store)
    notes = [*report.notes, *expanded.notes]
    answers: dict[str, RankedEntries] = {}
    for text, wording in expanded.wordings.items():
        try:
            answers[text] = _answer_in_scopes(wording, chosen, context)
        except UsageError as error:  # a ``like:`` that names no entry
            notes.append(dropped_note(text, error.what))
    if answers:
        notes.append("Also searched: " + "; ".join(answers) + ".")
        ranked = merge_expansions(ranked, list(answers.values()))
    return ranked, replace(report, notes=tuple(notes))


def _rerank(
    prepared: PreparedQuery, hits: Sequence[Hit], store: Store, reranker: Reranker
) -> tuple[Sequence[Hit], StageReport]:
    """Return the hits, the first ones in the order of a model's judgments."""
    query = prepared.query
    if not query.is_by_relevance:
        return hits, StageReport("rerank", skipped=f"sort:{query.sort} orders the hits")
    first, rest = hits[: reranker.candidates], hits[reranker.candidates :]
    judgments, report = reranker.rerank(query.text, first, store)
    typed = bool(prepared.signatures or prepared.types)
    return [*reranked(first, judgments, typed=typed), *rest], report
