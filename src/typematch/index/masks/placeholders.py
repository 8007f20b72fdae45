"""Replaces variables bound outside a type by the placeholder ``OPEN``, which may be any type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from typematch.ir.constructors import replace_bound_variables
from typematch.ir.declaration import Declaration
from typematch.ir.intern import InternedNode
from typematch.ir.types import (
    Conditional,
    Free,
    IndexedAccess,
    Intrinsic,
    KeyOf,
    Type,
    VariableKind,
)
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.reduce import Reducer

N = TypeVar("N", bound=InternedNode)

# A type parameter of a candidate: it may be instantiated with any type.
OPEN = Free(VariableKind.PLACEHOLDER, 0, "open")
_OPEN_VARIABLES: frozenset[Type] = frozenset((OPEN,))
_MAX_VARIABLES = 64
_ALL_OPEN: tuple[Type, ...] = (OPEN,) * _MAX_VARIABLES


def with_placeholders(node: N) -> N:
    """Return ``node`` with ``OPEN`` for the variables of its enclosing binders."""
    node = instantiate(node, _ALL_OPEN)
    # The variables of binders further out keep their depth.
    return replace_bound_variables(node, OPEN)


def alias_body(declaration: Declaration, type_arguments: Sequence[Type]) -> Type | None:
    """Return the instantiated body of an alias; None for an intrinsic or unknown one."""
    body = declaration.type
    if body is None or (isinstance(body, Intrinsic) and body.name == "intrinsic"):
        return None
    arguments = list(type_arguments)
    for parameter in declaration.type_parameters[len(arguments) :]:
        default = parameter.default
        arguments.append(
            OPEN if default is None else instantiate(default, [*arguments, *_ALL_OPEN])
        )
    return instantiate(body, [*arguments, *_ALL_OPEN])


def open_reducer(reducer: Reducer) -> Reducer:
    """Let ``OPEN`` stand for any type, and return the reducer.

    A type mapped over the keys of ``OPEN`` has no members if there are no keys, and those of an
    array if it is an array (instantiateMappedArrayType).
    """
    reducer.undetermined = _OPEN_VARIABLES
    return reducer


def depends_on_open(t: Type) -> bool:
    """Whether what a computed type reduces to depends on the value of an open variable."""
    match t:
        case Conditional(check, extends):
            return OPEN in check.free or OPEN in extends.free
        case KeyOf(operand) | IndexedAccess(_, operand):
            return OPEN in operand.free
        case _:
            return False
