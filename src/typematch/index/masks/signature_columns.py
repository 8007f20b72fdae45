"""The columns of a function type that the filters test: result, arity, first parameter positions.

The type at a position is the one that an argument must be assignable to: ``undefined`` is added to
an optional parameter, and a rest parameter yields one position after another.  The SQL columns are
named ``place0`` to ``place3``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from typematch.ir.constructors import union
from typematch.ir.intern import InternedNode, children
from typematch.ir.type_parts import Signature, TypeParameter
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
    Tuple,
    Type,
    TypeOf,
    Union,
    Var,
)

POSITIONS = 4
RESULT = 1 << 7


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
            ``RESULT`` if the result may be ``any`` once the type parameters are.
    """

    returns: Type
    min_arity: int
    max_arity: int | None
    positions: tuple[Type | None, ...]
    parameter_count: int
    guard: bool = False
    bounded: int = 0


def signature_columns(function: Type) -> SignatureColumns:
    """Return the columns of a function type with one call; of other types, ones that pass."""
    if not isinstance(function, Object) or len(function.calls) != 1:
        return SignatureColumns(UNANNOTATED, 0, None, (None,) * POSITIONS, 0, guard=True)
    signature = function.calls[0]
    parameters = signature.parameters
    rest = bool(parameters) and parameters[-1].rest
    return SignatureColumns(
        signature.returns,
        _min_arity(signature),
        None if rest else len(parameters),
        _position_types(signature),
        len(parameters),
        signature.predicate is not None and not signature.predicate.asserts,
        _constraint_bits(signature),
    )


def _constraint_bits(signature: Signature) -> int:
    type_parameters, returns = signature.type_parameters, signature.returns
    mask = 0
    for position, parameter in enumerate(signature.parameters[:POSITIONS]):
        if _constraint_of(parameter.type, type_parameters) is not parameter.type:
            # A rest parameter fills this position and all later ones.
            mask |= (1 << POSITIONS) - (1 << position) if parameter.rest else 1 << position
    return mask | RESULT if type_parameters and _may_become_any(returns) else mask


def _may_become_any(t: Type) -> bool:
    """Whether ``t`` becomes ``any`` once its variables are, without being a variable itself.

    ``T | undefined`` does; of an array the element counts, of a tuple any one element.
    """
    if isinstance(t, Array):
        return _may_become_any(t.element)
    if isinstance(t, Tuple):
        return any(
            isinstance(element.type, Var) or _may_become_any(element.type) for element in t.elements
        )
    return bool(t.loose_depth) and not isinstance(t, (Object, Var))


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
    names: set[str] = set()
    seen: set[InternedNode] = set()
    pending: list[InternedNode] = [t]
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        names.update(_node_names(node))
        pending.extend(children(node))
    return names


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
