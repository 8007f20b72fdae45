"""Constraints that the types of a query imply for its type variables.

``(entity: EntityTarget<T>) => Repository<T>`` is a type only where ``T`` meets the constraint of
the type parameter of ``Repository``; the compiler asks a declaration of ``T`` to say so.
``(xs: T[], key: K) => T[K]`` needs ``K extends keyof T``, and ``(...args: A) => void`` needs an
array type.
"""

from __future__ import annotations

from collections.abc import Iterator

from typematch.index.store import Store
from typematch.ir.constructors import intersection
from typematch.ir.intern import InternedNode, children, replace_fields
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import (
    UNKNOWN,
    Array,
    Free,
    IndexedAccess,
    KeyOf,
    Reference,
    Type,
    VariableKind,
)
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.skolemize import at_binder


def with_implied_constraints(call: Signature, store: Store) -> Signature:
    """Return the signature with a constraint for each variable that has none but needs one."""
    parameters = call.type_parameters
    variables = [Free(VariableKind.QUERY, index) for index in range(len(parameters))]
    open_ = {
        variable: index
        for index, (variable, parameter) in enumerate(zip(variables, parameters, strict=True))
        if parameter.constraint is None
    }
    found: dict[int, dict[Type, None]] = {}
    pending: list[InternedNode] = [
        *children(instantiate(replace_fields(call, type_parameters=()), variables))
    ]
    while open_ and pending:
        node = pending.pop()
        if not node.free:
            continue
        for argument, constraint in _required_types(node, store):
            index = open_.get(argument) if isinstance(argument, Free) else None
            moved = None if index is None else at_binder(constraint, variables)
            if index is not None and moved is not None:
                found.setdefault(index, {})[moved] = None
        pending.extend(children(node))
    if not found:
        return call
    return replace_fields(
        call,
        type_parameters=tuple(
            replace_fields(parameter, constraint=intersection(found[index]))
            if index in found
            else parameter
            for index, parameter in enumerate(parameters)
        ),
    )


def _required_types(node: InternedNode, store: Store) -> Iterator[tuple[Type, Type]]:
    """Yield parts of ``node`` with the types that they have to be assignable to."""
    if isinstance(node, Parameter) and node.rest:
        yield node.type, Array(UNKNOWN)
    elif isinstance(node, IndexedAccess):
        yield node.index, KeyOf(node.object)
    elif isinstance(node, Reference) and any(isinstance(item, Free) for item in node.arguments):
        declaration = store.get(node.target)
        declared = () if declaration is None else declaration.type_parameters
        for argument, parameter in zip(node.arguments, declared, strict=False):
            if parameter.constraint is not None:
                yield argument, instantiate(parameter.constraint, node.arguments)
