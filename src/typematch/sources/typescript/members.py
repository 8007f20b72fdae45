"""Read the members of classes and interfaces, with their docs and texts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from tree_sitter import Node

from typematch.ir.module import Doc, Member, Overload
from typematch.ir.types import THIS, UNANNOTATED, UNREADABLE, Object, Property, Visibility
from typematch.sources.typescript.comments import doc_of, documented
from typematch.sources.typescript.initializers import InitializerType, value_of, written_text
from typematch.sources.typescript.lower import lower_type
from typematch.sources.typescript.objects import (
    FIELDS,
    METHODS,
    Head,
    Side,
    add_accessor,
    index_signatures,
    is_static,
    mapped_clause,
    read_head,
    settle,
    visible,
)
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext
from typematch.sources.typescript.signatures import overload


@dataclass(slots=True)
class ClassBody:
    """What stands between the braces of a class, an interface or an object type.

    ``places`` says where the member of a kind, name and side stands among ``members``; ``declared``
    has the methods, by name and side, that were declared without a body.
    """

    instance: Side = field(default_factory=Side)
    static: Side = field(default_factory=Side)
    members: list[Member] = field(default_factory=list)
    places: dict[tuple[str, str, bool], int] = field(default_factory=dict)
    declared: set[tuple[str, bool]] = field(default_factory=set)

    def side(self, head: Head) -> Side:
        return self.static if head.static else self.instance

    def add(self, new: Member) -> None:
        """Add a member; overloads of one name, and the two halves of an accessor, become one."""
        key = (new.kind, new.name, new.static)
        place = self.places.setdefault(key, len(self.members))
        if place == len(self.members):
            self.members.append(new)
            return
        old = self.members[place]
        doc = old.doc or new.doc
        if new.kind in ("method", "call", "constructor"):
            overloads = (*old.overloads, *new.overloads)
            signatures = tuple([item.signature for item in overloads])
            shown = (
                Object((), (), signatures) if new.kind == "constructor" else Object((), signatures)
            )
            inferred = old.inferred or new.inferred
            new = replace(old, type=shown, overloads=overloads, doc=doc, inferred=inferred)
        elif new.kind == "accessor":
            # The getter's type is the one that a reader sees.
            new = replace(new if new.readonly else old, readonly=False, doc=doc)
        self.members[place] = new


def read_body(
    reading: ParseContext, node: Node, *, name: str = "", abstract: bool = False
) -> ClassBody:
    """Return the members of a body with their docs; ``name`` is what a constructor makes."""
    body = ClassBody()
    kinds = reading.kinds
    for child, comment in documented(reading, node.children):
        kind = kinds[child.kind_id]
        if kind in METHODS:
            _method(reading, child, comment, body, name, abstract)
        elif kind in FIELDS:
            _field(reading, child, comment, body)
        elif kind == "call_signature":
            found = overload(reading, child, doc_of(reading, comment))
            body.instance.calls.append(found.signature)
            shown = Object(calls=(found.signature,))
            body.add(Member("call", "call", shown, found.line, overloads=(found,), doc=found.doc))
        elif kind == "construct_signature":
            found = _construct(reading, child, doc_of(reading, comment))
            body.instance.constructs.append(found.signature)
            body.add(_constructing(found, "public"))
        elif kind == "index_signature":
            side = body.static if is_static(reading, child) else body.instance
            side.indexes.extend(index_signatures(reading, child))
    settle(body.instance)
    settle(body.static)
    return body


def _constructing(found: Overload, visibility: Visibility) -> Member:
    return Member(
        "constructor", "constructor", Object(constructs=(found.signature,)), found.line,
        overloads=(found,), doc=found.doc, visibility=visibility,
    )  # fmt: skip


def _method(
    reading: ParseContext,
    node: Node,
    comment: Node | None,
    body: ClassBody,
    owner: str,
    abstract: bool,
) -> None:
    head = read_head(reading, node)
    name = head.name
    if name is None:
        return
    doc = doc_of(reading, comment)
    if head.getter or head.setter:
        _accessor(reading, node, head, name, doc, body)
        return
    key = (name, head.static)
    if not head.bodied:
        body.declared.add(key)
    elif key in body.declared:
        return  # the implementation behind overloads cannot be called
    if name == "constructor" and owner:
        _constructor(reading, node, head, doc, body, owner, abstract)
        return
    found = overload(reading, node, doc)
    shown = Object(calls=(found.signature,))
    visibility = visible(head, name)
    body.side(head).properties.append(Property(name, shown, head.optional, False, True, visibility))
    body.add(
        Member(
            "method", name, shown, found.line, "", (found,), doc, head.static, head.optional,
            False, head.abstract, visibility, found.inferred,
        )
    )  # fmt: skip


def _accessor(
    reading: ParseContext, node: Node, head: Head, name: str, doc: Doc | None, body: ClassBody
) -> None:
    shown, inferred = add_accessor(reading, node, head, name, body.side(head))
    body.add(
        Member(
            "accessor", name, shown, reading.line(node.start_byte), written_text(reading, node), (),
            doc, head.static, False, head.getter, head.abstract, visible(head, name), inferred,
        )
    )  # fmt: skip


def _constructor(
    reading: ParseContext,
    node: Node,
    head: Head,
    doc: Doc | None,
    body: ClassBody,
    owner: str,
    abstract: bool,
) -> None:
    modifier = "" if head.visibility == "public" else head.visibility
    found = overload(
        reading, node, doc, modifier=modifier or ("abstract" if abstract else ""),
        returns=THIS, shown=owner,
    )  # fmt: skip
    found = replace(found, text=f"new {found.text}")
    body.static.constructs.append(found.signature)
    body.add(_constructing(found, head.visibility))
    _parameter_properties(reading, node, found, body)


def _parameter_properties(
    reading: ParseContext, node: Node, found: Overload, body: ClassBody
) -> None:
    """Add the properties that ``constructor(private x: T)`` declares."""
    parameters = node.child_by_field_name("parameters")
    nodes = [] if parameters is None else reading.parts(parameters)
    types = {item.name: item for item in found.signature.parameters}
    for parameter in nodes:
        visibility: Visibility = "public"
        readonly = declares = False
        name = ""
        for child in parameter.children:
            kind = reading.kinds[child.kind_id]
            if kind == "accessibility_modifier":
                visibility = cast(Visibility, reading.slice(child))
                declares = True
            elif kind in ("readonly", "override_modifier"):
                readonly = readonly or kind == "readonly"
                declares = True
            elif kind == "identifier":
                name = name or reading.slice(child)
        item = types.get(name)
        if not declares or item is None:
            continue
        optional = reading.kinds[parameter.kind_id] == "optional_parameter"
        body.instance.properties.append(
            Property(name, item.type, optional, readonly, False, visibility)
        )
        body.add(
            Member(
                "property", name, item.type, reading.line(parameter.start_byte),
                written_text(reading, parameter), optional=optional, readonly=readonly,
                visibility=visibility,
            )
        )  # fmt: skip


def _construct(reading: ParseContext, node: Node, doc: Doc | None) -> Overload:
    found = overload(reading, node, doc)
    return replace(found, text=f"new {found.text}")


def _field(reading: ParseContext, node: Node, comment: Node | None, body: ClassBody) -> None:
    head = read_head(reading, node)
    name = head.name
    if name is None:
        return
    doc = doc_of(reading, comment)
    line = reading.line(node.start_byte)
    if head.annotation is not None:
        shown = written_type(reading, head.annotation, doc, line)
    elif head.value is not None:
        shown = value_of(reading, head.value, doc, line, constant=head.readonly)
    else:
        shown = InitializerType(UNANNOTATED)
    side = body.side(head)
    visibility = visible(head, name)
    side.properties.append(
        Property(
            name,
            shown.type,
            head.optional,
            head.readonly,
            False,
            visibility,
            quoted=head.quoted,
        )
    )
    text = written_text(reading, node) if not shown.overloads else ""
    body.add(
        Member(
            "property", name, shown.type, line, text, shown.overloads, doc, head.static,
            head.optional, head.readonly, head.abstract, visibility, shown.inferred, shown.members,
        )
    )  # fmt: skip


def written_type(
    reading: ParseContext, annotation: Node, doc: Doc | None, line: int
) -> InitializerType:
    """Return what an annotation says, with the overloads and members that it writes out."""
    parts = reading.parts(annotation)
    node = parts[-1] if parts else None
    while node is not None and reading.kinds[node.kind_id] == "parenthesized_type":
        inner = reading.parts(node)
        node = inner[0] if len(inner) == 1 else None
    kind = "" if node is None else reading.kinds[node.kind_id]
    if node is None:
        return InitializerType(UNREADABLE)
    if kind == "function_type":
        found = overload(reading, node, doc, line=line)
        return InitializerType(Object(calls=(found.signature,)), (found,))
    if kind != "object_type" or mapped_clause(reading, node) is not None:
        return InitializerType(lower_type(reading, node))
    if reading.nesting >= MAX_NESTING:
        return InitializerType(lower_type(reading, node))
    reading.nesting += 1
    body = read_body(reading, node)
    reading.nesting -= 1
    calls = tuple(
        [item for member in body.members if member.kind == "call" for item in member.overloads]
    )
    return InitializerType(body.instance.type(), calls, tuple(body.members))
