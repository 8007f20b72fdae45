"""Rank the entries for one prepared query, as it is: without clauses and relaxation.

A signature or type selects the entries; words beside a signature only order them.  Words alone are
looked up in names, texts and vectors, and the types that a sentence describes are one more channel.
A query of facets alone lists the entries that meet them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from typematch.index.entries.selection import Selection
from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import FullTextQuery, full_text_query
from typematch.index.text.verbalize import signature_words
from typematch.index.text.words import split_identifier
from typematch.index.vectors.embedding import TermModel
from typematch.ir.intern import replace_fields
from typematch.ir.type_parts import Parameter, Signature
from typematch.query.model import Constraint, SentenceConstraints
from typematch.search.fuse.fusion import top_entries, with_structural
from typematch.search.fuse.merging import channel_ranks, fuse_channels, order_type_matches
from typematch.search.fuse.ranked import RankedEntries, RankedEntry
from typematch.search.prepare.facet_conditions import (
    exact_type_conditions,
    id_conditions,
)
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.prepare.sentence_filters import sentence_conditions
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.dense import all_cosines, opened_model
from typematch.search.retrieve.retrieved import RetrievedByType, RetrievedByWords
from typematch.search.retrieve.text_channels import (
    MIN_DEPTH,
    TextChannels,
    entry_condition,
    plain_words,
    query_words,
    text_channels,
)
from typematch.search.retrieve.type_search import match_functions, match_sentence, match_types
from typematch.search.score.name_match import listing_sort_key, name_scorer
from typematch.search.score.ranks import relative_scores, tied_ranks
from typematch.search.score.scoring import is_strict
from typematch.search.score.term_similarity import term_scores
from typematch.search.score.type_match import TypeMatch

_NO_WORDS = "The query has no words, only punctuation."
_WIDENED = "few signatures are close, so dearer hits are listed too"
_MAX_COMPARED_COST = 1_500  # edit units; dearer signatures are not compared by words
_POOL = 60  # entries found by words whose types are compared
# Words of a signature that find entries: a word in a twentieth of all texts weighs 3.  On labelled
# queries of two corpora, signatures had nDCG@10 .824 and .820 with these words, .820 and .820 with
# all of them, and .813 and .781 if words find none.
_MIN_WORD_WEIGHT = 3.0
# The same for a sentence: with 60 nDCG@10 of sentences is the same on both corpora, with 25 lower.
_SENTENCE_POOL = 40
_ASYNC_WORDS = frozenset(("async", "asynchronous", "sync", "synchronous"))
_COMPARED = 100  # the best entries, whose words are compared one by one
# Parameter names that say nothing: those that the parser generates, and single letters.
_UNNAMED = re.compile(r"arg\d+|.")


def rank_query(
    prepared: PreparedQuery, context: SearchContext, filters: Sequence[Constraint] = ()
) -> RankedEntries:
    """Return the entries for a query, best first.

    Args:
        filters: those of ``prepared.sentence_constraints`` that must hold.

    Raises:
        UsageError: a ``like:`` names no entry, or several.
    """
    query, store = prepared.query, context.store
    conditions = context.conditions(query.constraints, query.strictness)
    words = query_words(query)
    if prepared.types or (prepared.signatures and not words):
        return _rank_by_type(prepared, context, conditions)
    if prepared.signatures:
        return _rank_by_type_and_words(prepared, context, conditions)
    if not words or not full_text_query(words, query.phrases).has_words:
        if words and not query.constraints:
            return RankedEntries(notices=(_NO_WORDS,))
        return _list_entries(prepared, context, conditions)
    sentence_filters = sentence_conditions(filters, store) if filters else ()
    ranked = _rank_by_words(prepared, context, (*conditions, *sentence_filters))
    return replace(ranked, conditions=conditions)


def _rank_by_type(
    prepared: PreparedQuery, context: SearchContext, conditions: Selection
) -> RankedEntries:
    query = prepared.query
    name_words = split_identifier(query.name)
    selection = (*conditions, *id_conditions(name_words))
    match = match_functions if prepared.signatures else match_types
    matches = match(prepared, context, selection)
    found = dict(matches.by_entry)
    pages = {number: matches.page_of(match) for number, match in found.items()}
    similarity: dict[int, float] = {}
    if prepared.signatures and not is_strict(query.strictness):
        words = _signature_query(prepared)
        found |= _match_similar_signatures(prepared, words, context, selection, found, pages)
        similarity = _similarity_by_page(words, context.store, found, pages)
    summaries = context.store.summaries(found)
    name_score = name_scorer(name_words or split_identifier(query.words))
    share_in_name = _share_in_name(prepared)
    name_scores = {number: name_score(summary) for number, summary in summaries.items()}
    by_type = RetrievedByType(
        {number: found[number] for number in found if name_scores[number] or not name_words},
        pages,
        name_scores,
        {number: score for number, score in similarity.items() if summaries[number].exported},
        {number: share_in_name(summary) for number, summary in summaries.items()},
        summaries,
    )
    context.variant.observe(by_type)
    ranked = order_type_matches(by_type, context.variant.weights)
    ranks = tied_ranks({number: match.cost for number, match in by_type.matches.items()})
    ranks_of = channel_ranks(ranks, similarity)
    return RankedEntries(
        [entry._replace(channels=ranks_of(entry)) for entry in ranked],
        matches.complete,
        (_WIDENED,) if matches.widened and ranked else (),
    )


def _share_in_name(prepared: PreparedQuery) -> Callable[[EntrySummary], float]:
    """Return a function to the share of the words of parameters in an entry's name.

    ``(selector: string) => _`` asks for ``querySelector`` rather than for ``closest``.
    """
    calls = [call for signature in prepared.signatures for call in signature.calls]
    names = [parameter.name for parameter in calls[0].parameters] if calls else []
    typed = [name for name in names if name and not _UNNAMED.fullmatch(name)]
    words = frozenset(word for name in typed for word in split_identifier(name))
    if not words:
        return lambda _: 0.0
    return lambda summary: len(words.intersection(split_identifier(summary.name))) / len(words)


def _match_similar_signatures(
    prepared: PreparedQuery,
    query: FullTextQuery,
    context: SearchContext,
    selection: Selection,
    found: Mapping[int, TypeMatch],
    pages: dict[int, int],
) -> Mapping[int, TypeMatch]:
    """Match the entries whose signatures have the most of the query's rarer words.

    They are listed on the first page, although they may cost more than its other entries.  Common
    words, such as `string`, count only where nothing was found: ranking all their texts takes long.

    Args:
        query: the words of the query's signature.
        found: the matches so far; the others of these entries are returned.
        pages: by entry, from 0; these entries are added.
    """
    words = query.words
    if found:
        weights = zip(words, context.store.word_weights(words), strict=True)
        words = tuple([word for word, weight in weights if weight >= _MIN_WORD_WEIGHT])
    by_words = context.store.lexical(FullTextQuery(words), selection, limit=_POOL)
    pool = [number for number, _ in by_words]
    others = sorted(number for number in pool if number not in found)
    matches: Mapping[int, TypeMatch] = {}
    if others:
        condition = entry_condition(others)
        matches = match_functions(prepared, context, (condition,), whole_selection=True).by_entry
    pages.update(dict.fromkeys([number for number in pool if number in found], 0))
    pages.update(dict.fromkeys(matches, 0))
    return matches


def _similarity_by_page(
    query: FullTextQuery,
    store: Store,
    found: Mapping[int, TypeMatch],
    pages: Mapping[int, int],
) -> dict[int, float]:
    """Return ``_lexical_similarity`` of the matches, page by page.

    So the order of a page does not depend on how many pages were asked for.
    """
    costs_by_page: dict[int, dict[int, float]] = {}
    for number, match in found.items():
        costs_by_page.setdefault(pages[number], {})[number] = match.cost
    similarity: dict[int, float] = {}
    for costs in costs_by_page.values():
        similarity |= _lexical_similarity(query, store, costs)
    return similarity


def _lexical_similarity(
    query: FullTextQuery, store: Store, costs: Mapping[int, float]
) -> Mapping[int, float]:
    """Return how similar the words of matched signatures are to the query's, 1.0 for the best.

    Names of parameters and types order matches of similar cost: ``ms`` is nearer to a delay than
    to a count.  Matches without cost need no order.
    """
    compared = [number for number, cost in costs.items() if 0 < cost <= _MAX_COMPARED_COST]
    if not compared:
        return {}
    scores = store.lexical(query, (entry_condition(compared),), limit=len(compared))
    best = max((score for _, score in scores), default=0.0)
    return {number: score / best for number, score in scores if best > 0 and score > 0}


def _signature_query(prepared: PreparedQuery) -> FullTextQuery:
    """Return the words of the query's signature.

    A letter as the name of a variable says nothing: `<A>(x: A) => A` is `<T>(x: T) => T`.
    """
    [call] = prepared.signatures[0].calls
    text = signature_words(_without_uninformative_names(call), prepared.variables)
    query = full_text_query(text)
    letters = {name.lower() for name in prepared.variables if len(name) == 1}
    return replace(query, words=tuple([word for word in query.words if word not in letters]))


def _without_uninformative_names(call: Signature) -> Signature:
    parameters = tuple(
        Parameter("", parameter.type, parameter.optional, parameter.rest)
        if _UNNAMED.fullmatch(parameter.name)
        else parameter
        for parameter in call.parameters
    )
    return replace_fields(call, parameters=parameters)


def _rank_by_type_and_words(
    prepared: PreparedQuery, context: SearchContext, conditions: Selection
) -> RankedEntries:
    """Rank the entries that match the signature; the text channels only order them."""
    texts = _text_channels(prepared, context, conditions)
    matches = match_functions(prepared, context, conditions)
    by_entry = dict(matches.by_entry)
    weights = context.variant.weights
    pool = top_entries(texts.channels, weights.channels["signature"], _POOL)
    if pool:
        selection = (entry_condition(pool),)
        found = match_functions(prepared, context, selection, whole_selection=True)
        for number, match in found.by_entry.items():
            by_entry.setdefault(number, match)
    channels = {
        channel: {number: score for number, score in scores.items() if number in by_entry}
        for channel, scores in texts.channels.items()
    }
    ranked = _fused(prepared, context, texts, channels, "signature", by_entry)
    relaxed = (_WIDENED,) if matches.widened and ranked else ()
    complete = matches.complete and not texts.truncated
    return RankedEntries(ranked, complete, relaxed, notices=texts.notices)


def _rank_by_words(
    prepared: PreparedQuery, context: SearchContext, conditions: Selection
) -> RankedEntries:
    texts = _text_channels(prepared, context, conditions)
    has_sentence = prepared.query.sentence is not None
    weights = context.variant.weights.channels["sentence"]
    pool = top_entries(texts.channels, weights, _SENTENCE_POOL) if has_sentence else []
    matches = match_sentence(prepared.query, context, texts, pool, conditions)
    query_kind = "words"
    if matches:
        sentence = prepared.query.sentence
        query_kind = "sentence" if sentence is not None and sentence.describes_types else "mention"
    ranked = _fused(prepared, context, texts, texts.channels, query_kind, matches)
    return RankedEntries(ranked, not texts.truncated, notices=texts.notices)


def _text_channels(
    prepared: PreparedQuery, context: SearchContext, conditions: Selection
) -> TextChannels:
    depth = 10 * MIN_DEPTH if context.limit is None else max(MIN_DEPTH, 2 * context.limit)
    return text_channels(
        prepared.query,
        context.store,
        conditions,
        context.open_embedder,
        depth=depth,
        weights=context.variant.weights,
    )


def _fused(
    prepared: PreparedQuery,
    context: SearchContext,
    texts: TextChannels,
    channels: Mapping[str, Mapping[int, float]],
    query_kind: str,
    matches: Mapping[int, TypeMatch],
) -> list[RankedEntry]:
    """Return the entries of the text channels and the type matches, best first.

    Args:
        query_kind: a key of ``Weights.channels``.
    """
    weights = context.variant.weights
    numbers = dict.fromkeys(number for found in (matches, *channels.values()) for number in found)
    others = [number for number in numbers if number not in texts.summaries]
    summaries = {**texts.summaries, **context.store.summaries(others)}
    words = query_words(prepared.query)
    scores = channels
    if query_kind != "signature":
        terms = _without_kind(words, prepared.query.sentence)
        scores = _completed(terms, context, texts, channels, query_kind, matches, summaries)
    found = RetrievedByWords(words, query_kind, channels, scores, matches, summaries)
    context.variant.observe(found)
    return fuse_channels(found, weights)


def _without_kind(words: str, sentence: SentenceConstraints | None) -> str:
    """Return words without those for the kind of an entry and for async, which are no terms."""
    if sentence is None:
        return words
    said = {sentence.kind, *sentence.flags}
    if sentence.asynchronous is not None:
        said |= _ASYNC_WORDS
    return " ".join(word for word in words.split() if word.lower().strip(",.") not in said)


def _completed(
    words: str,
    context: SearchContext,
    texts: TextChannels,
    channels: Mapping[str, Mapping[int, float]],
    query_kind: str,
    matches: Mapping[int, TypeMatch],
    summaries: Mapping[int, EntrySummary],
) -> Mapping[str, Mapping[int, float]]:
    """Return the channels with the cosines of all entries and their packages, and ``terms``.

    ``terms`` are of the best entries by the other channels.
    """
    if texts.vector is None or "dense" not in channels:
        return channels
    numbers = {number for found in (matches, *channels.values()) for number in found}
    cosines = all_cosines(texts.vector, numbers, context.store)
    channels = {**channels, "dense": relative_scores(cosines)}
    packages = context.store.package_cosines(texts.vector)
    # Not relative to the best one: of packages that are all far, none is preferred.
    of_packages = {
        number: max(0.0, packages[package])
        for number in numbers
        if (package := summaries[number].package) in packages
    }
    if of_packages:
        channels["package"] = of_packages
    model: object = opened_model(context.store, context.open_embedder)
    if isinstance(model, TermModel):
        weights = context.variant.weights
        known = with_structural(channels, matches, weights)
        compared = top_entries(known, weights.channels[query_kind], _COMPARED)
        best = [summaries[number] for number in compared]
        terms = term_scores(plain_words(words), best, model, context.store)
        channels = {**channels, "terms": terms}
    return channels


def _list_entries(
    prepared: PreparedQuery, context: SearchContext, conditions: Selection
) -> RankedEntries:
    """Return all entries that meet the facets of a query; those of the very types come first."""
    store = context.store
    summaries = store.summaries(store.select(conditions)).values()
    exact = exact_type_conditions(prepared.query.constraints, store) if summaries else ()
    first = frozenset(store.select((*conditions, *exact))) if exact else frozenset()
    ranked = [RankedEntry(summary, listing_sort_key(summary), 1.0) for summary in summaries]
    ranked.sort(key=lambda entry: (entry.summary.number not in first, entry.sort_key))
    return RankedEntries(ranked, conditions=conditions)
