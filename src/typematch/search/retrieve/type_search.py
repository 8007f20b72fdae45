"""Find entries by the types of a prepared query, of its words' hits, and of its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from typematch.index.entries.selection import Condition, GlobCondition, Selection
from typematch.index.masks.signature_columns import mentioned_names
from typematch.ir.entry import TYPE_DECLARING_KINDS
from typematch.ir.types import Object
from typematch.match.edit_kinds import CHEAPEST_REJECTED_COST, MISMATCHED
from typematch.match.strictness import Strictness
from typematch.query.model import Query
from typematch.search.prepare.prepared_query import PreparedQuery, resolve_sentence
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.structural import Alternative, FunctionSearch, find_functions
from typematch.search.retrieve.text_channels import TextChannels, entry_condition
from typematch.search.retrieve.top_k import TypeMatches
from typematch.search.retrieve.whole_types import find_assignable, find_types
from typematch.search.score.curried_calls import curried, curried_scorer
from typematch.search.score.scoring import TypeScorers, cost_ceiling, is_strict
from typematch.search.score.spread_options import spread_options, spread_scorer
from typematch.search.score.type_match import TypeMatch
from typematch.search.score.type_scorer import TypeScorer

# The compiler does not assign constructors to function types; a search with edits shows them.
_NO_CONSTRUCTORS = Condition("kind", (GlobCondition("constructor"),), negated=True)
# Entries that declare a type.  Constants are left out: their types are rarely searched.
_NAMED_TYPES = Condition(
    "kind",
    tuple(map(GlobCondition, TYPE_DECLARING_KINDS)),
)
MIN_MATCHES = 3  # with fewer, dearer hits are listed too
# The share of the time limit for a page.  The rest is for entries whose words are the query's:
# a page that ends early has them.
_PAGE_SHARE = 0.85
# The share of a search that lists dearer hits, too, because few signatures are close, once it has
# a match.
_DEARER_SHARE = 0.2
# The highest cost of an entry's match with the types of a sentence.  On the intent task nDCG@10 is
# the same as with 310 (.721 on compiler/, .666 on wide/), at a third less CPU time; with 60 it is
# lower on compiler/ (.714).
_SENTENCE_CEILING = 120


def match_functions(
    prepared: PreparedQuery,
    context: SearchContext,
    selection: Selection,
    *,
    whole_selection: bool = False,
) -> TypeMatches:
    """Return the functions that match the query's signatures.

    Args:
        whole_selection: find all matches in the selection, not those of a page.
    """
    strictness = prepared.query.strictness
    alternatives = alternatives_of(prepared, context.scorers)
    if is_strict(strictness) and not prepared.query.constructs:
        selection = (*selection, _NO_CONSTRUCTORS)
    if strictness is Strictness.ASSIGNABLE:
        return find_assignable(
            alternatives, context.store, selection=selection, deadline=context.deadline
        )
    may_widen = strictness is Strictness.WITH_EDITS and not prepared.query.strict
    widen = may_widen and not whole_selection
    search = FunctionSearch(
        alternatives,
        selection,
        cost_ceiling(strictness),
        MISMATCHED.cost if strictness is Strictness.LOOSE else None,
        MIN_MATCHES if widen else 0,
        1.0 if whole_selection else _PAGE_SHARE,
        _DEARER_SHARE,
    )
    limit = None if whole_selection else context.limit
    return find_functions(search, context.store, limit=limit, deadline=context.deadline)


def alternatives_of(prepared: PreparedQuery, scorers: TypeScorers) -> list[Alternative]:
    """Return the signatures of the query; with edits also curried and with spread options."""
    strictness = prepared.query.strictness

    def scorer(signature: Object, *, is_called_twice: bool = False) -> TypeScorer:
        return scorers.function_scorer(
            signature, prepared.variables, strictness, is_called_twice=is_called_twice
        )

    if prepared.query.signature is None:  # ``like:``: the overloads of an entry
        alternatives = [Alternative(target, scorer(target)) for target in prepared.signatures]
    else:
        alternatives = _readings(prepared.signatures, scorer)
    if is_strict(strictness):
        return alternatives
    for reading in tuple(alternatives):
        if (target := curried(reading.target)) is not None:
            rewritten = curried_scorer(scorer(target, is_called_twice=True), reading.target)
            alternatives.append(_form(reading, target, rewritten))
        if (spread := spread_options(reading.target)) is not None:
            target, name = spread
            rewritten = spread_scorer(scorer(target), name)
            alternatives.append(_form(reading, target, rewritten))
    return alternatives


def _form(reading: Alternative, target: Object, scorer: TypeScorer) -> Alternative:
    """Return a rewritten form of a reading."""
    return Alternative(target, scorer, reading.declarations, reading.target)


def _readings(
    signatures: Sequence[Object], scorer: Callable[[Object], TypeScorer]
) -> list[Alternative]:
    """Return the readings of a signature; only the first is compared with unrelated functions.

    Functions that use none of the declarations that a name may mean cost about the same in each
    reading, and are most of the candidates.
    """
    first = mentioned_names(signatures[0]) if signatures else set()
    return [
        Alternative(signature, scorer(signature), tuple(sorted(mentioned_names(signature) - first)))
        for signature in signatures
    ]


def match_types(
    prepared: PreparedQuery, context: SearchContext, selection: Selection
) -> TypeMatches:
    """Return the named types that are assignable to the query's type."""
    targets = [(type_, context.scorers.type_scorer(type_)) for type_ in prepared.types]
    has_kind = any(condition.key == "kind" for condition in selection)
    selection = selection if has_kind else (*selection, _NAMED_TYPES)
    return find_types(targets, context.store, selection=selection, deadline=context.deadline)


def match_sentence(
    query: Query,
    context: SearchContext,
    texts: TextChannels,
    pool: Sequence[int],
    selection: Selection,
) -> Mapping[int, TypeMatch]:
    """Return the matches of the signature that a sentence describes, by entry.

    The entries of ``pool`` are compared up to a ceiling.  If the sentence has parameters and
    a result, the assignable ones of ``texts.nearby`` (without vectors: of all selected entries) are
    found, too.
    """
    resolved = resolve_sentence(query, context.store)
    if resolved is None or query.sentence is None:
        return {}
    alternatives = _readings(
        cast("tuple[Object, ...]", resolved.readings),
        lambda signature: context.scorers.function_scorer(signature, resolved.variables),
    )
    in_pool = find_functions(
        FunctionSearch(alternatives, (entry_condition(pool),), _SENTENCE_CEILING),
        context.store,
        limit=None,
        deadline=context.deadline,
    )
    if query.sentence.returns is None or not query.sentence.parameters:
        return in_pool.by_entry
    nearby = selection if texts.nearby is None else (entry_condition(sorted(texts.nearby)),)
    others = find_functions(
        FunctionSearch(alternatives, nearby, CHEAPEST_REJECTED_COST - 1),
        context.store,
        limit=context.limit,
        deadline=context.deadline,
    )
    return {**others.by_entry, **in_pool.by_entry}
