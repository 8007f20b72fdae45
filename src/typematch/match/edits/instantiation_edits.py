"""Edits for the type arguments inferred for a candidate's type parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from typematch.ir.constructors import bound_indices
from typematch.ir.intern import InternedNode, scoped_children
from typematch.ir.type_parts import Parameter, Signature, TypeParameter
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNKNOWN,
    Array,
    Conditional,
    Free,
    Intersection,
    Mapped,
    Object,
    Tuple,
    Type,
    Union,
    Var,
)
from typematch.match.edit_kinds import (
    ACCEPTS_ANY_TYPE,
    CONTAINER_INSTANTIATED,
    INSTANTIATED,
    IS_ANY,
    RENAMED,
    UNINFERRED,
    WIDER_PARAMETER,
    Edit,
    EditKind,
)
from typematch.match.edits.query_signature import result_type
from typematch.program.reduction.instantiate import instantiate

_MAX_PARTS = 5


def instantiation_edits(
    signature: Signature,
    type_arguments: Sequence[Type],
    argument_types: Iterable[Type],
    outer_count: int = 0,
) -> list[Edit]:
    """Return an edit for each inferred type parameter; renaming to a query variable is free.

    Args:
        signature: the candidate's.
        type_arguments: inferred for its type parameters.
        argument_types: types of the parameters that get an argument.  A type parameter that occurs
            in none of them is unfounded, unless it has its default or constraint as value.
        outer_count: how many leading type parameters belong to the enclosing class, of which a
            method needs an instance.
    """
    given = frozenset[int]().union(*map(bound_indices, argument_types))
    inferable = given | {
        index
        for index, parameter in enumerate(signature.type_parameters)
        if has_preset_value(parameter, index, type_arguments)
    }
    result_indices = bound_indices(signature.returns)
    used = given | bound_indices(result_type(signature))
    own_arguments = type_arguments[: len(signature.type_parameters)]
    return [
        Edit(
            _edit_kind(index, value, own_arguments, inferable, outer_count),
            "$",
            Var(0, index),
            value,
            extra_units=_extra_parts(value),
        )
        for index, value in enumerate(own_arguments)
        # A type parameter of the class is charged if the result depends on it, even if not
        # inferred; not for its constraint alone if the call does not depend on it.
        if (index in result_indices and index < outer_count)
        or (value is not UNKNOWN and (index >= outer_count or index in used))
    ]


def matched_type_arguments(signature: Signature, edits: Iterable[Edit]) -> list[Type]:
    """Return the type arguments that ``instantiation_edits`` name; unknown where they name none."""
    values: list[Type] = [UNKNOWN] * len(signature.type_parameters)
    for edit in edits:
        if isinstance(edit.a, Var) and isinstance(edit.b, Type) and edit.a.index < len(values):
            values[edit.a.index] = edit.b
    return values


def has_preset_value(parameter: TypeParameter, index: int, values: Sequence[Type]) -> bool:
    """Return whether a type parameter's value is its default or its constraint."""
    return any(
        preset is not None and instantiate(preset, values) is values[index]
        for preset in (parameter.default, parameter.constraint)
    )


def _edit_kind(
    index: int, value: Type, values: Sequence[Type], inferable: frozenset[int], outer_count: int
) -> EditKind:
    if isinstance(value, Free):
        # Two parameters bound to one query variable are an instantiation, not a renaming.
        return INSTANTIATED if value in values[:index] else RENAMED
    if value is UNKNOWN:
        return UNINFERRED
    if index not in inferable:
        return UNINFERRED
    return CONTAINER_INSTANTIATED if index < outer_count else INSTANTIATED


def _extra_parts(value: Type) -> int:
    """Count the additional parts of a compound type argument, which adds to the cost."""
    if isinstance(value, Union | Intersection):
        return min(_MAX_PARTS, len(value.members) - 1)
    return _MAX_PARTS if isinstance(value, Conditional | Mapped) else 0


def bare_type_parameters(signature: Signature) -> list[tuple[int, EditKind]]:
    """Return (position, charge) for each parameter whose type is just a type parameter.

    In ``<T>(x: T) => boolean`` the type of ``x`` says no more than ``unknown``; in
    ``<T>(x: T) => T`` it accepts any type too, but the result depends on it.
    """
    return list(_bare_type_parameters(signature)) if signature.type_parameters else []


@lru_cache(maxsize=10_000)
def _bare_type_parameters(signature: Signature) -> tuple[tuple[int, EditKind], ...]:
    bare = [
        (position, parameter.type.index)
        for position, parameter in enumerate(signature.parameters)
        if isinstance(parameter.type, Var) and parameter.type.depth == 0
    ]
    if not bare:
        return ()
    uses: Counter[int] = Counter()
    _count_uses(signature, 0, uses)
    charges = []
    for position, index in bare:
        if signature.type_parameters[index].constraint is not None:
            charges.append((position, WIDER_PARAMETER))
        else:
            charges.append((position, IS_ANY if uses[index] == 1 else ACCEPTS_ANY_TYPE))
    return tuple(charges)


@lru_cache(maxsize=10_000)
def may_become_any(t: Type) -> bool:
    """Whether ``t`` becomes ``any`` once its variables are, without being a variable itself.

    ``T | undefined`` does; of an array the element counts, of a tuple any one element, of a
    function its result.
    """
    if isinstance(t, Object):
        return len(t.calls) == 1 and may_become_any(t.calls[0].returns)
    if isinstance(t, Array):
        return may_become_any(t.element)
    if isinstance(t, Tuple):
        return any(
            isinstance(element.type, Var) or may_become_any(element.type) for element in t.elements
        )
    return bool(t.loose_depth) and not isinstance(t, Var)


def bare_edit(signature: Signature, position: int, kind: EditKind) -> Edit:
    """Return the edit of a parameter whose type is just a type parameter; it names a constraint."""
    parameter = signature.parameters[position]
    shown = parameter.type
    if isinstance(shown, Var) and kind == WIDER_PARAMETER:
        shown = signature.type_parameters[shown.index].constraint or shown
    return Edit(kind, f"$.parameters[{position}]", parameter.name, shown)


def has_closed_parameters(signature: Signature) -> bool:
    """Whether the types of all parameters are written, and mention no type parameter."""
    return not any(p.type.loose_depth or p.type is UNANNOTATED for p in signature.parameters)


def has_constraints(signature: Signature) -> bool:
    """Whether a query variable may be given the constraint of a type parameter."""
    return any(
        parameter.constraint not in (None, ANY, UNKNOWN) for parameter in signature.type_parameters
    )


def parameter_element(parameter: Parameter) -> Type:
    """Return the type of a parameter, of a rest parameter the type of its elements."""
    if parameter.rest and isinstance(parameter.type, Array):
        return parameter.type.element
    return parameter.type


def type_parameter_uses(signature: Signature) -> list[int]:
    """Return how often each type parameter occurs in the parameters and the result."""
    uses: Counter[int] = Counter()
    for part in (*signature.parameters, signature.returns):
        _count_uses(part, 1, uses)
    return [uses[index] for index in range(len(signature.type_parameters))]


def _count_uses(node: InternedNode, depth: int, uses: Counter[int]) -> None:
    """Count the variables in ``node`` of the binder ``depth`` levels outside it."""
    if isinstance(node, Var):
        if node.depth == depth - 1:
            uses[node.index] += 1
        return
    if node.loose_depth < depth and depth > 0:
        return
    for part, crossed in scoped_children(node):
        _count_uses(part, depth + crossed, uses)
