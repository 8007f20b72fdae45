"""Decide whether one type is assignable to another, as tsc does under ``strict``.

*Source* and *target* are the checker's words: may a value of type ``source`` be assigned to a
variable of type ``target``?  Internally a result is None if it may and a ``Misfit`` if not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from typematch.ir.declaration import Declarations
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    OBJECT,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    Intersection,
    Mapped,
    Object,
    Reference,
    Tuple,
    Type,
    Union,
)
from typematch.match.assignability.aliases import (
    constraint_related_by_alias,
    declared_union,
    related_by_alias,
    without_outer_alias,
)
from typematch.match.assignability.comparison_stack import ComparisonStack
from typematch.match.assignability.deferred import (
    declared_mapped_to_type_parameter,
    empty_to_optional_mapped,
)
from typematch.match.assignability.intersection_state import IntersectionState
from typematch.match.assignability.members import has_common_property, is_weak, members_related
from typematch.match.assignability.retry import compute_with_variables_of
from typematch.match.assignability.signatures import signature_related
from typematch.match.assignability.simple_types import NO, SIMPLE_CLASSES, YES, simple_types_related
from typematch.match.assignability.structured_types import structured_types_related
from typematch.match.assignability.unions import (
    each_source_member_related,
    target_union_related,
)
from typematch.match.assignability.variance import Variance, Variances, variance_letters
from typematch.match.deep_nesting import TypeParts
from typematch.match.inference.call_results import call_result
from typematch.match.inference.type_arguments import infer_type_arguments, infer_types
from typematch.match.verdict import FIT, Misfit, Undecided, Verdict
from typematch.program.reduction.conditional_types import simplify_conditional
from typematch.program.reduction.costly import CostlyReductions
from typematch.program.reduction.limits import (
    DEFAULT_LIMITS,
    TOO_DEEP,
    VARIANCE_LIMITS,
    LimitReached,
    Limits,
)
from typematch.program.reduction.memo_table import MemoTable
from typematch.program.reduction.recording_reducer import RecordingReducer
from typematch.program.reduction.reduce import Reducer

T = TypeVar("T")
_NONE, _TARGET = IntersectionState.NONE, IntersectionState.TARGET
_MIN_CACHED_MEMBERS = 4  # smaller source unions are not cached, as in the checker
_ALIAS_BODIES = frozenset((Object, Mapped, Conditional))
_WEAK_CHECKED = SIMPLE_CLASSES | {Object, Array, Tuple, Reference, Intersection}


class Relation:
    """Assignability over one set of declarations.

    Results are cached for the life of the object; the budget of steps is per comparison.

    Args:
        variances: known variances by declaration key; relations over the same declarations may
            share the dictionary.
        variance_fallback: returns a relation with ``VARIANCE_LIMITS`` that computes the variances;
            several relations may share it.  None for one of this relation's own.
        computes_variances: this is such a relation.
        retry_limits: limits of a second comparison of what exceeds ``limits``.  It starts with
            empty caches, so the verdict does not depend on what was compared before.
        costly: reductions that this relation takes, and to which it adds its own: it is one of the
            second comparisons of another.
        cache_verdicts: cache ``Undecided`` too.  For relations shared by many queries: the verdict
            on a pair does not change as the caches fill.

    Attributes:
        reducer: reduces types to head normal form and resolves their members.
        comparisons: number of pairs compared structurally so far.
        stack: of the comparison in progress.
    """

    def __init__(
        self,
        declarations: Declarations,
        *,
        limits: Limits = DEFAULT_LIMITS,
        variances: dict[str, Variance | None] | None = None,
        variance_fallback: Callable[[], Relation] | None = None,
        computes_variances: bool = False,
        retry_limits: Limits | None = None,
        costly: CostlyReductions | None = None,
        cache_verdicts: bool = False,
    ) -> None:
        self.limits = limits
        if costly is None:
            self.reducer = Reducer(declarations, oracle=self, limits=limits)
        else:
            self.reducer = RecordingReducer(declarations, costly, oracle=self, limits=limits)
        self._variance_relation: Relation | None = None
        if variance_fallback is None and not computes_variances:
            variance_fallback = self._own_variance_relation
        self.variances = Variances(variances, variance_fallback)
        self.comparisons = 0
        # Caches of the modules beside this one, each filled by the module that reads it.
        self.weak_types: dict[Type, bool] = {}
        self.primitive_unions: dict[Union, bool] = {}
        self.union_members: dict[Union, frozenset[Type]] = {}
        self.discriminant_indexes: dict[Union, tuple[str, dict[Type, Type]]] = {}
        self.discriminant_names: dict[Union, tuple[str, ...]] = {}
        self.parameter_lists: dict[Signature, object] = {}
        self.inference_variables: dict[tuple[Type | None, ...], list[tuple[Free, ...]]] = {}
        self.base_signatures: dict[Signature, Signature] = {}
        self.key_variables: dict[Type, Free] = {}
        self.instantiations: dict[tuple[Signature, Signature], Signature] = {}
        self.calls_in_progress: set[tuple[Type, tuple[Type, ...]]] = set()
        # By pair: proved results, and the variance flags reported while proving them.
        self._results: MemoTable[object, Misfit | bool] = MemoTable()
        self._reported_flags: dict[object, int] = {}
        self.type_parts = TypeParts(self.reducer.with_defaults)
        self.stack = self._new_stack()
        self._depth = 0
        self._verdicts: dict[tuple[Type, Type], Verdict] | None = {} if cache_verdicts else None
        self._retry_limits = retry_limits
        self._retried: dict[object, Any] = {}  # answers by arguments of the entry point
        self._costly = CostlyReductions() if costly is None else costly
        if retry_limits is not None:
            self.reducer.take_from(self._costly)

    def release(self) -> None:
        """Break the reference cycles of relation and reducer; neither is usable after.

        The cyclic collector hardly runs (``gc_tuning``), and finds large caches late.
        """
        self.reducer.oracle = None
        self.reducer.forget()  # resolved members refer to the reducer that instantiates them
        self.variances = Variances()
        if self._variance_relation is not None:
            self._variance_relation.release()
            self._variance_relation = None

    def _own_variance_relation(self) -> Relation:
        if self._variance_relation is None:
            self._variance_relation = Relation(
                self.reducer.declarations,
                limits=VARIANCE_LIMITS,
                variances=self.variances.results,
                computes_variances=True,
            )
        return self._variance_relation

    def start_generation(self) -> None:
        """Drop what was not used since the last call; no comparison may be in progress."""
        self._reported_flags = {
            key: flags for key, flags in self._reported_flags.items() if key in self._results
        }
        self._results.start_generation()
        self.reducer.start_generation()
        for cache in (
            self.weak_types,
            self.primitive_unions,
            self.union_members,
            self.discriminant_indexes,
            self.discriminant_names,
            self.parameter_lists,
            self.base_signatures,
            self.instantiations,
        ):
            cache.clear()
        if self._verdicts is not None:
            self._verdicts.clear()
        self.type_parts = TypeParts(self.reducer.with_defaults)
        self._retried.clear()
        self._costly.start_generation()
        self.stack = self._new_stack()

    @property
    def cache_size(self) -> int:
        """Approximate number of cached types and pairs of types."""
        return len(self._results) + len(self.reducer.reduced) + len(self.instantiations)

    # -- entry points ------------------------------

    def assign(self, source: Type, target: Type) -> Verdict:
        """Return whether ``source`` is assignable to ``target``; both are closed types."""
        if self._verdicts is None:
            return self._assign(source, target)
        verdict = self._verdicts.get((source, target))
        if verdict is None:
            verdict = self._assign(source, target)
            if isinstance(verdict, Undecided):
                self._verdicts[source, target] = verdict
        return verdict

    def _assign(self, source: Type, target: Type) -> Verdict:
        return self._verdict(
            ("assign", source, target),
            lambda relation: relation.related(
                without_outer_alias(relation.reducer, source),
                without_outer_alias(relation.reducer, target),
            ),
        )

    def assign_part(self, source: Type, target: Type) -> Verdict:
        """Return whether ``source`` is assignable to ``target``, both as parts of larger types.

        Unlike in ``assign``, two uses of one alias are compared by their arguments.
        """
        return self._verdict(
            ("part", source, target), lambda relation: relation.related(source, target)
        )

    def assign_signature(self, source: Signature, target: Signature) -> Verdict:
        """Return whether a function of type ``source`` is assignable to one of type ``target``."""
        return self._verdict(
            ("signature", source, target),
            lambda relation: signature_related(relation, source, target),
        )

    def infer_type_arguments(
        self, source: Signature, target: Signature
    ) -> tuple[Type, ...] | Undecided:
        """Infer a type argument for each type parameter of ``source`` from ``target``."""
        return self._decide(
            ("infer", source, target),
            lambda relation: infer_type_arguments(relation, source, target),
        )

    def _verdict(self, key: object, compare: Callable[[Relation], Misfit | None]) -> Verdict:
        result = self._decide(key, compare)
        return FIT if result is None else result

    def _decide(self, key: object, compute: Callable[[Relation], T]) -> T | Undecided:
        """Run ``compute`` within the limits; within ``retry_limits`` if they are exceeded.

        Args:
            key: equal for equal computations.
        """
        if key in self._retried:
            return cast("T | Undecided", self._retried[key])
        answer = self.within_budget(lambda: compute(self))
        if isinstance(answer, Undecided) and self._retry_limits is not None:
            relation = Relation(
                self.reducer.declarations,
                limits=self._retry_limits,
                variances=self.variances.results,
                variance_fallback=self.variances.fallback,
                costly=self._costly,
            )
            answer = self._retried[key] = compute_with_variables_of(self, relation, compute)
        return answer

    def within_budget(self, compute: Callable[[], T]) -> T | Undecided:
        """Run ``compute`` with a full budget of steps; ``Undecided`` where a limit is reached."""
        self.reset_budget()
        try:
            return compute()
        except LimitReached as limit:
            self._abandon_comparison()
            return Undecided(limit.reason)
        except RecursionError:
            self._abandon_comparison()
            return Undecided(TOO_DEEP)

    def within_limits(self, compute: Callable[[], T]) -> T | None:
        """Return the result of ``within_budget``; None where a limit is reached."""
        answer = self.within_budget(compute)
        return None if isinstance(answer, Undecided) else answer

    def reset_budget(self) -> None:
        """Set the number of steps used back to 0; caches stay."""
        self.reducer.steps = 0

    def _abandon_comparison(self) -> None:
        self.stack = self._new_stack()
        self._depth = 0
        self.reducer.depth = 0
        self.variances.abandon()

    def _new_stack(self) -> ComparisonStack:
        return ComparisonStack(self.type_parts, self.limits.nesting)

    # -- the reducer's AssignabilityOracle ------------------------------

    def assignable(self, source: Type, target: Type) -> bool:
        """Return whether ``source`` is assignable, independent of the comparison in progress.

        Raises:
            LimitReached: a limit of ``program.reduction.limits`` was reached.
        """
        if source is target:
            return True
        outer, self.stack = self.stack, self._new_stack()
        try:
            return self.related(source, target) is None
        finally:
            self.stack = outer

    def members_assignable(self, source: Reference, target: Reference) -> bool:
        """Return whether two references are assignable by their members alone.

        Like ``assignable``, independent of the comparison in progress.  Variances are computed with
        it (structuredTypeRelatedTo on marker types).
        """
        outer, self.stack = self.stack, self._new_stack()
        reducer = self.reducer
        try:
            s, t = reducer.normal(source), reducer.normal(target)
            if s.__class__ is Reference and t.__class__ is Reference:
                return members_related(self, s, t) is None
            return self.related(s, t) is None
        finally:
            self.stack = outer

    def infer(
        self,
        variables: Sequence[Free],
        source: Type,
        target: Type,
        *,
        use_constraints: bool = False,
    ) -> tuple[Type | None, ...]:
        """Return the type inferred for each of ``variables`` from ``source`` to ``target``.

        None where nothing is inferred.

        Args:
            use_constraints: infer from the constraints of type variables in ``source`` as well.
        """
        return infer_types(self, variables, source, target, use_constraints=use_constraints)

    def call_result(self, callee: Type, arguments: Sequence[Type], use: str) -> Type:
        """Return the type of a call, independent of the comparison in progress and its limits.

        Raises:
            LimitReached: a limit of ``program.reduction.limits`` was reached.
        """
        outer = self.stack, self._depth, self.limits, self.variances.progress
        self.limits = self.reducer.limits = DEFAULT_LIMITS
        self.stack, self._depth = self._new_stack(), 0
        try:
            return call_result(self, callee, arguments, use)
        finally:
            self.stack, self._depth, self.limits, self.variances.progress = outer
            self.reducer.limits = self.limits

    # -- comparison ------------------------------

    def related(
        self, source: Type, target: Type, state: IntersectionState = _NONE
    ) -> Misfit | None:
        """Return None if ``source`` is assignable to ``target``, else why not (isRelatedTo).

        Raises:
            LimitReached: a limit of ``program.reduction.limits`` was reached.
        """
        if source is target:
            return None
        reducer = self.reducer
        t = reducer.normal(target)
        if t is ANY or t is UNKNOWN:
            return None  # any and unknown accept every source: do not spend steps reducing it
        s = reducer.normal(source)
        if t.__class__ is Conditional:
            t = simplify_conditional(reducer, t)
        if s.__class__ is Conditional:
            s = simplify_conditional(reducer, s)
        if s is t:
            return None
        simple = simple_types_related(reducer, s, t)
        if simple == YES:
            return None
        if simple == NO:
            return Misfit("type", source, target)
        if s.__class__ is Union:
            return self._source_union_related(s, t, state, source, target)
        if t.__class__ is Union:
            return target_union_related(self, s, t, state, source, target)
        if (
            state is not _TARGET
            and s is not OBJECT
            and s.__class__ in _WEAK_CHECKED
            and is_weak(self, t)
            and not has_common_property(self, s, t)
        ):
            return Misfit("weak", source, target)
        return self.related_by_declaration(s, t, state, source, target)

    def _source_union_related(
        self, s: Union, t: Type, state: IntersectionState, source: Type, target: Type
    ) -> Misfit | None:
        """Compare a source union (unionOrIntersectionRelatedTo), members as written.

        As written, two members are known to be uses of one alias.
        """
        declared_source = declared_union(self.reducer, source, s)
        declared_target = declared_union(self.reducer, target, t)
        if len(s.members) < _MIN_CACHED_MEMBERS:
            return each_source_member_related(self, declared_source, declared_target, state)
        return self._cached_related(declared_source, declared_target, state, source, target)

    def related_by_declaration(
        self, s: Type, t: Type, state: IntersectionState, source: Type, target: Type
    ) -> Misfit | None:
        """Try the rules that need the types as written, then compare the normal forms."""
        if source is not s and source.__class__ is Reference and s.__class__ in _ALIAS_BODIES:
            decided, misfit = related_by_alias(self, source, target)
            if decided:
                return misfit
        if s.__class__ is Free and target is not t and constraint_related_by_alias(self, s, target):
            return None
        if (
            source is not s
            and s.__class__ is Object
            and declared_mapped_to_type_parameter(self, source, t)
        ):
            return None
        if target is not t and t.__class__ is Object and empty_to_optional_mapped(self, s, target):
            return None
        return self._cached_related(s, t, state, source, target)

    def _cached_related(
        self, s: Type, t: Type, state: IntersectionState, source: Type, target: Type
    ) -> Misfit | None:
        """Look the pair up, else compare it (recursiveTypeRelatedTo).

        A pair met again while it is being compared is assumed to hold.
        """
        key: object = (s, t, state) if state else (s, t)
        result = self._results.lookup(key)
        if result is not None:
            if key in self._reported_flags:
                self.variances.reported_flags |= self._reported_flags[key]
            return None if result is True else cast(Misfit, result)
        if self.stack.assumes(key):
            return None
        self.reducer.count_step()
        self.comparisons += 1
        if self._depth >= self.limits.depth:
            raise LimitReached(TOO_DEEP)
        return self._compare(key, s, t, state, source, target)

    def _compare(
        self,
        key: object,
        s: Type,
        t: Type,
        state: IntersectionState,
        source: Type,
        target: Type,
    ) -> Misfit | None:
        stack, variances = self.stack, self.variances
        frame = stack.enter(key, source, s, target, t)
        self._depth += 1
        outer_flags, variances.reported_flags = variances.reported_flags, 0
        deeply_nested = frame[-1]
        misfit = None if deeply_nested else structured_types_related(self, s, t, state)
        if variances.reported_flags:
            self._reported_flags[key] = variances.reported_flags
        variances.reported_flags |= outer_flags
        self._depth -= 1
        stack.leave(key, frame, misfit, self._results)
        return misfit

    def variance_letters(self, key: str) -> str | None:
        """Return the variances of a class or interface; None for others and while computing them.

        Raises:
            LimitReached: the computation exceeds the limits.
        """
        return variance_letters(self, key)

    def enter_level(self) -> None:
        """Go one level deeper without comparing a pair of types.

        Raises:
            LimitReached: the depth limit was reached.
        """
        self._depth += 1
        if self._depth > self.limits.depth:
            raise LimitReached(TOO_DEEP)

    def leave_level(self) -> None:
        self._depth -= 1
