"""Make the scorers of one search from its target types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import cast
from weakref import WeakKeyDictionary, proxy

from typematch.ir.declaration import Declarations
from typematch.ir.intern import replace_fields
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import (
    ANY,
    NEVER,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Object,
    Reference,
    Type,
    VariableKind,
)
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import (
    CHEAPEST_REJECTED_COST,
    HIGHEST_COST,
    MORE_SPECIFIC,
    NARROWER_RESULT,
    Edit,
)
from typematch.match.edits.conversions import Conversion, cheapest_conversion
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import (
    QuerySignature,
    replace_wildcards,
    to_query_signature,
)
from typematch.match.edits.subtyping_edits import subtyping_edits
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.prefilter.relation_pool import RelationPool
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict
from typematch.program.reduction.bounded import expanded
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.limits import TOO_DEEP, LimitReached, Limits
from typematch.program.reduction.skolemize import erasure
from typematch.search.score.type_scorer import TypeScorer

# In a class member the type parameters of the class are skolems, as in the compiler.
_OUTER_SKOLEMS = tuple(Free(VariableKind.OUTER, index) for index in range(64))
# One search compares thousands of types, so each comparison has a small budget.
_SEARCH_LIMITS = Limits(steps=2_000, depth=48, expansion=32, tail=200, product=1_000)
_TYPE_LIMITS = Limits(steps=1_000, depth=24, expansion=12, tail=50)


@lru_cache(maxsize=8_192)
def skolemize_outer(type_: Type) -> Type:
    """Return ``type_`` with skolems for the type parameters of its enclosing classes."""
    return instantiate(type_, _OUTER_SKOLEMS)


# The relations and head types of each store outlive a search.
_relation_pools: WeakKeyDictionary[Declarations, RelationPool] = WeakKeyDictionary()
_lock = Lock()  # of ``_relation_pools`` and of the numbers of their users


def _relation_pool_of(declarations: Declarations) -> RelationPool:
    variances = None
    pool = _relation_pools.get(declarations)
    if pool is not None:
        if pool.is_current(declarations):
            if pool.is_within_size_limit:
                return pool
            variances = pool.variances
        if not pool.users:
            pool.release()
    # Weak proxy: the pool must not keep its own key alive.
    pool = RelationPool(cast(Declarations, proxy(declarations)), variances)
    _relation_pools[declarations] = pool
    return pool


class TypeScorers:
    """Makes the scorers of one search; they share one relation per set of limits, and its caches.

    A ``with`` statement releases the caches at its end.
    """

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        with _lock:
            self._relation_pool = _relation_pool_of(declarations)
        self._head_cache = self._relation_pool.head_cache
        self._search_relation: Relation | None = None
        self._matchers: dict[Strictness, Matcher] = {}

    def __enter__(self) -> TypeScorers:
        with _lock:
            # Another search may have released the pool that was there a moment ago.
            self._relation_pool = _relation_pool_of(self._declarations)
            self._relation_pool.users += 1
        self._head_cache = self._relation_pool.head_cache
        return self

    def __exit__(self, *_: object) -> None:
        with _lock:
            pool = self._relation_pool
            pool.users -= 1
            if pool.users:
                return
            if _relation_pools.get(self._declarations) is pool:
                pool.trim()
            else:
                pool.release()  # another one took its place during the search

    def relation(self, strictness: Strictness) -> Relation:
        """Return the relation that decides assignability.

        That of ``ASSIGNABLE`` has full limits.
        """
        if strictness is Strictness.ASSIGNABLE:
            return self._relation_pool.full_relation()
        if self._search_relation is None:
            self._search_relation = self._relation_pool.search_relation(_SEARCH_LIMITS)
        return self._search_relation

    def is_assignable(
        self, source: Type, target: Type, strictness: Strictness = Strictness.WITH_EDITS
    ) -> bool:
        """Return whether ``source`` is assignable to ``target``; wildcards count as ``any``."""
        relation = self.relation(strictness)
        return bool(relation.assign(replace_wildcards(source), replace_wildcards(target)))

    def conversion(self, source: Type, target: Type) -> Conversion | None:
        """Return the cheapest conversion of a value; None if there is none."""
        strict = self._matcher(Strictness.WITH_EDITS).strict
        try:
            conversion = cheapest_conversion(
                strict, replace_wildcards(source), replace_wildcards(target)
            )
        except (LimitReached, RecursionError):
            return None
        return conversion if isinstance(conversion, Conversion) else None

    def _matcher(self, strictness: Strictness) -> Matcher:
        matcher = self._matchers.get(strictness)
        if matcher is None:
            matcher = Matcher(self.relation(strictness), strictness, self._head_cache)
            self._matchers[strictness] = matcher
        return matcher

    def function_scorer(
        self,
        target: Object,
        variables: Sequence[str],
        strictness: Strictness = Strictness.WITH_EDITS,
        *,
        is_called_twice: bool = False,
    ) -> TypeScorer:
        """Return the scorer of function types for a query signature.

        Args:
            variables: the names of the signature's type parameters.
            is_called_twice: the signature's result is a function that is called, too.
        """
        relation = self.relation(strictness)
        query = to_query_signature(
            target, relation.reducer, variables, is_called_twice=is_called_twice
        )
        if strictness is Strictness.ASSIGNABLE:
            skolemized = self._relation_pool.class_skolems.skolemized
            return TypeScorer(self._strict_verdict(query, relation), member_type=skolemized)
        matcher = self._matcher(strictness)

        def scorer_of_members(outer: tuple[TypeParameter, ...]) -> TypeScorer:
            return TypeScorer(
                lambda candidate, ceiling: _match(matcher, candidate, query, ceiling, outer),
                lambda candidate, at_most: _lower_bound(matcher, candidate, query, at_most, outer),
            )

        return replace(
            scorer_of_members(()),
            query=(target, *variables, strictness, is_called_twice),
            scorer_of_members=scorer_of_members,
        )

    def _strict_verdict(
        self, query: QuerySignature, relation: Relation
    ) -> Callable[[Type, int | None], Verdict]:
        """Return the verdict of the strict relation, behind a quick reject."""
        reducer = relation.reducer
        generic, skolemized = _with_rest(query.generic, query), _with_rest(query.skolemized, query)
        erased = erasure(reducer, generic)
        target = Object(calls=(generic,))
        quick_reject = QuickReject(
            self._head_cache,
            reducer,
            computed_may_be_any=True,
            placeholders_may_be_any=query.mentions_any_or_never,
        )

        def may_match(source: Signature, target: Signature) -> bool:
            return quick_reject.signature_may_be_assignable(source, target, strict_variance=True)

        def any_may_match(calls: Sequence[Signature]) -> bool:
            if len(calls) == 1:
                return may_match(self._head_cache.placeholders.substitute(calls[0]), skolemized)
            # signaturesRelatedTo erases type parameters where the source has overloads.
            return any(may_match(erasure(reducer, call), erased) for call in calls)

        def verdict(candidate: Type, _: int | None) -> Verdict:
            source = skolemize_outer(candidate)
            if isinstance(source, Object) and not any_may_match(source.calls):
                return Misfit("call", source, target)
            return relation.assign(source, target)

        return verdict

    def type_scorer(self, target: Type) -> TypeScorer:
        """Return the scorer of named types for ``target``.

        Generic aliases of a conditional or indexed access type never fit: without type arguments
        they stay deferred, and comparing them is expensive.  Neither do aliases of ``any`` and
        ``never``, which are assignable to everything.
        """
        target = replace_wildcards(target)
        relation = Relation(self._declarations, limits=_TYPE_LIMITS)
        matcher = Matcher(relation, head_cache=self._head_cache)

        def verdict(candidate: Type, _: int | None) -> Verdict:
            if self._is_computed_alias(candidate):
                return Misfit("type", candidate, target)
            source = skolemize_outer(candidate)
            if expanded(relation.reducer, source) in (ANY, NEVER):
                return Misfit("type", candidate, target)
            result = matcher.relation.assign(source, target)
            if not isinstance(result, Fit):
                return result
            edits = subtyping_edits(
                matcher.strict, source, target, path="$", name="it", is_result=True
            )
            return Fit(tuple(map(_as_type_edit, edits)))

        return TypeScorer(verdict)

    def _is_computed_alias(self, type_: Type, levels: int = 4) -> bool:
        """Whether a generic alias is, or leads to, a conditional or indexed access type."""
        if not isinstance(type_, Reference) or not type_.arguments or not levels:
            return False
        declaration = self._declarations.get(type_.target)
        if declaration is None or declaration.kind != "alias" or declaration.type is None:
            return False
        return isinstance(declaration.type, Conditional | IndexedAccess) or self._is_computed_alias(
            declaration.type, levels - 1
        )


def is_strict(strictness: Strictness) -> bool:
    """Return whether only fits without edits count, as in the compiler."""
    return strictness in (Strictness.ASSIGNABLE, Strictness.EXACT)


def cost_ceiling(strictness: Strictness) -> int | None:
    """Return the highest cost of a match, in edit units; None for no limit."""
    match strictness:
        case Strictness.EXACT:
            return 0
        case Strictness.LOOSE:
            return None
        case Strictness.WITH_EDITS:
            return HIGHEST_COST
        case _:
            return CHEAPEST_REJECTED_COST - 1


def _match(
    matcher: Matcher,
    candidate: Type,
    query: QuerySignature,
    ceiling: int | None,
    outer_parameters: tuple[TypeParameter, ...],
) -> Verdict:
    if not isinstance(candidate, Object):
        return Misfit("call", candidate, "a function")
    function, outer_count = close_over_container(candidate, outer_parameters)
    try:
        return matcher.match(function, query, ceiling=ceiling, outer_count=outer_count)
    except LimitReached as limit:
        return Undecided(limit.reason)
    except RecursionError:
        return Undecided(TOO_DEEP)


def _lower_bound(
    matcher: Matcher,
    candidate: Type,
    query: QuerySignature,
    at_most: int | None,
    outer_parameters: tuple[TypeParameter, ...],
) -> int | None:
    if not isinstance(candidate, Object):
        return None
    function, outer_count = close_over_container(candidate, outer_parameters)
    try:
        return matcher.lower_bounds.lower_bound(function, query, outer_count, at_most)
    except (LimitReached, RecursionError):
        return 0  # nothing is known


def _as_type_edit(edit: Edit) -> Edit:
    """Replace narrower-result by more-specific, the wording for type searches."""
    return replace(edit, kind=MORE_SPECIFIC) if edit.kind is NARROWER_RESULT else edit


def _with_rest(signature: Signature, query: QuerySignature) -> Signature:
    """Return the signature with a rest parameter of ``any`` if the query ended in ``...``."""
    if not query.allows_more:
        return signature
    rest = Parameter("rest", Array(ANY), rest=True)
    return replace_fields(signature, parameters=(*signature.parameters, rest))
