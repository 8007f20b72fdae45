"""Read object types: properties, methods, signatures and index signatures; and mapped types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from tree_sitter import Node

from typematch.ir.constructors import object_type
from typematch.ir.types import (
    NUMBER,
    STRING,
    SYMBOL,
    UNANNOTATED,
    UNREADABLE,
    IndexSignature,
    Literal,
    Mapped,
    Modifier,
    Named,
    Object,
    Property,
    Signature,
    Template,
    Type,
    Union,
    Visibility,
)
from typematch.sources.typescript.lower import lower_annotation, lower_type
from typematch.sources.typescript.names import member_name
from typematch.sources.typescript.parse_context import ParseContext, TypeReader
from typematch.sources.typescript.signatures import function_parts, lower_signature

METHODS = frozenset(("method_signature", "abstract_method_signature", "method_definition"))
FIELDS = frozenset(("property_signature", "public_field_definition"))
_NAMES = frozenset(
    (
        "property_identifier", "private_property_identifier", "string", "number",
        "computed_property_name",
    )
)  # fmt: skip


@dataclass(slots=True)
class Side:
    """The instance or the static members, as they come."""

    properties: list[Property] = field(default_factory=list)
    calls: list[Signature] = field(default_factory=list)
    constructs: list[Signature] = field(default_factory=list)
    indexes: list[IndexSignature] = field(default_factory=list)
    setters: dict[str, Type] = field(default_factory=dict)
    getters: set[str] = field(default_factory=set)

    def type(self) -> Object:
        return object_type(self.properties, self.calls, self.constructs, self.indexes)


@dataclass(slots=True)
class Head:
    """The modifiers and the name of one member."""

    name: str | None = None
    static: bool = False
    optional: bool = False
    readonly: bool = False
    abstract: bool = False
    getter: bool = False
    setter: bool = False
    bodied: bool = False
    quoted: bool = False
    visibility: Visibility = "public"
    annotation: Node | None = None
    value: Node | None = None


_ANNOTATIONS = frozenset(
    (
        "type_annotation", "omitting_type_annotation", "adding_type_annotation",
        "opting_type_annotation",
    )
)  # fmt: skip


_OPTIONALITY: Mapping[str, Modifier] = {
    "omitting_type_annotation": "-", "adding_type_annotation": "+", "opting_type_annotation": "+",
}  # fmt: skip


def _object(reading: ParseContext, node: Node) -> Type:
    clause = mapped_clause(reading, node)
    if clause is not None:
        return _mapped(reading, clause)
    side = Side()
    for child in node.named_children:
        _plain_member(reading, child, side)
    settle(side)
    return side.type()


def _starts_numeric(name: str | None) -> bool:
    return name is not None and name.lstrip("-")[:1].isdecimal()


def _plain_member(reading: ParseContext, node: Node, side: Side) -> None:
    """Add a member of an object type to ``side``, without its doc and texts."""
    kind = reading.kinds[node.kind_id]
    if kind in FIELDS:
        head = read_head(reading, node)
        if head.name is not None:
            shown = (
                UNANNOTATED
                if head.annotation is None
                else lower_annotation(reading, head.annotation)
            )
            side.properties.append(
                Property(head.name, shown, head.optional, head.readonly, quoted=head.quoted)
            )
    elif kind in METHODS:
        head = read_head(reading, node)
        if head.name is None:
            return
        if head.getter or head.setter:
            add_accessor(reading, node, head, head.name, side)
            return
        written = lower_signature(reading, function_parts(reading, node), texts=False)
        shown = Object(calls=(written.signature,))
        side.properties.append(Property(head.name, shown, head.optional, head.readonly, True))
    elif kind == "call_signature":
        side.calls.append(
            lower_signature(reading, function_parts(reading, node), texts=False).signature
        )
    elif kind == "construct_signature":
        side.constructs.append(
            lower_signature(reading, function_parts(reading, node), texts=False).signature
        )
    elif kind == "index_signature":
        side.indexes.extend(index_signatures(reading, node))


def read_head(reading: ParseContext, node: Node) -> Head:
    head = Head()
    kinds = reading.kinds
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind in _NAMES:
            if head.name is None:
                head.name = member_name(reading, child, kind)
                head.quoted = kind == "string" and _starts_numeric(head.name)
                continue
            head.value = child
        elif kind == "type_annotation":
            head.annotation = child
        elif kind == "accessibility_modifier":
            head.visibility = cast(Visibility, reading.slice(child))
        elif kind == "static":
            head.static = True
        elif kind == "readonly":
            head.readonly = True
        elif kind == "?":
            head.optional = True
        elif kind == "abstract":
            head.abstract = True
        elif kind == "get":
            head.getter = True
        elif kind == "set":
            head.setter = True
        elif kind == "statement_block":
            head.bodied = True
        elif child.is_named and head.name is not None and kind != "comment":
            head.value = child
    return head


def visible(head: Head, name: str) -> Visibility:
    return "private" if name.startswith("#") else head.visibility


def add_accessor(
    reading: ParseContext, node: Node, head: Head, name: str, side: Side
) -> tuple[Type, bool]:
    """Add one half of an accessor to ``side``: its type, and whether that was inferred."""
    written = lower_signature(reading, function_parts(reading, node), texts=False)
    visibility = visible(head, name)
    if head.setter:
        parameters = written.signature.parameters
        shown = parameters[0].type if parameters else UNANNOTATED
        side.setters[name] = shown
        if name not in side.getters:
            side.properties.append(Property(name, shown, False, False, False, visibility))
        return shown, False
    shown = written.signature.returns
    if name in side.setters:
        side.properties = [item for item in side.properties if item.name != name]
    side.getters.add(name)
    side.properties.append(Property(name, shown, False, True, False, visibility))
    return shown, written.inferred


def settle(side: Side) -> None:
    """Give the accessors with a setter their write types."""
    for index, prop in enumerate(side.properties):
        written = side.setters.get(prop.name)
        if written is not None:
            side.properties[index] = Property(
                prop.name, prop.type, False, False, False, prop.visibility, prop.owner,
                None if written is prop.type and prop.name in side.getters else written,
            )  # fmt: skip


def is_static(reading: ParseContext, node: Node) -> bool:
    return any(reading.kinds[child.kind_id] == "static" for child in node.children)


def index_signatures(reading: ParseContext, node: Node) -> list[IndexSignature]:
    """Return the index signatures that one writes: a union of keys makes several."""
    kinds = reading.kinds
    readonly = any(kinds[child.kind_id] == "readonly" for child in node.children)
    parts = [
        part for part in reading.parts(node) if kinds[part.kind_id] not in ("readonly", "static")
    ]
    annotation = next((part for part in parts if kinds[part.kind_id] in _ANNOTATIONS), None)
    keys = [part for part in parts[1:] if part is not annotation]
    if not keys:
        return []
    shown = UNANNOTATED if annotation is None else lower_annotation(reading, annotation)
    key = lower_type(reading, keys[0])
    wanted = key.members if isinstance(key, Union) else (key,)
    return [
        IndexSignature(item, shown, readonly)
        for item in wanted
        if item in (STRING, NUMBER, SYMBOL) or isinstance(item, Template | Named | Literal)
    ]


def mapped_clause(reading: ParseContext, node: Node) -> Node | None:
    """Return the index signature that makes an object type a mapped one."""
    parts = reading.parts(node)
    if len(parts) != 1 or reading.kinds[parts[0].kind_id] != "index_signature":
        return None
    for child in parts[0].named_children:
        if reading.kinds[child.kind_id] == "mapped_type_clause":
            return parts[0]
    return None


def _mapped(reading: ParseContext, node: Node) -> Type:
    """Return the mapped type of ``[K in keys as rename]: type`` with its modifiers."""
    kinds = reading.kinds
    sign: Modifier = "+"
    readonly: Modifier = ""
    optional: Modifier = ""
    clause = annotation = None
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind == "-":
            sign = "-"
        elif kind == "readonly":
            readonly = sign
        elif kind == "mapped_type_clause":
            clause = child
        elif kind in _ANNOTATIONS:
            annotation = child
            optional = _OPTIONALITY.get(kind, "")
    if clause is None:
        return UNREADABLE
    parts = reading.parts(clause)
    if len(parts) < 2:
        return UNREADABLE
    keys = lower_type(reading, parts[1])
    outer = reading.bind((reading.slice(parts[0]),))
    body = UNANNOTATED if annotation is None else lower_annotation(reading, annotation)
    rename = lower_type(reading, parts[2]) if len(parts) > 2 else None
    reading.release(outer)
    return Mapped(keys, body, rename, readonly, optional)


READERS: Mapping[str, TypeReader] = {"object_type": _object}
