"""Say what became of a found function's type parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from typematch.ir.intern import InternedNode, binds, children
from typematch.ir.types import (
    UNKNOWN,
    Conditional,
    Free,
    Intersection,
    Mapped,
    Signature,
    Type,
    TypeParameter,
    Union,
    Var,
)
from typematch.match.edit_kinds import (
    ANYTHING,
    CONTAINER_INSTANTIATED,
    INSTANTIATED,
    RENAMED,
    UNFOUNDED,
    VAGUE,
    WIDER_PARAMETER,
    Edit,
    EditKind,
)
from typematch.program.reduction.instantiate import instantiate

_MOST_PARTS = 5


def bindings(
    signature: Signature, values: Sequence[Type], given: Iterable[Type], outer: int = 0
) -> list[Edit]:
    """Return an edit for each type parameter with a value; only another name costs nothing.

    Args:
        signature: the found one.
        values: of its type parameters.
        given: types of the places that get an argument; what stands in none of them, no argument
            says, unless it is what was set beforehand.
        outer: how many type parameters, the first, belong to the class around the function: it
            takes an instance.
    """
    said = frozenset[int]().union(*map(own_variables, given))
    said |= {i for i, one in enumerate(signature.type_parameters) if _is_preset(one, i, values)}
    resulting = own_variables(signature.returns)
    own = values[: len(signature.type_parameters)]
    return [
        Edit(_binding(i, value, own, said, outer), "$", Var(0, i), value, extra=_compound(value))
        for i, value in enumerate(own)
        # A result that hangs on what the class was made with, and nobody said that.
        if value is not UNKNOWN or (i < outer and i in resulting)
    ]


def _is_preset(parameter: TypeParameter, index: int, values: Sequence[Type]) -> bool:
    """Whether a type parameter has the value that its default or its constraint gives it."""
    return any(
        preset is not None and instantiate(preset, values) is values[index]
        for preset in (parameter.default, parameter.constraint)
    )


def _binding(
    index: int, value: Type, values: Sequence[Type], said: frozenset[int], outer: int
) -> EditKind:
    if isinstance(value, Free):
        # Two that become one are no longer what they were: `<A, B>` at one T says less.
        return INSTANTIATED if value in values[:index] else RENAMED
    if value is UNKNOWN:
        return UNFOUNDED
    if index < outer:
        return CONTAINER_INSTANTIATED
    return INSTANTIATED if index in said else UNFOUNDED


@lru_cache(maxsize=32_768)
def own_variables(node: InternedNode, depth: int = 0) -> frozenset[int]:
    """Return the indices of the variables of the binder right around ``node``."""
    if node.loose <= depth:
        return frozenset()
    if isinstance(node, Var):
        return frozenset((node.index,)) if node.depth == depth else frozenset()
    inner = depth + 1 if binds(node) else depth
    return frozenset[int]().union(*(own_variables(part, inner) for part in children(node)))


def _compound(value: Type) -> int:
    """Count what a value is put together from: nobody has such a type at hand."""
    if isinstance(value, Union | Intersection):
        return min(_MOST_PARTS, len(value.members) - 1)
    return _MOST_PARTS if isinstance(value, Conditional | Mapped) else 0


def bare_places(signature: Signature) -> list[tuple[int, EditKind]]:
    """Return the parameters that are a type parameter and no more, each with what that costs.

    ``<T>(x: T) => boolean`` says no more about ``x`` than ``unknown`` does; in ``<T>(x: T) => T``
    the place still takes any type, but the result tells.
    """
    return list(_bare_places(signature)) if signature.type_parameters else []


@lru_cache(maxsize=10_000)
def _bare_places(signature: Signature) -> tuple[tuple[int, EditKind], ...]:
    bare = [
        (i, parameter.type.index)
        for i, parameter in enumerate(signature.parameters)
        if isinstance(parameter.type, Var) and parameter.type.depth == 0
    ]
    if not bare:
        return ()
    uses: Counter[int] = Counter()
    _count(signature, 0, uses)
    found = []
    for i, index in bare:
        if signature.type_parameters[index].constraint is not None:
            found.append((i, WIDER_PARAMETER))
        else:
            found.append((i, ANYTHING if uses[index] == 1 else VAGUE))
    return tuple(found)


@lru_cache(maxsize=10_000)
def narrowing(signature: Signature) -> frozenset[Type]:
    """Return the constraints of type parameters that hang on no other type parameter."""
    return frozenset(
        one.constraint
        for one in signature.type_parameters
        if one.constraint is not None and not one.constraint.loose and one.constraint is not UNKNOWN
    )


def uses_of_variables(signature: Signature) -> list[int]:
    """Return how often each type parameter stands in the parameters and the result."""
    uses: Counter[int] = Counter()
    for part in (*signature.parameters, signature.returns):
        _count(part, 1, uses)
    return [uses[index] for index in range(len(signature.type_parameters))]


def _count(node: InternedNode, depth: int, uses: Counter[int]) -> None:
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
