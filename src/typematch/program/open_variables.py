"""Opens types of a declaration: its type parameters become free variables, and are bound again."""

from __future__ import annotations

from typematch.ir.constructors import renormalize
from typematch.ir.intern import InternedNode, rebuild
from typematch.ir.type_parts import Signature
from typematch.ir.types import Free, Type, Var, VariableKind
from typematch.program.reduction.instantiate import instantiate


def open_variables(t: Type, variables: dict[int, Free]) -> Type:
    """Return ``t`` with the variables of its declaration as free ones, recorded by index."""
    max_index = _max_index(t, 0)
    for index in range(max_index + 1):
        variables[index] = Free(VariableKind.DECLARATION, index)
    return instantiate(t, [variables[index] for index in range(max_index + 1)])


def _max_index(node: InternedNode, depth: int) -> int:
    if node.loose_depth <= depth:
        return -1
    if isinstance(node, Var):
        return node.index if node.depth == depth else -1
    max_index = -1

    def visit(part: InternedNode, crossed: int) -> InternedNode:
        nonlocal max_index
        max_index = max(max_index, _max_index(part, depth + crossed))
        return part

    rebuild(node, visit)
    return max_index


def close_variables(signature: Signature, indices: dict[Free, int]) -> Signature:
    """Return a signature with the free variables bound again."""
    return rebuild(signature, lambda part, crossed: _rebind(part, indices, crossed))


def _rebind(node: InternedNode, indices: dict[Free, int], depth: int) -> InternedNode:
    if isinstance(node, Free):
        return Var(depth, indices[node]) if node in indices else node
    return renormalize(rebuild(node, lambda part, crossed: _rebind(part, indices, depth + crossed)))
