"""The functions whose result fills a slot, cheapest first, found lazily."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from typematch.compose import pipeline_costs
from typematch.compose.functions import Function, Functions
from typematch.compose.names import DataName, data_name, name_cost
from typematch.compose.reads import Read, Reader
from typematch.compose.type_facts import TypeFacts, is_any_or_unknown, is_common_type
from typematch.compose.work import Work
from typematch.index.masks.function_arrays import Flags
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ELLIPSIS, NEVER, THIS, VOID, Object, Reference, Type
from typematch.match.edit_kinds import AWAITED
from typematch.match.verdict import Fit
from typematch.package_names import LIBRARY

_MAX_RESULT_COST = 120  # edit units, of converting a result
_READ_AHEAD = 256  # functions that are read from the store together
_SAMPLE = 4  # functions of one result type that are tried before the others
_ANY_ARGUMENTS = Parameter("", ELLIPSIS, rest=True)


@dataclass(frozen=True, slots=True)
class Producer:
    """A function that gives a value.

    Attributes:
        flow_cost, edit_cost: of the value, in edit units.
        fit: of its result.
        read: the part of its result that is the value; None for the result.
    """

    flow_cost: int
    edit_cost: int
    function: Function
    fit: Fit
    read: Read | None = None

    @property
    def cost(self) -> int:
        return self.flow_cost + self.edit_cost


class ProducerStream:
    """The functions that give a value of one type, cheapest first.

    Functions whose result has no type parameters are compared by their results, of which there are
    few; the others one by one.

    Args:
        rows: only these functions.
        name: of the parameter that takes the value; None for the result of the pipeline.
        named_only: a value of a common type must have a word of the name.
        extra: yields further producers; they cost something.
    """

    def __init__(
        self,
        functions: Functions,
        facts: TypeFacts,
        work: Work,
        target: Type,
        name: DataName | None,
        rows: Flags,
        words: frozenset[str],
        *,
        named_only: bool,
        extra: Callable[[], Iterator[Producer]] | None,
    ) -> None:
        self._functions, self._facts, self._work = functions, facts, work
        self._name, self._words = name, words
        self._target = target
        self._named_only = named_only
        self._is_weak = facts.is_weak(target)
        # Functions of all kinds fit each other; a declared function type is expected by its name.
        self._callable_name = _reference_name(target) if facts.is_callable(target) else ""
        self._is_void = facts.awaited(target)[0] is VOID
        self._query = Object(calls=(Signature((_ANY_ARGUMENTS,), target),))
        self._tie = count()
        self._found: list[Producer] = []
        bounds = functions.result_bounds(target)
        listed = np.flatnonzero(rows & (bounds <= _MAX_RESULT_COST))
        self._known = int(np.count_nonzero(~functions.unknown_results[listed]))
        # Rows of one result type follow each other.
        results = functions.arrays.result[listed]
        order = np.lexsort((listed, results, bounds[listed]))
        self._rows, self._results = listed[order], results[order]
        self._bounds = bounds[listed][order]
        self._next = 0
        self._read_to = 0
        self._extra = extra
        # (cost, tie, item): the row of a function to match, or a producer.
        self._heap: list[tuple[int, int, int | Producer]] = []

    def found(self, index: int) -> Producer | None:
        """Return the producer of a rank, from 0, if it is found already."""
        return self._found[index] if index < len(self._found) else None

    @property
    def commonness(self) -> int:
        """The cost of a value that many functions give."""
        return min(
            pipeline_costs.COMMON_MOST, round(pipeline_costs.COMMON * math.log2(1 + self._known))
        )

    @property
    def bound(self) -> int | None:
        """A lower bound of the cost of the next producer; None if there is none."""
        bounds = [self._heap[0][0]] if self._heap else []
        if self._extra is not None:
            bounds.append(pipeline_costs.READ)
        if self._next < len(self._rows):
            bounds.append(int(self._bounds[self._next]))
        return min(bounds, default=None)

    def step(self) -> None:
        """Do a part of the search for the next producer."""
        bound = self.bound
        if self._extra is not None:
            for producer in self._extra():
                self._add(producer)
            self._extra = None
        elif self._heap and self._heap[0][0] == bound:
            _, _, item = heapq.heappop(self._heap)
            if isinstance(item, Producer):
                self._found.append(item)
            else:
                self._match(item)
        else:
            self._refine(self._next_group())

    def _next_group(self) -> list[int]:
        """Return the next rows, all of which have one result type."""
        start = end = self._next
        if start >= self._read_to:
            self._read_to = start + _READ_AHEAD
            self._functions.prefetch(self._rows[start : self._read_to].tolist())
        while end < len(self._rows) and self._results[end] == self._results[start]:
            end += 1
        self._next = end
        return [int(row) for row in self._rows[start:end]]

    def _refine(self, rows: list[int]) -> None:
        """Compare the functions of one result type."""
        number = self._functions.result_of(rows[0])
        result = self._functions.store.type(number) if number else None
        fits = False
        if self._callable_name and _reference_name(result) != self._callable_name:
            return
        if result is None or result.loose_depth or THIS in result.free:
            for index, row in enumerate(rows):
                fits = self._refine_function(row) or fits
                if index >= _SAMPLE and not fits:
                    break
            return
        value, _ = self._facts.awaited(result)
        if value is NEVER or (is_any_or_unknown(value) and not is_any_or_unknown(self._target)):
            return
        if self._is_void and value is not VOID:
            return  # the result would be ignored
        if not self._facts.is_known(value, self._target):
            self._work.count(0.3)
        conversion = self._facts.conversion(value, self._target)
        if conversion is None or conversion.cost > _MAX_RESULT_COST:
            return
        cost = pipeline_costs.edit_cost(conversion.edits)
        self._functions.prefetch(rows)
        for row in rows:
            for found in self._functions.of_row(row):
                self._add(Producer(self._flow_cost(found), cost, found, Fit()))

    def _refine_function(self, row: int) -> bool:
        """Compute the bound of a function; return whether it may fit."""
        if not self._functions.of_row(row):
            return False
        self._work.count(0.1)
        refined = self._facts.lower_bound(self._query, self._functions.type_of(row))
        if refined is None or refined > _MAX_RESULT_COST:
            return False
        found = self._functions.of_row(row)
        flow_cost = min(map(self._flow_cost, found))
        cost = refined - (AWAITED.cost if self._returns_promise(found[0]) else 0)
        heapq.heappush(self._heap, (max(0, cost) + flow_cost, next(self._tie), row))
        return True

    def _returns_promise(self, function: Function) -> bool:
        return self._facts.awaited(function.signature.returns)[1]

    def _match(self, row: int) -> None:
        function = self._functions.type_of(row)
        assert isinstance(function, Object)
        if self._is_void:
            return
        self._work.count()
        verdict = self._facts.verdict(self._query, function, _MAX_RESULT_COST)
        if not isinstance(verdict, Fit):
            return
        cost = pipeline_costs.result_cost(verdict.edits)
        for found in self._functions.of_row(row):
            self._add(Producer(self._flow_cost(found), cost, found, verdict))

    def _add(self, producer: Producer) -> None:
        if producer.flow_cost >= pipeline_costs.EXCLUDED:
            return
        heapq.heappush(self._heap, (producer.cost, next(self._tie), producer))

    def _flow_cost(self, found: Function) -> int:
        flow_cost = entry_cost(found, self._words)
        if self._facts.has_bare_result(found.signature):
            flow_cost += pipeline_costs.BARE_RESULT
        elif self._is_other_type(found):
            flow_cost += pipeline_costs.WEAK_TYPE if self._is_weak else pipeline_costs.OTHER_TYPE
        value, _ = self._facts.awaited(found.signature.returns)
        if self._name is not None and (is_common_type(self._target) or is_common_type(value)):
            named = result_name_cost(found, self._name)
            flow_cost += (
                pipeline_costs.EXCLUDED
                if self._named_only and named > pipeline_costs.NO_NAME
                else named
            )
        return flow_cost

    def _is_other_type(self, found: Function) -> bool:
        """Whether the result is not the declared type that is wanted, but assignable to it."""
        target, result = self._target, self._facts.awaited(found.signature.returns)[0]
        if not isinstance(result, Reference):
            return self._is_weak
        return isinstance(target, Reference) and target.target != result.target


def _reference_name(t: Type | None) -> str:
    return t.target if isinstance(t, Reference) else ""


def result_name_cost(function: Function, wanted: DataName) -> int:
    """Return the cost of passing a whole result of a common type to a parameter."""
    source = data_name(function.entry.name)
    flow_cost = name_cost(source, wanted)
    if flow_cost >= pipeline_costs.NO_NAME and frozenset(source.words) & wanted.context:
        return pipeline_costs.SHARED_WORD
    if flow_cost == pipeline_costs.NO_NAME:
        return pipeline_costs.OTHER_NAME
    return max(flow_cost, pipeline_costs.PART_OF_NAME)


def entry_cost(function: Function, words: frozenset[str]) -> int:
    flow_cost = pipeline_costs.DEPRECATED if function.entry.deprecated else 0
    if function.entry.package == LIBRARY:
        flow_cost += pipeline_costs.LANGUAGE
    if words and not words & {*data_name(function.entry.name).words}:
        flow_cost += pipeline_costs.NO_WORD
    return flow_cost


def reading_producers(
    functions: Functions,
    facts: TypeFacts,
    reader: Reader,
    work: Work,
    near: Sequence[int],
    target: Type,
    name: DataName,
    user: Function,
    words: frozenset[str],
) -> Iterator[Producer]:
    """Yield the functions of which a part of the result is the value that ``user`` takes.

    Args:
        near: rows of the functions of the package of ``user``.
    """
    functions.prefetch(near)
    for row in near:
        for found in functions.of_row(row):
            if not _is_near(found, user):
                continue
            if found.signature.type_parameters:
                break
            value, _ = facts.awaited(found.signature.returns)
            if is_any_or_unknown(value) or is_common_type(value):
                break
            work.count(0.2)
            read = reader.best_read(value, target, name, found.entry.name)
            if read is not None:
                flow_cost = read.flow_cost + entry_cost(found, words)
                if found.entry.path != user.entry.path and user.entry.kind == "operation":
                    flow_cost += pipeline_costs.OTHER_PACKAGE // 2
                yield Producer(flow_cost, 0, found, Fit(), read)


def _is_near(function: Function, user: Function) -> bool:
    is_operation = user.entry.kind == "operation"
    return (function.entry.kind == "operation") == is_operation
