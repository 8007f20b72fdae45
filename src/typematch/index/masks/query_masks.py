"""Work out what the filter must know of a query: what its arguments have, what its result needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typematch.index.masks.mask import HAS_ALL, NEEDS_NONE, Masks
from typematch.index.masks.placeholders import OPEN
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.declaration import Declarations
from typematch.ir.types import (
    ANY,
    FURTHER,
    VOID,
    Array,
    Free,
    Object,
    Signature,
    Type,
)
from typematch.match.edits.query_signature import any_for_wildcards, is_vague
from typematch.program.reduction.instantiate import instantiate


@dataclass(frozen=True, slots=True)
class QueryMasks:
    """What a query's signature asks, for one reading of its variables.

    Attributes:
        needs: of its result.
        arguments: what they have, in order, without the rest parameter.
        rest: what each further argument has; None if there are none.
        further: the query ended in ``...``, so that any further parameters are welcome.
        guard: the result is a type guard, which only a type guard can be.
        vague: its parameters, or the constraints of its variables, bring ``any`` or ``never``: a
            found function's variable may come to that.
        bare: of each argument, whether it is a variable: what that is within, search may narrow.
    """

    needs: Masks
    arguments: tuple[Masks, ...]
    rest: Masks | None = None
    further: bool = False
    guard: bool = False
    vague: bool = False
    bare: tuple[bool, ...] = ()

    def at(self, place: int) -> Masks | None:
        """Return what the argument in that place has; None if there is none."""
        return self.arguments[place] if place < len(self.arguments) else self.rest


@dataclass(frozen=True, slots=True)
class QueryMaskSet:
    """What a query asks, for each reading of its variables.

    Attributes:
        rigid: they fit only themselves.
        erased: they are any, as the compiler has it beside overloads.
        opened: they become whatever fits.
    """

    rigid: QueryMasks
    erased: QueryMasks
    opened: QueryMasks


def asked_masks(asked: Object, declarations: Declarations) -> QueryMaskSet:
    """Return what the filter must know of ``asked``, a function type with one call."""
    signature = asked.calls[0]
    variables = tuple(Free(-2 - n, "T") for n in range(len(signature.type_parameters)))
    rigid: dict[Free, Type | None] = {}
    for variable, parameter in zip(variables, signature.type_parameters, strict=True):
        bound = parameter.constraint
        rigid[variable] = None if bound is None else instantiate(bound, variables)
    facets = TypeMasks(declarations, rigid)
    vague = is_vague(any_for_wildcards(signature), declarations.get)
    closed = _asked(_opened(signature, variables), facets, vague)
    if not variables:
        return QueryMaskSet(closed, closed, closed)
    erased = _asked(_opened(signature, (ANY,) * len(variables)), facets, True)
    opened = _asked(_opened(signature, (OPEN,) * len(variables)), facets, vague)
    return QueryMaskSet(closed, erased, opened)


def _opened(signature: Signature, arguments: Sequence[Type]) -> Signature:
    if not signature.type_parameters:
        return signature
    return Signature(
        tuple(instantiate(one, arguments) for one in signature.parameters),
        instantiate(signature.returns, arguments),
        predicate=signature.predicate,
    )


def _asked(signature: Signature, facets: TypeMasks, vague: bool) -> QueryMasks:
    given = [one for one in signature.parameters if not one.rest]
    rest = next((one.type for one in signature.parameters if one.rest), None)
    predicate = signature.predicate
    needs = facets.needs(signature.returns)
    return QueryMasks(
        # What comes to void asks for nothing, whatever it is called.
        NEEDS_NONE if needs == facets.needs(VOID) else needs,
        tuple(facets.has(one.type) for one in given),
        None if rest is None else _further(rest, facets),
        rest is FURTHER,
        predicate is not None and not predicate.asserts,
        vague,
        tuple(isinstance(one.type, Free) for one in given),
    )


def _further(rest: Type, facets: TypeMasks) -> Masks:
    return facets.has(rest.element) if isinstance(rest, Array) else HAS_ALL
