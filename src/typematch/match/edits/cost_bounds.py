"""Say what a found function costs at the least, before anything is inferred.

Each place of the found signature is looked at by itself, its type variables standing for whatever
helps, so a bound is never more than the fit's real cost.  A search judges in the order of these
bounds and leaves aside what cannot get onto its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from typematch.ir.constructors import constituents
from typematch.ir.types import (
    ANY,
    VOID,
    Array,
    Free,
    Object,
    Parameter,
    Signature,
    Type,
    Union,
    Var,
)
from typematch.match.edit_kinds import (
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    CONTAINER_INSTANTIATED,
    GATHERED,
    NARROWED,
    OPTIONAL_GIVEN,
    SPECIALISED,
)
from typematch.match.edits.argument_assignment import most_pairs, price_of_supplied
from typematch.match.edits.call_layout import charged_as_a_whole, predicates_agree, wants_this
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.instantiation_edits import bare_places, narrowing, own_variables
from typematch.match.edits.query_signature import QuerySignature, result_of
from typematch.match.prefilter.deferred_types import ANY_TYPE, is_stand_in
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.verdict import BEYOND
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer


@dataclass(frozen=True, slots=True)
class _BoundedLayout:
    """A found signature's places: those before a rest parameter, and what the rest holds."""

    places: tuple[Parameter, ...]
    rest: Parameter | None
    bare: dict[int, int]  # place -> least price of a type parameter standing there alone


class CostLowerBounds:
    """Lower bounds against one query's functions; what is known of a pair is kept."""

    def __init__(
        self, prices: ConversionCosts, glance: QuickReject, heads: HeadCache, reducer: Reducer
    ) -> None:
        """Start; ``reducer`` knows the query's own variables."""
        self._prices = prices
        self._glance = glance
        self._heads = heads
        self._reducer = reducer
        self._signatures: dict[tuple[Signature, Signature], int] = {}
        self._concrete: dict[QuerySignature, QuerySignature] = {}
        self._fields: dict[Type, frozenset[str] | None] = {}

    def of(self, found: Object, asked: QuerySignature, outer: int = 0) -> int | None:
        """Return the least that the cheapest overload of ``found`` costs; None: it fits nowhere.

        ``outer`` of its type parameters, the first, belong to the class around it.
        """
        each = (self.signature(one, asked) + _outer_price(one, asked, outer) for one in found.calls)
        least = min(each, default=BEYOND)
        if asked.variables and least > NARROWED.price:
            concrete = self.concrete(asked)
            for one in found.calls:
                price = NARROWED.price if narrowing(one) else SPECIALISED.price
                if price < least:
                    least = min(least, self.signature(one, concrete) + price)
        return None if least >= BEYOND else least

    def concrete(self, asked: QuerySignature) -> QuerySignature:
        """Return the query with ``any`` for its variables."""
        found = self._concrete.get(asked)
        if found is None:
            values = [ANY] * len(asked.variables)
            found = self._concrete[asked] = asked.with_values(values, self._reducer)
        return found

    def signature(self, found: Signature, asked: QuerySignature) -> int:
        """Return the least that ``found`` costs, the query's variables rigid; ``BEYOND`` if never.

        What is known of a pair of signatures is kept.
        """
        key = (found, asked.rigid)
        known = self._signatures.get(key)
        if known is None:
            known = self._signatures[key] = self._priced_signature(found, asked)
        return known

    def _priced_signature(self, found: Signature, asked: QuerySignature) -> int:
        wanted = asked.rigid
        seen = self.bounded(found, asked)
        if not predicates_agree(found, wanted):
            return BEYOND
        if wanted.predicate is not None:
            result = self._prices.result(result_of(seen), result_of(wanted))
        else:
            result = self._prices.result(seen.returns, wanted.returns)
        if result >= BEYOND:
            return result
        if wants_this(found, asked):
            result += ARGUMENT_SUPPLIED.price
        if asked.has_rest:
            return result
        layout = _layout(found, seen.parameters)
        arranged = layout.rest is None or layout.rest.type.__class__ is Array
        if not arranged:
            layout = replace(layout, rest=None)
        prices = self._prices_of(layout, asked)
        if wanted.predicate is None:
            result = max(result, self._unsaid(seen, layout, prices, asked))
        total = result + self._arguments(layout, prices, asked)
        if total < ARGUMENT_UNUSED.price and self._follow(found, seen, prices, asked):
            total = result + self._arguments(layout, prices, asked)
        return total if arranged else min(total, self._as_it_stands(found, asked))

    def _as_it_stands(self, found: Signature, asked: QuerySignature) -> int:
        """Return the least that a signature costs that is compared as a whole, not arranged."""
        wanted = asked.binder
        if not self._glance.signatures(found, asked.rigid):
            return BEYOND
        if len(found.parameters) == len(wanted.parameters) and (
            len(found.type_parameters) == len(wanted.type_parameters)
        ):
            return 0  # it may be the very type, written otherwise
        return sum(kind.price for kind in charged_as_a_whole(found))

    def _prices_of(self, layout: _BoundedLayout, asked: QuerySignature) -> list[list[int]]:
        """Return, for each place, the least that each argument costs there; ``BEYOND`` if never."""
        arguments = asked.rigid.parameters
        given = [argument.type for argument in arguments]
        prices = []
        for i, place in enumerate(layout.places):
            row = [self._prices.handed(one, place.type) for one in given]
            bare = layout.bare.get(i, 0)
            if bare or place.optional:
                for j, argument in enumerate(arguments):
                    if bare and given[j] is not ANY and given[j].__class__ is not Free:
                        row[j] += bare
                    if place.optional and not argument.optional:
                        row[j] += OPTIONAL_GIVEN.price
            prices.append(row)
        return prices

    def _unsaid(
        self,
        seen: Signature,
        layout: _BoundedLayout,
        prices: list[list[int]],
        asked: QuerySignature,
    ) -> int:
        """Return the least that a result costs that is a type parameter within a constraint.

        Where no argument says what it is, it is what was asked for, if that is within the
        constraint; else it is the constraint itself, or the default.
        """
        wanted = asked.rigid.returns
        if wanted is VOID or wanted is ANY:
            return 0
        least = BEYOND
        variables = [seen.returns]
        for variable in variables:  # which grow: a default may be another type parameter
            limits = self._heads.values(variable)
            if (
                limits is None
                or self._glance.may_fit(wanted, limits[0])
                or self._may_be_said(variable, layout, prices, asked)
            ):
                return 0
            for limit in limits:
                if not is_stand_in(limit):
                    least = min(least, self._prices.result(limit, wanted))
                elif limit not in variables:
                    variables.append(limit)
        return least

    def _may_be_said(
        self, variable: Type, layout: _BoundedLayout, prices: list[list[int]], asked: QuerySignature
    ) -> bool:
        """Whether some argument may say what a type parameter is."""
        if layout.rest is not None and variable in layout.rest.type.free:
            return True
        arguments = asked.rigid.parameters
        for row, place in zip(prices, layout.places, strict=True):
            if variable not in place.type.free:
                continue
            members = constituents(self._glance.head(place.type) or place.type)
            # In `T | string` a string says nothing about what T is.
            alone = variable in members and sum(variable in one.free for one in members) == 1
            for price, argument in zip(row, arguments, strict=True):
                if price >= BEYOND:
                    continue
                if not alone or self._prices.between(argument.type, variable) < BEYOND:
                    return True
        return False

    def _follow(
        self, found: Signature, seen: Signature, prices: list[list[int]], asked: QuerySignature
    ) -> bool:
        """Add what the result costs where an argument says what it is; return whether any does.

        In ``<T>(x: T) => T[]`` an argument that is no element of the result must not be ``x``.
        """
        if not found.returns.loose:
            return False
        wanted = result_of(asked.rigid)
        if wanted is ANY or wanted is VOID:
            return False
        said = own_variables(found.returns)
        places = [
            (row, parameter.type)
            for row, parameter in zip(prices, found.parameters, strict=False)
            if isinstance(parameter.type, Var)
            and parameter.type.index in said
            and not parameter.rest
        ]
        if not places:
            return False
        least = self._prices.between(seen.returns, wanted)
        dearer = False
        followed: set[Type] = set()  # what two places say together, is charged once
        for row, variable in places:
            for j, argument in enumerate(asked.rigid.parameters):
                more = self._comes_out(found, variable, argument.type, wanted) - least
                if more > 0 and (more >= BEYOND - least or variable not in followed):
                    row[j] += more
                    dearer = True
            followed.add(variable)
        return dearer

    def _comes_out(self, found: Signature, variable: Var, given: Type, wanted: Type) -> int:
        """Return what it takes to get from the result to ``wanted`` where ``given`` went in."""
        values: list[Type] = [ANY_TYPE] * len(found.type_parameters)
        values[variable.index] = given
        return self._prices.between(instantiate(found.returns, values), wanted)

    def _arguments(
        self, layout: _BoundedLayout, prices: list[list[int]], asked: QuerySignature
    ) -> int:
        """Return the least that handing the arguments over costs, each place having these prices.

        A place holds one argument, and an argument is in one place: so many pairs there are at the
        most.  What they cost is at least what the cheapest places, and the cheapest arguments, do.
        """
        arguments = asked.rigid.parameters
        # For each argument the places that may take it, one bit each; and the required ones.
        taking, taking_required = [0] * len(arguments), [0] * len(arguments)
        cheapest = [BEYOND] * len(arguments)
        filling: list[int] = []  # prices of the required places that some argument may fill
        required = 0
        for i, (row, place) in enumerate(zip(prices, layout.places, strict=True)):
            bit = 0 if place.optional else 1 << i
            required += not place.optional
            for j, price in enumerate(row):
                if price < BEYOND:
                    taking[j] |= 1 << i
                    taking_required[j] |= bit
                    cheapest[j] = min(cheapest[j], price)
            if bit and (least := min(row, default=BEYOND)) < BEYOND:
                filling.append(min(least, 0 if asked.further else ARGUMENT_SUPPLIED.price))
        filled = most_pairs(taking_required)
        supplied = 0 if asked.further else required - filled
        if layout.rest is not None:
            element = layout.rest.type.element  # type: ignore[attr-defined]
            for j, argument in enumerate(arguments):
                price = self._prices.handed(argument.type, element)
                if price < BEYOND:
                    taking[j] |= 1 << (len(prices) + j)  # a place of its own
                    cheapest[j] = min(cheapest[j], price)
        used = most_pairs(taking)
        lost = len(arguments) - used
        filling.sort()
        handed = sum(sorted(min(one, ARGUMENT_UNUSED.price) for one in cheapest)[:used])
        handed = max(handed, sum(filling[:filled]))
        total = price_of_supplied(supplied) + lost * ARGUMENT_UNUSED.price + handed
        gathered = self._gathered(layout.places, arguments) if total > GATHERED.price else 0
        if gathered:
            lost = max(0, lost - gathered)
            fewer = price_of_supplied(max(0, supplied - 1)) + lost * ARGUMENT_UNUSED.price
            total = min(total, GATHERED.price + fewer + sum(filling[: max(0, filled - 1)]))
        return total

    def _gathered(self, places: Sequence[Parameter], arguments: Sequence[Parameter]) -> int:
        """Return how many arguments may be a part of what another place takes, at the most."""
        if not any(one.name for one in arguments):
            return 0
        names = [self._parts(place.type) for place in places if not place.rest]
        return sum(any(part is None or one.name in part for part in names) for one in arguments)

    def _parts(self, t: Type) -> frozenset[str] | None:
        """Return the properties that a place's values may have; None where that is not seen."""
        known = self._fields.get(t, _UNSEEN)
        if known is _UNSEEN:
            known = self._fields[t] = self._parts_of(t)
        return known

    def _parts_of(self, t: Type) -> frozenset[str] | None:
        parts = frozenset[str]()
        for member in constituents(t) if t.__class__ is Union else (t,):
            if member.__class__ is Free:
                continue  # which stands for any type
            head = self._glance.head(member)
            known = None if head is None else self._glance.fields(head)
            if known is None:
                return None
            parts |= known
        return parts

    def bounded(self, found: Signature, asked: QuerySignature) -> Signature:
        """Return ``found`` with stand-ins for its type parameters (``HeadCache.bounded``).

        What becomes ``any`` keeps within no constraint.
        """
        return found if asked.vague else self._heads.bounded(found)


_UNSEEN = frozenset(("",))  # of which nothing was asked yet


def _outer_price(found: Signature, asked: QuerySignature, outer: int) -> int:
    """Return what it costs that a result hangs on what the class around was made with.

    A query without variables of its own has none that could be meant.
    """
    if not outer or asked.variables or (found.parameters and found.parameters[-1].rest):
        return 0
    hanging = sum(index < outer for index in own_variables(found.returns))
    return hanging * CONTAINER_INSTANTIATED.price


def _layout(signature: Signature, parameters: tuple[Parameter, ...]) -> _BoundedLayout:
    bare = (
        {i: kind.price for i, kind in bare_places(signature)} if signature.type_parameters else {}
    )
    if parameters and parameters[-1].rest:
        return _BoundedLayout(parameters[:-1], parameters[-1], bare)
    return _BoundedLayout(parameters, None, bare)
