"""Reads the statements of a scope: imports, exports, declarations and nested scopes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tree_sitter import Node

from typematch.ir.literals import string_value
from typematch.ir.module import DeclarationStatement, Export, Import, Scope, ScopeKind
from typematch.sources.typescript.comments import doc_comment, with_doc_comments
from typematch.sources.typescript.declarations import (
    CLASSES,
    FUNCTIONS,
    VARIABLES,
    Statement,
    declarations,
    default_value,
    is_anonymous,
)
from typematch.sources.typescript.imports import (
    ScopeContents,
    exported_name,
    read_export_clause,
    read_import,
    read_specifier,
)
from typematch.sources.typescript.lower import dotted_path
from typematch.sources.typescript.parse_context import (
    MAX_NESTING,
    IncompleteSyntaxError,
    ParseContext,
)

_DECLARING = FUNCTIONS | CLASSES | VARIABLES | {
    "interface_declaration", "type_alias_declaration", "enum_declaration",
}  # fmt: skip
_NAMESPACES = frozenset(("internal_module", "module"))
_INDICATORS = frozenset(("import_statement", "export_statement"))


def is_module(context: ParseContext, root: Node) -> bool:
    """Whether a file is a module: it has an import or export at the top level."""
    for node in root.named_children:
        kind = context.kinds[node.kind_id]
        if kind in _INDICATORS:
            return True
        if kind == "ERROR" and any(
            context.kinds[child.kind_id] in ("export", "import", *_INDICATORS)
            for child in node.children
        ):
            return True
    return False


def read_scope(
    context: ParseContext, nodes: Sequence[Node], kind: ScopeKind, name: str = ""
) -> Scope:
    """Return the scope that the statements ``nodes`` form.

    In an ambient scope every declaration is exported, unless the scope has an export declaration or
    assignment.
    """
    contents = ScopeContents()
    implicit = context.ambient and not any(_exports_itself(context, node) for node in nodes)
    for node, comment in with_doc_comments(context, nodes):
        _statement(context, node, comment, contents, implicit)
    return contents.scope(kind, name)


def read_script(context: ParseContext, nodes: Iterable[Node]) -> Scope:
    """Return the scope of a script, a file without imports and exports.  Nothing is exported."""
    contents = ScopeContents()
    for node, comment in with_doc_comments(context, nodes):
        _statement(context, node, comment, contents, False)
    return contents.scope("file")


def _exports_itself(context: ParseContext, node: Node) -> bool:
    """Whether a statement is an export declaration or assignment (the compiler's condition)."""
    if context.kinds[node.kind_id] != "export_statement":
        return False
    kinds = {context.kinds[child.kind_id] for child in node.children}
    if kinds & {"export_clause", "*", "namespace_export", "="}:
        return True
    if "default" not in kinds or node.child_by_field_name("declaration") is not None:
        return False
    value = node.child_by_field_name("value")
    return value is not None and context.kinds[value.kind_id] not in FUNCTIONS | CLASSES


def _statement(
    context: ParseContext,
    node: Node,
    comment: Node | None,
    contents: ScopeContents,
    implicit: bool,
    *,
    start: int | None = None,
    exported: bool = False,
    default: bool = False,
) -> None:
    """Add what one statement declares, imports and exports; nothing if its name is missing."""
    state = context.state()
    try:
        _read_statement(
            context, node, comment, contents, implicit,
            start=start, exported=exported, default=default,
        )  # fmt: skip
    except IncompleteSyntaxError:
        context.recover(state)


def _read_statement(
    context: ParseContext,
    node: Node,
    comment: Node | None,
    contents: ScopeContents,
    implicit: bool,
    *,
    start: int | None,
    exported: bool,
    default: bool,
) -> None:
    kind = context.kinds[node.kind_id]
    begin = _begin(context, node) if start is None else start
    is_exported = (exported or implicit) and not default
    if kind in _DECLARING:
        _declare(context, node, kind, Statement(comment, begin, is_exported, default), contents)
    elif kind == "export_statement":
        _export(context, node, comment, contents, implicit)
    elif kind == "ambient_declaration":
        _ambient(context, node, comment, contents, begin, implicit, exported)
    elif kind in _NAMESPACES:
        _namespace(context, node, comment, contents, begin, is_exported)
    elif kind == "import_statement":
        read_import(context, node, contents)
    elif kind == "import_alias":
        parts = context.named_children(node)
        if len(parts) == 2:
            path = ".".join(dotted_path(context, parts[1]))
            contents.imports.append(Import(context.source(parts[0]), "", path, exported))
    elif kind == "expression_statement":
        for child in node.named_children:
            if context.kinds[child.kind_id] in _NAMESPACES:
                _namespace(context, child, comment, contents, begin, is_exported)
    elif kind == "statement_block":
        _global_block(context, node, contents)
    elif kind == "ERROR":
        _error_node(context, node, contents, implicit)


def _begin(context: ParseContext, node: Node) -> int:
    """Return the byte offset of a statement behind its decorators."""
    first = node.children[0] if node.child_count else node
    if context.kinds[first.kind_id] != "decorator":
        return node.start_byte
    for child in node.children:
        if context.kinds[child.kind_id] not in ("decorator", "comment"):
            return child.start_byte
    return node.start_byte


def _declare(
    context: ParseContext, node: Node, kind: str, statement: Statement, contents: ScopeContents
) -> None:
    for declaration in declarations(context, node, kind, statement):
        if declaration.kind == "function" and not context.ambient:
            if kind == "function_signature":
                contents.overloaded.add(declaration.name)
            elif declaration.name in contents.overloaded and declaration.name != "default":
                continue  # callers do not see the implementation signature
        contents.declare(declaration)


def _error_node(context: ParseContext, node: Node, contents: ScopeContents, implicit: bool) -> None:
    """Read the complete statements inside an error node."""
    exported = False
    for child in node.children:
        # An `export` or `declare` that lost its declaration may stand right before it.
        if context.kinds[child.kind_id] == "export":
            exported = True
        elif context.kinds[child.kind_id] not in ("declare", "default", "comment"):
            if child.is_named:  # the token `class` has the kind of a class expression
                _statement(context, child, None, contents, implicit, exported=exported)
            exported = False


def _export(
    context: ParseContext, node: Node, comment: Node | None, contents: ScopeContents, implicit: bool
) -> None:
    kinds = context.kinds
    begin = _begin(context, node)
    default = assigned = is_star = False
    source = ""
    clause = namespace_export = expression = None
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind == "default":
            default = True
        elif kind == "=":
            assigned = True
        elif kind == "*":
            is_star = True
        elif kind == "string":
            source = read_specifier(context, child)
        elif kind == "export_clause":
            clause = child
        elif kind == "namespace_export":
            namespace_export = child
        elif child.is_named and kind not in ("comment", "decorator", "ERROR"):
            expression = child
    if clause is not None:
        read_export_clause(context, clause, source, contents)
    elif namespace_export is not None:
        contents.exports.append(
            Export(exported_name(context, context.child(namespace_export, 0)), "*", source)
        )
    elif is_star:
        contents.exports.append(Export("*", "", source))
    elif expression is not None:
        _export_declaration(
            context, expression, comment, contents, implicit,
            begin=begin, default=default, assigned=assigned,
        )  # fmt: skip


def _export_declaration(
    context: ParseContext,
    child: Node,
    comment: Node | None,
    contents: ScopeContents,
    implicit: bool,
    *,
    begin: int,
    default: bool,
    assigned: bool,
) -> None:
    """Read ``export`` with a declaration or an expression, and ``export as namespace N``."""
    kind = context.kinds[child.kind_id]
    default = default or (kind in FUNCTIONS and is_anonymous(context, child))
    if not default and not assigned and kind == "identifier":
        contents.exports.append(Export(context.source(child), "export as namespace"))
        return
    name = "=" if assigned else "default"
    if kind in ("identifier", "member_expression") and (default or assigned):
        contents.exports.append(Export(name, ".".join(dotted_path(context, child))))
        return
    if kind in _DECLARING or kind in ("ambient_declaration", "import_alias") or kind in _NAMESPACES:
        if assigned:
            _export_assignment(context, child, comment, contents, begin)
            return
        _statement(
            context, child, comment, contents, implicit, start=begin, exported=True, default=default
        )
        return
    if default:
        statement = Statement(comment, begin, False, True)
        contents.declare(default_value(context, child, "default", statement))
    elif assigned:
        _export_assignment(context, child, comment, contents, begin)
    elif kind == "expression_statement":
        _statement(context, child, comment, contents, implicit, start=begin, exported=True)


def _export_assignment(
    context: ParseContext, node: Node, comment: Node | None, contents: ScopeContents, begin: int
) -> None:
    """Read ``export = EXPRESSION`` as a constant with the name ``export=``."""
    contents.declare(default_value(context, node, "export=", Statement(comment, begin)))
    contents.exports.append(Export("=", "export="))


def _ambient(
    context: ParseContext,
    node: Node,
    comment: Node | None,
    contents: ScopeContents,
    begin: int,
    implicit: bool,
    exported: bool,
) -> None:
    """Read the declaration behind ``declare``."""
    before = context.ambient
    context.ambient = True
    for child in node.named_children:
        kind = context.kinds[child.kind_id]
        if kind == "statement_block":
            contents.scopes.append(read_scope(context, child.named_children, "global"))
        elif kind != "comment":
            _statement(context, child, comment, contents, implicit, start=begin, exported=exported)
    context.ambient = before


def _global_block(context: ParseContext, node: Node, contents: ScopeContents) -> None:
    """Read ``global { }`` in an ambient module; ``normalize`` has blanked the keyword."""
    if not context.text[: node.start_byte].rstrip().endswith(b"global"):
        return
    contents.scopes.append(read_scope(context, node.named_children, "global"))


def _namespace(
    context: ParseContext,
    node: Node,
    comment: Node | None,
    contents: ScopeContents,
    begin: int,
    exported: bool,
) -> None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or context.nesting >= MAX_NESTING:
        return
    nodes = [] if body is None else body.named_children
    context.nesting += 1
    if context.kinds[name.kind_id] == "string":
        module = string_value(context.source(name))
        if module.startswith("."):
            context.specifiers.append((name.start_byte, module))
        contents.scopes.append(read_scope(context, nodes, "ambient", module))
    else:
        contents.declare(
            _dotted_namespace(context, name, nodes, Statement(comment, begin, exported))
        )
    context.nesting -= 1


def _dotted_namespace(
    context: ParseContext, name: Node, nodes: Sequence[Node], statement: Statement
) -> DeclarationStatement:
    """Return the namespace ``A.B.C``: B is exported from A, C from B."""
    path = dotted_path(context, name)
    line = context.line(statement.start)
    scope = read_scope(context, nodes, "namespace")
    doc = doc_comment(context, statement.comment)
    declared = DeclarationStatement(
        "namespace", path[-1], line, f"namespace {path[-1]}", doc=doc, exported=True, body=scope
    )
    for segment in reversed(path[:-1]):
        outer = Scope("namespace", declarations=(declared,))
        declared = DeclarationStatement(
            "namespace", segment, line, f"namespace {segment}", exported=True, body=outer
        )
    return replace(declared, exported=statement.exported, doc=doc)
