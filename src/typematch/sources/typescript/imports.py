"""Reads import statements and export clauses into the contents of a scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from typematch.ir.literals import string_value
from typematch.ir.module import DeclarationStatement, Export, Import, Scope, ScopeKind
from typematch.sources.typescript.parse_context import ParseContext

_MAX_GAP = 100  # bytes between ``export`` and ``import``


@dataclass(slots=True)
class ScopeContents:
    """Contents of a scope, in source order.

    Attributes:
        leading_exports: number of exports before the first declaration.
        overloaded: functions of a ``.ts`` file that have overload signatures.
    """

    imports: list[Import] = field(default_factory=list)
    exports: list[Export] = field(default_factory=list)
    declarations: list[DeclarationStatement] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    overloaded: set[str] = field(default_factory=set)
    leading_exports: int = 0

    def declare(self, statement: DeclarationStatement) -> None:
        if not self.declarations:
            self.leading_exports = len(self.exports)
        self.declarations.append(statement)

    def scope(self, kind: ScopeKind, name: str = "") -> Scope:
        return Scope(
            kind, name, tuple(self.imports), tuple(self.exports), tuple(self.declarations),
            tuple(self.scopes), self.leading_exports if self.declarations else 0,
        )  # fmt: skip


def read_export_clause(
    context: ParseContext, clause: Node, source: str, contents: ScopeContents
) -> None:
    for specifier in context.named_children(clause):
        if context.kinds[specifier.kind_id] != "export_specifier":
            continue
        parts = _written_children(context, specifier)
        if parts:
            local = exported_name(context, parts[0])
            contents.exports.append(Export(exported_name(context, parts[-1]), local, source))


def exported_name(context: ParseContext, node: Node) -> str:
    text = context.source(node)
    return string_value(text) if context.kinds[node.kind_id] == "string" else text


def _written_children(context: ParseContext, node: Node) -> list[Node]:
    """Return the named children, without those that the parser inserted."""
    return [part for part in context.named_children(node) if part.start_byte < part.end_byte]


def read_specifier(context: ParseContext, node: Node) -> str:
    specifier = string_value(context.source(node))
    context.specifiers.append((node.start_byte, specifier))
    return specifier


def read_import(context: ParseContext, node: Node, contents: ScopeContents) -> None:
    kinds = context.kinds
    clause = None
    source = ""
    for child in node.named_children:
        kind = kinds[child.kind_id]
        if kind == "import_clause":
            clause = child
        elif kind == "string":
            source = read_specifier(context, child)
        elif kind == "import_require_clause":
            required = read_specifier(context, context.child(child, -1))
            local = context.name(context.child(child, 0))
            exported = _follows_export(context, node)
            contents.imports.append(Import(local, required, "=", exported))
    if clause is None:
        return
    for part in context.named_children(clause):
        kind = kinds[part.kind_id]
        if kind == "identifier":
            contents.imports.append(Import(context.source(part), source, "default"))
        elif kind == "namespace_import":
            local = context.name(context.child(part, 0))
            contents.imports.append(Import(local, source, "*"))
        elif kind == "named_imports":
            for specifier in context.named_children(part):
                names = _written_children(context, specifier)
                if names:
                    imported = exported_name(context, names[0])
                    contents.imports.append(Import(context.source(names[-1]), source, imported))


def _follows_export(context: ParseContext, node: Node) -> bool:
    """Whether ``export``, which ``normalize`` has blanked, is before an ``import`` statement."""
    begin = node.start_byte
    return context.text[max(0, begin - _MAX_GAP) : begin].rstrip().endswith(b"export")
