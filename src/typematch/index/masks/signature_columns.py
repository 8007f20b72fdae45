"""The columns of a function type that the filters test: result, arity, first parameter positions.

The type at a position is the one that an argument must be assignable to: ``undefined`` is added to
an optional parameter, and a rest parameter yields one position after another.  The SQL columns are
named ``position0`` to ``position3``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from typematch.ir.constructors import union
from typematch.ir.intern import InternedNode, nodes_of
from typematch.ir.rest_parameters import with_positional_parameters
from typematch.ir.type_parts import Signature, TypeParameter
from typematch.ir.types import (
    ANY,
    NEVER,
    UNANNOTATED,
    UNDEFINED,
    UNKNOWN,
    VOID,
    Array,
    Intrinsic,
    Named,
    Object,
    Reference,
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
)
from typematch.match.edit_kinds import ACCEPTS_ANY_TYPE, IS_ANY, NOT_ANNOTATED, WIDER_PARAMETER
from typematch.match.edits.instantiation_edits import (
    bare_type_parameters,
    has_closed_parameters,
    has_constraints,
    may_become_any,
    parameter_element,
)

POSITIONS = 4
# Bits of ``SignatureColumns.bounded`` beyond those of the positions.
RESULT_MAY_BE_ANY = 1 << 7
CONSTRAINABLE = 1 << 8
GENERIC = 1 << 9


class Charge(IntEnum):
    """What a type costs whatever it is compared with, but for arguments of certain types."""

    NONE = 0
    CONSTRAINED_PARAMETER = 1  # a bare type parameter with a constraint
    BARE_PARAMETER = 2  # a bare type parameter that other types mention, too
    UNUSED_PARAMETER = 3  # a bare type parameter that no other type mentions
    ANY_TYPE = 4
    UNANNOTATED = 5

    @property
    def cost(self) -> int:
        """In edit units."""
        return _CHARGE_COSTS[self]


_CHARGE_COSTS = {
    Charge.NONE: 0,
    Charge.CONSTRAINED_PARAMETER: WIDER_PARAMETER.cost,
    Charge.BARE_PARAMETER: ACCEPTS_ANY_TYPE.cost,
    Charge.UNUSED_PARAMETER: IS_ANY.cost,
    Charge.ANY_TYPE: IS_ANY.cost,
    Charge.UNANNOTATED: NOT_ANNOTATED.cost,
}
_BARE_CHARGES = {
    WIDER_PARAMETER: Charge.CONSTRAINED_PARAMETER,
    ACCEPTS_ANY_TYPE: Charge.BARE_PARAMETER,
    IS_ANY: Charge.UNUSED_PARAMETER,
}
# ``SignatureColumns.charges`` has so many bits for the result, then for each position: a
# ``Charge``, and whether the parameter is optional.
CHARGE_BITS = 4
OPTIONAL_POSITION = 1 << 3


@dataclass(frozen=True, slots=True)
class SignatureColumns:
    """The columns of one call signature.

    Attributes:
        min_arity: the fewest arguments; trailing ``void`` parameters may be omitted.
        max_arity: the most arguments; None with a rest parameter.
        positions: the types of the first ``POSITIONS`` positions; None if any argument fits.
        parameter_count: a rest parameter counts as one.
        guard: it is a type guard.
        bounded: bit set of the positions whose type is the constraint of a type parameter;
            ``RESULT_MAY_BE_ANY`` if the result may be ``any`` once the type parameters are;
            ``CONSTRAINABLE`` if a query variable may be constrained to fit; ``GENERIC`` if a
            position mentions a type parameter, or a type that is not written.
        charges: a ``Charge`` in ``CHARGE_BITS`` bits each for the result and the positions.
    """

    returns: Type
    min_arity: int
    max_arity: int | None
    positions: tuple[Type | None, ...]
    parameter_count: int
    guard: bool = False
    bounded: int = 0
    charges: int = 0


def signature_columns(function: Type) -> SignatureColumns:
    """Return the columns of a function type with one call; of other types, ones that pass."""
    if not isinstance(function, Object) or len(function.calls) != 1:
        return SignatureColumns(
            UNANNOTATED,
            0,
            None,
            (None,) * POSITIONS,
            0,
            guard=True,
            bounded=CONSTRAINABLE | GENERIC,
        )
    signature = with_positional_parameters(function.calls[0])
    parameters = signature.parameters
    rest = bool(parameters) and parameters[-1].rest
    return SignatureColumns(
        signature.returns,
        _min_arity(signature),
        None if rest else len(parameters),
        _position_types(signature),
        len(parameters),
        signature.predicate is not None and not signature.predicate.asserts,
        _constraint_bits(function, signature),
        _charges(signature),
    )


def _constraint_bits(function: Type, signature: Signature) -> int:
    type_parameters, returns = signature.type_parameters, signature.returns
    # The constraints of the enclosing class's type parameters are not known here.
    may_constrain = has_constraints(signature) or (
        bool(function.loose_depth)
        and any(isinstance(parameter_element(p), Var) for p in signature.parameters)
    )
    mask = CONSTRAINABLE if may_constrain else 0
    if not has_closed_parameters(signature):
        mask |= GENERIC
    for position, parameter in enumerate(signature.parameters[:POSITIONS]):
        if _constraint_of(parameter.type, type_parameters) is not parameter.type:
            # A rest parameter fills this position and all later ones.
            mask |= (1 << POSITIONS) - (1 << position) if parameter.rest else 1 << position
    return mask | RESULT_MAY_BE_ANY if type_parameters and may_become_any(returns) else mask


def _charges(signature: Signature) -> int:
    """Return the charges of the result and the positions, as ``SignatureColumns.charges``."""
    returns = signature.returns
    charges = int(
        Charge.ANY_TYPE if returns is ANY or returns is NEVER else _charge_of_annotation(returns)
    )
    last = signature.parameters[-1] if signature.parameters else None
    if last is not None and last.rest and _rest_element(last.type) is None:
        return 0  # compared as a whole: no position is charged
    bare = dict(bare_type_parameters(signature))
    for position, parameter in enumerate(signature.parameters[:POSITIONS]):
        if parameter.rest:
            charge = _charge_of_parameter(_rest_element(parameter.type))
            for rest_position in range(position, POSITIONS):
                charges |= charge << CHARGE_BITS * (rest_position + 1)
            break
        charge = _charge_of_parameter(parameter.type)
        if position in bare:
            charge = _BARE_CHARGES[bare[position]]
        optional = OPTIONAL_POSITION if parameter.optional else 0
        charges |= (charge | optional) << CHARGE_BITS * (position + 1)
    return charges


def _charge_of_parameter(t: Type | None) -> Charge:
    return Charge.ANY_TYPE if t is ANY or t is UNKNOWN else _charge_of_annotation(t)


def _charge_of_annotation(t: Type | None) -> Charge:
    return Charge.UNANNOTATED if t is UNANNOTATED else Charge.NONE


def _min_arity(signature: Signature) -> int:
    required = 0
    for position, parameter in enumerate(signature.parameters):
        if not (parameter.optional or parameter.rest or _may_be_void(parameter.type)):
            required = position + 1
    return required


def _may_be_void(t: Type) -> bool:
    return t is VOID or (isinstance(t, Union) and VOID in t.members)


def _position_types(signature: Signature) -> tuple[Type | None, ...]:
    types: list[Type | None] = []
    for parameter in signature.parameters[:POSITIONS]:
        t = _constraint_of(parameter.type, signature.type_parameters)
        if parameter.rest:
            element = _rest_element(t)
            types += [element] * (POSITIONS - len(types))
        elif parameter.optional:
            types.append(union((t, UNDEFINED)))
        else:
            types.append(t)
    types += [None] * (POSITIONS - len(types))
    return tuple(None if t_ in (ANY, UNKNOWN, UNANNOTATED) else t_ for t_ in types)


def _constraint_of(t: Type, type_parameters: tuple[TypeParameter, ...]) -> Type:
    """Return the constraint of a type parameter, other types unchanged."""
    for _ in type_parameters:
        if not isinstance(t, Var) or t.depth or t.index >= len(type_parameters):
            break
        constraint = type_parameters[t.index].constraint
        if constraint is None:
            break
        t = constraint
    return t


def _rest_element(t: Type) -> Type | None:
    """Return the element type of a rest parameter; None if its positions differ in type."""
    match t:
        case Array(element):
            return element
        case Tuple((only,)) if only.kind == "rest":
            return only.type
        case _:
            return None


def mentioned_names(t: Type) -> set[str]:
    """Return the declaration keys, unresolved names and keywords that a type mentions."""
    return {name for node in nodes_of(t) for name in _node_names(node)}


def _node_names(node: InternedNode) -> Iterator[str]:
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
