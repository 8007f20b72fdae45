"""Reads destructuring patterns: the names they bind, and the type of each from the value's type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from typematch.ir.constructors import object_type, union
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    NUMBER,
    UNANNOTATED,
    UNDEFINED,
    Array,
    IndexedAccess,
    Literal,
    Named,
    Object,
    Tuple,
    Type,
    TypeOf,
)
from typematch.sources.typescript.lower import member_name
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext

_NAMES = frozenset(("identifier", "shorthand_property_identifier_pattern"))
_DEFAULTS = frozenset(("assignment_pattern", "object_assignment_pattern"))


class Binding(NamedTuple):
    """A name that a pattern binds; ``node`` is where it stands."""

    name: str
    type: Type
    node: Node


def pattern_bindings(context: ParseContext, pattern: Node, value: Type) -> Iterator[Binding]:
    """Yield the names that ``pattern`` binds, in order.

    ``value`` is the type of what is destructured.  The type of a name is read from it:
    ``value["name"]``, ``typeof a.name`` for ``typeof a``, or ``unannotated`` if it is unknown.
    """
    pending: list[tuple[Node, Type, int]] = [(pattern, value, 0)]
    while pending:
        node, type_, depth = pending.pop()
        kind = context.kinds[node.kind_id]
        if kind in _NAMES:
            yield Binding(context.name(node), type_, node)
        elif depth > MAX_NESTING:
            continue
        elif kind in _DEFAULTS:
            without_undefined = _without_undefined(type_)
            pending.append((context.child(node, 0), without_undefined, depth + 1))
        elif kind == "object_pattern":
            parts = list(_object_parts(context, node, type_))
            pending.extend((part, part_type, depth + 1) for part, part_type in reversed(parts))
        elif kind == "array_pattern":
            parts = list(_array_parts(context, node, type_))
            pending.extend((part, part_type, depth + 1) for part, part_type in reversed(parts))


def _object_parts(context: ParseContext, node: Node, value: Type) -> Iterator[tuple[Node, Type]]:
    """Yield the patterns of ``{ a, b: c, ...rest }`` with the type of each."""
    names: list[str] = []
    for part in context.named_children(node):
        kind = context.kinds[part.kind_id]
        if kind == "rest_pattern":
            yield context.child(part, 0), _rest_of_object(value, names)
            continue
        key = part
        target = part
        if kind == "pair_pattern":
            key, target = context.child(part, 0), context.child(part, -1)
        elif kind in _DEFAULTS:
            key = context.child(part, 0)
        name = member_name(context, key, context.kinds[key.kind_id])
        if name is not None:
            names.append(name)
        yield target, UNANNOTATED if name is None else _property_type(value, name)


def _array_parts(context: ParseContext, node: Node, value: Type) -> Iterator[tuple[Node, Type]]:
    """Yield the patterns of ``[a, , b, ...rest]`` with the type of each."""
    position = 0
    for part in node.children:
        kind = context.kinds[part.kind_id]
        if kind == ",":
            position += 1
        elif kind == "rest_pattern":
            yield context.child(part, 0), _rest_of_array(value, position)
        elif part.is_named and kind != "comment":
            yield part, _element_type(value, position)


def _property_type(value: Type, name: str) -> Type:
    match value:
        case Object(properties, _, _, indexes):
            for property_ in properties:
                if property_.name == name:
                    optional = property_.optional
                    return union((property_.type, UNDEFINED)) if optional else property_.type
            return IndexedAccess(value, Literal("string", name)) if indexes else UNANNOTATED
        case TypeOf(Named(path, (), module), (), ()) if name.isidentifier():
            return TypeOf(Named((*path, name), (), module))
        case _:
            known = value is not UNANNOTATED and not name.startswith("@")
            return IndexedAccess(value, Literal("string", name)) if known else UNANNOTATED


def _element_type(value: Type, position: int) -> Type:
    match value:
        case Array(element):
            return element
        case Tuple(elements) if all(item.kind == "required" for item in elements):
            return elements[position].type if position < len(elements) else UNDEFINED
        case _ if value is UNANNOTATED:
            return UNANNOTATED
        case _:
            return IndexedAccess(value, Literal("number", str(position)))


def _rest_of_object(value: Type, names: list[str]) -> Type:
    """Return the type of what ``...rest`` binds: all properties except those with ``names``."""
    if isinstance(value, Object):
        rest = [item for item in value.properties if item.name not in names]
        return object_type(rest, indexes=value.indexes)
    if value is UNANNOTATED:
        return UNANNOTATED
    keys = union(Literal("string", name) for name in names)
    return Named(("Omit",), (value, keys)) if names else value


def _rest_of_array(value: Type, position: int) -> Type:
    match value:
        case Array():
            return value
        case Tuple(elements) if all(item.kind == "required" for item in elements):
            return Tuple(tuple(Element(item.type) for item in elements[position:]))
        case _ if value is UNANNOTATED:
            return UNANNOTATED
        case _:
            return Array(IndexedAccess(value, NUMBER))


def _without_undefined(t: Type) -> Type:
    """Return the type of a name with a default value: ``undefined`` is replaced."""
    if t is UNANNOTATED or isinstance(t, Object | TypeOf):
        return t
    return Named(("Exclude",), (t, UNDEFINED))
