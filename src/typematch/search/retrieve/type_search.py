"""Find entries by the types of a prepared query, of its words' hits, and of its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from typematch.index.entries.selection import Condition, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.ir.types import Object
from typematch.match.strictness import Strictness
from typematch.query.model import Query
from typematch.search.prepare.name_resolution import resolve_signature
from typematch.search.prepare.prepared_query import PreparedQuery, name_scope
from typematch.search.retrieve.context import SearchContext
from typematch.search.retrieve.structural import find_assignable, find_functions, find_types
from typematch.search.retrieve.text_channels import TextChannels, entry_condition
from typematch.search.retrieve.top_k import TypeMatch, TypeMatches
from typematch.search.score.curried_calls import curried, curried_scorer
from typematch.search.score.scoring import is_strict, tier_count
from typematch.search.score.spread_options import spread_options, spread_scorer
from typematch.search.score.type_scorer import TypeScorer

# The compiler does not assign constructors to function types; a soft search shows them.
_NO_CONSTRUCTORS = Condition("kind", (Pattern("constructor"),), negated=True)
# Entries that declare a type.  Constants are left out: their types are rarely searched.
_NAMED_TYPES = Condition(
    "kind",
    tuple(Pattern(kind) for kind in ("interface", "class", "alias", "enum", "schema", "service")),
)
_MIN_MATCHES = 3  # with fewer, misfits are listed too
_MIN_PAGE = 40  # matches whose signatures' words are compared, at least
# For the types of a sentence, by tier.  20 times as many steps find the same entries.
_SENTENCE_STEPS = (500, 250, 150, 100)


def match_functions(
    prepared: PreparedQuery,
    context: SearchContext,
    selection: Selection,
    *,
    all_tiers: bool = False,
) -> TypeMatches:
    """Return the functions that match the query's signatures.

    Args:
        all_tiers: score all selected functions, whatever they cost.
    """
    strictness, limit = prepared.query.strictness, context.limit
    alternatives = _alternatives(prepared, context)
    if is_strict(strictness):
        selection = (*selection, _NO_CONSTRUCTORS)
    if strictness is Strictness.ASSIGNABLE:
        return find_assignable(
            alternatives, context.store, selection=selection, deadline=context.deadline
        )
    widen = not is_strict(strictness) and not all_tiers
    return find_functions(
        alternatives,
        context.store,
        selection=selection,
        page_size=None if all_tiers or limit is None else max(limit, _MIN_PAGE),
        tiers=tier_count(strictness),
        min_matches=min(_MIN_MATCHES, limit or _MIN_MATCHES) if widen else 0,
        deadline=context.deadline,
    )


def _alternatives(
    prepared: PreparedQuery, context: SearchContext
) -> list[tuple[Object, TypeScorer]]:
    """Return the query's signatures, in a soft search also curried and with spread options."""
    strictness = prepared.query.strictness

    def scorer(signature: Object) -> TypeScorer:
        return context.scorers.function_scorer(signature, prepared.variables, strictness)

    alternatives = [(signature, scorer(signature)) for signature in prepared.signatures]
    if is_strict(strictness):
        return alternatives
    for signature in prepared.signatures:
        if (rewritten := curried(signature)) is not None:
            alternatives.append((rewritten, curried_scorer(scorer(rewritten), signature)))
        if (spread := spread_options(signature)) is not None:
            rewritten, name = spread
            alternatives.append((rewritten, spread_scorer(scorer(rewritten), name)))
    return alternatives


def match_types(
    prepared: PreparedQuery, context: SearchContext, selection: Selection
) -> TypeMatches:
    """Return the named types that are assignable to the query's type."""
    targets = [(type_, context.scorers.type_scorer(type_)) for type_ in prepared.types]
    has_kind = any(condition.facet == "kind" for condition in selection)
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

    The entries of ``pool`` are compared whatever they cost.  If the sentence has parameters and a
    result, ``texts.nearby`` (without vectors: all selected entries) is searched for fits of tier 0.
    """
    if query.sentence is None:
        return {}
    # Imported here: most queries are no sentences.
    from typematch.query.english.sentence_constraints import sentence_signature

    parsed = sentence_signature(query.sentence)
    if parsed is None:
        return {}
    resolved = resolve_signature(
        parsed.type, context.store, variables=parsed.variables, scope=name_scope(query.constraints)
    )
    alternatives = [
        (signature, context.scorers.function_scorer(signature, resolved.variables))
        for signature in cast("tuple[Object, ...]", resolved.readings)
    ]
    in_pool = find_functions(
        alternatives,
        context.store,
        selection=(entry_condition(pool),),
        page_size=len(pool) + 1,
        tiers=tier_count(Strictness.SOFT),
        step_budgets=_SENTENCE_STEPS,
        deadline=context.deadline,
    )
    if query.sentence.returns is None or not query.sentence.parameters:
        return in_pool.by_entry
    nearby = selection if texts.nearby is None else (entry_condition(sorted(texts.nearby)),)
    others = find_functions(
        alternatives,
        context.store,
        selection=nearby,
        page_size=context.limit,
        tiers=1,
        step_budgets=_SENTENCE_STEPS,
        deadline=context.deadline,
    )
    return {**others.by_entry, **in_pool.by_entry}
