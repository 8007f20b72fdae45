"""Symbol tables: what each module, namespace and global scope declares and exports.

A *container* is identified by text: a module by its file name, an ambient module by its name in
double quotes, the global scope by ``global``, a namespace or enum by its declaration's key.  Only
keys contain ``#``.  A container may have several parts: namespaces merge, and other files augment.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from typematch.ir.module import Export, Import
from typematch.program.resolution.module_summary import (
    DEFAULT,
    EXPORTED,
    MEANINGS,
    DeclarationSummary,
    ScopeSummary,
)

GLOBAL = "global"


@dataclass(eq=False, slots=True)
class ScopePart:
    """A scope of a file, as a part of its container.

    Attributes:
        outer: the enclosing scope; None for a file.
        container: the container of its declarations.
        augmented: keys of the declarations that an augmentation adds to through a module that only
            re-exports them, by name.
        bodies: parts of the namespaces declared in it, by index of the declaration.
    """

    file: str
    summary: ScopeSummary
    outer: ScopePart | None
    container: str
    imports: dict[str, Import]
    augmented: dict[str, str] = field(default_factory=dict)
    bodies: dict[int, ScopePart] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """Return the key of ``name`` declared in this scope."""
        return self.augmented.get(name) or key_in(self.container, name)


def scope_part(
    file: str, summary: ScopeSummary, outer: ScopePart | None, container: str
) -> ScopePart:
    """Return the part of ``container`` that a scope is."""
    imports = {import_.local: import_ for import_ in summary.imports}
    return ScopePart(file, summary, outer, container, imports)


def key_in(container: str, name: str) -> str:
    """Return the key of ``name`` declared in ``container``."""
    return f"{container}.{name}" if "#" in container else f"{container}#{name}"


def container_of(key: str) -> str:
    """Return the container in which ``key`` is declared."""
    container, _, path = key.rpartition("#")
    outer, dot, _ = path.rpartition(".")
    return f"{container}#{outer}" if dot else container


def target_key(target: str) -> str:
    """Return the key of a target; a module's is its container with a trailing ``#``."""
    return target if "#" in target else f"{target}#"


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """A key or container, and the properties read from its value."""

    target: str
    rest: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class SymbolTable:
    """Declarations and exports of one container, by name.

    Attributes:
        meanings: bits of every declared name, exported or not.
        declared: statements of a name, each with its part.
        exported: exported declared names, in source order.
        exports: names of export clauses; ``leading`` are those before all declarations.
        aliases: exported import aliases.
        stars: ``export * from``: part and specifier.
        export_equals: part and local name of ``export =``.
        default: key of the declaration marked ``export default``.
    """

    container: str
    parts: list[ScopePart] = field(default_factory=list)
    meanings: dict[str, int] = field(default_factory=dict)
    declared: dict[str, list[tuple[ScopePart, DeclarationSummary]]] = field(default_factory=dict)
    exported: dict[str, None] = field(default_factory=dict)
    exports: dict[str, tuple[ScopePart, Export]] = field(default_factory=dict)
    leading: dict[str, None] = field(default_factory=dict)
    aliases: dict[str, ScopePart] = field(default_factory=dict)
    stars: list[tuple[ScopePart, str]] = field(default_factory=list)
    export_equals: tuple[ScopePart, str] | None = None
    default: str = ""


def add_part(table: SymbolTable, part: ScopePart) -> list[tuple[str, ScopePart]]:
    """Add ``part`` to ``table``; return the bodies of its namespaces, with their containers."""
    table.parts.append(part)
    bodies: list[tuple[str, ScopePart]] = []
    exports_all = part.summary.kind == "global" or table.container == GLOBAL
    for position, statement in enumerate(part.summary.names):
        key = part.key(statement.name)
        if statement.body is not None:
            body = scope_part(part.file, statement.body, part, key)
            part.bodies[position] = body
            bodies.append((key, body))
        if statement.name in part.augmented:
            continue
        table.meanings[statement.name] = (
            table.meanings.get(statement.name, 0) | MEANINGS[statement.kind]
        )
        table.declared.setdefault(statement.name, []).append((part, statement))
        if statement.flags & DEFAULT:
            table.default = key
        elif exports_all or statement.flags & EXPORTED:
            table.exported[statement.name] = None
    for import_ in part.summary.imports:
        if import_.exported:
            table.aliases.setdefault(import_.local, part)
    for position, export in enumerate(part.summary.exports):
        _add_export(table, part, export)
        if position < part.summary.leading_exports and export.name in table.exports:
            table.leading[export.name] = None
    return bodies


def _add_export(table: SymbolTable, part: ScopePart, export: Export) -> None:
    if export.name == "*":
        table.stars.append((part, export.specifier))
    elif export.name == "=":
        table.export_equals = (part, export.local)
    elif export.local != "export as namespace" or export.specifier:
        table.exports.setdefault(export.name, (part, export))
