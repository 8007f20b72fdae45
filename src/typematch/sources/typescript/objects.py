"""Reads object types (properties, methods, signatures, index signatures) and mapped types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from tree_sitter import Node

from typematch.ir.constructors import object_type
from typematch.ir.type_parts import IndexSignature, Property, Signature, Visibility
from typematch.ir.types import (
    NUMBER,
    STRING,
    SYMBOL,
    UNANNOTATED,
    UNREADABLE,
    Literal,
    Mapped,
    Modifier,
    Named,
    Object,
    Template,
    Type,
    Union,
)
from typematch.sources.typescript.lower import lower_annotation, lower_type, member_name
from typematch.sources.typescript.parse_context import (
    IncompleteSyntaxError,
    ParseContext,
    TypeReader,
)
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
class MemberTable:
    """Instance members or static members, in source order."""

    properties: list[Property] = field(default_factory=list)
    calls: list[Signature] = field(default_factory=list)
    constructs: list[Signature] = field(default_factory=list)
    indexes: list[IndexSignature] = field(default_factory=list)
    setters: dict[str, Type] = field(default_factory=dict)
    getters: set[str] = field(default_factory=set)

    def type(self) -> Object:
        return object_type(self.properties, self.calls, self.constructs, self.indexes)


@dataclass(slots=True)
class MemberHead:
    """Name and modifiers of one member."""

    name: str | None = None
    static: bool = False
    optional: bool = False
    readonly: bool = False
    abstract: bool = False
    getter: bool = False
    setter: bool = False
    has_body: bool = False
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


def _object(context: ParseContext, node: Node) -> Type:
    clause = mapped_type_node(context, node)
    if clause is not None:
        return _mapped(context, clause)
    side = MemberTable()
    state = context.state()
    for child in node.named_children:
        try:
            _read_member(context, child, side)
        except IncompleteSyntaxError:
            context.recover(state)
    set_write_types(side)
    return side.type()


def _starts_numeric(name: str | None) -> bool:
    return name is not None and name.lstrip("-")[:1].isdecimal()


def _read_member(context: ParseContext, node: Node, side: MemberTable) -> None:
    """Add a member of an object type to ``side``, without its doc and texts."""
    kind = context.kinds[node.kind_id]
    if kind in FIELDS:
        head = read_head(context, node)
        if head.name is not None:
            type_ = (
                UNANNOTATED
                if head.annotation is None
                else lower_annotation(context, head.annotation)
            )
            side.properties.append(
                Property(head.name, type_, head.optional, head.readonly, quoted=head.quoted)
            )
    elif kind in METHODS:
        head = read_head(context, node)
        if head.name is None:
            return
        if head.getter or head.setter:
            add_accessor(context, node, head, head.name, side)
            return
        lowered = lower_signature(context, function_parts(context, node), texts=False)
        type_ = Object(calls=(lowered.signature,))
        side.properties.append(Property(head.name, type_, head.optional, head.readonly, True))
    elif kind == "call_signature":
        side.calls.append(
            lower_signature(context, function_parts(context, node), texts=False).signature
        )
    elif kind == "construct_signature":
        side.constructs.append(
            lower_signature(context, function_parts(context, node), texts=False).signature
        )
    elif kind == "index_signature":
        side.indexes.extend(index_signatures(context, node))


def read_head(context: ParseContext, node: Node) -> MemberHead:
    head = MemberHead()
    kinds = context.kinds
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind in _NAMES:
            if head.name is None:
                head.name = member_name(context, child, kind)
                head.quoted = kind == "string" and _starts_numeric(head.name)
                continue
            head.value = child
        elif kind == "type_annotation":
            head.annotation = child
        elif kind == "accessibility_modifier":
            head.visibility = cast(Visibility, context.source(child))
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
            head.has_body = True
        elif child.is_named and head.name is not None and kind != "comment":
            head.value = child
    return head


def visibility_of(head: MemberHead, name: str) -> Visibility:
    return "private" if name.startswith("#") else head.visibility


def add_accessor(
    context: ParseContext, node: Node, head: MemberHead, name: str, table: MemberTable
) -> tuple[Type, bool]:
    """Add one half of an accessor to ``table``: its type, and whether that was inferred."""
    lowered = lower_signature(context, function_parts(context, node), texts=False)
    visibility = visibility_of(head, name)
    if head.setter:
        parameters = lowered.signature.parameters
        type_ = parameters[0].type if parameters else UNANNOTATED
        table.setters[name] = type_
        if name not in table.getters:
            table.properties.append(Property(name, type_, False, False, False, visibility))
        return type_, False
    type_ = lowered.signature.returns
    if name in table.setters:
        table.properties = [item for item in table.properties if item.name != name]
    table.getters.add(name)
    table.properties.append(Property(name, type_, False, True, False, visibility))
    return type_, lowered.inferred


def set_write_types(side: MemberTable) -> None:
    """Set the write types of accessors with a setter."""
    for index, prop in enumerate(side.properties):
        write_type = side.setters.get(prop.name)
        if write_type is not None:
            side.properties[index] = Property(
                prop.name, prop.type, False, False, False, prop.visibility, prop.owner,
                None if write_type is prop.type and prop.name in side.getters else write_type,
            )  # fmt: skip


def is_static(context: ParseContext, node: Node) -> bool:
    return any(context.kinds[child.kind_id] == "static" for child in node.children)


def index_signatures(context: ParseContext, node: Node) -> list[IndexSignature]:
    """Return the index signatures of a node: one for each member of a union of keys."""
    kinds = context.kinds
    readonly = any(kinds[child.kind_id] == "readonly" for child in node.children)
    parts = [
        part
        for part in context.named_children(node)
        if kinds[part.kind_id] not in ("readonly", "static")
    ]
    annotation = next((part for part in parts if kinds[part.kind_id] in _ANNOTATIONS), None)
    keys = [part for part in parts[1:] if part is not annotation]
    if not keys:
        return []
    type_ = UNANNOTATED if annotation is None else lower_annotation(context, annotation)
    key = lower_type(context, keys[0])
    key_types = key.members if isinstance(key, Union) else (key,)
    return [
        IndexSignature(item, type_, readonly)
        for item in key_types
        if item in (STRING, NUMBER, SYMBOL) or isinstance(item, Template | Named | Literal)
    ]


def mapped_type_node(context: ParseContext, node: Node) -> Node | None:
    """Return the node that makes an object type a mapped type; None for a plain object type."""
    parts = context.named_children(node)
    if len(parts) != 1 or context.kinds[parts[0].kind_id] != "index_signature":
        return None
    for child in parts[0].named_children:
        if context.kinds[child.kind_id] == "mapped_type_clause":
            return parts[0]
    return None


def _mapped(context: ParseContext, node: Node) -> Type:
    """Return the mapped type of ``[K in keys as rename]: type`` with its modifiers."""
    kinds = context.kinds
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
    parts = context.named_children(clause)
    if len(parts) < 2:
        return UNREADABLE
    keys = lower_type(context, parts[1])
    outer = context.enter_binder((context.source(parts[0]),))
    body = UNANNOTATED if annotation is None else lower_annotation(context, annotation)
    rename = lower_type(context, parts[2]) if len(parts) > 2 else None
    context.leave_binder(outer)
    return Mapped(keys, body, rename, readonly, optional)


READERS: Mapping[str, TypeReader] = {"object_type": _object}
