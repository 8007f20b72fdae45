"""Judge one overload of a found function: how a query's arguments get in and its result comes out.

Dear questions come last.  A matrix of lower bounds, seen at a glance, says in which order ways to
hand the arguments over are tried (``arrange``); the pairs that a way uses are then compared by
the strict relation with the found function's type variables standing for anything, and only what
survives has them inferred, and every place related.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from typematch.ir.constructors import union
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNDEFINED,
    VOID,
    Object,
    Parameter,
    Reference,
    Signature,
    Type,
)
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    MISFITTING,
    OPTIONAL_FILLED,
    OPTIONAL_GIVEN,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SKIPPED,
    REFUSED_BY_THE_COMPILER,
    Edit,
)
from typematch.match.edits.argument_assignment import (
    LEFT_OUT,
    SUPPLIED,
    ArgumentAssignment,
    arrangements,
    skipped,
)
from typematch.match.edits.call_layout import (
    CallLayout,
    call_for,
    order,
    predicates_agree,
    receiver,
    saying_nothing,
    unused,
    withheld,
)
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.conversions import AssignabilityCheck, Conversion, bridge
from typematch.match.edits.cost_bounds import CostLowerBounds
from typematch.match.edits.instantiation_edits import bindings
from typematch.match.edits.query_signature import QuerySignature, result_of
from typematch.match.edits.subtyping_edits import FitCheck, gap
from typematch.match.verdict import (
    BEYOND,
    Fit,
    Misfit,
    Undecided,
    Verdict,
    cheaper,
    dearer,
)

# Under this nothing is changed on its way: arguments fit as they stand, in their order.
_ANY_CHANGE = min(kind.price for kind in REFUSED_BY_THE_COMPILER)
_MOST_LOOKS = 12  # how often the order of ways is made anew for what was learnt of a pair

Crossing = Callable[[Parameter, Parameter], Conversion | None]


class StrictRelation(AssignabilityCheck, FitCheck, Protocol):
    """What is asked of the strict relation."""

    def arguments(self, found: Signature, given: Signature) -> tuple[Type, ...] | Undecided: ...

    def erased(self, signature: Signature) -> Signature: ...


class OverloadMatcher:
    """Overloads judged against one query; what is learnt about a pair of types is kept.

    Args:
        loose: what does not fit at all is forgiven, at a price.
    """

    def __init__(
        self,
        strict: StrictRelation,
        prices: ConversionCosts,
        bounds: CostLowerBounds,
        *,
        loose: bool = False,
    ) -> None:
        self._strict = strict
        self._prices = prices
        self._bounds = bounds
        self._loose = loose
        self._bridges: dict[tuple[Type, Type], Conversion | None] = {}

    def judged(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int = 0
    ) -> Verdict:
        """Return the cheapest way to call ``signature``, the query's variables rigid.

        ``outer`` of its type parameters, the first, belong to the class around it.
        """
        if not predicates_agree(signature, asked.rigid):
            return Misfit("predicate", "", asked.type, ".returns")
        least = self._bounds.signature(signature, asked)
        if least >= BEYOND:
            return uncallable(signature, asked)
        if ceiling is not None and ceiling < least:
            return dearer(least)
        if ceiling is not None and ceiling < _ANY_CHANGE:
            verdict = self._unchanged(signature, asked, outer)
            if isinstance(verdict, Fit):
                return verdict if verdict.cost <= ceiling else dearer(verdict.cost)
            return verdict if isinstance(verdict, Undecided) else dearer(_ANY_CHANGE)
        return self._changed(signature, asked, ceiling, outer)

    # As it stands ------------------------------------------------------------------------------

    def _unchanged(self, signature: Signature, asked: QuerySignature, outer: int) -> Verdict:
        """Judge the one way in which nothing is changed."""
        call = call_for(signature, asked, outer)
        count = len(asked.rigid.parameters)
        if count > len(call.places):
            return uncallable(signature, asked)
        behind = [SUPPLIED if must else LEFT_OUT for must in call.required[count:]]
        if SUPPLIED in behind and not asked.further:
            return uncallable(signature, asked)
        way = ArgumentAssignment(0, (*range(count), *behind))
        return self._checked(call, call, asked, way, self._as_it_stands)

    def _as_it_stands(self, argument: Parameter, place: Parameter) -> Conversion | None:
        given = argument.type
        if argument.rest != place.rest:
            return None
        if argument.optional and not place.optional:
            given = union((given, UNDEFINED))
        return self._fitting(given, place.type)

    def _fitting(self, source: Type, target: Type) -> Conversion | None:
        if _says_nothing(source, target) or self._strict.fits(source, target):
            return Conversion(source)
        return None

    # With changes on the way -------------------------------------------------------------------

    def _changed(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int
    ) -> Verdict:
        erased = self.erased(signature, asked)
        result = _come_out(self._handed_over, erased.returns, result_of(asked.rigid))
        if result is None and (
            self._computes(signature) or _of_one_name(erased.returns, result_of(asked.rigid))
        ):
            result = Conversion(erased.returns)
        if result is None:
            return Misfit("type", erased.returns, result_of(asked.rigid), ".returns")
        call = call_for(signature, asked, outer)
        pairs = _PairCosts(self, signature, asked, erased)
        best: Verdict = uncallable(signature, asked)
        tried: set[tuple[int, ...]] = set()
        for _ in range(_MOST_LOOKS):
            for way in pairs.ways():
                if way.sources in tried:
                    continue
                bound = way.bound + result.price
                if isinstance(best, Fit) and bound >= best.cost:
                    return best
                if ceiling is not None and bound > ceiling:
                    return cheaper(best, dearer(bound))
                if pairs.learn(way):
                    break
                tried.add(way.sources)
                verdict = self._checked(call, erased, asked, way, self._handed_over)
                if isinstance(verdict, Fit) and ceiling is not None and verdict.cost > ceiling:
                    verdict = dearer(verdict.cost)
                best = cheaper(best, verdict)
            else:
                break
        return best

    def ways(self, signature: Signature, asked: QuerySignature) -> list[ArgumentAssignment]:
        """Return the cheapest ways to hand the arguments over, the variables being anything."""
        pairs = _PairCosts(self, signature, asked, self.erased(signature, asked))
        found = pairs.ways()
        for _ in range(_MOST_LOOKS):
            learnt = [pairs.learn(way) for way in found]
            if not any(learnt):
                break
            found = pairs.ways()
        return found

    def erased(self, signature: Signature, asked: QuerySignature) -> CallLayout:
        """Return the call with ``any`` for the type parameters, its places those of the open one.

        ``...items: [...T]`` is an array only when ``T`` is any.
        """
        call = call_for(signature, asked)
        erased = call_for(self._strict.erased(signature), asked)
        if len(erased.places) == len(call.places):
            return erased
        return call.opened((ANY,) * len(signature.type_parameters))

    def _computes(self, signature: Signature) -> bool:
        """Whether ``any`` for its variables says nothing of what the result will be."""
        returns = signature.returns
        if not returns.loose:
            return False
        return self._prices.is_worked_out(returns)

    def least(self, argument: Parameter, place: Parameter) -> int | None:
        """Return the least that it takes to get an argument into a place, seen at a glance."""
        if argument.rest != place.rest:
            return None
        price = self._prices.between(argument.type, place.type)
        return None if price >= BEYOND else price

    def bounded(self, signature: Signature, asked: QuerySignature) -> Signature:
        return self._bounds.bounded(signature, asked)

    def price(self, argument: Parameter, place: Parameter) -> int | None:
        """Return what it takes to get an argument into a place, in edit units."""
        crossed = self._handed_over(argument, place)
        return None if crossed is None else crossed.price

    def _handed_over(self, argument: Parameter, place: Parameter) -> Conversion | None:
        """Return how the query's argument gets into a parameter."""
        if argument.rest != place.rest:
            return None
        if not argument.optional or place.optional:
            return self._across(argument.type, place.type)
        whole = self._across(union((argument.type, UNDEFINED)), place.type)
        if whole is not None and not whole.edits:
            return whole
        given = self._across(argument.type, place.type)
        if given is None:
            return whole
        filled = Edit(OPTIONAL_FILLED, a=argument.name)
        return Conversion(given.source, (filled, *given.edits))

    def _across(self, source: Type, target: Type) -> Conversion | None:
        key = (source, target)
        if key in self._bridges:
            return self._bridges[key]
        found: Conversion | None
        if _says_nothing(source, target):
            found = Conversion(source)
        else:
            found = bridge(self._strict, source, target)
            if found is None and self._loose:
                found = Conversion(target, (Edit(MISFITTING, a=source, b=target),))
        self._bridges[key] = found
        return found

    # One way to call, with the found function's variables inferred -----------------------------

    def _checked(
        self,
        call: CallLayout,
        erased: CallLayout,
        asked: QuerySignature,
        way: ArgumentAssignment,
        crossing: Crossing,
    ) -> Verdict:
        edits: list[Edit] = []
        if call.signature.type_parameters:
            values = self._inferred(call, erased, asked, way, crossing)
            if isinstance(values, Undecided):
                return values
            given = [p.type for p, j in zip(call.places, way.sources, strict=True) if j >= 0]
            edits += bindings(call.signature, values, given, call.outer)
            call = call.opened(values)
        edits += order(asked, way)
        supplied = 0
        for i, (place, source) in enumerate(zip(call.places, way.sources, strict=True)):
            path = f"$.parameters[{i}]"
            if source >= 0:
                crossed = crossing(asked.rigid.parameters[source], place)
                if crossed is None:
                    return uncallable(call.signature, asked)
                edits += _placed(crossed, path, place.name)
                if _may_do_without(call, i) and not asked.rigid.parameters[source].optional:
                    edits.append(Edit(OPTIONAL_GIVEN, path, place.name))
                edits += gap(self._strict, place.type, crossed.source, path=path, name=place.name)
            elif source == SUPPLIED and not asked.further:
                edits.append(Edit(ARGUMENT_SUPPLIED, path, place.name, extra=supplied))
                supplied += 1
            elif source == LEFT_OUT and not place.rest:
                kind = OPTIONAL_SKIPPED if i in skipped(way.sources) else OPTIONAL_LEFT_OUT
                edits.append(Edit(kind, path, place.name))
        edits += receiver(call.signature, asked, supplied)
        edits += unused(asked, way)
        edits += withheld(call, asked, way)
        wanted = result_of(asked.rigid)
        out = _come_out(crossing, call.returns, wanted)
        if out is None:
            return Misfit("type", call.returns, wanted, ".returns")
        name, path = "the result", "$.returns"
        edits += _placed(out, path, name)
        edits += gap(self._strict, out.source, wanted, path=path, name=name, result=True)
        edits += saying_nothing(call.signature, asked, way)
        return Fit(tuple(edits), way.sources)

    def _inferred(
        self,
        call: CallLayout,
        erased: CallLayout,
        asked: QuerySignature,
        way: ArgumentAssignment,
        crossing: Crossing,
    ) -> tuple[Type, ...] | Undecided:
        """Return what the found function's type parameters are when it is called that way."""
        given, wanted = [], []
        for open_place, place, source in zip(call.places, erased.places, way.sources, strict=True):
            if source < 0:
                continue
            argument = asked.rigid.parameters[source]
            # What is not changed on its way need not be compared before its variables are known.
            crossed = Conversion(argument.type) if erased is call else crossing(argument, place)
            if crossed is not None:
                given.append(Parameter("", crossed.source))
                wanted.append(Parameter("", open_place.type))
        found = Signature(tuple(wanted), call.returns, call.signature.type_parameters)
        return self._strict.arguments(found, Signature(tuple(given), result_of(asked.rigid)))


class _PairCosts:
    """Prices of the query's arguments for a signature's places: seen at a glance, or compared."""

    def __init__(
        self,
        calling: OverloadMatcher,
        signature: Signature,
        asked: QuerySignature,
        erased: CallLayout,
    ) -> None:
        self._calling = calling
        self._places = erased.places
        self._arguments = asked.rigid.parameters
        self._required = erased.required
        self._further = asked.further
        seen = call_for(calling.bounded(signature, asked), asked).places
        if len(seen) != len(self._places):
            seen = self._places
        self._matrix = [
            [calling.least(argument, place) for argument in self._arguments] for place in seen
        ]
        self._compared: set[tuple[int, int]] = set()

    def ways(self) -> list[ArgumentAssignment]:
        return arrangements(
            self._matrix,
            required=self._required,
            asked=len(self._arguments),
            ceiling=None,
            further=self._further,
        )

    def learn(self, way: ArgumentAssignment) -> bool:
        """Compare the pairs of a way; return whether any is dearer than it was."""
        dearer_ones = False
        for pair in enumerate(way.sources):
            i, j = pair
            if j < 0 or pair in self._compared:
                continue
            self._compared.add(pair)
            price = self._calling.price(self._arguments[j], self._places[i])
            if price is None or price > (self._matrix[i][j] or 0):
                self._matrix[i][j] = price
                dearer_ones = True
        return dearer_ones


def uncallable(signature: Signature, asked: QuerySignature) -> Misfit:
    return Misfit("call", Object(calls=(signature,)), asked.type)


def _says_nothing(source: Type, target: Type) -> bool:
    """Whether nothing is known, as one of the two was not written."""
    return target is UNANNOTATED or source is UNANNOTATED


def _come_out(crossing: Crossing, result: Type, wanted: Type) -> Conversion | None:
    """Return the way of a result to what was asked for; any may be ignored."""
    if wanted is VOID:
        return Conversion(result)
    return crossing(Parameter("", result), Parameter("", wanted))


def _of_one_name(found: Type, wanted: Type) -> bool:
    """Whether two types are of one declaration: what ``any`` cannot tell, real arguments may."""
    return (
        isinstance(found, Reference)
        and isinstance(wanted, Reference)
        and found.target == wanted.target
    )


def _may_do_without(call: CallLayout, place: int) -> bool:
    """Whether a place is an optional parameter, and none of a rest parameter's."""
    parameters = call.signature.parameters
    return place < len(parameters) and parameters[place].optional


def _placed(crossed: Conversion, path: str, name: str) -> list[Edit]:
    return [replace(edit, path=path, a=name) for edit in crossed.edits]
