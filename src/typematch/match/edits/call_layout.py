"""Lay out a call of a found function: which places it has, and what the handing over leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typematch.ir.types import ANY, UNKNOWN, VOID, Array, Free, Parameter, Signature, Type
from typematch.match.edit_kinds import (
    ANYTHING,
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    ORDER_CHANGED,
    VAGUE,
    WIDER_PARAMETER,
    Edit,
    EditKind,
)
from typematch.match.edits.argument_assignment import LEFT_OUT, SUPPLIED, ArgumentAssignment
from typematch.match.edits.instantiation_edits import bare_places, uses_of_variables
from typematch.match.edits.query_signature import QuerySignature, result_of
from typematch.match.edits.subtyping_edits import mentions_anything
from typematch.program.reduction.instantiate import instantiate


@dataclass(frozen=True, slots=True)
class CallLayout:
    """A found overload seen as places to fill: a rest parameter is as many as the query needs."""

    signature: Signature
    places: tuple[Parameter, ...]
    returns: Type
    outer: int = 0  # how many of its type parameters, the first, are of the class around it

    @property
    def required(self) -> list[bool]:
        return [not place.optional for place in self.places]

    def opened(self, values: Sequence[Type]) -> CallLayout:
        """Return the call with ``values`` for the signature's type parameters."""
        places = tuple(instantiate(place, values) for place in self.places)
        return CallLayout(self.signature, places, instantiate(self.returns, values), self.outer)


def predicates_agree(found: Signature, asked: Signature) -> bool:
    """Whether ``found`` is a type guard or assertion if one was asked for, of the same sort."""
    if asked.predicate is None:
        return True
    return found.predicate is not None and found.predicate.asserts == asked.predicate.asserts


def call_for(signature: Signature, asked: QuerySignature, outer: int = 0) -> CallLayout:
    """Return the places of a call with as many arguments as the query has."""
    places = list(signature.parameters)
    rest = places[-1] if places and places[-1].rest else None
    if rest is not None and isinstance(rest.type, Array) and not asked.has_rest:
        places.pop()
        element = Parameter(rest.name, rest.type.element, optional=True)
        places += [element] * max(0, len(asked.rigid.parameters) - len(places))
    places = [
        Parameter(place.name, place.type, True, place.rest) if place.rest else place
        for place in places
    ]
    returns = signature.returns if asked.rigid.predicate is None else result_of(signature)
    return CallLayout(signature, tuple(places), returns, outer)


def order(asked: QuerySignature, way: ArgumentAssignment) -> list[Edit]:
    if way.ordered:
        return []
    names = [asked.rigid.parameters[j].name or f"#{j + 1}" for j in way.sources if j >= 0]
    return [Edit(ORDER_CHANGED, "$.parameters", ", ".join(names))]


def unused(asked: QuerySignature, way: ArgumentAssignment) -> list[Edit]:
    return [
        Edit(ARGUMENT_UNUSED, "$.parameters", argument.name or f"argument #{j + 1}")
        for j, argument in enumerate(asked.rigid.parameters)
        if j not in way.sources
    ]


def saying_nothing(
    signature: Signature, asked: QuerySignature, way: ArgumentAssignment
) -> list[Edit]:
    """Charge for parameters that take anything, where the query said what it hands over."""
    said = []
    for i, kind in bare_places(signature):
        source = way.sources[i] if i < len(way.sources) else LEFT_OUT
        if source >= 0:
            argument = asked.rigid.parameters[source].type
            if not isinstance(argument, Free) and argument is not ANY:
                parameter = signature.parameters[i]
                said.append(Edit(kind, f"$.parameters[{i}]", parameter.name, parameter.type))
    return said


def receiver(signature: Signature, asked: QuerySignature, supplied: int) -> list[Edit]:
    """Charge for a ``this`` that the function must be called on, and the query does not have."""
    if not wants_this(signature, asked):
        return []
    return [Edit(ARGUMENT_SUPPLIED, "$.this", "this", extra=supplied)]


def wants_this(signature: Signature, asked: QuerySignature) -> bool:
    this = signature.this
    return asked.rigid.this is None and this not in (None, ANY, UNKNOWN, VOID)


def withheld(call: CallLayout, asked: QuerySignature, way: ArgumentAssignment) -> list[Edit]:
    """Charge for parameters that would take a query argument, as they take anything, and get none.

    Otherwise leaving both aside would be cheaper than saying that the parameter takes anything.
    """
    unused = len(asked.rigid.parameters) - sum(1 for source in way.sources if source >= 0)
    taking = [
        Edit(ANYTHING, f"$.parameters[{i}]", place.name)
        for i, (place, source) in enumerate(zip(call.places, way.sources, strict=True))
        if source == SUPPLIED and (place.type is ANY or place.type is UNKNOWN)
    ]
    bare = [
        Edit(ANYTHING, f"$.parameters[{i}]", call.places[i].name)
        for i, kind in bare_places(call.signature)
        if kind is ANYTHING and i < len(way.sources) and way.sources[i] == SUPPLIED
    ]
    return [*taking, *bare][:unused]


def charged_as_a_whole(signature: Signature) -> list[EditKind]:
    """Return what is charged for a signature that fits unarranged: for it, and each type parameter.

    Which values its type parameters take, nothing says.
    """
    whole = ANYTHING if mentions_anything(signature) else WIDER_PARAMETER
    return [whole, *(ANYTHING if n == 1 else VAGUE for n in uses_of_variables(signature))]
