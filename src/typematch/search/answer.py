"""Answer a prepared query: with relaxation, and a request in prose clause by clause.

Service operations are ranked for all clauses of a request together.  Code is searched with the
whole request and with each clause, and the rankings are merged by best rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.index.entries.selection import Condition, GlobCondition, Selection
from typematch.index.store import Store
from typematch.index.text.full_text import full_text_query
from typematch.index.text.words import words_of
from typematch.match.strictness import Strictness
from typematch.query.model import Query
from typematch.search.executor import rank_query
from typematch.search.fuse.merging import concatenate, exact_names_first, merge_clauses
from typematch.search.fuse.ranked import RankedEntries, RankedEntry
from typematch.search.prepare.clauses import action_verb, content_word_count, split_clauses
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.prepare.relaxation import filter_relaxations, query_relaxations
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.dense import vector_search
from typematch.search.retrieve.lexical import MAX_NAME_WORDS
from typematch.search.retrieve.operation_ranking import OperationRanking, rank_operations
from typematch.search.score.name_match import sort_key

_OPERATIONS = Condition("kind", (GlobCondition("operation"),))
_SERVICE_KINDS = frozenset(("operation", "service", "schema"))
_MIN_OPERATIONS = 50  # operations that are ranked, at least
_MIN_CONTENT_WORDS = 2  # per clause, in a request for several things in code
_MIN_ENTRIES = 3  # with fewer, filters from a sentence are given up
_NO_SERVICES = "No services were selected: that needs a request in words that operations can serve."


def answer(prepared: PreparedQuery, context: SearchContext) -> RankedEntries:
    """Return the entries for a query, best first.

    Raises:
        UsageError: a ``like:`` names no entry, or several.
    """
    if prepared.empty_scopes:
        return RankedEntries()
    if not _is_prose(prepared.query):
        return _without_services(_with_relaxation(prepared, context), context)
    operations, conditions = _rank_operations(prepared, context)
    if operations is None:
        return _without_services(_search_code(prepared, context), context)
    ranked = _ranked_operations(operations, conditions, context.store)
    if context.services is not None:
        return ranked
    if len(prepared.query.words.split()) <= MAX_NAME_WORDS:
        ranked = exact_names_first(ranked, _with_relaxation(prepared, context))
    if not context.store.operations().has_code:
        return ranked
    code = _search_code(prepared, context)
    is_about_code = _describes_function(prepared.query) or _is_nearer_to_code(
        operations.clauses, conditions, context
    )
    return concatenate(code, ranked) if is_about_code else concatenate(ranked, code)


def _is_prose(query: Query) -> bool:
    """Return whether the words of a query are a request, not a list of search terms.

    A quoted name in a request (`rename it to "Current"`) is part of the request.
    """
    if query.signature is not None or query.type is not None or query.name:
        return False
    terms = full_text_query(query.words)
    quoted = sum(len(words_of(phrase)) for phrase in query.phrases)
    has_few_others = len(terms.words) - quoted <= MAX_NAME_WORDS
    is_phrase_search = bool(quoted) and has_few_others and not action_verb(query.words)
    return bool(terms) and not terms.excluded and not is_phrase_search


def _without_services(ranked: RankedEntries, context: SearchContext) -> RankedEntries:
    """Add a notice if services were to be selected."""
    if context.services is None:
        return ranked
    return replace(ranked, notices=(*ranked.notices, _NO_SERVICES))


# Relaxation ---------------------------------------------------------------------------------------


def _with_relaxation(prepared: PreparedQuery, context: SearchContext) -> RankedEntries:
    """Rank the entries; while there are none, give up parts of the query."""
    ranked = _with_sentence_filters(prepared, context)
    if ranked.entries or context.deadline.has_stopped:
        return ranked
    for relaxed in query_relaxations(prepared.query):
        found = rank_query(replace(prepared, query=relaxed.query), context)
        if found.entries:
            sentences = (*relaxed.sentences, *found.relaxed)
            return replace(found, relaxed=sentences, left_out=relaxed.left_out)
    return ranked


def _with_sentence_filters(prepared: PreparedQuery, context: SearchContext) -> RankedEntries:
    """Rank the entries that meet the sentence's filters; while there are few, give up filters."""
    filters = prepared.sentence_constraints
    ranked = rank_query(prepared, context, filters)
    if prepared.query.strict:
        return ranked
    for relaxed in filter_relaxations(filters):
        if len(ranked.entries) >= _MIN_ENTRIES:
            break
        ranked = rank_query(prepared, context, relaxed.constraints)
        ranked = replace(ranked, relaxed=(*relaxed.sentences, *ranked.relaxed))
    return ranked


# Operations ---------------------------------------------------------------------------------------


def _rank_operations(
    prepared: PreparedQuery, context: SearchContext
) -> tuple[OperationRanking | None, Selection]:
    """Return the operations for a request (None: there are none) and the request's conditions."""
    query, store = prepared.query, context.store
    if not len(store.operations()):
        return None, ()
    conditions = context.conditions(query.constraints, Strictness.WITH_EDITS)
    ranking = rank_operations(
        query.words,
        store,
        (*conditions, _OPERATIONS) if conditions else (),
        context.open_embedder,
        limit=None if context.limit is None else max(context.limit, _MIN_OPERATIONS),
        services=context.services,
    )
    return ranking if ranking.operations else None, conditions


def _ranked_operations(
    ranking: OperationRanking, conditions: Selection, store: Store
) -> RankedEntries:
    summaries = store.summaries([operation.entry for operation in ranking.operations])
    has_clauses = len(ranking.clauses) > 1
    ranked = [
        RankedEntry(
            summaries[operation.entry],
            sort_key(0, 0.0, summaries[operation.entry]),
            0.0,
            channels=operation.channels,
            fused_score=operation.score,
            clause=ranking.clauses[operation.clause] if has_clauses else "",
            provides_for=operation.provides_for,
        )
        for operation in ranking.operations
    ]
    return RankedEntries(
        ranked,
        complete=len(ranked) == ranking.total,
        notices=(ranking.problem,) if ranking.problem else (),
        conditions=conditions,
        clauses=ranking.clauses if has_clauses else (),
        services=ranking.services,
    )


def _describes_function(query: Query) -> bool:
    """Return whether a sentence has parameters and a result, unlike a request to services."""
    sentence = query.sentence
    return sentence is not None and bool(sentence.parameters) and sentence.returns is not None


def _is_nearer_to_code(
    clauses: Sequence[str], conditions: Selection, context: SearchContext
) -> bool:
    """Return whether the nearest entry of most clauses, by vectors, is code."""
    if context.open_embedder is None:
        return False
    nearest: list[int] = []
    for clause in clauses:
        hits = vector_search(clause, context.store, conditions, context.open_embedder, limit=1)
        nearest += hits.cosines
    kinds = [summary.kind for summary in context.store.summaries(nearest).values()]
    return 2 * sum(kind not in _SERVICE_KINDS for kind in kinds) > len(kinds)


# Code ---------------------------------------------------------------------------------------------


def _search_code(prepared: PreparedQuery, context: SearchContext) -> RankedEntries:
    """Search with the whole request and each of its clauses."""
    query = prepared.query
    whole = _with_relaxation(prepared, context)
    clauses = _code_clauses(query)
    if not clauses or not query.is_by_relevance:
        return whole
    answers = [
        rank_query(replace(prepared, query=replace(query, words=clause, sentence=None)), context)
        for clause in clauses
    ]
    return merge_clauses(whole, clauses, answers)


def _code_clauses(query: Query) -> tuple[str, ...]:
    """Return the clauses of a request for several things; none for a request for one thing."""
    names_one_entry = query.sentence is not None and query.sentence.kind
    if query.phrases or names_one_entry:  # "functions that take a string and return a number"
        return ()
    clauses = split_clauses(query.words)
    are_specific = all(content_word_count(clause) >= _MIN_CONTENT_WORDS for clause in clauses)
    return clauses if len(clauses) > 1 and are_specific else ()
