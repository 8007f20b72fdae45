"""Judge how far a found function is from the one a query asks for.

The question is always put to the strict relation.  An edit changes the query's signature (another
order, a promise awaited, an argument more), and the cheapest changed signature that the found
function is assignable to gives the verdict.  So a soft fit means just this: with these edits, the
compiler would accept it.

Each overload is judged in three steps.  A matrix of lower bounds is filled with the found
function's type variables standing for anything; ``arrange`` names the few best ways to hand the
query's arguments over; then the variables are inferred for each way, and every place is related.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.ir.build import union
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Object,
    Parameter,
    Signature,
    Type,
    Var,
)
from typematch.match.arrange import LEFT_OUT, SUPPLIED, Arrangement, arrangements, skipped
from typematch.match.asked import Asked, result_of
from typematch.match.bounds import BEYOND, Bounds
from typematch.match.bridges import Bridge, bridge
from typematch.match.calls import Call, call_for, order, receiver, saying_nothing, unused, withheld
from typematch.match.edits import (
    ANYTHING,
    ARGUMENT_SUPPLIED,
    MISFITTING,
    OPTIONAL_FILLED,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SKIPPED,
    SPECIALISED,
    VAGUE,
    WIDER_PARAMETER,
    Edit,
)
from typematch.match.gaps import gap, mentions_anything
from typematch.match.glance import Heads
from typematch.match.relation import Relation
from typematch.match.strictness import Strictness
from typematch.match.variables import bindings
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict
from typematch.program.limits import LimitReached


class Matcher:
    """Soft matching over one query: what it learns about a pair of types, it keeps.

    Attributes:
        work: steps of the relation that were taken in all.
    """

    def __init__(
        self,
        relation: Relation,
        strictness: Strictness = Strictness.SOFT,
        heads: Heads | None = None,
    ) -> None:
        self.relation = relation
        self.reducer = relation.reducer
        self.strictness = strictness
        worst = MISFITTING.price if strictness is Strictness.LOOSE else BEYOND
        self.bounds = Bounds(
            relation.reducer, heads or Heads(relation.reducer.declarations), worst=worst
        )
        self.work = 0
        self._bridges: dict[tuple[Type, Type], Bridge | None] = {}

    # What bridges and gaps ask ----------------------------------------------------------------

    def fits(self, source: Type, target: Type) -> bool:
        """Return whether the strict relation accepts the pair; what is undecided does not fit."""
        if source is target:
            return True
        if not self.bounds.glance.may_fit(source, target):
            return False
        answer = bool(self.relation.assign(source, target))
        self.work += self.reducer.steps
        return answer

    def expanded(self, type: Type) -> Type:  # noqa: A002
        """Return ``type`` in head normal form; as it is where that has no end."""
        try:
            return self.reducer.normal(type)
        except LimitReached:
            return type

    def size(self, type: Type) -> int | None:  # noqa: A002
        """Return how many members values of ``type`` have; None where that is too much work."""
        try:
            return len(self.reducer.shape(type).names)
        except LimitReached:
            return None

    def match(self, found: Object, asked: Asked, *, ceiling: int | None = None) -> Verdict:
        """Return the cheapest fit over the overloads of ``found``, the first of equals.

        Args:
            found: a function type, closed, with one call signature or more.
            asked: the query's function.
            ceiling: dearer fits are not looked for, in edit units; None for no bound.  A misfit of
            the kind "dearer" then says what there may be beyond; any other is for good.
        """
        if self.strictness is Strictness.ASSIGNABLE:
            return self.relation.assign(found, asked.type)
        if self.strictness is Strictness.EXACT:
            ceiling = 0
        best: Verdict | None = None
        for signature in found.calls:
            verdict = self._overload(signature, asked, ceiling)
            if best is None or _preference(verdict) < _preference(best):
                best = verdict
            if isinstance(verdict, Fit):
                ceiling = verdict.cost - 1
                if ceiling < 0:
                    break
        return Misfit("call", found, asked.type) if best is None else best

    def _overload(self, signature: Signature, asked: Asked, ceiling: int | None) -> Verdict:
        if self._is_the_same(signature, asked):
            return Fit()
        verdict = self._rigid(signature, asked, ceiling)
        if not verdict and (asked.has_rest or _has_open_rest(signature)):
            # Rest parameters that are no plain arrays are beyond arranging.
            verdict = self._as_it_stands(signature, asked, ceiling) or verdict
        if isinstance(verdict, Fit) or not asked.variables:
            return verdict
        if ceiling is not None and ceiling < SPECIALISED.price:
            return _cheaper(verdict, _dearer(SPECIALISED.price))
        return _cheaper(verdict, self._specialised(signature, asked, ceiling))

    def _is_the_same(self, signature: Signature, asked: Asked) -> bool:
        """Return whether the two are one type up to names: each may stand for the other.

        Asked of generic signatures and rest parameters, where arranging and inferring may lose it.
        """
        wanted = asked.binder
        if not (signature.type_parameters or any(p.rest for p in signature.parameters)):
            return False
        if len(signature.parameters) != len(wanted.parameters) or (
            len(signature.type_parameters) != len(wanted.type_parameters)
        ):
            return False
        if mentions_anything(signature) is not mentions_anything(wanted):
            return False
        if not self.bounds.glance.signatures(signature, asked.rigid):
            return False
        there = self.relation.assign_signature(signature, wanted)
        self.work += self.reducer.steps
        if not there:
            return False
        back = self.relation.assign_signature(wanted, signature)
        self.work += self.reducer.steps
        return bool(back)

    def _as_it_stands(self, signature: Signature, asked: Asked, ceiling: int | None) -> Fit | None:
        if not self.bounds.glance.signatures(signature, asked.rigid):
            return None
        stands = self.relation.assign_signature(signature, asked.binder)
        self.work += self.reducer.steps
        if not stands:
            return None
        kind = ANYTHING if mentions_anything(signature) else WIDER_PARAMETER
        whole = Edit(kind, "$.parameters", "the rest parameter", Object(calls=(signature,)))
        # Which values its type parameters take, nothing says.
        unsaid = (Edit(VAGUE, "$", Var(0, i)) for i in range(len(signature.type_parameters)))
        fit = Fit((whole, *unsaid, *receiver(signature, asked, 0)))
        return fit if ceiling is None or fit.cost <= ceiling else None

    # One overload against the query with its variables rigid ---------------------------------

    def _rigid(self, signature: Signature, asked: Asked, ceiling: int | None) -> Verdict:
        if not _predicates_agree(signature, asked.rigid):
            return Misfit("predicate", "", asked.type, ".returns")
        least = self.bounds.signature(signature, asked)
        if ceiling is not None and ceiling < least < BEYOND:
            return _dearer(least)
        if least >= BEYOND:
            return Misfit("call", Object(calls=(signature,)), asked.type)
        erased = call_for(self.reducer.erased(signature), asked)
        result = self._across(erased.returns, result_of(asked.rigid))
        if result is None and self._computes(signature):
            result = Bridge(erased.returns)
        if result is None:
            return Misfit("type", erased.returns, result_of(asked.rigid), ".returns")
        ways = self._ways(erased, asked.rigid.parameters, asked.further)
        call = call_for(signature, asked)
        best: Verdict = _uncallable(signature, asked)
        for way in ways:
            bound = way.bound + result.price
            if isinstance(best, Fit) and bound >= best.cost:
                break
            if ceiling is not None and bound > ceiling:
                return _cheaper(best, _dearer(bound))
            verdict = self._checked(call, erased, asked, way)
            if isinstance(verdict, Fit) and ceiling is not None and verdict.cost > ceiling:
                verdict = _dearer(verdict.cost)
            best = _cheaper(best, verdict)
        return best

    def _computes(self, signature: Signature) -> bool:
        """Whether ``any`` for its variables says nothing of what the result will be."""
        return bool(signature.returns.loose) and self.bounds.glance.head(signature.returns) is None

    def _ways(
        self, erased: Call, arguments: Sequence[Parameter], further: bool
    ) -> list[Arrangement]:
        matrix = [
            [self._price(argument, place) for argument in arguments] for place in erased.places
        ]
        return arrangements(
            matrix,
            required=erased.required,
            asked=len(arguments),
            ceiling=None,
            further=further,
        )

    def _price(self, argument: Parameter, place: Parameter) -> int | None:
        crossed = self._handed_over(argument, place)
        return None if crossed is None else crossed.price

    def _handed_over(self, argument: Parameter, place: Parameter) -> Bridge | None:
        """Return how the query's argument gets into a parameter."""
        if argument.rest != place.rest:
            return None
        if not argument.optional:
            return self._across(argument.type, place.type)
        if place.optional:
            return self._across(argument.type, place.type)
        whole = self._across(union((argument.type, UNDEFINED)), place.type)
        if whole is not None and not whole.edits:
            return whole
        given = self._across(argument.type, place.type)
        if given is None:
            return whole
        filled = Edit(OPTIONAL_FILLED, a=argument.name)
        return Bridge(given.source, (filled, *given.edits))

    def _across(self, source: Type, target: Type) -> Bridge | None:
        key = (source, target)
        if key in self._bridges:
            return self._bridges[key]
        found: Bridge | None
        if target is UNANNOTATED or source is UNANNOTATED or target is VOID:
            # Nothing is known of what was not written, and any result may be ignored.
            found = Bridge(source)
        else:
            found = bridge(self, source, target)
            if found is None and self.strictness is Strictness.LOOSE:
                found = Bridge(target, (Edit(MISFITTING, a=source, b=target),))
        self._bridges[key] = found
        return found

    # One way to call, with the found function's variables inferred ---------------------------

    def _checked(self, call: Call, erased: Call, asked: Asked, way: Arrangement) -> Verdict:
        edits: list[Edit] = []
        if call.signature.type_parameters:
            values = self._inferred(call, erased, asked, way)
            if isinstance(values, Undecided):
                return values
            edits += bindings(call.signature, values)
            call = call.opened(values)
        edits += order(asked, way)
        supplied = 0
        for i, (place, source) in enumerate(zip(call.places, way.sources, strict=True)):
            path = f"$.parameters[{i}]"
            if source >= 0:
                handed = self._handed(asked.rigid.parameters[source], place, path)
                if handed is None:
                    return _uncallable(call.signature, asked)
                edits += handed
            elif source == SUPPLIED and not asked.further:
                edits.append(Edit(ARGUMENT_SUPPLIED, path, place.name, extra=supplied))
                supplied += 1
            elif source == LEFT_OUT and not place.rest:
                kind = OPTIONAL_SKIPPED if i in skipped(way.sources) else OPTIONAL_LEFT_OUT
                edits.append(Edit(kind, path, place.name))
        edits += receiver(call.signature, asked, supplied)
        edits += unused(asked, way)
        edits += withheld(call, asked, way)
        given = self._given(call.returns, result_of(asked.rigid))
        if given is None:
            return Misfit("type", call.returns, result_of(asked.rigid), ".returns")
        edits += given
        edits += saying_nothing(call.signature, asked, way)
        return Fit(tuple(edits))

    def _inferred(
        self, call: Call, erased: Call, asked: Asked, way: Arrangement
    ) -> tuple[Type, ...] | Undecided:
        """Return what the found function's type parameters are when it is called that way."""
        given, wanted = [], []
        for open_place, place, source in zip(call.places, erased.places, way.sources, strict=True):
            if source >= 0:
                crossed = self._handed_over(asked.rigid.parameters[source], place)
                if crossed is not None:
                    given.append(Parameter("", crossed.source))
                    wanted.append(Parameter("", open_place.type))
        found = Signature(tuple(wanted), call.returns, call.signature.type_parameters)
        return self._arguments(found, Signature(tuple(given), result_of(asked.rigid)))

    def _arguments(self, found: Signature, given: Signature) -> tuple[Type, ...] | Undecided:
        values = self.relation.type_arguments(found, given)
        self.work += self.reducer.steps
        return values

    def _handed(self, argument: Parameter, place: Parameter, path: str) -> list[Edit] | None:
        crossed = self._handed_over(argument, place)
        if crossed is None:
            return None
        slack = gap(self, place.type, crossed.source, path=path, name=place.name)
        return [*_placed(crossed, path, place.name), *slack]

    def _given(self, found: Type, wanted: Type) -> list[Edit] | None:
        crossed = self._across(found, wanted)
        if crossed is None:
            return None
        path = "$.returns"
        slack = gap(self, crossed.source, wanted, path=path, name="the result", result=True)
        return [*_placed(crossed, path, "the result"), *slack]

    # The query's own variables made concrete --------------------------------------------------

    def _specialised(self, signature: Signature, asked: Asked, ceiling: int | None) -> Verdict:
        """Judge with the query's variables standing for what the found function is about."""
        concrete = self.bounds.concrete(asked)
        least = self.bounds.signature(signature, concrete) + SPECIALISED.price
        if ceiling is not None and ceiling < least < BEYOND:
            return _dearer(least)
        best: Verdict = _uncallable(signature, asked)
        if least >= BEYOND:
            return best
        erased = call_for(self.reducer.erased(signature), concrete)
        ways = self._ways(erased, concrete.rigid.parameters, asked.further)
        for way in ways[:2]:
            values = self._about(erased, asked, way)
            special = [
                Edit(SPECIALISED, a=variable.name, b=value)
                for value, variable in zip(values, asked.variables, strict=True)
                if value is not variable
            ]
            price = sum(edit.price for edit in special)
            if not special:
                continue
            if ceiling is not None and price > ceiling:
                best = _cheaper(best, _dearer(price))
                continue
            room = None if ceiling is None else ceiling - price
            verdict = self._rigid(signature, asked.with_values(values, self.reducer), room)
            if isinstance(verdict, Fit):
                return Fit((*special, *verdict.edits))
            if isinstance(verdict, Misfit) and verdict.kind == "dearer":
                best = _cheaper(best, _dearer(price + least_of(verdict)))
        return best

    def _about(self, erased: Call, asked: Asked, way: Arrangement) -> list[Type]:
        """Return what the query's variables must be; the variable itself where nothing says."""
        given, wanted = [], []
        for place, source in zip(erased.places, way.sources, strict=True):
            if source >= 0:
                given.append(Parameter("", place.type))
                wanted.append(Parameter("", asked.binder.parameters[source].type))
        pattern = Signature(tuple(wanted), result_of(asked.binder), asked.binder.type_parameters)
        values = self._arguments(pattern, Signature(tuple(given), erased.returns))
        if isinstance(values, Undecided):
            return list(asked.variables)
        return [
            variable if value is ANY or value is UNKNOWN else value
            for value, variable in zip(values, asked.variables, strict=True)
        ]


def _has_open_rest(signature: Signature) -> bool:
    """Whether the last parameter is a rest parameter of something else than a plain array."""
    last = signature.parameters[-1] if signature.parameters else None
    return last is not None and last.rest and not isinstance(last.type, Array)


def _dearer(least: int) -> Misfit:
    return Misfit("dearer", least)


def least_of(verdict: Misfit) -> int:
    """Return what a fit must cost at least for all that a misfit says; ``BEYOND`` for never."""
    return int(str(verdict.source)) if verdict.kind == "dearer" else BEYOND


def _preference(verdict: Verdict) -> tuple[int, int]:
    """Return a key to sort by: fits by cost, then what was too much work, then misfits."""
    if isinstance(verdict, Fit):
        return 0, verdict.cost
    if isinstance(verdict, Undecided):
        return 1, 0
    return 2, least_of(verdict)


def _cheaper(one: Verdict, other: Verdict) -> Verdict:
    return other if _preference(other) < _preference(one) else one


def _uncallable(signature: Signature, asked: Asked) -> Misfit:
    return Misfit("call", Object(calls=(signature,)), asked.type)


def _predicates_agree(found: Signature, asked: Signature) -> bool:
    """Whether ``found`` is a type guard or assertion if one was asked for, of the same sort."""
    if asked.predicate is None:
        return True
    return found.predicate is not None and found.predicate.asserts == asked.predicate.asserts


def _placed(crossed: Bridge, path: str, name: str) -> list[Edit]:
    return [replace(edit, path=path, a=name) for edit in crossed.edits]
