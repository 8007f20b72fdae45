"""Lifts member signatures out of generic containers (lambda lifting).

``map<U>(f: (t: T) => U): Queue<U>`` in ``Queue<T>`` becomes ``<T, U>(f: (t: T) => U) => Queue<U>``,
with ``Queue<T>`` for ``this``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar, cast

from typematch.ir.constructors import bound_indices, renormalize
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.rest_parameters import with_positional_parameters
from typematch.ir.type_parts import Predicate, Signature, TypeParameter
from typematch.ir.types import ANY, THIS, UNKNOWN, Array, Object, Reference, Type, Var

N = TypeVar("N", bound=InternedNode)

_UNCONSTRAINED = TypeParameter()


def lift_signature(
    signature: Signature, outer_parameters: tuple[TypeParameter, ...], receiver: Type | None = None
) -> Signature:
    """Return ``signature`` closed under one binder: the outer type parameters, then its own.

    ``receiver`` replaces ``this``; its variables are the outer ones.
    """
    return _Lifter(bool(signature.type_parameters), len(outer_parameters), receiver).lift(
        signature, outer_parameters
    )


@lru_cache(maxsize=8_192)
def close_over_container(
    function: Object, outer_parameters: tuple[TypeParameter, ...] = ()
) -> tuple[Object, int]:
    """Return a function type with its outer variables as its own, and how many there were.

    Rest parameters of tuple types are taken apart.

    Args:
        outer_parameters: see ``mentioned_parameters``; without them, the outer variables have no
            constraints.
    """
    calls = tuple(map(with_positional_parameters, function.calls))
    if not function.loose_depth:
        return (function if calls == function.calls else Object(calls=calls)), 0
    count = outer_variable_count(function)
    outer = outer_parameters or (_UNCONSTRAINED,) * count
    return Object(calls=tuple(lift_signature(call, outer) for call in calls)), count


def outer_variable_count(function: Object) -> int:
    """Return how many type parameters of its container a function type closes over."""
    return 1 + max(bound_indices(function), default=-1)


def mentioned_parameters(
    function: Object, declared: Sequence[TypeParameter]
) -> tuple[TypeParameter, ...]:
    """Return the type parameters of a container that a function type closes over.

    They have no defaults: these are of no use for an instance that exists.  A constraint that
    mentions a later type parameter is left out.  Empty if none has a constraint.
    """
    count = outer_variable_count(function)
    mentioned = tuple(
        TypeParameter(parameter.constraint) if _is_constrained(parameter, count) else _UNCONSTRAINED
        for parameter in declared[:count]
    )
    is_known = len(mentioned) == count and any(p is not _UNCONSTRAINED for p in mentioned)
    return mentioned if is_known else ()


def _is_constrained(parameter: TypeParameter, count: int) -> bool:
    constraint = parameter.constraint
    if constraint is None or constraint is ANY or constraint is UNKNOWN:
        return False
    return max(bound_indices(constraint), default=0) < count


def replace_this(node: N, receiver: Type, depth: int = 0) -> N:
    """Return ``node`` with ``receiver`` for ``this``, ``depth`` binders inside the container."""
    if node is THIS:
        return cast(N, shift(receiver, depth))
    return cast(
        N,
        renormalize(
            rebuild(node, lambda part, crossed: replace_this(part, receiver, depth + crossed))
        ),
    )


def shift(node: Type, depth: int) -> Type:
    """Return a container applied to its own parameters, seen from ``depth`` binders further in."""
    match node:
        case Array(Var(_, index), readonly):
            return Array(Var(depth, index), readonly)
        case Reference(target, arguments):
            return Reference(target, tuple(Var(depth, index) for index in range(len(arguments))))
        case _:
            return node


class _Lifter:
    def __init__(self, is_generic: bool, outer_count: int, receiver: Type | None) -> None:
        self._is_generic = is_generic
        self._outer_count = outer_count
        self._receiver = receiver
        self._lifted: dict[tuple[InternedNode, int], InternedNode] = {}

    def lift(self, signature: Signature, outer_parameters: tuple[TypeParameter, ...]) -> Signature:
        predicate = signature.predicate
        if predicate is not None:
            predicate_type = None if predicate.type is None else self._lift_part(predicate.type)
            predicate = Predicate(predicate.parameter, predicate_type, predicate.asserts)
        return Signature(
            tuple(self._lift_part(parameter) for parameter in signature.parameters),
            self._lift_part(signature.returns),
            (
                *outer_parameters,
                *(self._lift_part(parameter) for parameter in signature.type_parameters),
            ),
            None if signature.this is None else self._lift_part(signature.this),
            predicate,
            signature.modifier,
        )

    def _lift_part(self, node: N) -> N:
        return cast(N, self._lift_node(node, 0))

    def _lift_node(self, node: InternedNode, depth: int) -> InternedNode:
        """Return a node as it reads under the single binder, ``depth`` binders inside it."""
        if node is THIS and self._receiver is not None:
            return shift(self._receiver, depth)
        if isinstance(node, Var):
            return self._lift_variable(node, depth)
        key = (node, depth)
        lifted = self._lifted.get(key)
        if lifted is None:
            lifted = renormalize(
                rebuild(node, lambda part, crossed: self._lift_node(part, depth + crossed))
            )
            self._lifted[key] = lifted
        return lifted

    def _lift_variable(self, node: Var, depth: int) -> Var:
        if node.depth < depth:
            return node
        if self._is_generic and node.depth == depth:
            return Var(depth, self._outer_count + node.index)
        return Var(depth, node.index)
