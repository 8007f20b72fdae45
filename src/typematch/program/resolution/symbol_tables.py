"""Gather the scopes of a program into tables: what each module and namespace declares and exports.

A *container* is a place that names live in, known by a text: a module by its file name, an ambient
module by its name in double quotes, the global scope by ``global``, a namespace or enum by its
declaration's key. Only keys hold a ``#``.  Several scopes may be parts of one container: namespaces
merge, and other files augment.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from typematch.ir.module import Export, Import
from typematch.program.resolution.module_summary import (
    DEFAULT,
    EXPORTED,
    MEANINGS,
    NameSkeleton,
    ScopeSkeleton,
)

GLOBAL = "global"


@dataclass(eq=False, slots=True)
class ScopePart:
    """A scope of a file, placed in its container.

    Attributes:
        outer: the scope around it; None for a file.
        container: where its declarations live.
        elsewhere: names that an augmentation adds to a declaration which its module only re-
            exports.
        bodies: of the namespaces declared in it, by their place among its names.
    """

    file: str
    skeleton: ScopeSkeleton
    outer: ScopePart | None
    container: str
    imports: dict[str, Import]
    elsewhere: dict[str, str] = field(default_factory=dict)
    bodies: dict[int, ScopePart] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """Return the key of ``name`` declared in this scope."""
        return self.elsewhere.get(name) or key_in(self.container, name)


def place(file: str, skeleton: ScopeSkeleton, outer: ScopePart | None, container: str) -> ScopePart:
    """Return the part that ``skeleton`` is in ``container``."""
    imports = {item.local: item for item in skeleton.imports}
    return ScopePart(file, skeleton, outer, container, imports)


def key_in(container: str, name: str) -> str:
    """Return the key of ``name`` declared in ``container``."""
    return f"{container}.{name}" if "#" in container else f"{container}#{name}"


def around(key: str) -> str:
    """Return the container in which ``key`` is declared."""
    container, _, path = key.rpartition("#")
    outer, dot, _ = path.rpartition(".")
    return f"{container}#{outer}" if dot else container


def target_key(target: str) -> str:
    """Return the key of a target; a module's is its container's name and ``#``."""
    return target if "#" in target else f"{target}#"


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """What a name means.

    ``target``, a key or container, and the properties to be read from its value.
    """

    target: str
    rest: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class SymbolTable:
    """What the parts of one container declare and export, by name.

    Attributes:
        meanings: of every declared name, exported or not, as bits.
        declared: the statements of a name, each with its part.
        exported: declared names that are seen from outside, in the compiler's order (functions
            first).
        exports: names given out by an export clause.
        stars: ``export * from``: the part and the specifier.
        equals: the local name behind ``export =`` and its part.
        default: the key of the declaration marked ``export default``.
    """

    container: str
    parts: list[ScopePart] = field(default_factory=list)
    meanings: dict[str, int] = field(default_factory=dict)
    declared: dict[str, list[tuple[ScopePart, NameSkeleton]]] = field(default_factory=dict)
    exported: dict[str, None] = field(default_factory=dict)
    exports: dict[str, tuple[ScopePart, Export]] = field(default_factory=dict)
    aliases: dict[str, ScopePart] = field(default_factory=dict)
    stars: list[tuple[ScopePart, str]] = field(default_factory=list)
    equals: tuple[ScopePart, str] | None = None
    default: str = ""
    umd: str = ""


def add_part(table: SymbolTable, part: ScopePart) -> list[tuple[str, ScopePart]]:
    """Take ``part`` into ``table``.

    Return the namespaces' bodies in it, each with its container.
    """
    table.parts.append(part)
    bodies: list[tuple[str, ScopePart]] = []
    everything = part.skeleton.kind == "global" or table.container == GLOBAL
    for position, name in enumerate(part.skeleton.names):
        key = part.key(name.name)
        if name.body is not None:
            body = place(part.file, name.body, part, key)
            part.bodies[position] = body
            bodies.append((key, body))
        if name.name in part.elsewhere:
            continue
        table.meanings[name.name] = table.meanings.get(name.name, 0) | MEANINGS[name.kind]
        table.declared.setdefault(name.name, []).append((part, name))
        if name.flags & DEFAULT:
            table.default = key
        elif everything or name.flags & EXPORTED:
            table.exported[name.name] = None
    for item in part.skeleton.imports:
        if item.exported:
            table.aliases.setdefault(item.local, part)
    for export in part.skeleton.exports:
        _add_export(table, part, export)
    return bodies


def _add_export(table: SymbolTable, part: ScopePart, export: Export) -> None:
    if export.name == "*":
        table.stars.append((part, export.specifier))
    elif export.name == "=":
        table.equals = (part, export.local)
    elif export.local == "export as namespace" and not export.specifier:
        table.umd = export.name
    else:
        table.exports.setdefault(export.name, (part, export))
