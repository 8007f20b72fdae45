"""Say what a found function costs at the least, before anything is inferred.

Each place of the found signature is looked at by itself, its type variables standing for whatever
helps, so a bound is never more than the fit's real cost.  A search judges in the order of these
bounds and leaves aside what cannot get onto its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typematch.ir.build import constituents, nameless
from typematch.ir.types import (
    ANY,
    NEVER,
    UNANNOTATED,
    UNKNOWN,
    VOID,
    Array,
    Free,
    Intrinsic,
    Literal,
    Object,
    Parameter,
    Reference,
    Signature,
    Type,
    Union,
    Var,
)
from typematch.match.arrange import price_of_supplied
from typematch.match.asked import Asked, result_of
from typematch.match.bridges import changes_of, changes_towards
from typematch.match.calls import wants_this
from typematch.match.edits import (
    ALIAS_FOLLOWED,
    ANYTHING,
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    GATHERED,
    NARROWED,
    NARROWER_RESULT,
    SPECIALISED,
    UNANNOTATED_PLACE,
    WIDER_PARAMETER,
    EditKind,
)
from typematch.match.gaps import mentions_anything
from typematch.match.glance import Glance
from typematch.match.heads import Heads
from typematch.match.rigid import ANY_TYPE, is_stand_in
from typematch.match.variables import bare_places, narrowing
from typematch.match.verdict import BEYOND
from typematch.program.instantiate import instantiate
from typematch.program.reduce import Reducer


@dataclass(frozen=True, slots=True)
class _Layout:
    """A found signature's places: those before a rest parameter, and what the rest holds."""

    places: tuple[Parameter, ...]
    rest: Parameter | None
    bare: dict[int, int]  # place -> least price of a type parameter standing there alone


class Bounds:
    """Lower bounds against one query's functions; what is known of a pair is kept."""

    def __init__(self, reducer: Reducer, heads: Heads, *, worst: int = BEYOND) -> None:
        """Start; ``worst`` is the price of what does not fit at all, ``BEYOND`` for none."""
        self.worst = worst
        self.glance = Glance(heads, reducer)
        self._prices: dict[tuple[Type, Type], int] = {}
        self._signatures: dict[tuple[Signature, Signature], int] = {}
        self._concrete: dict[Asked, Asked] = {}
        self._knowns: dict[Type, bool] = {}
        self._changes: dict[Type, list[tuple[int, Type]]] = {}
        self._reducer = reducer
        self._heads = heads

    def of(self, found: Object, asked: Asked) -> int | None:
        """Return the least that the cheapest overload of ``found`` costs; None: it fits nowhere."""
        least = min((self.signature(one, asked) for one in found.calls), default=BEYOND)
        if asked.variables and least > NARROWED.price:
            concrete = self.concrete(asked)
            for one in found.calls:
                price = NARROWED.price if narrowing(one) else SPECIALISED.price
                if price < least:
                    least = min(least, self.signature(one, concrete) + price)
        return None if least >= BEYOND else least

    def concrete(self, asked: Asked) -> Asked:
        """Return the query with ``any`` for its variables."""
        found = self._concrete.get(asked)
        if found is None:
            values = [ANY] * len(asked.variables)
            found = self._concrete[asked] = asked.with_values(values, self._reducer)
        return found

    def signature(self, found: Signature, asked: Asked) -> int:
        """Return the least that ``found`` costs, the query's variables rigid; ``BEYOND`` if never.

        What is known of a pair of signatures is kept.
        """
        key = (found, asked.rigid)
        known = self._signatures.get(key)
        if known is None:
            known = self._signatures[key] = self._priced_signature(found, asked)
        return known

    def _priced_signature(self, found: Signature, asked: Asked) -> int:
        wanted = asked.rigid
        seen = self.bounded(found, asked)
        if wanted.predicate is not None:
            if found.predicate is None or found.predicate.asserts != wanted.predicate.asserts:
                return BEYOND
            result = self.result(result_of(seen), result_of(wanted))
        else:
            result = self.result(seen.returns, wanted.returns)
        if result >= BEYOND:
            return result
        if wants_this(found, asked):
            result += ARGUMENT_SUPPLIED.price
        layout = _layout(found, seen.parameters)
        if asked.has_rest or (layout.rest is not None and layout.rest.type.__class__ is not Array):
            return result
        total = result + self._arguments(layout, asked)
        if total < ARGUMENT_SUPPLIED.price and not self._passed_on(found, asked):
            return ARGUMENT_SUPPLIED.price
        return total

    def _passed_on(self, found: Signature, asked: Asked) -> bool:
        """Return False only if no argument helps where what is given is what comes out.

        In ``<T>(x: T) => T[]`` an argument that is no element of the result must not be ``x``, so
        another one has to be supplied.
        """
        if asked.further or not found.returns.loose:
            return True
        for parameter in found.parameters:
            given = parameter.type
            if parameter.optional or parameter.rest or given.__class__ is not Var:
                continue
            if given.depth == 0 and not any(
                self._comes_out(found, given, argument.type, asked)
                for argument in asked.rigid.parameters
            ):
                return False
        return True

    def _comes_out(self, found: Signature, variable: Type, given: Type, asked: Asked) -> bool:
        values: list[Type] = [ANY_TYPE] * len(found.type_parameters)
        values[variable.index] = given  # type: ignore[attr-defined]
        result = instantiate(found.returns, values)
        return self.result(result, result_of(asked.rigid)) < BEYOND

    def _arguments(self, layout: _Layout, asked: Asked) -> int:
        arguments = asked.rigid.parameters
        places = layout.places
        total = supplied = 0
        usable = [False] * len(arguments)
        for i, place in enumerate(places):
            least = BEYOND
            for j, argument in enumerate(arguments):
                price = self._handed(argument, place.type, layout.bare.get(i, 0))
                if price < BEYOND:
                    usable[j] = True
                    least = min(least, price)
            if place.optional:
                continue
            if least >= BEYOND:
                supplied += not asked.further
            else:
                total += min(least, 0 if asked.further else ARGUMENT_SUPPLIED.price)
        if layout.rest is None:
            lost = max(usable.count(False), len(arguments) - len(places))
        else:
            element = layout.rest.type.element  # type: ignore[attr-defined]
            lost = sum(
                not one and self._handed(argument, element, 0) >= BEYOND
                for one, argument in zip(usable, arguments, strict=True)
            )
        plain = price_of_supplied(supplied) + lost * ARGUMENT_UNUSED.price
        gathered = self._gathered(places, arguments) if plain > GATHERED.price else 0
        if gathered:
            lost = max(0, lost - gathered)
            fewer = price_of_supplied(max(0, supplied - 1)) + lost * ARGUMENT_UNUSED.price
            plain = min(plain, GATHERED.price + fewer)
        return total + plain

    def _gathered(self, places: Sequence[Parameter], arguments: Sequence[Parameter]) -> int:
        """Return how many arguments may be a part of what another place takes, at the most."""
        if not any(one.name for one in arguments):
            return 0
        names = [self._parts(place.type) for place in places if not place.rest]
        return sum(any(part is None or one.name in part for part in names) for one in arguments)

    def _parts(self, t: Type) -> frozenset[str] | None:
        """Return the properties that a place's values may have; None where that is not seen."""
        parts = frozenset[str]()
        for member in constituents(t) if t.__class__ is Union else (t,):
            head = self.glance.head(member)
            known = None if head is None else self.glance.fields(head)
            if known is None:
                return None
            parts |= known
        return parts

    def _handed(self, argument: Parameter, place: Type, bare: int) -> int:
        given = argument.type
        if given is ANY or given is place:
            return 0
        if place is ANY or place is UNKNOWN:
            return ANYTHING.price
        price = self.price(given, place) or self._slack(place, given, WIDER_PARAMETER)
        return price if given.__class__ is Free else price + bare

    def result(self, found: Type, asked: Type) -> int:
        """Return the least that a found result costs where ``asked`` was asked for."""
        if asked is ANY or found is asked:
            return 0
        if found is ANY or found is NEVER or (found is UNKNOWN and asked is VOID):
            return ANYTHING.price
        if asked is VOID:
            return 0 if found is VOID or not self._is_known(found) else NARROWER_RESULT.price
        return self.price(found, asked) or self._slack(asked, found, NARROWER_RESULT)

    def _slack(self, wide: Type, narrow: Type, kind: EditKind) -> int:
        """Return the least that it costs that one type fits the other, and is not the same."""
        if wide is UNANNOTATED or narrow is UNANNOTATED:
            return 0
        if not self.glance.may_fit(wide, narrow):
            return kind.price
        known = self._is_known(wide) and self._is_known(narrow)
        return ALIAS_FOLLOWED.price if known and nameless(wide) is not nameless(narrow) else 0

    def _is_known(self, t: Type) -> bool:
        """Whether neither ``any`` nor a type parameter of the found signature stands in ``t``."""
        known = self._knowns.get(t)
        if known is None:
            open_ = t.loose or any(map(is_stand_in, t.free))
            known = self._knowns[t] = not (open_ or mentions_anything(t))
        return known

    def bounded(self, found: Signature, asked: Asked) -> Signature:
        """Return ``found`` with stand-ins for its type parameters (``Heads.bounded``).

        What becomes ``any`` keeps within no constraint.
        """
        return found if asked.vague else self._heads.bounded(found)

    def computes(self, t: Type) -> bool:
        """Whether a type works something out of type parameters (``Heads.computes``)."""
        return self._heads.computes(t)

    def price(self, source: Type, target: Type) -> int:
        """Return the least that it takes to get from one type to the other, in edit units."""
        key = (source, target)
        found = self._prices.get(key)
        if found is None:
            found = self._prices[key] = self._priced(source, target)
        return found

    def _priced(self, source: Type, target: Type) -> int:
        if source is UNANNOTATED or target is UNANNOTATED:
            return UNANNOTATED_PLACE.price
        may_fit = self.glance.may_fit
        if may_fit(source, target):
            return 0
        best = self.worst
        first = self._steps(source, target)
        for price, changed in first:
            if price < best and may_fit(changed, target):
                best = price
        for price, changed in first:
            if price < best:
                for more, again in self._steps(changed, target):
                    if price + more < best and may_fit(again, target):
                        best = price + more
        return best

    def _steps(self, source: Type, target: Type) -> Sequence[tuple[int, Type]]:
        s, t = self.glance.head(source) or source, self.glance.head(target)
        if t is None:
            return ()
        own = self._changes.get(s)
        if own is None:
            found = changes_of(s, self)
            own = self._changes[s] = [(kind.price, changed) for kind, changed, _ in found]
        towards = changes_towards(s, t, self)
        return [*own, *((kind.price, changed) for kind, changed, _ in towards)]

    def expanded(self, t: Type, /) -> Type:
        """Return a head; what none is told of may be anything."""
        return self.glance.head(t) or ANY

    def call(self, t: Type, /) -> Signature | None:
        return self._heads.call(t)


def distance(found: Object, asked: Asked, glance: Glance) -> int:
    """Return how unlike the nearest overload of ``found`` looks: a first guess, and no bound."""
    wanted = asked.rigid
    places = [p.type for p in wanted.parameters]
    return min((_unlike(one, places, wanted.returns, glance) for one in found.calls), default=0)


def _unlike(found: Signature, places: Sequence[Type], result: Type, glance: Glance) -> int:
    """Add up the places, the result counting double: it says most of what a function is for."""
    parameters = found.parameters
    required = sum(1 for p in parameters if not p.optional and not p.rest)
    total = 2 * max(0, required - len(places)) + 3 * max(0, len(places) - len(parameters))
    total += 2 * _unlike_types(found.returns, result, glance)
    for parameter, type_ in zip(parameters, places, strict=False):
        total += _unlike_types(parameter.type, type_, glance)
    return total


def _unlike_types(found: Type, asked: Type, glance: Glance) -> int:
    """Return 0 for one type, 1 for types of one head, 2 for a bare variable, 3 for others.

    Types of two heads that may stand for each other (a dictionary, a record) count 2.
    """
    if found is asked:
        return 0
    if found.__class__ is Var:
        return 1 if asked.__class__ is Free else 2
    if isinstance(found, Union):
        return min(_unlike_types(member, asked, glance) for member in found.members)
    if isinstance(found, Reference) and found.target == getattr(asked, "target", None):
        return 1
    one, other = glance.head(found), glance.head(asked)
    if one is None or other is None:
        return 3
    if one is not found or other is not asked:
        return _unlike_types(one, other, glance)
    if found.__class__ is asked.__class__ and found.__class__ not in _TOLD_APART:
        return _unlike_functions(found, asked, glance)
    return 2 if glance.may_fit(found, asked) and glance.may_fit(asked, found) else 3


def _unlike_functions(found: Type, asked: Type, glance: Glance) -> int:
    """Return how unlike the unlikest parts of two functions are; 1 where there are none."""
    if not isinstance(found, Object) or not isinstance(asked, Object):
        return 1
    if len(found.calls) != 1 or len(asked.calls) != 1:
        return 1
    one, other = found.calls[0], asked.calls[0]
    pairs = zip(one.parameters, other.parameters, strict=False)
    parts = [(one.returns, other.returns), *((a.type, b.type) for a, b in pairs)]
    return max(1, *(_unlike_types(a, b, glance) for a, b in parts))


_TOLD_APART = (Intrinsic, Literal, Reference)


def _layout(signature: Signature, parameters: tuple[Parameter, ...]) -> _Layout:
    bare = (
        {i: kind.price for i, kind in bare_places(signature)} if signature.type_parameters else {}
    )
    if parameters and parameters[-1].rest:
        return _Layout(parameters[:-1], parameters[-1], bare)
    return _Layout(parameters, None, bare)
