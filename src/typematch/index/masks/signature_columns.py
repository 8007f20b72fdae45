"""Take a function type apart into what searches test: result, arity, the first places.

A *place* is where an argument goes.  What stands there is the type that an argument must fit:
``undefined`` is added to an optional parameter, a rest parameter gives one place after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from typematch.ir.constructors import union
from typematch.ir.intern import InternedNode, children
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Intrinsic,
    Named,
    Object,
    Reference,
    Signature,
    Tuple,
    Type,
    TypeOf,
    TypeParameter,
    Union,
    Var,
)

PLACES = 4
RESULT = 1 << 7


@dataclass(frozen=True, slots=True)
class SignatureColumns:
    """One call signature taken apart.

    Attributes:
        min_arity: the fewest arguments; trailing ``void`` may be left out, so it may be less than
            what is written.
        max_arity: the most; None if there is no end.
        places: the first ``PLACES`` of them; None where anything may stand.
        count: how many places there are, a rest parameter counting as one.
        guard: it is a type guard.
        bounded: places whose type is the constraint of a type parameter, as bits; ``RESULT`` where
            the result may turn into any when the type parameters do.
    """

    returns: Type
    min_arity: int
    max_arity: int | None
    places: tuple[Type | None, ...]
    count: int
    guard: bool = False
    bounded: int = 0


def shape_of(function: Type) -> SignatureColumns:
    """Return the shape of a function type with one call; of anything else one that fits all."""
    if not isinstance(function, Object) or len(function.calls) != 1:
        return SignatureColumns(UNANNOTATED, 0, None, (None,) * PLACES, 0, guard=True)
    signature = function.calls[0]
    parameters = signature.parameters
    rest = bool(parameters) and parameters[-1].rest
    return SignatureColumns(
        signature.returns,
        _min_arity(signature),
        None if rest else len(parameters),
        _places(signature),
        len(parameters),
        signature.predicate is not None and not signature.predicate.asserts,
        _bounded(signature),
    )


def _bounded(signature: Signature) -> int:
    variables, returns = signature.type_parameters, signature.returns
    bits = 0
    for place, one in enumerate(signature.parameters[:PLACES]):
        if _bound(one.type, variables) is not one.type:
            # A rest parameter gives this place and all behind it.
            bits |= (1 << PLACES) - (1 << place) if one.rest else 1 << place
    return bits | RESULT if variables and _absorbed(returns) else bits


def _absorbed(t: Type) -> bool:
    """Whether more than a variable of ``t`` is any where its variables are: ``T | undefined`` is.

    An array of any is an array still; all elements of a tuple are any where one is.
    """
    if isinstance(t, Array):
        return _absorbed(t.element)
    if isinstance(t, Tuple):
        return any(isinstance(one.type, Var) or _absorbed(one.type) for one in t.elements)
    return bool(t.loose) and not isinstance(t, (Object, Var))


def _min_arity(signature: Signature) -> int:
    fewest = 0
    for place, parameter in enumerate(signature.parameters):
        if not (parameter.optional or parameter.rest or _may_be_void(parameter.type)):
            fewest = place + 1
    return fewest


def _may_be_void(t: Type) -> bool:
    return t is VOID or (isinstance(t, Union) and VOID in t.members)


def _places(signature: Signature) -> tuple[Type | None, ...]:
    places: list[Type | None] = []
    for parameter in signature.parameters[:PLACES]:
        t = _bound(parameter.type, signature.type_parameters)
        if parameter.rest:
            further = _element(t)
            places += [further] * (PLACES - len(places))
        elif parameter.optional:
            places.append(union((t, UNDEFINED)))
        else:
            places.append(t)
    places += [None] * (PLACES - len(places))
    return tuple(None if place in (ANY, UNKNOWN, UNANNOTATED) else place for place in places)


def _bound(t: Type, variables: tuple[TypeParameter, ...]) -> Type:
    """Return what an argument must fit at least: of a type parameter its constraint."""
    for _ in variables:
        if not isinstance(t, Var) or t.depth or t.index >= len(variables):
            break
        constraint = variables[t.index].constraint
        if constraint is None:
            break
        t = constraint
    return t


def _element(t: Type) -> Type | None:
    """Return what stands in each place of a rest parameter; None where that is not one type."""
    match t:
        case Array(element):
            return element
        case Tuple((one,)) if one.kind == "rest":
            return one.type
        case _:
            return None


def mentioned(t: Type) -> set[str]:
    """Return what a type mentions: keys of declarations, names left open, keywords."""
    found: set[str] = set()
    seen: set[InternedNode] = set()
    waiting: list[InternedNode] = [t]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        found.update(_named(node))
        waiting.extend(children(node))
    return found


def _named(node: InternedNode) -> Iterator[str]:
    match node:
        case Reference(target):
            yield target
        case Named(path):
            yield ".".join(path)
        case Intrinsic(name):
            yield name
        case Array():
            yield "global#Array"
        case TypeOf(Reference(target)):
            yield target
        case _:
            return
