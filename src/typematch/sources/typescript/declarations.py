"""Reads declarations: functions, variables, classes, interfaces, aliases and enums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from typematch.ir.constructors import is_call_result
from typematch.ir.module import DeclarationStatement, Doc
from typematch.ir.types import UNANNOTATED, Named, Object, Type
from typematch.sources.typescript.class_body import ClassBody
from typematch.sources.typescript.comments import doc_comment
from typematch.sources.typescript.destructuring import pattern_bindings
from typematch.sources.typescript.enums import enum_members
from typematch.sources.typescript.inference.call_types import call_type
from typematch.sources.typescript.initializers import (
    MAX_TEXT,
    InitializerType,
    initializer_type,
    source_text,
)
from typematch.sources.typescript.lower import (
    dotted_path,
    import_type,
    lower_annotation,
    lower_arguments,
    lower_type,
)
from typematch.sources.typescript.members import (
    annotation_type,
    argument_members,
    read_body,
)
from typematch.sources.typescript.parse_context import ParseContext
from typematch.sources.typescript.signatures import bind_type_parameters, read_overload

FUNCTIONS = frozenset(
    (
        "function_signature", "function_declaration", "generator_function_declaration",
        "function_expression", "generator_function", "arrow_function",
    )
)  # fmt: skip
CLASSES = frozenset(("class_declaration", "abstract_class_declaration", "class"))
VARIABLES = frozenset(("lexical_declaration", "variable_declaration"))
# The grammar rejects an anonymous default function; `normalize` overwrites `default` with a name.
_ANONYMOUS = b"default"


@dataclass(frozen=True, slots=True)
class Statement:
    """The statement around a declaration.

    Attributes:
        comment: the JSDoc comment before it.
        start: byte offset of the statement, behind its decorators.
        exported: whether it is exported by name.
        default: whether it is the default export.
    """

    comment: Node | None
    start: int
    exported: bool = False
    default: bool = False


def declarations(
    context: ParseContext, node: Node, kind: str, statement: Statement
) -> Iterator[DeclarationStatement]:
    """Yield the declarations of a node: several for variables, one or none for other kinds."""
    if kind in FUNCTIONS:
        yield _function(context, node, statement)
    elif kind in VARIABLES:
        yield from _variables(context, node, statement)
    elif kind in CLASSES:
        yield _class(context, node, statement)
    elif kind == "interface_declaration":
        yield _interface(context, node, statement)
    elif kind == "type_alias_declaration":
        yield _alias(context, node, statement)
    elif kind == "enum_declaration":
        yield _enum(context, node, statement)


def is_anonymous(context: ParseContext, node: Node) -> bool:
    """Whether ``node`` is the function of ``export default function ()``."""
    return context.text.startswith(_ANONYMOUS, node.start_byte)


def _name(context: ParseContext, node: Node) -> str:
    name = node.child_by_field_name("name")
    return "default" if name is None or is_anonymous(context, node) else context.name(name)


def _function(context: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    doc = doc_comment(context, statement.comment)
    line = context.line(statement.start)
    overload = read_overload(context, node, doc, line=line)
    return DeclarationStatement(
        "function", _name(context, node), line, source_text(context, node),
        value=Object(calls=(overload.signature,)), overloads=(overload,), doc=doc,
        exported=statement.exported, default=statement.default, inferred=overload.inferred,
    )  # fmt: skip


def _variables(
    context: ParseContext, node: Node, statement: Statement
) -> Iterator[DeclarationStatement]:
    keyword = context.source(node.children[0]) if node.children else "const"
    doc = doc_comment(context, statement.comment)
    for child in context.named_children(node):
        if context.kinds[child.kind_id] != "variable_declarator":
            continue
        name = child.child_by_field_name("name")
        if name is None:
            continue
        if context.kinds[name.kind_id] != "identifier":
            yield from _destructured(context, child, name, keyword, doc, statement)
            continue
        value = child.child_by_field_name("value")
        if value is not None and context.kinds[value.kind_id] in CLASSES:
            # This also declares a type of the constant's name, which valid code never uses.
            yield _class(context, value, statement, name=name)
        else:
            yield _variable(context, child, name, keyword, doc, statement)


def _variable(
    context: ParseContext,
    node: Node,
    name: Node,
    keyword: str,
    doc: Doc | None,
    statement: Statement,
) -> DeclarationStatement:
    variable_name = context.name(name)
    line = context.line(node.start_byte)
    annotation = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if annotation is not None:
        value_type = annotation_type(context, annotation, doc, line)
        value_type = replace(
            value_type, members=(*value_type.members, *argument_members(context, annotation))
        )
        end = annotation.end_byte
    elif value is not None:
        value_type = initializer_type(context, value, doc, line, constant=keyword == "const")
        end = min(value.end_byte, value.start_byte + 4 * MAX_TEXT)
    else:
        value_type, end = InitializerType(UNANNOTATED), node.end_byte
    text = context.source_between(node.start_byte, end)
    if annotation is None and value_type.overloads:
        text = f"{variable_name} = {value_type.overloads[0].text}"
    return DeclarationStatement(
        "const", variable_name, line, f"{keyword} {text}"[:MAX_TEXT], value=value_type.type,
        overloads=value_type.overloads, members=value_type.members, doc=doc,
        exported=statement.exported, default=statement.default, inferred=value_type.inferred,
    )  # fmt: skip


def default_value(
    context: ParseContext, node: Node, name: str, statement: Statement
) -> DeclarationStatement:
    """Return the constant of ``export default EXPRESSION`` or ``export = EXPRESSION``."""
    line = context.line(statement.start)
    doc = doc_comment(context, statement.comment)
    initializer = initializer_type(context, node, doc, line, constant=True)
    return DeclarationStatement(
        "const", name, line, source_text(context, node), value=initializer.type,
        overloads=initializer.overloads, members=initializer.members, doc=doc,
        exported=statement.exported, default=statement.default, inferred=initializer.inferred,
    )  # fmt: skip


def _destructured(
    context: ParseContext,
    node: Node,
    pattern: Node,
    keyword: str,
    doc: Doc | None,
    statement: Statement,
) -> Iterator[DeclarationStatement]:
    """Yield a constant for each name that a destructuring pattern binds."""
    annotation = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    line = context.line(node.start_byte)
    value_type, text = InitializerType(UNANNOTATED), ""
    if annotation is not None:
        value_type = InitializerType(lower_annotation(context, annotation))
        text = context.source_between(annotation.start_byte, annotation.end_byte)
    elif value is not None:
        value_type = initializer_type(context, value, doc, line, constant=True)
        if is_call_result(value_type.type):
            value_type = InitializerType(UNANNOTATED)  # the pattern takes part in its inference
    for binding in pattern_bindings(context, pattern, value_type.type):
        member = next((item for item in value_type.members if item.name == binding.name), None)
        overloads = () if member is None or member.type is not binding.type else member.overloads
        yield DeclarationStatement(
            "const", binding.name, context.line(binding.node.start_byte),
            f"{keyword} {{ {binding.name} }}{text}"[:MAX_TEXT], value=binding.type,
            overloads=overloads, doc=doc, exported=statement.exported,
            inferred=annotation is None and binding.type is not UNANNOTATED,
        )  # fmt: skip


def _class(
    context: ParseContext, node: Node, statement: Statement, *, name: Node | None = None
) -> DeclarationStatement:
    """Return a class; ``name`` is the constant that a class expression initializes."""
    kinds = context.kinds
    class_name = _name(context, node) if name is None else context.source(name)
    parameters = node.child_by_field_name("type_parameters")
    abstract = any(kinds[child.kind_id] == "abstract" for child in node.children)
    names, type_parameters, outer = bind_type_parameters(context, parameters)
    extends: list[Type] = []
    implements: list[Type] = []
    body = ClassBody()
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind == "class_heritage":
            for clause in context.named_children(child):
                if kinds[clause.kind_id] == "extends_clause":
                    extends.append(_base(context, clause))
                elif kinds[clause.kind_id] == "implements_clause":
                    implements.extend(
                        [lower_type(context, part) for part in context.named_children(clause)]
                    )
        elif kind == "class_body":
            result_text = f"{class_name}<{', '.join(names)}>" if names else class_name
            body = read_body(context, child, name=result_text, abstract=abstract)
    if outer is not None:
        context.leave_binder(outer)
    line = context.line(statement.start if name is None else name.start_byte)
    head = _head(context, node) if name is None else f"const {class_name} = {_head(context, node)}"
    return DeclarationStatement(
        "class", class_name, line, head, body.instance.type(),
        body.static.type(), type_parameters, names, tuple(extends), tuple(implements), (),
        tuple(body.members), (), doc_comment(context, statement.comment), statement.exported,
        statement.default, abstract,
    )  # fmt: skip


def _base(context: ParseContext, clause: Node) -> Type:
    """Return the base class of an ``extends`` clause, or the type of a call that returns one.

    ``unannotated`` for any other expression.
    """
    value = context.child(clause, 0)
    parts = context.named_children(clause)
    arguments: tuple[Type, ...] = ()
    if context.kinds[value.kind_id] == "instantiation_expression":
        parts = context.named_children(value)
        value = context.child(value, 0)
    if len(parts) > 1 and context.kinds[parts[-1].kind_id] == "type_arguments":
        arguments = lower_arguments(context, parts[-1])
    kind = context.kinds[value.kind_id]
    if kind == "call_expression":
        return call_type(context, value, "constant")
    if kind not in ("identifier", "member_expression"):
        return UNANNOTATED
    text = context.name(value)
    if text.startswith("import") and "(" in text:
        return import_type(context, text, value.start_byte, arguments)
    return Named(dotted_path(context, value), arguments)


def _head(context: ParseContext, node: Node) -> str:
    """Return a declaration as written, without decorators and body."""
    kinds = context.kinds
    children = [child for child in node.children if kinds[child.kind_id] != "decorator"]
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    start = children[0].start_byte if children else node.start_byte
    return context.source_between(start, end).rstrip()[:MAX_TEXT]


def _interface(context: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    kinds = context.kinds
    names, type_parameters, outer = bind_type_parameters(
        context, node.child_by_field_name("type_parameters")
    )
    extends: list[Type] = []
    body = ClassBody()
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind in ("extends_type_clause", "extends_clause"):
            extends.extend([lower_type(context, part) for part in context.named_children(child)])
        elif kind in ("interface_body", "object_type"):
            body = read_body(context, child)
    if outer is not None:
        context.leave_binder(outer)
    return DeclarationStatement(
        "interface", _name(context, node), context.line(statement.start), _head(context, node),
        body.instance.type(), None, type_parameters, names, tuple(extends),
        members=tuple(body.members), doc=doc_comment(context, statement.comment),
        exported=statement.exported, default=statement.default,
    )  # fmt: skip


def _alias(context: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    names, type_parameters, outer = bind_type_parameters(
        context, node.child_by_field_name("type_parameters")
    )
    doc = doc_comment(context, statement.comment)
    line = context.line(statement.start)
    aliased_type = (
        InitializerType(UNANNOTATED)
        if node.named_child_count < 2
        else annotation_type(context, node, doc, line)
    )
    if outer is not None:
        context.leave_binder(outer)
    return DeclarationStatement(
        "alias", _name(context, node), line, source_text(context, node), aliased_type.type, None,
        type_parameters, names, overloads=aliased_type.overloads, members=aliased_type.members,
        doc=doc, exported=statement.exported,
    )  # fmt: skip


def _enum(context: ParseContext, node: Node, statement: Statement) -> DeclarationStatement:
    name = _name(context, node)
    body = node.child_by_field_name("body")
    constant = any(context.kinds[child.kind_id] == "const" for child in node.children)
    counts = constant or not context.ambient
    members = () if body is None else enum_members(context, body, name, auto_increment=counts)
    return DeclarationStatement(
        "enum", name, context.line(statement.start), _head(context, node), enum_members=members,
        doc=doc_comment(context, statement.comment), exported=statement.exported,
    )  # fmt: skip
