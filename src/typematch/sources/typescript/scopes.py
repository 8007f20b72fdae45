"""Read the statements of a scope: imports, exports, declarations and the scopes inside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from typematch.ir.literals import string_value
from typematch.ir.module import DeclarationStatement, Export, Import, Scope, ScopeKind
from typematch.sources.typescript.comments import doc_of, documented
from typematch.sources.typescript.declarations import (
    CLASSES,
    FUNCTIONS,
    VARIABLES,
    Statement,
    anonymous,
    declarations,
    default_value,
)
from typematch.sources.typescript.lower import dotted
from typematch.sources.typescript.parse_context import MAX_NESTING, ParseContext

_DECLARING = FUNCTIONS | CLASSES | VARIABLES | {
    "interface_declaration", "type_alias_declaration", "enum_declaration",
}  # fmt: skip
_NAMESPACES = frozenset(("internal_module", "module"))
_INDICATORS = frozenset(("import_statement", "export_statement"))


@dataclass(slots=True)
class Contents:
    """What a scope holds, as it comes."""

    imports: list[Import] = field(default_factory=list)
    exports: list[Export] = field(default_factory=list)
    declarations: list[DeclarationStatement] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    overloaded: set[str] = field(default_factory=set)

    def scope(self, kind: ScopeKind, name: str = "") -> Scope:
        return Scope(
            kind, name, tuple(self.imports), tuple(self.exports), tuple(self.declarations),
            tuple(self.scopes),
        )  # fmt: skip


def is_module(reading: ParseContext, root: Node) -> bool:
    """Whether a file has an import or export at the top."""
    for node in root.named_children:
        kind = reading.kinds[node.kind_id]
        if kind in _INDICATORS:
            return True
        if kind == "ERROR" and any(
            reading.kinds[child.kind_id] in ("export", "import", *_INDICATORS)
            for child in node.children
        ):
            return True
    return False


def read_scope(
    reading: ParseContext, nodes: Sequence[Node], kind: ScopeKind, name: str = ""
) -> Scope:
    """Return what the statements ``nodes`` declare.

    In an ambient scope everything counts as exported, unless it says itself what it exports.
    """
    contents = Contents()
    implicit = reading.ambient and not any(_exports_itself(reading, node) for node in nodes)
    for node, comment in documented(reading, nodes):
        _statement(reading, node, comment, contents, implicit)
    return contents.scope(kind, name)


def read_script(reading: ParseContext, nodes: Iterable[Node]) -> Scope:
    """Return what a file without imports and exports declares: nothing of it is exported."""
    contents = Contents()
    for node, comment in documented(reading, nodes):
        _statement(reading, node, comment, contents, False)
    return contents.scope("file")


def _exports_itself(reading: ParseContext, node: Node) -> bool:
    """Whether a statement is an export declaration or assignment (the compiler's own condition)."""
    if reading.kinds[node.kind_id] != "export_statement":
        return False
    kinds = {reading.kinds[child.kind_id] for child in node.children}
    if kinds & {"export_clause", "*", "namespace_export", "="}:
        return True
    if "default" not in kinds or node.child_by_field_name("declaration") is not None:
        return False
    value = node.child_by_field_name("value")
    return value is not None and reading.kinds[value.kind_id] not in FUNCTIONS | CLASSES


def _statement(
    reading: ParseContext,
    node: Node,
    comment: Node | None,
    contents: Contents,
    implicit: bool,
    *,
    start: int | None = None,
    exported: bool = False,
    default: bool = False,
) -> None:
    """Add what one statement declares, imports or exports to ``contents``."""
    kind = reading.kinds[node.kind_id]
    begin = _begin(reading, node) if start is None else start
    shown = (exported or implicit) and not default
    if kind in _DECLARING:
        _declare(reading, node, kind, Statement(comment, begin, shown, default), contents)
    elif kind == "export_statement":
        _export(reading, node, comment, contents, implicit)
    elif kind == "ambient_declaration":
        _ambient(reading, node, comment, contents, begin, implicit, exported)
    elif kind in _NAMESPACES:
        _namespace(reading, node, comment, contents, begin, shown)
    elif kind == "import_statement":
        _import(reading, node, contents)
    elif kind == "import_alias":
        parts = reading.parts(node)
        if len(parts) == 2:
            path = ".".join(dotted(reading, parts[1]))
            contents.imports.append(Import(reading.slice(parts[0]), "", path, exported))
    elif kind == "expression_statement":
        for child in node.named_children:
            if reading.kinds[child.kind_id] in _NAMESPACES:
                _namespace(reading, child, comment, contents, begin, shown)
    elif kind == "statement_block":
        _bare_block(reading, node, contents)
    elif kind == "ERROR":
        _wreck(reading, node, contents, implicit)


def _begin(reading: ParseContext, node: Node) -> int:
    """Return where a statement begins behind its decorators."""
    first = node.children[0] if node.child_count else node
    if reading.kinds[first.kind_id] != "decorator":
        return node.start_byte
    for child in node.children:
        if reading.kinds[child.kind_id] not in ("decorator", "comment"):
            return child.start_byte
    return node.start_byte


def _declare(
    reading: ParseContext, node: Node, kind: str, statement: Statement, contents: Contents
) -> None:
    for declared in declarations(reading, node, kind, statement):
        if declared.kind == "function" and not reading.ambient:
            if kind == "function_signature":
                contents.overloaded.add(declared.name)
            elif declared.name in contents.overloaded and declared.name != "default":
                continue  # the implementation behind overloads cannot be called
        contents.declarations.append(declared)


def _wreck(reading: ParseContext, node: Node, contents: Contents, implicit: bool) -> None:
    """Read the statements that stand whole inside what the parser gave up on."""
    exported = False
    for child in node.children:
        # An `export` or `declare` that lost its declaration may stand right before it.
        if reading.kinds[child.kind_id] == "export":
            exported = True
        elif reading.kinds[child.kind_id] not in ("declare", "default", "comment"):
            _statement(reading, child, None, contents, implicit, exported=exported)
            exported = False


def _export(
    reading: ParseContext, node: Node, comment: Node | None, contents: Contents, implicit: bool
) -> None:
    kinds = reading.kinds
    begin = _begin(reading, node)
    default = assigned = starred = False
    source = ""
    clause = named = expression = None
    for child in node.children:
        kind = kinds[child.kind_id]
        if kind == "default":
            default = True
        elif kind == "=":
            assigned = True
        elif kind == "*":
            starred = True
        elif kind == "string":
            source = _specifier(reading, child)
        elif kind == "export_clause":
            clause = child
        elif kind == "namespace_export":
            named = child
        elif child.is_named and kind not in ("comment", "decorator", "ERROR"):
            expression = child
    if clause is not None:
        _export_clause(reading, clause, source, contents)
    elif named is not None:
        contents.exports.append(
            Export(_exported_name(reading, reading.parts(named)[0]), "*", source)
        )
    elif starred:
        contents.exports.append(Export("*", "", source))
    elif expression is not None:
        _exported(
            reading, expression, comment, contents, implicit,
            begin=begin, default=default, assigned=assigned,
        )  # fmt: skip


def _exported(
    reading: ParseContext,
    child: Node,
    comment: Node | None,
    contents: Contents,
    implicit: bool,
    *,
    begin: int,
    default: bool,
    assigned: bool,
) -> None:
    """Read ``export`` with a declaration or an expression, and ``export as namespace N``."""
    kind = reading.kinds[child.kind_id]
    default = default or (kind in FUNCTIONS and anonymous(reading, child))
    if not default and not assigned and kind == "identifier":
        contents.exports.append(Export(reading.slice(child), "export as namespace"))
        return
    name = "=" if assigned else "default"
    if kind in ("identifier", "member_expression") and (default or assigned):
        contents.exports.append(Export(name, ".".join(dotted(reading, child))))
        return
    if kind in _DECLARING or kind in ("ambient_declaration", "import_alias") or kind in _NAMESPACES:
        if assigned:
            _assigned(reading, child, comment, contents, begin)
            return
        _statement(
            reading, child, comment, contents, implicit, start=begin, exported=True, default=default
        )
        return
    if kind == "import_statement":
        _import(reading, child, contents, exported=True)
    elif default:
        statement = Statement(comment, begin, False, True)
        contents.declarations.append(default_value(reading, child, "default", statement))
    elif assigned:
        _assigned(reading, child, comment, contents, begin)
    elif kind == "expression_statement":
        _statement(reading, child, comment, contents, implicit, start=begin, exported=True)


def _assigned(
    reading: ParseContext, node: Node, comment: Node | None, contents: Contents, begin: int
) -> None:
    """Read ``export = EXPRESSION``: a constant that is called ``export=``."""
    contents.declarations.append(default_value(reading, node, "export=", Statement(comment, begin)))
    contents.exports.append(Export("=", "export="))


def _export_clause(reading: ParseContext, clause: Node, source: str, contents: Contents) -> None:
    for specifier in reading.parts(clause):
        if reading.kinds[specifier.kind_id] != "export_specifier":
            continue
        parts = reading.parts(specifier)
        local = _exported_name(reading, parts[0])
        contents.exports.append(Export(_exported_name(reading, parts[-1]), local, source))


def _exported_name(reading: ParseContext, node: Node) -> str:
    text = reading.slice(node)
    return string_value(text) if reading.kinds[node.kind_id] == "string" else text


def _specifier(reading: ParseContext, node: Node) -> str:
    specifier = string_value(reading.slice(node))
    reading.specifiers.append((node.start_byte, specifier))
    return specifier


def _import(
    reading: ParseContext, node: Node, contents: Contents, *, exported: bool = False
) -> None:
    kinds = reading.kinds
    clause = None
    source = ""
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind == "import_clause":
            clause = child
        elif kind == "string":
            source = _specifier(reading, child)
        elif kind == "import_require_clause":
            parts = reading.parts(child)
            required = _specifier(reading, parts[-1])
            exported = exported or any(kinds[item.kind_id] == "export" for item in node.children)
            contents.imports.append(Import(reading.slice(parts[0]), required, "=", exported))
    if clause is None:
        return
    for part in reading.parts(clause):
        kind = kinds[part.kind_id]
        if kind == "identifier":
            contents.imports.append(Import(reading.slice(part), source, "default", exported))
        elif kind == "namespace_import":
            local = reading.slice(reading.parts(part)[0])
            contents.imports.append(Import(local, source, "*", exported))
        elif kind == "named_imports":
            for specifier in reading.parts(part):
                names = reading.parts(specifier)
                imported = _exported_name(reading, names[0])
                contents.imports.append(
                    Import(reading.slice(names[-1]), source, imported, exported)
                )


def _ambient(
    reading: ParseContext,
    node: Node,
    comment: Node | None,
    contents: Contents,
    begin: int,
    implicit: bool,
    exported: bool,
) -> None:
    """Read what stands behind ``declare``."""
    before = reading.ambient
    reading.ambient = True
    for child in node.named_children:
        kind = reading.kinds[child.kind_id]
        if kind == "statement_block":
            contents.scopes.append(read_scope(reading, child.named_children, "global"))
        elif kind != "comment":
            _statement(reading, child, comment, contents, implicit, start=begin, exported=exported)
    reading.ambient = before


def _bare_block(reading: ParseContext, node: Node, contents: Contents) -> None:
    """Read ``global { }`` in an ambient module, of which the rewriting left a block."""
    if not reading.text[: node.start_byte].rstrip().endswith(b"global"):
        return
    contents.scopes.append(read_scope(reading, node.named_children, "global"))


def _namespace(
    reading: ParseContext,
    node: Node,
    comment: Node | None,
    contents: Contents,
    begin: int,
    exported: bool,
) -> None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or reading.nesting >= MAX_NESTING:
        return
    nodes = [] if body is None else body.named_children
    reading.nesting += 1
    if reading.kinds[name.kind_id] == "string":
        module = string_value(reading.slice(name))
        if module.startswith("."):
            reading.specifiers.append((name.start_byte, module))
        contents.scopes.append(read_scope(reading, nodes, "ambient", module))
    else:
        contents.declarations.append(
            _dotted_namespace(reading, name, nodes, Statement(comment, begin, exported))
        )
    reading.nesting -= 1


def _dotted_namespace(
    reading: ParseContext, name: Node, nodes: Sequence[Node], statement: Statement
) -> DeclarationStatement:
    """Return the namespace ``A.B.C``: B is exported from A, C from B."""
    path = dotted(reading, name)
    line = reading.line(statement.start)
    scope = read_scope(reading, nodes, "namespace")
    doc = doc_of(reading, statement.comment)
    declared = DeclarationStatement(
        "namespace", path[-1], line, f"namespace {path[-1]}", doc=doc, exported=True, body=scope
    )
    for segment in reversed(path[:-1]):
        outer = Scope("namespace", declarations=(declared,))
        declared = DeclarationStatement(
            "namespace", segment, line, f"namespace {segment}", exported=True, body=outer
        )
    return replace(declared, exported=statement.exported, doc=doc)
