"""Put a member's signature under one binder: the type parameters of what is around it come first.

``Queue<T>`` has ``map<U>(f: (t: T) => U): Queue<U>``; alone it is ``<T, U>(f: (t: T) => U) =>
Queue<U>``, and ``this`` in it is ``Queue<T>``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar, cast

from typematch.ir.constructors import restore
from typematch.ir.intern import InternedNode, binds, children, rebuild
from typematch.ir.types import (
    THIS,
    Array,
    Object,
    Predicate,
    Reference,
    Signature,
    Type,
    TypeParameter,
    Var,
)

N = TypeVar("N", bound=InternedNode)


def flattened(
    written: Signature, outer: tuple[TypeParameter, ...], receiver: Type | None = None
) -> Signature:
    """Return ``written``, closed under a binder for ``outer``, with these as its own, in front.

    ``receiver`` takes the place of ``this``, its variables those of ``outer``.
    """
    return _Lifting(bool(written.type_parameters), len(outer), receiver).signature(written, outer)


@lru_cache(maxsize=32_768)
def standing_alone(function: Object) -> tuple[Object, int]:
    """Return a member's function type with all variables its own, and how many were not.

    What the outer ones must be, nothing says.
    """
    if not function.loose:
        return function, 0
    count = _outer_count(function, 0)
    outer = (TypeParameter(),) * count
    return Object(calls=tuple(flattened(call, outer) for call in function.calls)), count


def _outer_count(node: InternedNode, depth: int) -> int:
    """Return one more than the highest index of a variable from outside of ``node``."""
    if node.loose <= depth:
        return 0
    if isinstance(node, Var):
        return node.index + 1
    inner = depth + 1 if binds(node) else depth
    return max((_outer_count(part, inner) for part in children(node)), default=0)


def with_receiver(node: N, receiver: Type, depth: int = 0) -> N:
    """Return a part of a member with ``receiver`` for ``this``; ``depth`` binders are entered."""
    if node is THIS:
        return cast(N, deeper(receiver, depth))
    return cast(
        N, restore(rebuild(node, lambda part, over: with_receiver(part, receiver, depth + over)))
    )


def deeper(node: Type, depth: int) -> Type:
    """Return a container applied to its parameters, as it stands ``depth`` binders further in."""
    match node:
        case Array(Var(_, index), readonly):
            return Array(Var(depth, index), readonly)
        case Reference(target, arguments):
            return Reference(target, tuple(Var(depth, index) for index in range(len(arguments))))
        case _:
            return node


class _Lifting:
    def __init__(self, generic: bool, outer: int, receiver: Type | None) -> None:
        self._generic = generic
        self._outer = outer
        self._receiver = receiver
        self._known: dict[tuple[InternedNode, int], InternedNode] = {}

    def signature(self, written: Signature, outer: tuple[TypeParameter, ...]) -> Signature:
        predicate = written.predicate
        if predicate is not None:
            guarded = None if predicate.type is None else self._part(predicate.type)
            predicate = Predicate(predicate.parameter, guarded, predicate.asserts)
        return Signature(
            tuple(self._part(one) for one in written.parameters),
            self._part(written.returns),
            (*outer, *(self._part(one) for one in written.type_parameters)),
            None if written.this is None else self._part(written.this),
            predicate,
            written.modifier,
        )

    def _part(self, node: N) -> N:
        return cast(N, self._moved(node, 0))

    def _moved(self, node: InternedNode, depth: int) -> InternedNode:
        """Return a part as it stands under the one binder, ``depth`` inside it."""
        if node is THIS and self._receiver is not None:
            return deeper(self._receiver, depth)
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
