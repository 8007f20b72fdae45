"""Instantiation of homomorphic mapped types: a type argument for ``T`` of ``keyof T``.

A union distributes, an array or tuple stays one, a primitive stays itself (instantiateMappedType).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from typematch.ir.constructors import constituents, renormalize, union
from typematch.ir.intern import InternedNode, intern, rebuild
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    ANY,
    NUMBER,
    UNDEFINED,
    Array,
    Intrinsic,
    KeyOf,
    Literal,
    Mapped,
    Template,
    Tuple,
    Type,
    Union,
    UniqueSymbol,
    Var,
)
from typematch.program.reduction.variadic_tuples import normalize_tuple

if TYPE_CHECKING:
    from typematch.program.reduction.instantiate import Substitution

N = TypeVar("N", bound=InternedNode)


def instantiate_mapped(s: Substitution, node: Mapped, depth: int) -> InternedNode:
    """Return an instantiated mapped type; ``depth`` binders are open around it."""
    if node.keys.__class__ is KeyOf:
        variable = node.keys.type
        source = s.replacement(variable, depth)
        if source is not None:
            result = _map_over(s, node, variable, source, depth)
            if result is not None:
                return result
    return _instantiate_fields(s, node, depth)


def _instantiate_fields(s: Substitution, node: Mapped, depth: int) -> InternedNode:
    fields = (
        s.apply(node.keys, depth),
        s.apply(node.type, depth + 1),
        node.rename if node.rename is None else s.apply(node.rename, depth + 1),
        node.readonly,
        node.optional,
    )
    return intern(Mapped, fields)


_UNCHANGED = frozenset((Literal, Template, UniqueSymbol))


def _map_over(
    s: Substitution, node: Mapped, variable: Type, source: Type, depth: int
) -> Type | None:
    """Map over the type argument; None if it is mapped like any object type."""
    cls = source.__class__
    if cls is Union:
        return s.distribute(node, variable, constituents(source), depth)
    if cls in _UNCHANGED:
        return source
    if source is ANY and node.rename is None and s.is_array_variable(variable):
        element = _element_type(s.with_value(variable, ANY), node, NUMBER, True, depth)
        return Array(element, _readonly(node, False))
    if cls is Intrinsic:
        name = cast(Intrinsic, source).name
        return None if name in ("any", "unknown", "this") else source
    if node.rename is not None:
        return None
    if cls is Array:
        array = cast(Array, source)
        element = _element_type(s.with_value(variable, source), node, NUMBER, True, depth)
        return Array(element, _readonly(node, array.readonly))
    if cls is Tuple:
        return _map_over_tuple(s.with_value(variable, source), node, cast(Tuple, source), depth)
    return None


def _readonly(node: Mapped, was_readonly: bool) -> bool:
    return {"+": True, "-": False}.get(node.readonly, was_readonly)


def _element_type(s: Substitution, node: Mapped, key: Type, was_optional: bool, depth: int) -> Type:
    """Return the template type for one key; ``depth`` binders are open around it."""
    template = _instantiate_innermost(s.apply(node.type, depth + 1), key, 0)
    if node.optional == "+":
        return union((template, UNDEFINED))
    if was_optional and node.optional == "-":
        members = constituents(s.normal(template))
        return union([m for m in members if m is not UNDEFINED])
    return template


def _instantiate_innermost(node: N, argument: Type, depth: int) -> N:
    """Replace variable 0 of the innermost binder only."""
    if node.loose_depth <= depth:
        return node
    if isinstance(node, Var):
        if node.depth == depth:
            return cast(N, argument)
        return cast(N, Var(node.depth - 1, node.index))
    change = lambda part, crossed: _instantiate_innermost(part, argument, depth + crossed)  # noqa: E731
    return cast(N, renormalize(rebuild(node, change)))


def _map_over_tuple(s: Substitution, node: Mapped, source: Tuple, depth: int) -> Type:
    """Map each element; elements after the first rest element are mapped as an array's."""
    variable = cast(KeyOf, node.keys).type
    elements = []
    fixed = True
    for position, element in enumerate(source.elements):
        fixed = fixed and element.kind not in ("rest", "variadic")
        if element.kind == "variadic":
            variadic = s.with_value(variable, element.type)
            elements.append(
                Element(cast(Type, _instantiate_fields(variadic, node, depth)), "variadic")
            )
            continue
        kind = element.kind
        if kind == "optional" and node.optional == "-":
            kind = "required"
        elif kind == "required" and node.optional == "+":
            kind = "optional"
        if fixed:
            key = Literal("string", str(position))
            element_type = _element_type(s, node, key, element.kind == "optional", depth)
        else:
            variadic = s.with_value(variable, Array(element.type))
            element_type = _element_type(variadic, node, NUMBER, True, depth)
        elements.append(Element(element_type, kind, element.label))
    return normalize_tuple(elements, _readonly(node, source.readonly), s.normal)
