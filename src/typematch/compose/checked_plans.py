"""Match the calls of a plan in the order of execution, with the types that flow through them."""

from __future__ import annotations

from dataclasses import dataclass

from typematch.adapt.pipeline_model import (
    ArgumentSource,
    Constant,
    EarlierResult,
    Given,
    ObjectOf,
)
from typematch.compose import pipeline_costs
from typematch.compose.functions import Function
from typematch.compose.goal import Goal
from typematch.compose.plans import (
    Fill,
    FromCall,
    FromLiteral,
    FromQuery,
    FromSlot,
    FromValues,
    Plan,
)
from typematch.compose.type_facts import TypeFacts, is_any_or_unknown, result_of
from typematch.compose.work import Work
from typematch.index.store import Store
from typematch.ir.constructors import object_type
from typematch.ir.lift import close_over_container
from typematch.ir.type_parts import Parameter, Property, Signature
from typematch.ir.types import UNKNOWN, VOID, WILDCARD, Object, Type
from typematch.match.edit_kinds import AWAITED, HIGHEST_COST, RECEIVER_FIRST, WRAPPED, Edit
from typematch.match.verdict import Fit, add_edits

_CEILING = HIGHEST_COST  # edit units, of one step


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call that matches.

    Attributes:
        query: the function type of its arguments and its expected result.
        result: its value's type, awaited if ``awaited``.
    """

    function: Function
    query: Object
    fit: Fit
    sources: tuple[ArgumentSource, ...]
    names: tuple[str, ...]
    result: Type
    awaited: bool
    cost: int


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan all of whose calls match, in the order of execution."""

    calls: tuple[CheckedCall, ...]
    cost: int
    unchecked: bool


class PlanChecker:
    """Matches the calls of the plans for one goal; matches are memoized."""

    def __init__(self, goal: Goal, facts: TypeFacts, store: Store, work: Work) -> None:
        self._goal, self._facts, self._store, self._work = goal, facts, store, work
        self._fits: dict[tuple[int, Object], Fit | None] = {}

    def check(self, plan: Plan) -> CheckedPlan | None:
        """Return the plan with the matches of its calls; None if one does not match."""
        done: dict[int, int] = {}
        calls: list[CheckedCall] = []
        if not self._check_call(plan, 0, done, calls):
            return None
        cost = plan.flow_cost + sum(call.cost for call in calls)
        if self._goal.is_promised:
            is_wrapped = any(edit.kind is WRAPPED for edit in calls[-1].fit.edits)
            if (is_wrapped or plan.unchecked) and not any(call.awaited for call in calls):
                cost += pipeline_costs.PROMISE_EXPECTED
        else:
            is_awaited = any(edit.kind is AWAITED for edit in calls[-1].fit.edits)
            if any(call.awaited for call in calls) or is_awaited:
                cost += pipeline_costs.PROMISE_UNEXPECTED
        return CheckedPlan(tuple(calls), cost, plan.unchecked)

    def _check_call(
        self, plan: Plan, index: int, done: dict[int, int], calls: list[CheckedCall]
    ) -> bool:
        planned = plan.calls[index]
        parameters, sources = [], []
        for position, fill in planned.fills:
            for needed in _needed_calls(fill):
                if needed not in done and not self._check_call(plan, needed, done, calls):
                    return False
            value = self._value(fill, done, calls)
            if value is None:
                return False
            source, t, optional = value
            declared = planned.function.signature.parameters
            name = declared[min(position, len(declared) - 1)].name
            sources.append(source)
            parameters.append(Parameter(name, t, optional))
        is_last = index == 0
        expected = self._goal.returns if is_last and not plan.unchecked else WILDCARD
        query = Object(calls=(Signature(tuple(parameters), expected),))
        fit = self._fit(planned.function, query)
        if fit is None or self._is_captured(planned.function, query):
            return False
        result, awaited = self._facts.awaited(result_of(planned.function.signature, fit))
        if not is_last and (is_any_or_unknown(result) or result is VOID):
            return False
        is_promised = self._goal.is_promised
        edits = [e for e in fit.edits if not (is_promised and e.kind is WRAPPED)]
        cost = pipeline_costs.edit_cost(edits)
        done[index] = len(calls)
        calls.append(
            CheckedCall(
                planned.function,
                query,
                fit,
                tuple(sources),
                tuple(self._text(source) for source in sources),
                result,
                awaited and not is_last,
                cost,
            )
        )
        return True

    def _fit(self, function: Function, query: Object) -> Fit | None:
        key = (function.number, query)
        if key not in self._fits:
            self._work.count()
            self._fits[key] = self._match(function.number, query)
        return self._fits[key]

    def _is_captured(self, function: Function, query: Object) -> bool:
        """Whether an earlier overload takes the arguments: the compiler calls the first one."""
        if not function.overload:
            return False
        self._work.count()
        [call] = query.calls
        passed = call.parameters[1:] if function.is_method else call.parameters
        target = Object(calls=(Signature(passed, UNKNOWN),))
        numbers = self._store.signatures_of(function.entry.number)[: function.overload]
        return any(self._facts.is_assignable(self._closed(number), target) for number in numbers)

    def _closed(self, number: int) -> Type:
        t = self._store.type(number)
        return close_over_container(t)[0] if isinstance(t, Object) else t

    def _match(self, number: int, query: Object) -> Fit | None:
        t = self._store.type(number)
        assert isinstance(t, Object)
        edits: tuple[Edit, ...] = ()
        if number < 0:
            edits = (Edit(RECEIVER_FIRST, "$.parameters[0]", t.calls[0].parameters[0].type),)
        verdict = add_edits(
            lambda ceiling: self._facts.verdict(query, t, ceiling or 0), edits, _CEILING
        )
        return verdict if isinstance(verdict, Fit) else None

    def _value(
        self, fill: Fill, done: dict[int, int], calls: list[CheckedCall]
    ) -> tuple[ArgumentSource, Type, bool] | None:
        """Return where a value comes from, its type, and whether it is optional."""
        match fill:
            case FromQuery(index):
                argument = self._goal.arguments[index]
                return Given(index), argument.type, argument.optional
            case FromLiteral(text, t):
                return Constant(text), t, False
            case FromCall(call, path, part, is_checked):
                step = done[call]
                t = calls[step].result if part is None else part
                return EarlierResult(step, path, is_checked), t, False
            case FromValues(properties):
                values, types = [], []
                for name, inner in properties:
                    value = self._value(inner, done, calls)
                    if value is None:
                        return None
                    values.append((name, value[0]))
                    types.append(Property(name, value[1], value[2]))
                return ObjectOf(tuple(values)), object_type(types), False
            case FromSlot():
                return None

    def _text(self, source: ArgumentSource) -> str:
        match source:
            case Given(index):
                return self._goal.arguments[index].name or f"argument {index + 1}"
            case Constant(text):
                return text
            case EarlierResult(call, path, _):
                reads = "".join(f".{read.name}" if read.name else "[0]" for read in path)
                return f"step {call + 1}{reads}"
            case ObjectOf(properties):
                inner = ", ".join(f"{name}: {self._text(value)}" for name, value in properties)
                return f"{{ {inner} }}"


def _needed_calls(fill: Fill) -> list[int]:
    match fill:
        case FromCall(call):
            return [call]
        case FromValues(properties):
            return [call for _, inner in properties for call in _needed_calls(inner)]
        case _:
            return []
