"""Lower bounds of converting one type to another, without inference or the strict relation.

Placeholders stand for whatever value is cheapest, so a bound never exceeds the cost.  Results are
memoized by pair for one search: the same few types meet thousands of times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typematch.ir.constructors import constituents, union, without_parameter_names
from typematch.ir.type_parts import Signature
from typematch.ir.types import (
    ANY,
    NEVER,
    NULL,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Free,
    Intrinsic,
    Literal,
    Object,
    Tuple,
    Type,
    Union,
)
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    IS_ANY,
    NARROWER_RESULT,
    NOT_ANNOTATED,
    UNION_MEMBER,
    WIDER_PARAMETER,
    EditKind,
)
from typematch.match.edits.conversions import ConversionStep, source_steps, target_steps
from typematch.match.edits.subtyping_edits import mentions_any
from typematch.match.prefilter.deferred_types import is_placeholder
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import NO_FIT_COST

_TOP_TYPES = (ANY, UNKNOWN)
_NEVER_VOID = frozenset((Literal, Array, Tuple, Object))
_WITHOUT_HEAD = frozenset((Intrinsic, Literal, Free, Array, Tuple, Object, Union))


class ConversionCosts:
    """Lower bounds for pairs of types, in edit units.

    Args:
        no_fit_cost: the bound of a pair without a conversion; ``NO_FIT_COST`` rejects it.
    """

    def __init__(
        self, quick_reject: QuickReject, head_cache: HeadCache, *, no_fit_cost: int = NO_FIT_COST
    ) -> None:
        self._quick_reject = quick_reject
        self._head_cache = head_cache
        self._no_fit_cost = no_fit_cost
        self._conversion_costs: dict[tuple[Type, Type], int] = {}
        self._argument_costs: dict[tuple[Type, Type], int] = {}
        self._result_costs: dict[tuple[Type, Type], int] = {}
        self._source_steps: dict[Type, list[tuple[int, Type]]] = {}
        self._fully_known: dict[Type, bool] = {}

    def argument_cost(self, argument: Type, parameter: Type) -> int:
        """Return the bound of passing an argument of one type to a parameter of another."""
        key = (argument, parameter)
        cost = self._argument_costs.get(key)
        if cost is None:
            cost = self._argument_costs[key] = self._compute_argument_cost(argument, parameter)
        return cost

    def _compute_argument_cost(self, argument: Type, parameter: Type) -> int:
        if argument is ANY or argument is parameter:
            return 0
        if self._known_head(parameter) in _TOP_TYPES:
            return 0 if argument is UNKNOWN else IS_ANY.cost
        return self.conversion_cost(argument, parameter) or self._subtyping_cost(
            parameter, argument, WIDER_PARAMETER
        )

    def result_cost(self, actual: Type, expected: Type) -> int:
        """Return the bound of a result of type ``actual`` where the query expects ``expected``."""
        key = (actual, expected)
        cost = self._result_costs.get(key)
        if cost is None:
            cost = self._result_costs[key] = self._compute_result_cost(actual, expected)
        return cost

    def _compute_result_cost(self, actual: Type, expected: Type) -> int:
        if expected is ANY or actual is expected:
            return 0
        head = self._known_head(actual)
        if self._known_head(expected) is NEVER:
            return self.conversion_cost(actual, NEVER)
        if head is ANY or head is NEVER or (head is UNKNOWN and expected is VOID):
            return IS_ANY.cost
        if expected is VOID:
            return 0 if self._may_be_void(actual) else NARROWER_RESULT.cost
        return self.conversion_cost(actual, expected) or self._subtyping_cost(
            expected, actual, NARROWER_RESULT
        )

    def _may_be_void(self, t: Type) -> bool:
        if t.__class__ in _NEVER_VOID:
            return False
        if t.__class__ is Union:
            return any(map(self._may_be_void, constituents(t)))
        return t is VOID or is_placeholder(t) or self.is_computed(t)

    def _subtyping_cost(self, wide: Type, narrow: Type, kind: EditKind) -> int:
        """Return the bound of two types that differ although one is assignable to the other."""
        if wide is UNANNOTATED or narrow is UNANNOTATED:
            return 0
        if not self._quick_reject.may_be_assignable(wide, narrow):
            return kind.cost
        both_known = self._is_fully_known(wide) and self._is_fully_known(narrow)
        return (
            ALIAS_FOLLOWED.cost
            if both_known and without_parameter_names(wide) is not without_parameter_names(narrow)
            else 0
        )

    def _known_head(self, t: Type) -> Type | None:
        """Return the head of a type if it is the same for all type arguments, else ``t``."""
        if t.__class__ in _WITHOUT_HEAD or t.loose_depth:
            return t
        head = self._quick_reject.head(t)
        if head is not ANY and any(map(is_placeholder, t.free)):
            return t
        return head

    def _is_fully_known(self, t: Type) -> bool:
        """Whether ``t`` mentions neither ``any`` nor a type parameter of the candidate."""
        known = self._fully_known.get(t)
        if known is None:
            has_variables = t.loose_depth or any(map(is_placeholder, t.free))
            known = self._fully_known[t] = not (has_variables or mentions_any(t))
        return known

    def conversion_cost(self, source: Type, target: Type) -> int:
        """Return the bound of converting one type to another in at most two steps."""
        key = (source, target)
        cost = self._conversion_costs.get(key)
        if cost is None:
            cost = self._conversion_costs[key] = self._compute_conversion_cost(source, target)
        return cost

    def _compute_conversion_cost(self, source: Type, target: Type) -> int:
        if source is UNANNOTATED or target is UNANNOTATED:
            return NOT_ANNOTATED.cost
        may_be_assignable = self._quick_reject.may_be_assignable
        if may_be_assignable(source, target):
            return 0
        best = self._no_fit_cost
        first_steps = self._steps(source, target)
        for cost, intermediate in first_steps:
            if cost < best and may_be_assignable(intermediate, target):
                best = cost
        for cost, intermediate in first_steps:
            if cost < best:
                for second_cost, converted in self._steps(intermediate, target):
                    if cost + second_cost < best and may_be_assignable(converted, target):
                        best = cost + second_cost
        return best

    def _steps(self, source: Type, target: Type) -> Sequence[tuple[int, Type]]:
        """Return (cost, converted type) for each single conversion step."""
        s, t = self._expanded(source) or source, self._expanded(target)
        if t is None:
            return ()
        if s.__class__ is Union:
            s = self._flattened(s)
        from_source = self._source_steps.get(s)
        if from_source is None:
            from_source = self._source_steps[s] = [
                *_with_costs(source_steps(s, self)),
                *self._only_as_part_of(s),
            ]
        return [*from_source, *_with_costs(target_steps(s, t, self))]

    def _only_as_part_of(self, t: Type) -> Iterable[tuple[int, Type]]:
        """Return the step from ``T | undefined`` to one member of T, which may be a union."""
        members = [
            member for member in constituents(t) if member is not NULL and member is not UNDEFINED
        ]
        if t.__class__ is Union and len(members) == 1:
            [member] = members
            if is_placeholder(member) or self._quick_reject.head(member) is None:
                return ((UNION_MEMBER.cost, member),)
        return ()

    def _flattened(self, t: Type) -> Type:
        """Return a union with the members of the unions that its members are aliases of."""
        heads = [self._quick_reject.head(member) for member in constituents(t)]
        if not any(head.__class__ is Union for head in heads):
            return t
        return union(
            member if head is None or head.__class__ is not Union else self._flattened(head)
            for member, head in zip(constituents(t), heads, strict=True)
        )

    def is_computed(self, t: Type) -> bool:
        """Whether the head of a type depends on the values of its type parameters."""
        return self._quick_reject.head(t) is None or self._head_cache.depends_on_variables(t)

    def expand(self, t: Type, /) -> Type:
        """Return the head of ``t``, or its intersection of heads; ``any`` if unknown."""
        return self._expanded(t) or ANY

    def _expanded(self, t: Type) -> Type | None:
        return self._quick_reject.head(t) or self._head_cache.intersection(t)

    def may_be_assignable(self, source: Type, target: Type, /) -> bool:
        return self._quick_reject.may_be_assignable(source, target)

    def single_call(self, t: Type, /) -> Signature | None:
        return self._head_cache.single_call(t)


def _with_costs(steps: Iterable[ConversionStep]) -> list[tuple[int, Type]]:
    return [(kind.cost, converted) for kind, converted, _ in steps]
