"""Put a type in the place of ``T`` in a mapped type over ``keyof T``, a homomorphic one.

A union distributes, an array or tuple stays one, and so does a primitive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from typematch.ir.constructors import constituents, restore, union
from typematch.ir.intern import InternedNode, intern, rebuild
from typematch.ir.types import (
    ANY,
    NUMBER,
    UNDEFINED,
    Array,
    Element,
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
from typematch.program.reduction.variadic_tuples import spread

if TYPE_CHECKING:
    from typematch.program.reduction.instantiate import Substitution

N = TypeVar("N", bound=InternedNode)


def mapped_with(s: Substitution, node: Mapped, depth: int) -> InternedNode:
    """Return a mapped type with a replacement made; ``depth`` binders are open around it."""
    if node.keys.__class__ is KeyOf:
        variable = node.keys.type
        given = s.replacement(variable, depth)
        if given is not None:
            mapped = _over(s, node, variable, given, depth)
            if mapped is not None:
                return mapped
    return _plain(s, node, depth)


def _plain(s: Substitution, node: Mapped, depth: int) -> InternedNode:
    fields = (
        s.apply(node.keys, depth),
        s.apply(node.type, depth + 1),
        node.rename if node.rename is None else s.apply(node.rename, depth + 1),
        node.readonly,
        node.optional,
    )
    return intern(Mapped, fields)


_LEFT_ALONE = frozenset((Literal, Template, UniqueSymbol))


def _over(s: Substitution, node: Mapped, variable: Type, given: Type, depth: int) -> Type | None:
    """Map over what ``T`` of ``keyof T`` has become; None if it is mapped like any other object."""
    cls = given.__class__
    if cls is Union:
        members = constituents(given)
        return union(
            [s.binding(variable, member).apply(cast(Type, node), depth) for member in members]
        )
    if cls in _LEFT_ALONE:
        return given
    if given is ANY and node.rename is None and s.is_list(variable):
        element = _element(s.binding(variable, ANY), node, NUMBER, True, depth)
        return Array(element, _readonly(node, False))
    if cls is Intrinsic:
        name = cast(Intrinsic, given).name
        return None if name in ("any", "unknown", "this") else given
    if node.rename is not None:
        return None
    if cls is Array:
        array = cast(Array, given)
        element = _element(s.binding(variable, given), node, NUMBER, True, depth)
        return Array(element, _readonly(node, array.readonly))
    if cls is Tuple:
        return _over_tuple(s.binding(variable, given), node, cast(Tuple, given), depth)
    return None


def _readonly(node: Mapped, before: bool) -> bool:
    return {"+": True, "-": False}.get(node.readonly, before)


def _element(s: Substitution, node: Mapped, key: Type, optional: bool, depth: int) -> Type:
    """Return the type that a mapped type gives to one key; ``depth`` binders are open around it."""
    opened = _open_innermost(s.apply(node.type, depth + 1), key, 0)
    if node.optional == "+":
        return union((opened, UNDEFINED))
    if optional and node.optional == "-":
        members = constituents(s.normal(opened))
        return union([m for m in members if m is not UNDEFINED])
    return opened


def _open_innermost(node: N, argument: Type, depth: int) -> N:
    """Replace variable 0 of the innermost binder, while binders further out stay closed."""
    if node.loose <= depth:
        return node
    if isinstance(node, Var):
        if node.depth == depth:
            return cast(N, argument)
        return cast(N, Var(node.depth - 1, node.index))
    change = lambda part, crossed: _open_innermost(part, argument, depth + crossed)  # noqa: E731
    return cast(N, restore(rebuild(node, change)))


def _over_tuple(s: Substitution, node: Mapped, given: Tuple, depth: int) -> Type:
    """Map each element; from the first one of open length on, as an array of it would be."""
    variable = cast(KeyOf, node.keys).type
    elements = []
    fixed = True
    for position, element in enumerate(given.elements):
        fixed = fixed and element.kind not in ("rest", "variadic")
        if element.kind == "variadic":
            inner = s.binding(variable, element.type)
            elements.append(Element(cast(Type, _plain(inner, node, depth)), "variadic"))
            continue
        kind = element.kind
        if kind == "optional" and node.optional == "-":
            kind = "required"
        elif kind == "required" and node.optional == "+":
            kind = "optional"
        if fixed:
            key = Literal("string", str(position))
            mapped = _element(s, node, key, element.kind == "optional", depth)
        else:
            inner = s.binding(variable, Array(element.type))
            mapped = _element(inner, node, NUMBER, True, depth)
        elements.append(Element(mapped, kind, element.label))
    return spread(elements, _readonly(node, given.readonly), s.normal)
