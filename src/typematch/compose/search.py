"""Best-first search for the pipelines of one goal, backward from its result.

A plan begins with a slot for the result.  The cheapest plan is extended: its first slot is filled
by each function that gives such a value, cheapest first, whose parameters are filled by arguments
of the query, by literals, or by new slots.  The last call of a plan must be callable with what the
query gives, which the bounds of the index decide for all functions at once.  A plan without slots
is checked: its calls are matched in the order of execution.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np

from typematch.compose import pipeline_costs
from typematch.compose.callable_functions import CallableFunctions
from typematch.compose.checked_plans import CheckedPlan, PlanChecker
from typematch.compose.fills import CallFiller, Filling
from typematch.compose.functions import Function, Functions
from typematch.compose.goal import Goal
from typematch.compose.names import DataName
from typematch.compose.plans import FromCall, Plan, PlanCall, Slot
from typematch.compose.producers import Producer, ProducerStream, reading_producers
from typematch.compose.reads import Reader
from typematch.compose.type_facts import TypeFacts, is_common_type
from typematch.compose.work import Work
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.masks.function_arrays import Flags
from typematch.ir.type_parts import Parameter
from typematch.ir.types import ANY, UNKNOWN, WILDCARD
from typematch.match.edits.instantiation_edits import matched_type_arguments
from typematch.program.reduction.instantiate import instantiate

# Pipelines that cost so much more than the cheapest one are not looked for, in edit units.
_MARGIN = 60
_SMALL_PACKAGE = 400  # function types


class PipelineSearch:
    """The search for one goal.

    Args:
        callable_functions: for the arguments of ``goal``.
        depth: the most calls of a pipeline.
        words: of the query; functions whose names have none of them cost more.
        unchecked: the last call may return any; other results are not looked for.
    """

    def __init__(
        self,
        goal: Goal,
        functions: Functions,
        callable_functions: CallableFunctions,
        facts: TypeFacts,
        work: Work,
        *,
        depth: int,
        words: frozenset[str],
        unchecked: bool = False,
    ) -> None:
        self._goal, self._facts, self._work = goal, facts, work
        self._functions = functions
        self._unchecked = unchecked
        self._reader = Reader(facts)
        self._depth = depth
        self._words = words
        self._filler = CallFiller(goal, facts)
        self._checker = PlanChecker(goal, facts, functions.store, work)
        self._all_used = callable_functions.all_used
        self._callable, self._reach = callable_functions, callable_functions.reach
        self._streams: dict[object, ProducerStream] = {}
        self._near: dict[str, Flags] = {}
        self._tie = count()
        returns = WILDCARD if unchecked else goal.value
        slot = Slot(-1, 0, "", returns, DataName(()), frozenset())
        flow_cost = pipeline_costs.ANY_RESULT if unchecked else 0
        start = Plan(slots=(slot,), flow_cost=flow_cost, unchecked=unchecked)
        # (cost, tie, plan, index of the candidate), or a checked plan.
        self._heap: list[tuple[int, int, Plan | CheckedPlan, int]] = [
            (start.cost, next(self._tie), start, 0)
        ]

    @property
    def left(self) -> int:
        """The number of plans that were not looked at."""
        return len(self._heap)

    def __iter__(self) -> Iterator[CheckedPlan]:
        """Yield pipelines, cheapest first, until the work is over."""
        most: int | None = None
        while self._heap and not self._work.expired:
            cost, _, plan, index = heapq.heappop(self._heap)
            if most is not None and cost > most:
                self._heap.clear()
                return
            if isinstance(plan, CheckedPlan):
                most = most or cost + _MARGIN
                yield plan
            elif not plan.slots:
                checked = self._checker.check(plan)
                if checked is not None:
                    heapq.heappush(
                        self._heap, (max(cost, checked.cost), next(self._tie), checked, 0)
                    )
            else:
                self._extend(plan, index)

    def _extend(self, plan: Plan, index: int) -> None:
        """Fill the first slot of a plan with the candidate of a rank."""
        spare = self._depth - len(plan.calls) - len(plan.slots)
        stream = self._stream(plan, spare)
        base = plan.cost + pipeline_costs.STEP * (len(plan.slots) if plan.calls else 0)
        base += self._unused(plan)
        limit = self._heap[0][0] if self._heap else base
        while (candidate := stream.found(index)) is None:
            bound = stream.bound
            if bound is None:
                return
            if self._work.expired or (base + bound > limit and self._heap):
                # Another plan is cheaper now.
                heapq.heappush(self._heap, (base + bound, next(self._tie), plan, index))
                return
            stream.step()
        self._work.count(0.1)
        heapq.heappush(self._heap, (base + candidate.cost, next(self._tie), plan, index + 1))
        for filling in self._filler.fillings(
            candidate.function,
            self._parameters(candidate),
            used=plan.used,
            max_slots=spare,
        ):
            extended = self._extended(plan, candidate, filling)
            if extended is not None:
                cost = (
                    extended.cost
                    + pipeline_costs.STEP * len(extended.slots)
                    + self._unused(extended)
                )
                heapq.heappush(self._heap, (cost, next(self._tie), extended, 0))

    def _unused(self, plan: Plan) -> int:
        """Return an estimate of what it costs to use the arguments that are left."""
        return pipeline_costs.UNUSED * (self._all_used & ~plan.used).bit_count()

    def _parameters(self, candidate: Producer) -> tuple[Parameter, ...]:
        """Return the parameters with the type arguments that the result determines."""
        signature = candidate.function.signature
        if not signature.type_parameters:
            return signature.parameters
        values = [
            ANY if value is UNKNOWN else value
            for value in matched_type_arguments(signature, candidate.fit.edits)
        ]
        return tuple(instantiate(parameter, values) for parameter in signature.parameters)

    def _extended(self, plan: Plan, candidate: Producer, filling: Filling) -> Plan | None:
        slot = plan.slots[0]
        call = len(plan.calls)
        function, read = candidate.function, candidate.read
        ancestors = slot.ancestors | {slot.type, self._facts.awaited(slot.type)[0]}
        if read is not None:
            value, _ = self._facts.awaited(function.signature.returns)
            if value in ancestors:
                return None
        uses_arguments = filling.used != plan.used
        slots = tuple(
            Slot(call, position, name, t, wanted, ancestors)
            for position, name, t, wanted in filling.slots
        )
        if not uses_arguments and any(new.type in ancestors for new in slots):
            return None  # A -> B -> A
        fill = (
            FromCall(call)
            if read is None
            else FromCall(call, read.path, read.type, read.is_checked)
        )
        is_complete = not slots and len(plan.slots) == 1
        if is_complete and (filling.used != self._all_used or not plan.calls):
            return None
        flow_cost = (
            candidate.flow_cost + filling.flow_cost + (pipeline_costs.STEP if plan.calls else 0)
        )
        packages = plan.packages | {function.package}
        if plan.calls and function.package not in plan.packages:
            flow_cost += pipeline_costs.OTHER_PACKAGE // (1 if function.package else 2)
        if not filling.fills and not function.package:
            flow_cost += pipeline_costs.NO_INPUT
        edit_cost = candidate.edit_cost
        extended = replace(
            plan,
            calls=(*plan.calls, PlanCall(function, filling.fills)),
            used=filling.used,
            flow_cost=plan.flow_cost + flow_cost,
            edit_cost=plan.edit_cost + edit_cost + filling.edit_cost,
            packages=packages,
        ).with_result(fill)
        extended = replace(extended, slots=(*slots, *extended.slots))
        spare = self._depth - len(extended.calls) - len(extended.slots)
        commonness = sum(
            self._stream(replace(extended, slots=(new, *extended.slots[1:])), spare).commonness
            for new in slots
            if not is_common_type(new.type)
        )
        return replace(extended, flow_cost=extended.flow_cost + commonness)

    # Candidates --------------------------------------------------------------------------------

    def _stream(self, plan: Plan, spare: int) -> ProducerStream:
        slot = plan.slots[0]
        needed = -spare
        if spare == 0:
            needed = self._all_used & ~plan.used if len(plan.slots) == 1 else 0
        user = plan.calls[slot.call].function if slot.call >= 0 else None
        is_property = bool(slot.property)
        key = (
            slot.type,
            slot.name,
            is_property,
            needed,
            user and (user.entry.package, user.entry.path),
        )
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = self._new_stream(slot, needed, user)
        return stream

    def _new_stream(self, slot: Slot, needed: int, user: Function | None) -> ProducerStream:
        self._work.count()
        rows = self._rows(needed, user)
        extra: Callable[[], Iterator[Producer]] | None = None
        if user is not None:
            near = np.flatnonzero(rows & self._near_to(user))
            if len(near) <= _SMALL_PACKAGE:
                extra = partial(
                    reading_producers,
                    self._functions,
                    self._facts,
                    self._reader,
                    self._work,
                    near.tolist(),
                    slot.type,
                    slot.name,
                    user,
                    self._words,
                )
        return ProducerStream(
            self._functions,
            self._facts,
            self._work,
            slot.type,
            slot.name if user is not None else None,
            rows,
            self._words,
            named_only=bool(slot.property),
            extra=extra,
        )

    def _rows(self, needed: int, user: Function | None) -> Flags:
        """Return the functions that may give a value.

        Args:
            needed: for the last call the arguments that it must take, else minus the number of
                further calls.
            user: the function that takes the value; None for the result of the pipeline.
        """
        if needed >= 0:
            return self._callable.taking(needed)
        if user is not None:
            near = self._near_to(user)
            rows = self._reach.within(1 - needed) & self._functions.steps
            return rows | near if near.sum() <= _SMALL_PACKAGE else rows
        if self._unchecked:
            # Functions like JSON.parse, which read a value from one argument.
            arrays = self._functions.arrays
            takes_one: Flags = (arrays.min_arity == 1) & (arrays.numbers > 0)
            return self._functions.rows & self._functions.any_results & takes_one
        rows = self._reach.derived(1 - needed)
        if not self._goal.arguments:
            rows = self._reach.within(1 - needed)
        rows = rows & self._functions.steps
        if is_common_type(self._goal.value):
            return rows
        # Strings and numbers may lead to a result that says something.
        return rows | (self._functions.steps & ~self._functions.unknown_results)

    def _near_to(self, user: Function) -> Flags:
        """Return the functions of the package of a function."""
        package = user.entry.package
        if package not in self._near:
            selection = (Condition("pkg", (GlobCondition(package),)),)
            self._near[package] = self._functions.selected(selection) & self._functions.steps
        return self._near[package]
