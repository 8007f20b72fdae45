"""Masks of a query: source masks of its arguments and the target mask of its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from typematch.index.masks.mask import EMPTY_MASKS, FULL_MASKS, Masks, conversion_bound
from typematch.index.masks.placeholders import OPEN
from typematch.index.masks.type_masks import TypeMasks
from typematch.ir.constructors import constituents
from typematch.ir.declaration import Declarations
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import (
    ANY,
    ELLIPSIS,
    NEVER,
    UNDEFINED,
    VOID,
    Array,
    Free,
    Object,
    Type,
    VariableKind,
)
from typematch.match.edit_kinds import ARRAY_SPREAD
from typematch.match.edits.query_signature import mentions_any_or_never, replace_wildcards
from typematch.program.reduction.instantiate import instantiate

_ANY_ARRAY = Array(ANY, readonly=True)


@dataclass(frozen=True, slots=True)
class QueryArgument:
    """An argument of a query.

    Attributes:
        type: its type, in which variables are interpreted.
        masks: source masks of the type.
        optional: it is optional, or may be undefined.
        spread_cost: lower bound of spreading it into a rest parameter, in edit units; None if it
            cannot be an array.
    """

    type: Type
    masks: Masks
    optional: bool = False
    spread_cost: int | None = None


@dataclass(frozen=True, slots=True)
class QueryMasks:
    """The masks of a query's signature for one interpretation of its variables.

    Attributes:
        returns: type of the result, in which variables are interpreted.
        result: target masks of that type.
        arguments: in order, without the rest parameter.
        rest: source mask of each further argument; None without a rest parameter.
        allows_more: the query ends in ``...``: additional parameters are free.
        guard: the query is a type guard, which only type guards are assignable to.
        mentions_any_or_never: its parameters, or the constraints of its variables, mention ``any``
            or ``never``, so that a candidate's type parameters may be instantiated with these.
    """

    returns: Type
    result: Masks
    arguments: tuple[QueryArgument, ...]
    rest: Masks | None = None
    allows_more: bool = False
    guard: bool = False
    mentions_any_or_never: bool = False

    def argument_at(self, position: int) -> Masks | None:
        """Return the source mask of the argument at ``position``; None if there is none."""
        return self.arguments[position].masks if position < len(self.arguments) else self.rest


@dataclass(frozen=True, slots=True)
class QueryMaskSet:
    """The masks of a query for each interpretation of its variables.

    Attributes:
        skolemized: each is assignable only to itself and its constraint.
        erased: ``any``, as in comparisons with overload sets.
        opened: may be instantiated with any type.
        constrained: may get any constraint; None without variables.
        variable_arguments: how many variables are the type of an argument.
    """

    skolemized: QueryMasks
    erased: QueryMasks
    opened: QueryMasks
    constrained: QueryMasks | None = None
    variable_arguments: int = 0


def query_masks(query: Object, declarations: Declarations) -> QueryMaskSet:
    """Return the masks of ``query``, a function type with one call signature."""
    signature = query.calls[0]
    skolems = tuple(
        Free(VariableKind.QUERY, index) for index in range(len(signature.type_parameters))
    )
    constraints: dict[Free, Type | None] = {}
    for variable, parameter in zip(skolems, signature.type_parameters, strict=True):
        constraint = parameter.constraint
        constraints[variable] = None if constraint is None else instantiate(constraint, skolems)
    type_masks = TypeMasks(declarations, constraints)
    any_or_never = mentions_any_or_never(replace_wildcards(signature), declarations.get)
    skolemized = _masks_of(_instantiated(signature, skolems), type_masks, any_or_never)
    if not skolems:
        return QueryMaskSet(skolemized, skolemized, skolemized)
    erased = _masks_of(_instantiated(signature, (ANY,) * len(skolems)), type_masks, True)
    opened = _masks_of(_instantiated(signature, (OPEN,) * len(skolems)), type_masks, any_or_never)
    variable_arguments = {argument.type for argument in skolemized.arguments}.intersection(skolems)
    # A variable with a constraint is assignable to more, and still accepts only itself.
    constrained = replace(opened, returns=skolemized.returns, result=skolemized.result)
    return QueryMaskSet(skolemized, erased, opened, constrained, len(variable_arguments))


def _instantiated(signature: Signature, type_arguments: Sequence[Type]) -> Signature:
    if not signature.type_parameters:
        return signature
    return Signature(
        tuple(instantiate(parameter, type_arguments) for parameter in signature.parameters),
        instantiate(signature.returns, type_arguments),
        predicate=signature.predicate,
    )


def _masks_of(signature: Signature, type_masks: TypeMasks, any_or_never: bool) -> QueryMasks:
    parameters = [parameter for parameter in signature.parameters if not parameter.rest]
    rest = next((parameter.type for parameter in signature.parameters if parameter.rest), None)
    predicate = signature.predicate
    result = type_masks.target_mask(signature.returns)
    return QueryMasks(
        NEVER if type_masks.is_never(signature.returns) else signature.returns,
        # A result type that reduces to void accepts every result, so it needs no bits.
        EMPTY_MASKS if result == type_masks.target_mask(VOID) else result,
        tuple(_argument(parameter, type_masks) for parameter in parameters),
        None if rest is None else _rest_mask(rest, type_masks),
        rest is ELLIPSIS,
        predicate is not None and not predicate.asserts,
        any_or_never,
    )


def _argument(parameter: Parameter, type_masks: TypeMasks) -> QueryArgument:
    masks = type_masks.source_mask(parameter.type)
    to_array = conversion_bound(masks, type_masks.target_mask(_ANY_ARRAY))
    return QueryArgument(
        parameter.type,
        masks,
        _may_be_undefined(parameter),
        None if to_array is None else ARRAY_SPREAD.cost + to_array,
    )


def _may_be_undefined(parameter: Parameter) -> bool:
    return parameter.optional or UNDEFINED in constituents(parameter.type)


def _rest_mask(rest: Type, type_masks: TypeMasks) -> Masks:
    return type_masks.source_mask(rest.element) if isinstance(rest, Array) else FULL_MASKS
