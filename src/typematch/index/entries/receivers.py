"""Receiver forms: a method as a function whose first parameter is the receiver.

``(T[], (t: T) => U) => U[]`` finds ``xs.map(f)``: the type parameters of the container and of the
method become those of one function.
"""

from __future__ import annotations

from typematch.ir.declaration import Declarations
from typematch.ir.lift import lift_signature
from typematch.ir.type_parts import Parameter, Predicate, Signature
from typematch.ir.types import Array, Object, Reference, Type

RECEIVER = "receiver"  # name of that parameter


def receiver_form(method: Type, receiver: Type, declarations: Declarations) -> Type:
    """Return a method's function type with the receiver as its first parameter."""
    if not isinstance(method, Object) or len(method.calls) != 1:
        return method
    key = receiver.target if isinstance(receiver, Reference) else _array_key(receiver)
    declaration = declarations.get(key)
    outer = () if declaration is None else declaration.type_parameters
    lifted = lift_signature(method.calls[0], outer, receiver)
    predicate = lifted.predicate
    if predicate is not None:
        predicate = Predicate(predicate.parameter + 1, predicate.type, predicate.asserts)
    signature = Signature(
        (Parameter(RECEIVER, receiver), *lifted.parameters),
        lifted.returns,
        lifted.type_parameters,
        predicate=predicate,
    )
    return Object(calls=(signature,))


def _array_key(t: Type) -> str:
    return "global#ReadonlyArray" if isinstance(t, Array) and t.readonly else "global#Array"
