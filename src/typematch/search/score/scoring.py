"""Make the judge of a query: the function that says how far a found type is from the asked one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast
from weakref import WeakKeyDictionary, proxy

from typematch.ir.declaration import Declarations
from typematch.ir.intern import replaced
from typematch.ir.lift import standing_alone
from typematch.ir.types import (
    ANY,
    Array,
    Conditional,
    Free,
    IndexedAccess,
    Object,
    Parameter,
    Reference,
    Signature,
    Type,
)
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import MORE_SPECIFIC, NARROWER_RESULT, TIER_CEILINGS, Edit
from typematch.match.edits.matcher import Matcher
from typematch.match.edits.query_signature import QuerySignature, any_for_wildcards, asked_for
from typematch.match.edits.similarity import distance
from typematch.match.edits.subtyping_edits import gap
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.strictness import Strictness
from typematch.match.verdict import DEARER, Fit, Misfit, Undecided, Verdict, charged
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.limits import LimitReached, Limits
from typematch.program.reduction.skolemize import erasure


@dataclass(frozen=True, slots=True)
class TypeScorer:
    """How far a found type is from the asked one.

    Attributes:
        verdict: takes the found type and the most that a fit may cost, None for no bound.
        bound: the least that the type may cost, quickly told; None where it cannot fit.
        distance: of types with one bound, the smaller one is the likelier to fit.
        work: counted steps that the judge has taken so far.
        least: what every fit costs at the least.
        member: makes what ``verdict`` takes of a member's type and the key of its container.
    """

    verdict: Callable[[Type, int | None], Verdict]
    bound: Callable[[Type], int | None] = lambda _: 0
    distance: Callable[[Type], int] = lambda _: 0
    work: Callable[[], int] = lambda: 0
    least: int = 0
    member: Callable[[Type, str], Type] = lambda found, _: found


def changed(
    judge: TypeScorer, edit: Edit, *, most: int | None = None, only: Callable[[Type], bool] = bool
) -> TypeScorer:
    """Return the judge of a changed question, each fit dearer by the change.

    Args:
        most: what else may be amiss with a fit, in edit units; None for no bound.
        only: what may fit at all.
    """
    dearest = None if most is None else most + edit.price

    def verdict(found: Type, ceiling: int | None) -> Verdict:
        if dearest is not None:
            ceiling = dearest if ceiling is None else min(ceiling, dearest)
        judged = charged(lambda room: judge.verdict(found, room), (edit,), ceiling)
        is_at_most = dearest is not None and ceiling == dearest
        if is_at_most and isinstance(judged, Misfit) and judged.kind == DEARER:
            return _TOO_DEAR  # no use in judging it again with more room
        return judged

    def bound(found: Type) -> int | None:
        least = judge.bound(found) if only(found) else None
        if least is None:
            return None
        least += edit.price
        return None if dearest is not None and least > dearest else least

    return replace(judge, verdict=verdict, bound=bound, least=judge.least + edit.price)


_TOO_DEAR = Misfit("call", "the function", "what was asked for in another way")

# To the compiler the type parameters of a class are rigid in its methods.
# Serial numbers of their own, so that they never meet the relation's variables.
_RIGID = tuple(Free(-1001 - i) for i in range(64))
# Thousands of types are compared for one question: each may cost little.
_SEARCH_LIMITS = Limits(steps=400, depth=48, expansion=32, tail=200, product=1_000)
_TYPE_LIMITS = Limits(steps=1_000, depth=24, expansion=12, tail=50)


@lru_cache(maxsize=32_768)
def open_outer(found: Type) -> Type:
    """Return ``found`` with rigid variables for the type parameters of the classes around it."""
    return instantiate(found, _RIGID)


# What is known of the types of each store, kept from query to query.
_kept: WeakKeyDictionary[Declarations, HeadCache] = WeakKeyDictionary()


def _heads_of(declarations: Declarations) -> HeadCache:
    known = _kept.get(declarations)
    if known is not None and not known.is_good(declarations):
        known = None
    if known is None or not known.is_small:
        # What is kept for a store must not keep the store.
        itself = cast(Declarations, proxy(declarations))
        known = _kept[declarations] = HeadCache(itself, None if known is None else known.variances)
    return known


class TypeScorers:
    """One relation, and so one memory, for everything that a query compares."""

    def __init__(self, declarations: Declarations, strictness: Strictness) -> None:
        heads = _heads_of(declarations)
        if strictness is Strictness.ASSIGNABLE:
            self.relation = heads.strict()
        else:
            self.relation = Relation(
                declarations,
                limits=_SEARCH_LIMITS,
                variances=heads.variances,
                patient=heads.strict,
            )
        self._declarations = declarations
        self.strictness = strictness
        self._heads = heads
        self._matcher = Matcher(self.relation, strictness, heads)

    def __enter__(self) -> TypeScorers:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what was learnt for one query: a hundred thousand objects in cycles.

        The collector would find them too, and take a tenth of a second for it.
        """
        matcher = self._matcher
        parts = [matcher.calling, matcher.bounds, matcher.prices, matcher.glance, matcher]
        if self.strictness is not Strictness.ASSIGNABLE:
            parts += [self.relation.reducer, self.relation]
        for part in parts:
            vars(part).clear()

    @property
    def is_strict(self) -> bool:
        """Whether all answers are what the compiler itself accepts."""
        return self.strictness in (Strictness.ASSIGNABLE, Strictness.EXACT)

    @property
    def tiers(self) -> int:
        """How many tiers may hold answers."""
        if self.is_strict:
            return 1
        return len(TIER_CEILINGS) - (self.strictness is Strictness.SOFT)

    def assigns(self, source: Type, target: Type) -> bool:
        return bool(self.relation.assign(settled(source), settled(target)))

    def functions(self, asked: Object, variables: Sequence[str]) -> TypeScorer:
        """Return the judge of function types against ``asked``; its variables have these names."""
        ready = asked_for(asked, self.relation.reducer, variables)
        if self.strictness is Strictness.ASSIGNABLE:
            return TypeScorer(self._strictly(ready), member=self._heads.containers.opened)
        return TypeScorer(
            lambda found, ceiling: self._soft(found, ready, ceiling),
            lambda found: self._bound(found, ready),
            lambda found: self._distance(found, ready),
            lambda: self._matcher.work,
        )

    def _strictly(self, asked: QuerySignature) -> Callable[[Type, int | None], Verdict]:
        """Return the compiler's verdict; what cannot fit at a glance is not looked at twice."""
        binder = _with_further(asked.binder, asked)
        target = Object(calls=(binder,))
        reducer = self.relation.reducer
        glance = QuickReject(self._heads, reducer, wary=True, vague=asked.vague)
        rigid, erased = _with_further(asked.rigid, asked), erasure(reducer, binder)

        def may_fit(calls: Sequence[Signature]) -> bool:
            if len(calls) == 1:
                return glance.signatures(self._heads.bounded(calls[0]), rigid, one_way=True)
            # Of overloads the compiler compares each with ``any`` for all type parameters.
            return any(
                glance.signatures(erasure(reducer, call), erased, one_way=True) for call in calls
            )

        def verdict(found: Type, _: int | None) -> Verdict:
            opened = open_outer(found)
            if isinstance(opened, Object) and not may_fit(opened.calls):
                return Misfit("call", opened, target)
            return self.relation.assign(opened, target)

        return verdict

    def _distance(self, found: Type, asked: QuerySignature) -> int:
        if not isinstance(found, Object):
            return 0
        return distance(standing_alone(found)[0], asked, self._matcher.glance)

    def _bound(self, found: Type, asked: QuerySignature) -> int | None:
        if not isinstance(found, Object):
            return None
        alone, outer = standing_alone(found)
        return self._matcher.bounds.of(alone, asked, outer)

    def _soft(self, found: Type, asked: QuerySignature, ceiling: int | None) -> Verdict:
        if not isinstance(found, Object):
            return Misfit("call", found, "a function")
        alone, outer = standing_alone(found)
        try:
            return self._matcher.match(alone, asked, ceiling=ceiling, outer=outer)
        except LimitReached as limit:
            return Undecided(limit.reason)
        except RecursionError:
            return Undecided("types nest too deep")

    def types(self, asked: Type) -> TypeScorer:
        """Return the judge of named types against ``asked``.

        A generic alias that computes (``T extends ... ? ... : ...``) is no type before it has its
        arguments, and the dearest thing there is to compare: it never fits.
        """
        ready = settled(asked)
        matcher = Matcher(Relation(self._declarations, limits=_TYPE_LIMITS))

        def judge(found: Type, _: int | None) -> Verdict:
            if self._computes(found):
                return Misfit("type", found, ready)
            opened = open_outer(found)
            verdict = matcher.relation.assign(opened, ready)
            if not isinstance(verdict, Fit):
                return verdict
            slack = gap(matcher, opened, ready, path="$", name="it", result=True)
            return Fit(tuple(map(_of_a_type, slack)))

        return TypeScorer(judge)

    def _computes(self, found: Type) -> bool:
        if not isinstance(found, Reference) or not found.arguments:
            return False
        declared = self._declarations.get(found.target)
        return declared is not None and isinstance(declared.type, Conditional | IndexedAccess)


def _of_a_type(edit: Edit) -> Edit:
    """Return what is said of a result as it is said of a type."""
    return replace(edit, kind=MORE_SPECIFIC) if edit.kind is NARROWER_RESULT else edit


def settled(asked: Type) -> Type:
    """Return a type as asked with ``any`` for its wildcards, as the relation knows it."""
    return any_for_wildcards(asked)


def _with_further(signature: Signature, asked: QuerySignature) -> Signature:
    """Return a signature as asked for, for the compiler: ``...`` is a rest of anything."""
    if not asked.further:
        return signature
    rest = Parameter("rest", Array(ANY), rest=True)
    return replaced(signature, parameters=(*signature.parameters, rest))
