"""Judge how far a found function is from the one a query asks for.

The question is always put to the strict relation.  An edit changes the query's signature (another
order, a promise awaited, an argument more), and the cheapest changed signature that the found
function is assignable to gives the verdict.  So a soft fit means just this: with these edits, the
compiler would accept it.

``calling`` judges one overload with the query's variables rigid; where that fails, they are made
concrete here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.ir.constructors import nameless
from typematch.ir.types import (
    ANY,
    UNKNOWN,
    Array,
    Free,
    Object,
    Parameter,
    Signature,
    Type,
    Var,
)
from typematch.match.assignability.relation import Relation
from typematch.match.edit_kinds import (
    ALIAS_FOLLOWED,
    GATHERED,
    MISFITTING,
    NARROWED,
    SPECIALISED,
    Edit,
)
from typematch.match.edits.argument_assignment import ArgumentAssignment
from typematch.match.edits.call_layout import CallLayout, call_for, charged_as_a_whole, receiver
from typematch.match.edits.conversion_costs import ConversionCosts
from typematch.match.edits.cost_bounds import CostLowerBounds
from typematch.match.edits.instantiation_edits import narrowing
from typematch.match.edits.options_object import OptionsObjectRewrites
from typematch.match.edits.overload_matcher import OverloadMatcher, uncallable
from typematch.match.edits.query_signature import QuerySignature, result_of
from typematch.match.edits.subtyping_edits import mentions_anything
from typematch.match.prefilter.head_cache import HeadCache
from typematch.match.prefilter.quick_reject import QuickReject
from typematch.match.strictness import Strictness
from typematch.match.verdict import (
    BEYOND,
    Fit,
    Misfit,
    Undecided,
    Verdict,
    charged,
    cheaper,
    dearer,
    preference,
)
from typematch.program.reduction.limits import LimitReached
from typematch.program.reduction.skolemize import erasure


class Matcher:
    """Soft matching over one query: what it learns about a pair of types, it keeps.

    Attributes:
        work: steps of the relation that were taken in all.
    """

    def __init__(
        self,
        relation: Relation,
        strictness: Strictness = Strictness.SOFT,
        heads: HeadCache | None = None,
    ) -> None:
        self.relation = relation
        self.reducer = relation.reducer
        self.strictness = strictness
        heads = heads or HeadCache(self.reducer.declarations)
        loose = strictness is Strictness.LOOSE
        self.glance = QuickReject(heads, self.reducer)
        self.prices = ConversionCosts(
            self.glance, heads, worst=MISFITTING.price if loose else BEYOND
        )
        self.bounds = CostLowerBounds(self.prices, self.glance, heads, self.reducer)
        self.work = 0
        self.gathering = OptionsObjectRewrites(relation.reducer)
        self._limited: dict[tuple[QuerySignature, tuple[Type | None, ...]], QuerySignature] = {}
        self.calling = OverloadMatcher(self, self.prices, self.bounds, loose=loose)

    # What is asked of the strict relation ------------------------------------------------------

    def fits(self, source: Type, target: Type) -> bool:
        """Return whether the strict relation accepts the pair; what is undecided does not fit."""
        if source is target:
            return True
        if not self.glance.may_fit(source, target):
            return False
        answer = bool(self.relation.assign_part(source, target))
        self.work += self.reducer.steps
        return answer

    def expanded(self, t: Type, /) -> Type:
        """Return ``t`` in head normal form; as it is where that has no end."""
        try:
            return self.reducer.normal(t)
        except LimitReached:
            return t

    def call(self, t: Type, /) -> Signature | None:
        """Return the call signature of a type that has just one; else None."""
        shape = self.reducer.apart(lambda: self.reducer.shape(t))
        return shape.calls[0] if shape is not None and len(shape.calls) == 1 else None

    def size(self, type: Type) -> int | None:  # noqa: A002
        """Return how many members values of ``type`` have; None where that is too much work."""
        try:
            return len(self.reducer.shape(type).names)
        except LimitReached:
            return None

    def arguments(self, found: Signature, given: Signature) -> tuple[Type, ...] | Undecided:
        """Return a type for each type parameter of ``found``, so that it may fit ``given``."""
        values = self.relation.type_arguments(found, given)
        self.work += self.reducer.steps
        return values

    def erased(self, signature: Signature) -> Signature:
        """Return ``signature`` with ``any`` for its type parameters."""
        return erasure(self.reducer, signature)

    def match(
        self, found: Object, asked: QuerySignature, *, ceiling: int | None = None, outer: int = 0
    ) -> Verdict:
        """Return the cheapest fit over the overloads of ``found``, the first of equals.

        Args:
            found: a function type, closed, with one call signature or more.
            asked: the query's function.
            ceiling: dearer fits are not looked for, in edit units; None for no bound.  A misfit of
            the kind "dearer" then says what there may be beyond; any other is for good.
            outer: how many of its type parameters, the first, belong to the class around it.
        """
        if self.strictness is Strictness.ASSIGNABLE:
            return self.relation.assign(found, asked.type)
        if self.strictness is Strictness.EXACT:
            ceiling = 0
        best: Verdict | None = None
        for signature in found.calls:
            verdict = self._overload(signature, asked, ceiling, outer)
            if best is None or preference(verdict) < preference(best):
                best = verdict
            if isinstance(verdict, Fit):
                ceiling = verdict.cost - 1
                if ceiling < 0:
                    break
        return Misfit("call", found, asked.type) if best is None else best

    def _overload(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int
    ) -> Verdict:
        if self._is_the_same(signature, asked):
            return Fit(
                tuple(_other_names(signature, asked.binder)),
                tuple(range(len(signature.parameters))),
            )
        verdict = self.calling.judged(signature, asked, ceiling, outer)
        if not verdict and (asked.has_rest or _has_open_rest(signature)):
            # Rest parameters that are no plain arrays are beyond arranging.
            verdict = self._as_it_stands(signature, asked, ceiling) or verdict
        if not isinstance(verdict, Fit) and asked.variables:
            verdict = cheaper(verdict, self._narrowed(signature, asked, ceiling, outer))
        if not isinstance(verdict, Fit) and asked.variables:
            verdict = cheaper(verdict, self._specialised(signature, asked, ceiling, outer))
        if isinstance(verdict, Fit) and verdict.cost <= GATHERED.price:
            return verdict
        return cheaper(verdict, self._gathered(signature, asked, ceiling, outer))

    def _is_the_same(self, signature: Signature, asked: QuerySignature) -> bool:
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
        if nameless(signature) is nameless(wanted):
            return True
        if mentions_anything(signature) or mentions_anything(wanted):
            return False
        if not self.glance.signatures(signature, asked.rigid):
            return False
        there = self.relation.assign_signature(signature, wanted)
        self.work += self.reducer.steps
        if not there:
            return False
        back = self.relation.assign_signature(wanted, signature)
        self.work += self.reducer.steps
        return bool(back)

    def _as_it_stands(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None
    ) -> Fit | None:
        if not self.glance.signatures(signature, asked.rigid):
            return None
        stands = self.relation.assign_signature(signature, asked.binder)
        self.work += self.reducer.steps
        if not stands:
            return None
        kind, *kinds = charged_as_a_whole(signature)
        whole = Edit(kind, "$.parameters", "the rest parameter", Object(calls=(signature,)))
        unsaid = (Edit(one, "$", Var(0, i)) for i, one in enumerate(kinds))
        fit = Fit((whole, *unsaid, *receiver(signature, asked, 0)))
        return fit if ceiling is None or fit.cost <= ceiling else None

    def _gathered(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int
    ) -> Verdict:
        """Judge with arguments put into an object that the function takes."""
        best: Verdict = uncallable(signature, asked)
        erased = self.calling.erased(signature, asked)
        for changed, edit in self.gathering.ways(erased, asked):
            verdict = self._changed(signature, changed, (edit,), ceiling, outer)
            best = cheaper(best, verdict)
        return best

    def _changed(
        self,
        signature: Signature,
        changed: QuerySignature,
        edits: Sequence[Edit],
        ceiling: int | None,
        outer: int,
    ) -> Verdict:
        """Judge a changed query, the changes charged."""
        return charged(
            lambda room: self.calling.judged(signature, changed, room, outer), edits, ceiling
        )

    # The query's own variables made concrete --------------------------------------------------

    def _narrowed(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int
    ) -> Verdict:
        """Judge with the query's variables within what the found function's have to be within."""
        best: Verdict = uncallable(signature, asked)
        if not narrowing(signature):
            return best
        concrete = self.bounds.concrete(asked)
        least = self.bounds.signature(signature, concrete) + NARROWED.price
        if least >= BEYOND:
            return best
        if ceiling is not None and ceiling < least:
            return dearer(least)
        call = call_for(signature, asked)
        for way in self.calling.ways(signature, concrete)[:1]:
            values = _limits(call, asked, way)
            edits = tuple(
                Edit(NARROWED, a=variable.name, b=limit)
                for limit, variable in zip(values, asked.variables, strict=True)
                if limit is not None
            )
            if edits:
                closer = self._within(asked, values)
                verdict = self._changed(signature, closer, edits, ceiling, outer)
                best = cheaper(best, verdict)
        return best

    def _within(self, asked: QuerySignature, limits: tuple[Type | None, ...]) -> QuerySignature:
        found = self._limited.get((asked, limits))
        if found is None:
            found = self._limited[asked, limits] = asked.narrowed(limits, self.reducer)
        return found

    def _specialised(
        self, signature: Signature, asked: QuerySignature, ceiling: int | None, outer: int
    ) -> Verdict:
        """Judge with the query's variables standing for what the found function is about."""
        if ceiling is not None and ceiling < SPECIALISED.price:
            return dearer(SPECIALISED.price)
        concrete = self.bounds.concrete(asked)
        least = self.bounds.signature(signature, concrete) + SPECIALISED.price
        if ceiling is not None and ceiling < least < BEYOND:
            return dearer(least)
        best: Verdict = uncallable(signature, asked)
        if least >= BEYOND:
            return best
        erased = self.calling.erased(signature, concrete)
        for way in self.calling.ways(signature, concrete)[:2]:
            values = self._about(erased, asked, way)
            special = [
                Edit(SPECIALISED, a=variable.name, b=value)
                for value, variable in zip(values, asked.variables, strict=True)
                if value is not variable
            ]
            if special:
                concretely = asked.with_values(values, self.reducer)
                verdict = self._changed(signature, concretely, special, ceiling, outer)
                best = cheaper(best, verdict)
            if isinstance(best, Fit):
                break
        return best

    def _about(
        self, erased: CallLayout, asked: QuerySignature, way: ArgumentAssignment
    ) -> list[Type]:
        """Return what the query's variables must be; the variable itself where nothing says."""
        given, wanted = [], []
        for place, source in zip(erased.places, way.sources, strict=True):
            if source >= 0:
                given.append(Parameter("", place.type))
                wanted.append(Parameter("", asked.binder.parameters[source].type))
        pattern = Signature(tuple(wanted), result_of(asked.binder), asked.binder.type_parameters)
        values = self.arguments(pattern, Signature(tuple(given), erased.returns))
        if isinstance(values, Undecided):
            return list(asked.variables)
        return [
            variable if value is ANY or value is UNKNOWN else value
            for value, variable in zip(values, asked.variables, strict=True)
        ]


def _limits(
    call: CallLayout, asked: QuerySignature, way: ArgumentAssignment
) -> tuple[Type | None, ...]:
    """Return what each of the query's variables must be within to get where it is handed over."""
    limits: dict[Type, Type] = {}
    for place, source in zip(call.places, way.sources, strict=False):
        given = asked.rigid.parameters[source].type if source >= 0 else None
        if isinstance(given, Free) and isinstance(place.type, Var) and not place.type.depth:
            constraint = call.signature.type_parameters[place.type.index].constraint
            if constraint is not None and constraint in narrowing(call.signature):
                limits.setdefault(given, constraint)
    return tuple(limits.get(one) for one in asked.variables)


def _other_names(found: Signature, asked: Signature) -> Iterator[Edit]:
    """Yield an edit for each place where one type goes by two names."""
    for i, (one, other) in enumerate(zip(found.parameters, asked.parameters, strict=True)):
        if nameless(one.type) is not nameless(other.type):
            yield Edit(ALIAS_FOLLOWED, f"$.parameters[{i}]", one.type, other.type)
    if nameless(result_of(found)) is not nameless(result_of(asked)):
        yield Edit(ALIAS_FOLLOWED, "$.returns", result_of(found), result_of(asked))


def _has_open_rest(signature: Signature) -> bool:
    """Whether the last parameter is a rest parameter of something else than a plain array."""
    last = signature.parameters[-1] if signature.parameters else None
    return last is not None and last.rest and not isinstance(last.type, Array)
