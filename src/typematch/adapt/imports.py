"""Import statements: how an entry is imported, and the statements that a piece of code needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from typematch.adapt.identifiers import UniqueNames
from typematch.ir.declaration import is_global
from typematch.ir.entry import Entry
from typematch.ir.render import is_identifier
from typematch.package_names import is_project_module, project_module

_STATEMENT = re.compile(r'import (?:\{ (?P<named>.+?) \}|(?P<default>\S+)) from "(?P<module>.*)"\Z')
_SIDE_EFFECT = re.compile(r'import "(?P<module>.*)"\Z')
_NUMBER = re.compile(r"~\d+(?=$|[.#])")


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name that a module exports, under a local name.

    Attributes:
        module: what is imported; for a file of the project, its path in the folder of its package:
            ``./src/model``.
        name: the exported name; ``default`` for a default import.
        type_only: only types are used of it.
        folder: for a file of the project, the name of its package in the catalog; else empty.
    """

    module: str
    name: str
    local: str
    type_only: bool = False
    folder: str = ""

    @property
    def statement(self) -> str:
        keyword = "import type" if self.type_only else "import"
        if self.name == "default":
            return f'{keyword} {self.local} from "{self.module}"'
        return f'{keyword} {{ {self.specifier} }} from "{self.module}"'

    @property
    def specifier(self) -> str:
        """What stands between the braces of a named import."""
        return self.name if self.name == self.local else f"{self.name} as {self.local}"


@dataclass(frozen=True, slots=True)
class AccessPath:
    """How to reach what an entry names, from an import or a global name.

    Attributes:
        imported: what to import; None for a global name, or if nothing can be imported.
        segments: the names that follow, the global name first; member names are display names.
        instance_at: index of the first segment that is a member of an instance; None if there is
            none.
        is_reachable: a module can refer to it: it is global, or can be imported.
        declared_by: the module whose import declares a global name; empty if none has to be.
    """

    imported: ImportedName | None
    segments: tuple[str, ...]
    instance_at: int | None
    is_reachable: bool
    declared_by: str = ""


def access_path(entry: Entry) -> AccessPath:
    """Return how code reaches an entry."""
    segments, separators = _split(entry)
    instance_at = separators.index("#") + 1 if "#" in separators else None
    imported = _imported_name(entry, segments)
    if imported is None:
        is_reachable = is_global(entry.declaration) and entry.exported
        declaring = _SIDE_EFFECT.fullmatch(entry.import_statement)
        return AccessPath(
            None, segments, instance_at, is_reachable, declaring["module"] if declaring else ""
        )
    # ``import { chunk } from "lodash"`` for ``_.chunk``: the statement names a later segment.
    skipped = 1
    if imported.name != "default" and imported.name in segments[:2]:
        skipped = segments.index(imported.name) + 1
    if instance_at is not None:
        instance_at -= skipped
    return AccessPath(imported, segments[skipped:], instance_at, entry.exported)


def _split(entry: Entry) -> tuple[tuple[str, ...], list[str]]:
    """Return the segments of a qualified name, and the separators between them."""
    container = entry.container
    last = entry.name
    if not container:
        return (_NUMBER.sub("", entry.qualified_name.rpartition(":")[2]),), []
    separator = entry.qualified_name[len(container) : len(container) + 1]
    # A prefix such as ``fs:`` or ``node:fs:`` is a module.
    path = _NUMBER.sub("", container.rpartition(":")[2])
    if separator == ":" or not path:
        return (_NUMBER.sub("", entry.qualified_name.rpartition(":")[2]),), []
    parts = re.split(r"([.#])", path)
    return (*parts[0::2], last), [*parts[1::2], separator]


def _imported_name(entry: Entry, segments: tuple[str, ...]) -> ImportedName | None:
    match = _STATEMENT.fullmatch(entry.import_statement)
    if match is None:
        if not entry.service or not entry.exported:
            return None
        # The client of a service stands for its document: ``./musicbox.yaml``.
        module = project_module(entry.path)
        return ImportedName(module, segments[0], segments[0], folder=entry.package)
    module = match["module"]
    folder = entry.package if is_project_module(module) else ""
    if match["named"] is None:
        return ImportedName(module, "default", match["default"], folder=folder)
    name, _, local = match["named"].partition(" as ")
    return ImportedName(module, name, local or name, folder=folder)


class Imports:
    """The imports of one piece of code; equal ones are merged, names do not clash.

    The code is read as a file in the folder of one package of the project, the first one of which a
    file is imported.  Files of its other packages are imported by name: ``shapes/src/circle``.
    """

    def __init__(self, names: UniqueNames) -> None:
        self._names = names
        self._folder = ""
        self._globals: set[str] = set()
        self._imported: dict[tuple[str, str], ImportedName] = {}
        self._declaring: dict[str, None] = {}  # modules that declare global names

    def add(self, imported: ImportedName, *, type_only: bool = False) -> str:
        """Add an import; return its local name."""
        imported = self._from_here(imported)
        key = (imported.module, imported.name)
        known = self._imported.get(key)
        if known is not None:
            if known.type_only and not type_only:
                self._imported[key] = replace(known, type_only=False)
            return known.local
        wanted = imported.local if is_identifier(imported.local) else "imported"
        local = self._names.unique(wanted)
        self._imported[key] = replace(imported, local=local, type_only=type_only)
        return local

    def _from_here(self, imported: ImportedName) -> ImportedName:
        """Return the import with the module as the code's folder names it."""
        self._folder = self._folder or imported.folder
        if imported.folder == self._folder or not imported.folder:
            return imported
        inside = imported.module.removeprefix("./")
        return replace(imported, module=f"{imported.folder}/{inside}")

    def reserve(self, name: str) -> None:
        """Keep a global name that the code uses free of other meanings."""
        self._globals.add(name)
        self._names.reserve(name)

    def declare(self, module: str) -> None:
        """Import a module for the global names that it declares."""
        self._declaring[module] = None

    def global_name(self, name: str) -> str:
        """Return the code for a global name, which may be dotted."""
        return name if name.partition(".")[0] in self._globals else self._names.global_name(name)

    @property
    def statements(self) -> tuple[str, ...]:
        """The import statements, those of values before those of types."""
        ordered = sorted(self._imported.values(), key=lambda imported: imported.type_only)
        merged: dict[tuple[str, bool], list[ImportedName]] = {}
        for imported in ordered:
            merged.setdefault((imported.module, imported.type_only), []).append(imported)
        named = (statement for group in merged.values() for statement in _statements_of(group))
        return (*(f'import "{module}"' for module in self._declaring), *named)


def _statements_of(group: Sequence[ImportedName]) -> Iterator[str]:
    """Yield the statements of imports from one module, its names in one statement."""
    named = sorted((item for item in group if item.name != "default"), key=lambda i: i.local)
    yield from (item.statement for item in group if item.name == "default")
    if named:
        keyword = "import type" if named[0].type_only else "import"
        names = ", ".join(item.specifier for item in named)
        yield f'{keyword} {{ {names} }} from "{named[0].module}"'
