"""Constraints that the types of a query imply for its type variables.

``(entity: EntityTarget<T>) => Repository<T>`` is a type only where ``T`` meets the constraint of
the type parameter of ``Repository``; the compiler asks a declaration of ``T`` to say so.
"""

from __future__ import annotations

from typematch.index.store import Store
from typematch.ir.constructors import intersection
from typematch.ir.intern import InternedNode, children, is_binder, replace_fields
from typematch.ir.type_parts import Signature, TypeParameter
from typematch.ir.types import Reference, Type, Var


def with_implied_constraints(call: Signature, store: Store) -> Signature:
    """Return the signature with a constraint for each variable that has none but needs one.

    Only constraints that depend on no other type parameter are taken.
    """
    parameters = call.type_parameters
    found: dict[int, dict[Type, None]] = {}
    open_ = {i for i, parameter in enumerate(parameters) if parameter.constraint is None}
    pending: list[tuple[InternedNode, int]] = [(part, 0) for part in children(call)]
    while open_ and pending:
        node, depth = pending.pop()
        if node.loose_depth <= depth:
            continue
        if isinstance(node, Reference):
            for index, constraint in _constraints(node, depth, store):
                found.setdefault(index, {})[constraint] = None
        inner = depth + 1 if is_binder(node) else depth
        pending.extend((part, inner) for part in children(node))
    constraints = {index: intersection(found[index]) for index in open_ & found.keys()}
    if not constraints:
        return call
    return replace_fields(
        call,
        type_parameters=tuple(
            TypeParameter(
                constraints.get(i, parameter.constraint), parameter.default, parameter.const
            )
            for i, parameter in enumerate(parameters)
        ),
    )


def _constraints(node: Reference, depth: int, store: Store) -> list[tuple[int, Type]]:
    """Return the variables of the signature among the arguments, with their constraints."""
    variables = [
        (position, argument.index)
        for position, argument in enumerate(node.arguments)
        if isinstance(argument, Var) and argument.depth == depth
    ]
    declaration = store.get(node.target) if variables else None
    if declaration is None:
        return []
    found = []
    for position, index in variables:
        if position < len(declaration.type_parameters):
            constraint = declaration.type_parameters[position].constraint
            if constraint is not None and not constraint.loose_depth:
                found.append((index, constraint))
    return found
