"""The functions whose result fills a slot, cheapest first, found lazily."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from typematch.compose import prices
from typematch.compose.functions import Function, Functions
from typematch.compose.names import DataName, data_name, name_price
from typematch.compose.reads import Read, best_read
from typematch.compose.type_facts import TypeFacts, is_anything, is_uninformative
from typematch.compose.work import Work
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import ELLIPSIS, VOID, Object, Reference, Type
from typematch.match.edit_kinds import AWAITED
from typematch.match.verdict import Fit

_MAX_RESULT_COST = 120  # edit units, of converting a result
_MAX_READ_FUNCTIONS = 400  # whose results are searched for a part
_ANY_ARGUMENTS = Parameter("", ELLIPSIS, rest=True)


@dataclass(frozen=True, slots=True)
class Producer:
    """A function that gives a value.

    Attributes:
        price, edit_cost: of the value, in edit units.
        edits: of the match of its result.
        read: the part of its result that is the value; None for the result.
    """

    price: int
    edit_cost: int
    function: Function
    fit: Fit
    read: Read | None = None

    @property
    def cost(self) -> int:
        return self.price + self.edit_cost


class ProducerStream:
    """The candidates for a value of one type, cheapest first.

    Args:
        numbers: only functions of these types.
        name: of the parameter that takes the value; None for the result of the pipeline.
        extra: further candidates.
    """

    def __init__(
        self,
        functions: Functions,
        facts: TypeFacts,
        work: Work,
        target: Type,
        name: DataName | None,
        numbers: frozenset[int],
        words: frozenset[str],
        extra: list[Producer],
    ) -> None:
        self._functions, self._facts, self._work = functions, facts, work
        self._name, self._words = name, words
        self._target = target
        self._is_void = facts.awaited(target)[0] is VOID
        self._query = Object(calls=(Signature((_ANY_ARGUMENTS,), target),))
        self._tie = count()
        self._found: list[Producer] = []
        found = functions.bounds(self._query)
        bounds = found.bounds + functions.result_prices(found.numbers)
        within = bounds <= _MAX_RESULT_COST
        order = np.argsort(bounds[within], kind="stable")
        listed = zip(
            bounds[within][order].tolist(), found.numbers[within][order].tolist(), strict=True
        )
        self._unrefined = [(bound, number) for bound, number in listed if number in numbers]
        self._unrefined.reverse()
        # (cost, tie, stage, item): a number to match, or a candidate.
        self._heap: list[tuple[int, int, int | Producer]] = [
            (candidate.cost, next(self._tie), candidate) for candidate in extra
        ]
        heapq.heapify(self._heap)

    def found(self, index: int) -> Producer | None:
        """Return the candidate of a rank, from 0, if it is found already."""
        return self._found[index] if index < len(self._found) else None

    @property
    def bound(self) -> int | None:
        """A lower bound of the cost of the next candidate; None if there is none."""
        bounds = [self._heap[0][0]] if self._heap else []
        if self._unrefined:
            bounds.append(self._unrefined[-1][0])
        return min(bounds, default=None)

    def step(self) -> None:
        """Do a part of the search for the next candidate."""
        if self._unrefined and (not self._heap or self._unrefined[-1][0] <= self._heap[0][0]):
            bound, number = self._unrefined.pop()
            self._refine(number, bound)
            return
        _, _, item = heapq.heappop(self._heap)
        if isinstance(item, Producer):
            self._found.append(item)
        else:
            self._match(item)

    def _refine(self, number: int, bound: int) -> None:
        self._work.count(0.1)
        refined = self._facts.lower_bound(self._query, self._functions.store.type(number))
        if refined is None or refined > _MAX_RESULT_COST:
            return
        found = self._functions.of_type(number)
        if found:
            price = min(map(self._price, found))
            cost = max(refined, bound) - (AWAITED.cost if self._returns_promise(found[0]) else 0)
            heapq.heappush(self._heap, (cost + price, next(self._tie), number))

    def _returns_promise(self, function: Function) -> bool:
        return self._facts.awaited(function.signature.returns)[1]

    def _match(self, number: int) -> None:
        function = self._functions.store.type(number)
        assert isinstance(function, Object)
        if self._is_void and self._facts.awaited(function.calls[0].returns)[0] is not VOID:
            return  # a function whose result is ignored
        self._work.count()
        verdict = self._facts.verdict(self._query, function, _MAX_RESULT_COST)
        if not isinstance(verdict, Fit):
            return
        cost = prices.edit_cost(verdict.edits)
        for found in self._functions.of_type(number):
            price = self._price(found)
            candidate = Producer(price, cost, found, verdict)
            heapq.heappush(self._heap, (candidate.cost, next(self._tie), candidate))

    def _price(self, found: Function) -> int:
        price = entry_price(found, self._words)
        if self._facts.is_transparent(found.signature):
            price += prices.BARE_RESULT
        elif self._is_other_type(found):
            price += prices.OTHER_TYPE
        if self._name is not None and is_uninformative(self._target):
            price += result_name_price(found, self._name)
        return price

    def _is_other_type(self, found: Function) -> bool:
        """Whether the result is declared under another name than the type that is wanted."""
        target, result = self._target, self._facts.awaited(found.signature.returns)[0]
        return (
            isinstance(target, Reference)
            and isinstance(result, Reference)
            and target.target != result.target
        )


def result_name_price(function: Function, wanted: DataName) -> int:
    """Return the price of passing a whole result of an uninformative type to a parameter."""
    source = data_name(function.entry.name)
    price = name_price(source, wanted)
    if price == prices.OTHER_NAME and frozenset(source.words) & wanted.context:
        return prices.SHARED_WORD
    return max(price, prices.PART_OF_NAME)


def entry_price(function: Function, words: frozenset[str]) -> int:
    price = prices.DEPRECATED if function.entry.deprecated else 0
    if function.entry.package == "lib":
        price += prices.LANGUAGE
    if words and not words & {*data_name(function.entry.name).words}:
        price += prices.NO_WORD
    return price


def reading_producers(
    functions: Functions,
    facts: TypeFacts,
    work: Work,
    near: list[int],
    target: Type,
    name: DataName,
    user: Function,
    words: frozenset[str],
) -> Iterator[Producer]:
    """Yield the functions of which a part of the result is the value that ``user`` takes.

    Args:
        near: numbers of the function types of the package of ``user``.
    """
    for number in near[:_MAX_READ_FUNCTIONS]:
        for found in functions.of_type(number):
            if not _is_near(found, user):
                continue
            if found.signature.type_parameters:
                break
            value, _ = facts.awaited(found.signature.returns)
            if is_anything(value) or is_uninformative(value):
                break
            work.count(0.2)
            read = best_read(facts, value, target, name, found.entry.name)
            if read is not None:
                price = read.price + entry_price(found, words)
                if found.entry.path != user.entry.path and user.entry.kind == "operation":
                    price += prices.OTHER_PACKAGE // 2
                yield Producer(price, 0, found, Fit(), read)


def _is_near(function: Function, user: Function) -> bool:
    is_operation = user.entry.kind == "operation"
    return (function.entry.kind == "operation") == is_operation
