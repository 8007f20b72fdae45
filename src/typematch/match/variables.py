"""Say what became of a found function's type parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from typematch.ir.intern import Node, binds, children
from typematch.ir.types import Free, Signature, Type, Var
from typematch.match.edits import INSTANTIATED, RENAMED, Edit


def bindings(signature: Signature, values: Sequence[Type | None]) -> list[Edit]:
    """Return an edit for each type parameter with a value; only another name costs nothing."""
    return [
        Edit(RENAMED if isinstance(value, Free) else INSTANTIATED, "$", Var(0, i), value)
        for i, value in enumerate(values)
        if value is not None and i < len(signature.type_parameters)
    ]


def bare_variables(signature: Signature) -> list[int]:
    """Return the parameters that take anything: a type parameter without a bound, used only there.

    ``<T>(x: T) => boolean`` says no more about ``x`` than ``unknown`` does.
    """
    if not signature.type_parameters:
        return []
    uses: Counter[int] = Counter()
    _count(signature, 0, uses)
    return [
        i
        for i, parameter in enumerate(signature.parameters)
        if isinstance(parameter.type, Var)
        and parameter.type.depth == 0
        and uses[parameter.type.index] == 1
        and signature.type_parameters[parameter.type.index].constraint is None
    ]


def _count(node: Node, depth: int, uses: Counter[int]) -> None:
    """Count the uses of the variables of the binder that is ``depth`` binders out of ``node``."""
    if isinstance(node, Var):
        if node.depth == depth - 1:
            uses[node.index] += 1
        return
    if node.loose < depth and depth > 0:
        return
    inner = depth + 1 if binds(node) else depth
    for part in children(node):
        _count(part, inner, uses)
