"""Read the members of classes, interfaces and object types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from tree_sitter import Node

from typematch.ir.build import object_type
from typematch.ir.module import Doc, Member, Overload
from typematch.ir.types import (
    NUMBER,
    STRING,
    SYMBOL,
    THIS,
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
from typematch.sources.typescript.comments import doc_of, documented
from typematch.sources.typescript.lower import lower_annotation, lower_type
from typematch.sources.typescript.names import member_name
from typematch.sources.typescript.reading import MAX_NESTING, Reading, TypeReader
from typematch.sources.typescript.signatures import (
    function_parts,
    lower_signature,
    overload,
)
from typematch.sources.typescript.values import Shown, value_of, written_text

_METHODS = frozenset(("method_signature", "abstract_method_signature", "method_definition"))
_FIELDS = frozenset(("property_signature", "public_field_definition"))
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
class Body:
    """What stands between the braces of a class, an interface or an object type."""

    instance: Side = field(default_factory=Side)
    static: Side = field(default_factory=Side)
    members: list[Member] = field(default_factory=list)


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
    visibility: Visibility = "public"
    annotation: Node | None = None
    value: Node | None = None


def read_body(reading: Reading, node: Node, *, name: str = "", abstract: bool = False) -> Body:
    """Return the members of a body with their docs; ``name`` is what a constructor makes."""
    body = Body()
    declared: set[tuple[str, bool]] = set()
    kinds = reading.kinds
    for child, comment in documented(reading, node.children):
        kind = kinds[child.kind_id]
        if kind in _METHODS:
            _method(reading, child, comment, body, declared, name, abstract)
        elif kind in _FIELDS:
            _field(reading, child, comment, body)
        elif kind == "call_signature":
            found = overload(reading, child, doc_of(reading, comment))
            body.instance.calls.append(found.signature)
            _add(body, Member("call", "call", UNANNOTATED, found.line, overloads=(found,)))
        elif kind == "construct_signature":
            found = _construct(reading, child, doc_of(reading, comment))
            body.instance.constructs.append(found.signature)
            _add(
                body,
                Member("constructor", "constructor", UNANNOTATED, found.line, overloads=(found,)),
            )
        elif kind == "index_signature":
            side = body.static if _is_static(reading, child) else body.instance
            side.indexes.extend(_index(reading, child))
    _settle_side(body.instance)
    _settle_side(body.static)
    return body


def _settle_side(side: Side) -> None:
    """Give the accessors with a setter their write types."""
    for index, prop in enumerate(side.properties):
        written = side.setters.get(prop.name)
        if written is not None:
            side.properties[index] = Property(
                prop.name, prop.type, False, False, False, prop.visibility, prop.owner,
                None if written is prop.type and prop.name in side.getters else written,
            )  # fmt: skip


def _add(body: Body, new: Member) -> None:
    """Add a member; overloads of one name, and the two halves of an accessor, become one."""
    for index, old in enumerate(body.members):
        if old.name == new.name and old.static == new.static and old.kind == new.kind:
            if new.kind in ("method", "call", "constructor"):
                merged = (*old.overloads, *new.overloads)
                body.members[index] = _with(old, merged, new.doc)
            elif old.kind == "accessor" and not new.readonly:
                body.members[index] = _writable(old, new.doc)
            return
    if new.kind in ("method", "call", "constructor"):
        new = _with(new, new.overloads, None)
    body.members.append(new)


def _with(old: Member, overloads: tuple[Overload, ...], doc: Doc | None) -> Member:
    signatures = tuple([item.signature for item in overloads])
    merged = (
        Object(constructs=signatures) if old.kind == "constructor" else Object(calls=signatures)
    )
    return Member(
        old.kind, old.name, merged, old.line, old.text, overloads, old.doc or doc or overloads[0].doc,
        old.static, old.optional, old.readonly, old.abstract, old.visibility,
        any(item.inferred for item in overloads),
    )  # fmt: skip


def _writable(old: Member, doc: Doc | None) -> Member:
    return Member(
        old.kind, old.name, old.type, old.line, old.text, old.overloads, old.doc or doc,
        old.static, old.optional, False, old.abstract, old.visibility, old.inferred, old.members,
    )  # fmt: skip


def _head(reading: Reading, node: Node) -> Head:
    head = Head()
    kinds = reading.kinds
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind in _NAMES:
            if head.name is None:
                head.name = member_name(reading, child, kind)
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


def _method(
    reading: Reading,
    node: Node,
    comment: Node | None,
    body: Body,
    declared: set[tuple[str, bool]],
    owner: str,
    abstract: bool,
) -> None:
    head = _head(reading, node)
    name = head.name
    if name is None:
        return
    doc = doc_of(reading, comment)
    if head.getter or head.setter:
        _accessor(reading, node, head, doc, body)
        return
    key = (name, head.static)
    if not head.bodied:
        declared.add(key)
    elif key in declared:
        return  # the implementation behind overloads cannot be called
    if name == "constructor" and owner:
        _constructor(reading, node, head, doc, body, owner, abstract)
        return
    found = overload(reading, node, doc)
    side = body.static if head.static else body.instance
    side.properties.append(
        Property(
            name, Object(calls=(found.signature,)), head.optional, False, True, _visible(head, name)
        )
    )
    _add(
        body,
        Member(
            "method", name, UNANNOTATED, found.line, "", (found,), doc, head.static, head.optional,
            False, head.abstract, _visible(head, name), found.inferred,
        ),
    )  # fmt: skip


def _visible(head: Head, name: str) -> Visibility:
    return "private" if name.startswith("#") else head.visibility


def _accessor(reading: Reading, node: Node, head: Head, doc: Doc | None, body: Body) -> None:
    name = head.name or ""
    written = lower_signature(reading, function_parts(reading, node), texts=False)
    side = body.static if head.static else body.instance
    visibility = _visible(head, name)
    if head.setter:
        parameters = written.signature.parameters
        shown = parameters[0].type if parameters else UNANNOTATED
        known = next((prop for prop in side.properties if prop.name == name), None)
        side.setters[name] = shown
        if known is None:
            side.properties.append(Property(name, shown, False, False, False, visibility))
    else:
        shown = written.signature.returns
        side.getters.add(name)
        if name in side.setters:
            side.properties = [prop for prop in side.properties if prop.name != name]
        side.properties.append(Property(name, shown, False, True, False, visibility))
    _add_accessor(reading, node, head, doc, body, shown, written.inferred)


def _add_accessor(
    reading: Reading,
    node: Node,
    head: Head,
    doc: Doc | None,
    body: Body,
    shown: Type,
    inferred: bool,
) -> None:
    name = head.name or ""
    new = Member(
        "accessor", name, shown, reading.line(node.start_byte), written_text(reading, node), (), doc,
        head.static, False, head.getter, head.abstract, _visible(head, name), inferred,
    )  # fmt: skip
    for index, old in enumerate(body.members):
        if old.kind == "accessor" and old.name == name and old.static == head.static:
            # The getter's type is the one that a reader sees.
            kept = new if head.getter else old
            body.members[index] = _writable(kept, old.doc or doc)
            return
    body.members.append(new)


def _constructor(
    reading: Reading,
    node: Node,
    head: Head,
    doc: Doc | None,
    body: Body,
    owner: str,
    abstract: bool,
) -> None:
    modifier = "" if head.visibility == "public" else head.visibility
    found = overload(
        reading, node, doc, modifier=modifier or ("abstract" if abstract else ""),
        returns=THIS, shown=owner,
    )  # fmt: skip
    body.static.constructs.append(found.signature)
    _add(
        body,
        Member(
            "constructor", "constructor", UNANNOTATED, found.line, "", (found,), doc,
            visibility=head.visibility,
        ),
    )  # fmt: skip
    _parameter_properties(reading, node, found, body)


def _parameter_properties(reading: Reading, node: Node, found: Overload, body: Body) -> None:
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
        body.members.append(
            Member(
                "property", name, item.type, reading.line(parameter.start_byte),
                written_text(reading, parameter), optional=optional, readonly=readonly, visibility=visibility,
            )
        )  # fmt: skip


def _construct(reading: Reading, node: Node, doc: Doc | None) -> Overload:
    found = overload(reading, node, doc)
    return Overload(
        found.signature, f"new {found.text}", found.type_parameters, found.parameters,
        found.returns, found.line, found.doc,
    )  # fmt: skip


def _field(reading: Reading, node: Node, comment: Node | None, body: Body) -> None:
    head = _head(reading, node)
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
        shown = Shown(UNANNOTATED)
    side = body.static if head.static else body.instance
    visibility = _visible(head, name)
    side.properties.append(
        Property(name, shown.type, head.optional, head.readonly, False, visibility)
    )
    text = written_text(reading, node) if not shown.overloads else ""
    body.members.append(
        Member(
            "property", name, shown.type, line, text, shown.overloads, doc, head.static,
            head.optional, head.readonly, head.abstract, visibility, shown.inferred, shown.members,
        )
    )  # fmt: skip


def written_type(reading: Reading, annotation: Node, doc: Doc | None, line: int) -> Shown:
    """Return what an annotation says, with the overloads and members that it writes out."""
    parts = reading.parts(annotation)
    node = parts[-1] if parts else None
    while node is not None and reading.kinds[node.kind_id] == "parenthesized_type":
        inner = reading.parts(node)
        node = inner[0] if len(inner) == 1 else None
    kind = "" if node is None else reading.kinds[node.kind_id]
    if node is None:
        return Shown(UNREADABLE)
    if kind == "function_type":
        found = overload(reading, node, doc, line=line)
        return Shown(Object(calls=(found.signature,)), (found,))
    if kind != "object_type" or _mapped_clause(reading, node) is not None:
        return Shown(lower_type(reading, node))
    if reading.nesting >= MAX_NESTING:
        return Shown(lower_type(reading, node))
    reading.nesting += 1
    body = read_body(reading, node)
    reading.nesting -= 1
    calls = tuple(
        [item for member in body.members if member.kind == "call" for item in member.overloads]
    )
    return Shown(body.instance.type(), calls, tuple(body.members))


def _is_static(reading: Reading, node: Node) -> bool:
    return any(reading.kinds[child.kind_id] == "static" for child in node.children)


def _index(reading: Reading, node: Node) -> list[IndexSignature]:
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


_ANNOTATIONS = frozenset(
    (
        "type_annotation", "omitting_type_annotation", "adding_type_annotation",
        "opting_type_annotation",
    )
)  # fmt: skip


def _mapped_clause(reading: Reading, node: Node) -> Node | None:
    """Return the index signature that makes an object type a mapped one."""
    parts = reading.parts(node)
    if len(parts) != 1 or reading.kinds[parts[0].kind_id] != "index_signature":
        return None
    for child in parts[0].named_children:
        if reading.kinds[child.kind_id] == "mapped_type_clause":
            return parts[0]
    return None


def _mapped(reading: Reading, node: Node) -> Type:
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


_OPTIONALITY: Mapping[str, Modifier] = {
    "omitting_type_annotation": "-", "adding_type_annotation": "+", "opting_type_annotation": "+",
}  # fmt: skip


def _object(reading: Reading, node: Node) -> Type:
    clause = _mapped_clause(reading, node)
    if clause is not None:
        return _mapped(reading, clause)
    side = Side()
    for child in node.named_children:
        _plain_member(reading, child, side)
    _settle_side(side)
    return side.type()


def _plain_member(reading: Reading, node: Node, side: Side) -> None:
    """Add a member of an object type to ``side``, without its doc and texts."""
    kind = reading.kinds[node.kind_id]
    if kind in _FIELDS:
        head = _head(reading, node)
        if head.name is not None:
            shown = (
                UNANNOTATED
                if head.annotation is None
                else lower_annotation(reading, head.annotation)
            )
            side.properties.append(Property(head.name, shown, head.optional, head.readonly))
    elif kind in _METHODS:
        head = _head(reading, node)
        if head.name is None:
            return
        if head.getter or head.setter:
            _accessor(reading, node, head, None, Body(side))
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
        side.indexes.extend(_index(reading, node))


READERS: Mapping[str, TypeReader] = {"object_type": _object}
