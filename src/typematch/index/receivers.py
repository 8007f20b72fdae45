"""Write a method as a function whose first argument is the receiver.

``(T[], (t: T) => U) => U[]`` is what ``xs.map(f)`` answers: the type parameters of the container
and the method's own become those of one function.
"""

from __future__ import annotations

from typing import cast

from typematch.ir.build import restore
from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry
from typematch.ir.intern import Node, rebuild
from typematch.ir.types import (
    Array,
    Intrinsic,
    Object,
    Parameter,
    Predicate,
    Reference,
    Signature,
    Type,
    TypeParameter,
    Var,
)

RECEIVER = "receiver"
_THIS = Intrinsic("this")
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


def with_receiver(method: Type, receiver: Type | None) -> Type:
    """Return a method's function type with the receiver's type for ``this`` in it."""
    if receiver is None:
        return method

    def settled(node: Node, depth: int) -> Node:
        if node is _THIS:
            return _deeper(receiver, depth)
        return restore(rebuild(node, lambda part, over: settled(part, depth + over)))

    return cast(Type, settled(method, 0))


def receiver_form(method: Type, receiver: Type, declarations: Declarations) -> Type:
    """Return a method's function type with the receiver as its first parameter."""
    if not isinstance(method, Object) or len(method.calls) != 1:
        return method
    key = receiver.target if isinstance(receiver, Reference) else _array_key(receiver)
    declaration = declarations.get(key)
    outer = () if declaration is None else declaration.type_parameters
    return Object(calls=(_Flattened(len(outer), receiver).signature(method.calls[0], outer),))


def _array_key(t: Type) -> str:
    return "global#ReadonlyArray" if isinstance(t, Array) and t.readonly else "global#Array"


def _receiver(key: str, count: int) -> Type:
    """Return the container's own type, within the binder of its type parameters."""
    if key in _ARRAYS and count:
        return Array(Var(0, 0), _ARRAYS[key])
    return Reference(key, tuple(Var(0, index) for index in range(count)))


class _Flattened:
    """Puts a method's parts under one binder: the container's variables, then its own."""

    def __init__(self, outer: int, receiver: Type) -> None:
        self._outer = outer
        self._receiver = receiver
        self._generic = False
        self._known: dict[tuple[Node, int], Node] = {}

    def signature(self, written: Signature, outer: tuple[TypeParameter, ...]) -> Signature:
        self._generic = bool(written.type_parameters)
        first = Parameter(RECEIVER, self._receiver)
        predicate = written.predicate
        if predicate is not None:
            predicate = Predicate(
                predicate.parameter + 1, self._whole(predicate.type), predicate.asserts
            )
        return Signature(
            (first, *(cast(Parameter, self._moved(one, 0)) for one in written.parameters)),
            cast(Type, self._moved(written.returns, 0)),
            (
                *outer,
                *(cast(TypeParameter, self._moved(one, 0)) for one in written.type_parameters),
            ),
            predicate=predicate,
        )

    def _whole(self, t: Type | None) -> Type | None:
        return None if t is None else cast(Type, self._moved(t, 0))

    def _moved(self, node: Node, depth: int) -> Node:
        """Return a part of the method as it stands under the one binder, ``depth`` inside it."""
        if node is _THIS:
            return _deeper(self._receiver, depth)
        if isinstance(node, Var):
            return self._variable(node, depth)
        key = (node, depth)
        found = self._known.get(key)
        if found is None:
            found = restore(rebuild(node, lambda part, over: self._moved(part, depth + over)))
            self._known[key] = found
        return found

    def _variable(self, node: Var, depth: int) -> Var:
        if node.depth < depth:
            return node
        if self._generic and node.depth == depth:
            return Var(depth, self._outer + node.index)
        return Var(depth, node.index)


def _deeper(node: Type, depth: int) -> Type:
    """Return the receiver's type as it stands ``depth`` binders further in."""
    match node:
        case Array(Var(_, index), readonly):
            return Array(Var(depth, index), readonly)
        case Reference(target, arguments):
            return Reference(target, tuple(Var(depth, index) for index in range(len(arguments))))
        case _:
            return node
