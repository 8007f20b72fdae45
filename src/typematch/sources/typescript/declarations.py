"""Read declaring statements: functions, variables, classes, interfaces, aliases, enums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from typematch.ir.module import DeclarationStatement, Doc
from typematch.ir.types import UNANNOTATED, Named, Object, Type
from typematch.sources.typescript.comments import doc_of
from typematch.sources.typescript.enums import enum_members
from typematch.sources.typescript.initializers import (
    MAX_TEXT,
    InitializerType,
    value_of,
    written_text,
)
from typematch.sources.typescript.lower import dotted, imported, lower_arguments, lower_type
from typematch.sources.typescript.members import ClassBody, read_body, written_type
from typematch.sources.typescript.parse_context import ParseContext
from typematch.sources.typescript.signatures import bind_parameters, overload

FUNCTIONS = frozenset(
    (
        "function_signature", "function_declaration", "generator_function_declaration",
        "function_expression", "generator_function", "arrow_function",
    )
)  # fmt: skip
CLASSES = frozenset(("class_declaration", "abstract_class_declaration", "class"))
VARIABLES = frozenset(("lexical_declaration", "variable_declaration"))
# `normalize` writes a name over the keyword of an anonymous function (a gap of the grammar).
_ANONYMOUS = b"default"


@dataclass(frozen=True, slots=True)
class Statement:
    """How a declaration stands: ``comment`` before it, ``start`` of the whole statement."""

    comment: Node | None
    start: int
    exported: bool = False
    default: bool = False


def declarations(
    reading: ParseContext, node: Node, kind: str, statement: Statement
) -> Iterator[DeclarationStatement]:
    """Yield what a declaring node declares: one name, several for variables, else none."""
    if kind in FUNCTIONS:
        yield _function(reading, node, statement)
    elif kind in VARIABLES:
        yield from _variables(reading, node, statement)
    elif kind in CLASSES:
        yield _class(reading, node, statement)
    elif kind == "interface_declaration":
        yield _interface(reading, node, statement)
    elif kind == "type_alias_declaration":
        yield _alias(reading, node, statement)
    elif kind == "enum_declaration":
        yield _enum(reading, node, statement)


def anonymous(reading: ParseContext, node: Node) -> bool:
    """Whether ``node`` is the function of ``export default function ()``."""
    return reading.text.startswith(_ANONYMOUS, node.start_byte)


def _name(reading: ParseContext, node: Node) -> str:
    name = node.child_by_field_name("name")
    return "default" if name is None or anonymous(reading, node) else reading.slice(name)


def _function(reading: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    doc = doc_of(reading, statement.comment)
    line = reading.line(statement.start)
    found = overload(reading, node, doc, line=line)
    return DeclarationStatement(
        "function", _name(reading, node), line, written_text(reading, node),
        value=Object(calls=(found.signature,)), overloads=(found,), doc=doc,
        exported=statement.exported, default=statement.default, inferred=found.inferred,
    )  # fmt: skip


def _variables(
    reading: ParseContext, node: Node, statement: Statement
) -> Iterator[DeclarationStatement]:
    keyword = reading.slice(node.children[0])
    doc = doc_of(reading, statement.comment)
    for child in reading.parts(node):
        if reading.kinds[child.kind_id] != "variable_declarator":
            continue
        name = child.child_by_field_name("name")
        if name is None:
            continue
        line = reading.line(child.start_byte)
        if reading.kinds[name.kind_id] != "identifier":
            for bound in _bound(reading, name):
                yield DeclarationStatement(
                    "const", bound, line, f"{keyword} {bound}", value=UNANNOTATED, doc=doc,
                    exported=statement.exported,
                )  # fmt: skip
            continue
        value = child.child_by_field_name("value")
        if value is not None and reading.kinds[value.kind_id] in CLASSES:
            # A type of that name is too much, but nobody may use it.
            yield _class(reading, value, statement, name=name)
        else:
            yield _variable(reading, child, name, keyword, doc, statement)


def _variable(
    reading: ParseContext,
    node: Node,
    name: Node,
    keyword: str,
    doc: Doc | None,
    statement: Statement,
) -> DeclarationStatement:
    line = reading.line(node.start_byte)
    annotation = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if annotation is not None:
        shown = written_type(reading, annotation, doc, line)
        end = annotation.end_byte
    elif value is not None:
        shown = value_of(reading, value, doc, line, constant=keyword == "const")
        end = min(value.end_byte, value.start_byte + 4 * MAX_TEXT)
    else:
        shown, end = InitializerType(UNANNOTATED), node.end_byte
    text = reading.between(node.start_byte, end)
    if annotation is None and shown.overloads:
        text = f"{reading.slice(name)} = {shown.overloads[0].text}"
    return DeclarationStatement(
        "const", reading.slice(name), line, f"{keyword} {text}"[:MAX_TEXT], value=shown.type,
        overloads=shown.overloads, members=shown.members, doc=doc, exported=statement.exported,
        default=statement.default, inferred=shown.inferred,
    )  # fmt: skip


def default_value(
    reading: ParseContext, node: Node, name: str, statement: Statement
) -> DeclarationStatement:
    """Return the constant that ``export default EXPRESSION`` and ``export = EXPRESSION`` make."""
    line = reading.line(statement.start)
    doc = doc_of(reading, statement.comment)
    shown = value_of(reading, node, doc, line, constant=True)
    return DeclarationStatement(
        "const", name, line, written_text(reading, node), value=shown.type,
        overloads=shown.overloads, members=shown.members, doc=doc, exported=statement.exported,
        default=statement.default,
        inferred=shown.inferred,
    )  # fmt: skip


def _bound(reading: ParseContext, pattern: Node) -> Iterator[str]:
    """Yield the names that a destructuring pattern binds, in order."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        kind = reading.kinds[node.kind_id]
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            yield reading.slice(node)
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            pending.extend(reading.parts(node)[:1])
        elif kind == "pair_pattern":
            pending.extend(reading.parts(node)[1:])
        else:
            pending.extend(reversed(reading.parts(node)))


def _class(
    reading: ParseContext, node: Node, statement: Statement, *, name: Node | None = None
) -> DeclarationStatement:
    """Return a class; ``name`` is that of the constant which it is the value of."""
    kinds = reading.kinds
    called = _name(reading, node) if name is None else reading.slice(name)
    parameters = node.child_by_field_name("type_parameters")
    abstract = any(kinds[child.kind_id] == "abstract" for child in node.children)
    names, type_parameters, outer = bind_parameters(reading, parameters)
    extends: list[Type] = []
    implements: list[Type] = []
    body = ClassBody()
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind == "class_heritage":
            for clause in reading.parts(child):
                if kinds[clause.kind_id] == "extends_clause":
                    extends.append(_base(reading, clause))
                elif kinds[clause.kind_id] == "implements_clause":
                    implements.extend([lower_type(reading, part) for part in reading.parts(clause)])
        elif kind == "class_body":
            shown = f"{called}<{', '.join(names)}>" if names else called
            body = read_body(reading, child, name=shown, abstract=abstract)
    if outer is not None:
        reading.release(outer)
    line = reading.line(statement.start if name is None else name.start_byte)
    head = _head(reading, node) if name is None else f"const {called} = {_head(reading, node)}"
    return DeclarationStatement(
        "class", called, line, head, body.instance.type(),
        body.static.type(), type_parameters, names, tuple(extends), tuple(implements), (),
        tuple(body.members), (), doc_of(reading, statement.comment), statement.exported,
        statement.default, abstract,
    )  # fmt: skip


def _base(reading: ParseContext, clause: Node) -> Type:
    """Return the base class of an ``extends`` clause; ``unannotated`` for what is no plain name."""
    parts = reading.parts(clause)
    value = parts[0]
    arguments: tuple[Type, ...] = ()
    if reading.kinds[value.kind_id] == "instantiation_expression":
        parts = reading.parts(value)
        value = parts[0]
    if len(parts) > 1 and reading.kinds[parts[-1].kind_id] == "type_arguments":
        arguments = lower_arguments(reading, parts[-1])
    if reading.kinds[value.kind_id] not in ("identifier", "member_expression"):
        return UNANNOTATED
    text = reading.slice(value)
    if text.startswith("import") and "(" in text:
        return imported(reading, text, value.start_byte, arguments)
    return Named(dotted(reading, value), arguments)


def _head(reading: ParseContext, node: Node) -> str:
    """Return a declaration as written, without decorators and body."""
    kinds = reading.kinds
    children = [child for child in node.children if kinds[child.kind_id] != "decorator"]
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    return reading.between(children[0].start_byte, end).rstrip()[:MAX_TEXT]


def _interface(reading: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    kinds = reading.kinds
    names, type_parameters, outer = bind_parameters(
        reading, node.child_by_field_name("type_parameters")
    )
    extends: list[Type] = []
    body = ClassBody()
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind in ("extends_type_clause", "extends_clause"):
            extends.extend([lower_type(reading, part) for part in reading.parts(child)])
        elif kind in ("interface_body", "object_type"):
            body = read_body(reading, child)
    if outer is not None:
        reading.release(outer)
    return DeclarationStatement(
        "interface", _name(reading, node), reading.line(statement.start), _head(reading, node),
        body.instance.type(), None, type_parameters, names, tuple(extends),
        members=tuple(body.members), doc=doc_of(reading, statement.comment),
        exported=statement.exported, default=statement.default,
    )  # fmt: skip


def _alias(reading: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    names, type_parameters, outer = bind_parameters(
        reading, node.child_by_field_name("type_parameters")
    )
    doc = doc_of(reading, statement.comment)
    line = reading.line(statement.start)
    shown = (
        InitializerType(UNANNOTATED)
        if node.named_child_count < 2
        else written_type(reading, node, doc, line)
    )
    if outer is not None:
        reading.release(outer)
    return DeclarationStatement(
        "alias", _name(reading, node), line, written_text(reading, node), shown.type, None,
        type_parameters, names, overloads=shown.overloads, members=shown.members, doc=doc,
        exported=statement.exported,
    )  # fmt: skip


def _enum(reading: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    name = _name(reading, node)
    body = node.child_by_field_name("body")
    constant = any(reading.kinds[child.kind_id] == "const" for child in node.children)
    counts = constant or not reading.ambient
    members = () if body is None else enum_members(reading, body, name, counts=counts)
    return DeclarationStatement(
        "enum", name, reading.line(statement.start), _head(reading, node), enum_members=members,
        doc=doc_of(reading, statement.comment), exported=statement.exported,
    )  # fmt: skip
