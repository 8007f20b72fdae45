"""Write a method as a function whose first argument is the receiver.

``(T[], (t: T) => U) => U[]`` is what ``xs.map(f)`` answers: the type parameters of the container
and the method's own become those of one function.
"""

from __future__ import annotations

from dataclasses import replace

from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry, EntrySignature
from typematch.ir.lift import flattened, with_receiver
from typematch.ir.types import (
    THIS,
    Array,
    Object,
    Parameter,
    Predicate,
    Reference,
    Signature,
    Type,
    Var,
)

RECEIVER = "receiver"
_ARRAYS = {"global#Array": False, "global#ReadonlyArray": True}
_CALLED_ON = frozenset(("method", "property"))


def receiver_of(entry: Entry, declarations: Declarations) -> Type | None:
    """Return the type of what an entry is called on, its type parameters as they are declared.

    None unless it is an instance member of a class or interface.
    """
    if entry.kind not in _CALLED_ON or entry.static or "#" not in entry.qualified_name:
        return None
    if not entry.signatures or entry.visibility != "public":
        return None
    container = declarations.get(entry.declaration)
    if container is None or container.kind not in ("class", "interface"):
        return None
    return _receiver(container.key, len(container.type_parameters))


def called_on(entry: Entry, receiver: Type | None, declarations: Declarations) -> Entry:
    """Return an entry with the receiver's type for ``this`` in its signatures' types."""
    if receiver is None or not any(THIS in one.type.free for one in entry.signatures):
        return entry
    container = declarations.get(entry.declaration)
    names = () if container is None else container.type_parameter_names
    signatures = tuple(_called_on(one, receiver) for one in entry.signatures)
    return replace(entry, signatures=signatures, outer=names)


def _called_on(signature: EntrySignature, receiver: Type) -> EntrySignature:
    depth = 1 if signature.type_parameters else 0
    parameters = tuple(
        replace(one, resolved=with_receiver(one.resolved, receiver, depth))
        for one in signature.parameters
    )
    return replace(
        signature,
        type=with_receiver(signature.type, receiver),
        parameters=parameters,
        returned=with_receiver(signature.returned, receiver, depth),
    )


def receiver_form(method: Type, receiver: Type, declarations: Declarations) -> Type:
    """Return a method's function type with the receiver as its first parameter."""
    if not isinstance(method, Object) or len(method.calls) != 1:
        return method
    key = receiver.target if isinstance(receiver, Reference) else _array_key(receiver)
    declaration = declarations.get(key)
    outer = () if declaration is None else declaration.type_parameters
    alone = flattened(method.calls[0], outer, receiver)
    predicate = alone.predicate
    if predicate is not None:
        predicate = Predicate(predicate.parameter + 1, predicate.type, predicate.asserts)
    called = Signature(
        (Parameter(RECEIVER, receiver), *alone.parameters),
        alone.returns,
        alone.type_parameters,
        predicate=predicate,
    )
    return Object(calls=(called,))


def _array_key(t: Type) -> str:
    return "global#ReadonlyArray" if isinstance(t, Array) and t.readonly else "global#Array"


def _receiver(key: str, count: int) -> Type:
    """Return the container's own type, within the binder of its type parameters."""
    if key in _ARRAYS and count:
        return Array(Var(0, 0), _ARRAYS[key])
    return Reference(key, tuple(Var(0, index) for index in range(count)))
