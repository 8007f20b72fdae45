"""Reads the members of classes and interfaces, with their docs and source texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from tree_sitter import Node

from typematch.ir.module import Doc, Member, Overload
from typematch.ir.type_parts import Property, Visibility
from typematch.ir.types import THIS, UNANNOTATED, UNREADABLE, Named, Object
from typematch.sources.typescript.class_body import ClassBody
from typematch.sources.typescript.comments import doc_comment, with_doc_comments
from typematch.sources.typescript.initializers import InitializerType, initializer_type, source_text
from typematch.sources.typescript.lower import lower_type
from typematch.sources.typescript.objects import (
    FIELDS,
    METHODS,
    MemberHead,
    add_accessor,
    index_signatures,
    is_static,
    mapped_type_node,
    read_head,
    set_write_types,
    visibility_of,
)
from typematch.sources.typescript.parse_context import (
    MAX_NESTING,
    IncompleteSyntaxError,
    ParseContext,
)
from typematch.sources.typescript.signatures import read_overload

# Mapped types of the library that keep the names and the types of members: (readonly, optional) of
# the result, None if it is that of the argument's member.
_MODIFIERS: Mapping[tuple[str, ...], tuple[bool | None, bool | None]] = {
    ("Readonly",): (True, None),
    ("Partial",): (None, True),
    ("Required",): (None, False),
}


def read_body(
    context: ParseContext, node: Node, *, name: str = "", abstract: bool = False
) -> ClassBody:
    """Return the members of a body; ``name`` is the text of a constructor's result."""
    body = ClassBody()
    state = context.state()
    for child, comment in with_doc_comments(context, node.children):
        try:
            _read_member(context, child, comment, body, name, abstract)
        except IncompleteSyntaxError:
            context.recover(state)
    body.merge_overloads()
    set_write_types(body.instance)
    set_write_types(body.static)
    return body


def _read_member(
    context: ParseContext,
    child: Node,
    comment: Node | None,
    body: ClassBody,
    name: str,
    abstract: bool,
) -> None:
    kind = context.kinds[child.kind_id]
    if kind in METHODS:
        _method(context, child, comment, body, name, abstract)
    elif kind in FIELDS:
        _field(context, child, comment, body)
    elif kind == "call_signature":
        overload = read_overload(context, child, doc_comment(context, comment))
        body.instance.calls.append(overload.signature)
        type_ = Object(calls=(overload.signature,))
        body.add(
            Member("call", "call", type_, overload.line, overloads=(overload,), doc=overload.doc)
        )
    elif kind == "construct_signature":
        overload = _construct(context, child, doc_comment(context, comment))
        body.instance.constructs.append(overload.signature)
        body.add(_constructor_member(overload, "public"))
    elif kind == "index_signature":
        side = body.static if is_static(context, child) else body.instance
        side.indexes.extend(index_signatures(context, child))


def _constructor_member(overload: Overload, visibility: Visibility) -> Member:
    return Member(
        "constructor", "constructor", Object(constructs=(overload.signature,)), overload.line,
        overloads=(overload,), doc=overload.doc, visibility=visibility,
    )  # fmt: skip


def _method(
    context: ParseContext,
    node: Node,
    comment: Node | None,
    body: ClassBody,
    owner: str,
    abstract: bool,
) -> None:
    head = read_head(context, node)
    name = head.name
    if name is None:
        return
    doc = doc_comment(context, comment)
    if head.getter or head.setter:
        _accessor(context, node, head, name, doc, body)
        return
    key = (name, head.static)
    if not head.has_body:
        body.declared.add(key)
    elif key in body.declared:
        return  # callers do not see the implementation signature
    if name == "constructor" and owner:
        _constructor(context, node, head, doc, body, owner, abstract)
        return
    overload = read_overload(context, node, doc)
    type_ = Object(calls=(overload.signature,))
    visibility = visibility_of(head, name)
    body.side(head).properties.append(Property(name, type_, head.optional, False, True, visibility))
    body.add(
        Member(
            "method", name, type_, overload.line, "", (overload,), doc, head.static, head.optional,
            False, head.abstract, visibility, overload.inferred,
        )
    )  # fmt: skip


def _accessor(
    context: ParseContext, node: Node, head: MemberHead, name: str, doc: Doc | None, body: ClassBody
) -> None:
    type_, inferred = add_accessor(context, node, head, name, body.side(head))
    body.add(
        Member(
            "accessor", name, type_, context.line(node.start_byte), source_text(context, node), (),
            doc, head.static, False, head.getter, head.abstract, visibility_of(head, name),
            inferred,
        )
    )  # fmt: skip


def _constructor(
    context: ParseContext,
    node: Node,
    head: MemberHead,
    doc: Doc | None,
    body: ClassBody,
    owner: str,
    abstract: bool,
) -> None:
    modifier = "" if head.visibility == "public" else head.visibility
    overload = read_overload(
        context, node, doc, modifier=modifier or ("abstract" if abstract else ""),
        returns=THIS, result_text=owner,
    )  # fmt: skip
    overload = replace(overload, text=f"new {overload.text}")
    body.static.constructs.append(overload.signature)
    body.add(_constructor_member(overload, head.visibility))
    _parameter_properties(context, node, overload, body)


def _parameter_properties(
    context: ParseContext, node: Node, overload: Overload, body: ClassBody
) -> None:
    """Add the properties that ``constructor(private x: T)`` declares."""
    parameters = node.child_by_field_name("parameters")
    nodes = [] if parameters is None else context.named_children(parameters)
    types = {item.name: item for item in overload.signature.parameters}
    for parameter in nodes:
        visibility: Visibility = "public"
        readonly = declares = False
        name = ""
        for child in parameter.children:
            kind = context.kinds[child.kind_id]
            if kind == "accessibility_modifier":
                visibility = cast(Visibility, context.source(child))
                declares = True
            elif kind in ("readonly", "override_modifier"):
                readonly = readonly or kind == "readonly"
                declares = True
            elif kind == "identifier":
                name = name or context.source(child)
        item = types.get(name)
        if not declares or item is None:
            continue
        optional = context.kinds[parameter.kind_id] == "optional_parameter"
        body.instance.properties.append(
            Property(name, item.type, optional, readonly, False, visibility)
        )
        body.add(
            Member(
                "property", name, item.type, context.line(parameter.start_byte),
                source_text(context, parameter), optional=optional, readonly=readonly,
                visibility=visibility,
            )
        )  # fmt: skip


def _construct(context: ParseContext, node: Node, doc: Doc | None) -> Overload:
    overload = read_overload(context, node, doc)
    return replace(overload, text=f"new {overload.text}")


def _field(context: ParseContext, node: Node, comment: Node | None, body: ClassBody) -> None:
    head = read_head(context, node)
    name = head.name
    if name is None:
        return
    doc = doc_comment(context, comment)
    line = context.line(node.start_byte)
    if head.annotation is not None:
        value_type = annotation_type(context, head.annotation, doc, line)
    elif head.value is not None:
        value_type = initializer_type(context, head.value, doc, line, constant=head.readonly)
    else:
        value_type = InitializerType(UNANNOTATED)
    side = body.side(head)
    visibility = visibility_of(head, name)
    side.properties.append(
        Property(
            name,
            value_type.type,
            head.optional,
            head.readonly,
            False,
            visibility,
            quoted=head.quoted,
        )
    )
    text = source_text(context, node) if not value_type.overloads else ""
    body.add(
        Member(
            "property", name, value_type.type, line, text, value_type.overloads, doc, head.static,
            head.optional, head.readonly, head.abstract, visibility, value_type.inferred,
            value_type.members,
        )
    )  # fmt: skip


def annotation_type(
    context: ParseContext, annotation: Node, doc: Doc | None, line: int
) -> InitializerType:
    """Return the type of an annotation, with the overloads and members that it writes out."""
    parts = context.named_children(annotation)
    if not parts:
        return InitializerType(UNREADABLE)
    return _written_type(context, parts[-1], doc, line)


def _written_type(context: ParseContext, node: Node, doc: Doc | None, line: int) -> InitializerType:
    """Return a type, with the overloads and members of the object types it is made of."""
    kind = context.kinds[node.kind_id]
    parts = context.named_children(node)
    if context.nesting >= MAX_NESTING:
        return InitializerType(lower_type(context, node))
    if kind == "parenthesized_type" and len(parts) == 1:
        return _written_type(context, parts[0], doc, line)
    if kind == "function_type":
        overload = read_overload(context, node, doc, line=line)
        return InitializerType(Object(calls=(overload.signature,)), (overload,))
    if kind == "intersection_type":
        return _written_intersection(context, node, doc, line)
    if kind == "generic_type":
        return _written_argument(context, node, doc, line)
    if kind != "object_type" or mapped_type_node(context, node) is not None:
        return InitializerType(lower_type(context, node))
    context.nesting += 1
    body = read_body(context, node)
    context.nesting -= 1
    calls = tuple(
        [item for member in body.members if member.kind == "call" for item in member.overloads]
    )
    return InitializerType(body.instance.type(), calls, tuple(body.members))


def argument_members(context: ParseContext, annotation: Node) -> list[Member]:
    """Return the members of object types in type arguments: of ``Constructor<A & { b: B }>``.

    Only the resolved type says whether they are members of what is annotated.
    """
    members: list[Member] = []
    pending = [(annotation, False)]
    while pending:
        node, in_argument = pending.pop()
        kind = context.kinds[node.kind_id]
        parts = context.named_children(node)
        if kind in ("type_annotation", "intersection_type", "parenthesized_type"):
            pending.extend((part, in_argument) for part in reversed(parts))
        elif kind == "generic_type":
            name = context.source(parts[0])
            arguments = context.named_children(parts[-1]) if (name,) not in _MODIFIERS else []
            pending.extend((part, True) for part in reversed(arguments))
        elif kind == "object_type" and in_argument and mapped_type_node(context, node) is None:
            body = read_body(context, node)
            members += [
                member for member in body.members if member.kind not in ("call", "constructor")
            ]
    return [replace(member, in_argument=True) for member in members]


def _written_intersection(
    context: ParseContext, node: Node, doc: Doc | None, line: int
) -> InitializerType:
    """Return an intersection, with the members of its object types.

    Its overloads are known only if every part writes its signatures out.
    """
    type_ = lower_type(context, node)
    members: dict[tuple[str, str], Member] = {}
    overloads: list[Overload] = []
    complete = True
    pending = [node]
    while pending:
        part = pending.pop()
        kind = context.kinds[part.kind_id]
        if kind in ("intersection_type", "parenthesized_type"):
            pending.extend(reversed(context.named_children(part)))
        elif kind in ("object_type", "function_type", "generic_type"):
            context.nesting += 1
            written_type = _written_type(context, part, doc, line)
            context.nesting -= 1
            overloads.extend(written_type.overloads)
            members |= {(member.kind, member.name): member for member in written_type.members}
            complete = complete and isinstance(written_type.type, Object)
        else:
            complete = False
    return InitializerType(type_, tuple(overloads) if complete else (), tuple(members.values()))


def _written_argument(
    context: ParseContext, node: Node, doc: Doc | None, line: int
) -> InitializerType:
    """Return a generic type; ``Readonly<{ }>`` and the like have the members of the literal."""
    type_ = lower_type(context, node)
    if not isinstance(type_, Named) or type_.path not in _MODIFIERS or len(type_.arguments) != 1:
        return InitializerType(type_)
    arguments = context.named_children(context.child(node, -1))
    written_type = _written_type(context, arguments[0], doc, line)
    readonly, optional = _MODIFIERS[type_.path]
    members = [
        replace(
            member,
            readonly=member.readonly if readonly is None else readonly,
            optional=member.optional if optional is None else optional,
        )
        for member in written_type.members
    ]
    return InitializerType(type_, (), tuple(members))
