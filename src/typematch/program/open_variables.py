"""Opens types of a declaration: its type parameters become free variables, and are bound again."""

from __future__ import annotations

from typematch.ir.constructors import bound_indices, renormalize
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.type_parts import Signature
from typematch.ir.types import Free, Type, Var, VariableKind
from typematch.program.reduction.instantiate import instantiate


def open_variables(t: Type, variables: dict[int, Free]) -> Type:
    """Return ``t`` with the variables of its declaration as free ones, recorded by index."""
    count = 1 + max(bound_indices(t), default=-1)
    for index in range(count):
        variables[index] = Free(VariableKind.DECLARATION, index)
    return instantiate(t, [variables[index] for index in range(count)])


def close_variables(signature: Signature, indices: dict[Free, int]) -> Signature:
    """Return a signature with the free variables bound again."""
    return rebuild(signature, lambda part, crossed: _rebind(part, indices, crossed))


def _rebind(node: InternedNode, indices: dict[Free, int], depth: int) -> InternedNode:
    if isinstance(node, Free):
        return Var(depth, indices[node]) if node in indices else node
    return renormalize(rebuild(node, lambda part, crossed: _rebind(part, indices, depth + crossed)))
