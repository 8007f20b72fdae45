"""Walks the exports of one package from its entry points, and names what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from typematch.package_names import imported_name, is_project_module, project_module
from typematch.program.export_paths import ExportForm, ExportPath
from typematch.program.member_sources import MemberSource, MemberSources
from typematch.program.resolution.module_summary import VALUE, DeclarationSummary
from typematch.program.resolution.symbol_tables import GLOBAL, ScopePart

if TYPE_CHECKING:
    from typematch.program.exports import Exports

_TYPES = frozenset(("class", "interface", "alias"))
_CONSTANTS = frozenset(("const",))
_HEIRS = frozenset(("class", "interface"))
_Follow: TypeAlias = Callable[[ScopePart, DeclarationSummary, ExportPath], None]
_MAX_LEVELS = 100  # of namespaces in namespaces, and of types that extend or alias each other


@dataclass(frozen=True, slots=True)
class PackageEntryPoints:
    """Entry points of a package.

    Attributes:
        name: the package's name in import statements.
        files: (subpath, file) pairs, ``.`` first, then ``./sub``; empty for a project without entry
            points.
        own: the indexed project itself: without entry points, everything that its files export
            counts as exported.
        description: what the package is for, in a sentence; may be empty.
    """

    name: str
    version: str = ""
    files: tuple[tuple[str, str], ...] = ()
    own: bool = False
    description: str = ""


class PackageWalk:
    """Walks one package from its entry points."""

    def __init__(self, exports: Exports, package: PackageEntryPoints) -> None:
        self._exports = exports
        self._program = exports.program
        self._package = package
        self._seen: set[str] = set()
        self._level = 0  # how many types are between a constant's type and the present one
        # Ambient modules have no order: the members of a constant's type from another module are
        # added after that module has been named.
        self._deferred: list[tuple[str, ExportPath, str]] | None = None
        self._computed: dict[str, tuple[ExportPath, str]] = {}
        self._late: list[tuple[str, ExportPath]] = []
        self._types: dict[str, ExportPath] = {}  # paths of the members of named types

    def run(self) -> None:
        files = self._package.files
        scripts: list[str] = []
        for subpath, file in files:
            if file not in self._program.summaries:
                continue
            if self._program.summaries[file].is_module:
                prefix = subpath.removeprefix("./") if subpath != "." else ""
                module = f"{self._package.name}/{prefix}" if prefix else self._package.name
                self._name_module(file, prefix, module)
            else:
                scripts.append(file)
        reached = self._reachable_files(scripts or [file for _, file in files])
        self._name_ambient_modules(reached)
        self._name_globals(reached)
        deferred, self._deferred = self._deferred, None
        for target, path, origin in deferred or ():
            self._add_members(target, path, origin)
        if self._package.own and not files:
            for file in self._exports.files_of(self._package.name):
                self._name_file(file)

    def add_late_members(self) -> None:
        """Name the values of namespaces through ``typeof``, after every package is walked.

        What a namespace declares is named after that, if it is exported.
        """
        late, self._late = self._late, []
        for namespace, path in late:
            for name in self._program.export_names(namespace):
                target = self._program.export(namespace, name)
                if target is not None and self._program.meanings(target) & VALUE:
                    self._name(target, path.with_name(f"{path.name}{name}"))

    def add_computed_members(self, sources: MemberSources) -> None:
        """Add paths of the members that only reduced types show, after every package is walked."""
        for key, (path, origin) in self._computed.items():
            kinds = {statement.kind for _, statement in self._exports.statements(key)}
            if "const" in kinds:
                constant = replace(path.with_name(f"{path.name}."), constant=key)
                for source in sources.of_constant(key):
                    self._add_source(source, constant, origin)
            for name, source in sources.of_properties(key):
                # What has a name of its own is not named after every property of its type.
                if not self._exports.has_path(source.key):
                    self._add_source(source, path.with_name(f"{path.name}.{name}."), origin)

    def add_members_of_internal_bases(self) -> None:
        """Name the members that exported types inherit from types without a name.

        With ``class Map extends Camera``, and ``Camera`` internal, they are ``Map#flyTo``.
        """
        for target, path in self._types.items():
            self._add_inherited_members(target, path, _HEIRS, self._follow_internal_bases)

    def _follow_internal_bases(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath
    ) -> None:
        resolve = self._program.resolve
        for link in statement.links:
            if link.relation != "extends":
                continue
            # A type, or else a constant with its constructor.
            base = resolve(part, link.name) or resolve(part, f"v{link.name.removeprefix('t')}")
            if base is None or base.rest or not self._is_internal(base.target):
                continue
            if self._exports.add_member_path(base.target, path):
                self._add_inherited_members(base.target, path, _HEIRS, self._follow_internal_bases)

    def _is_internal(self, key: str) -> bool:
        """Whether a declaration that this package may name has no name yet."""
        is_named = self._exports.has_path(key)
        return "#" in key and not is_named and self._exports.may_name(self._package.name, key)

    def _add_source(self, source: MemberSource, path: ExportPath, origin: str) -> None:
        match source.relation:
            case "is":
                self._add_members(source.key, path, origin)
            case "value":
                self._add_value_members(source.key.rstrip("#"), path, origin)
            case "new":
                self._add_members(source.key, _instance_path(path), origin)

    def _name_file(self, file: str) -> None:
        """Name the exports of a file of a project without entry points."""
        if self._program.summaries[file].is_module:
            self._name_module(file, "", project_module(file))
        else:
            self._name_globals([file])

    def _reachable_files(self, files: Iterable[str]) -> list[str]:
        """Return ``files`` and the files of the package that they import, transitively."""
        reachable = dict.fromkeys(files)
        pending = list(reachable)
        for file in pending:
            if file not in self._program.summaries:
                continue
            for specifier in self._program.summaries[file].specifiers:
                imported = self._program.resolve_file(specifier, file)
                if imported is None or imported in reachable:
                    continue
                if self._exports.may_name(self._package.name, f"{imported}#"):
                    reachable[imported] = None
                    pending.append(imported)
        return [file for file in reachable if file in self._program.summaries]

    def _name_module(self, container: str, prefix: str, module: str, package: str = "") -> None:
        """Name the exports of a module; ``package`` declares it, by default the walked one."""
        name_prefix = f"{prefix}:" if prefix else ""
        symbol = self._program.module_symbol(container)
        path = ExportPath(package or self._package.name, name_prefix, prefix, module, "named")
        if symbol != container:
            name = symbol.rpartition("#")[2].rpartition(".")[2] or module.rpartition("/")[2]
            self._name(symbol, replace(path, name=f"{name_prefix}{name}", form="equals"))
            self._name_exported_members(symbol, path)
        # Besides ``export =`` these are the exports of a constant's namespace and of the module,
        # which are imported by their own names.
        self._seen.add(symbol)
        self._name_reexported_members(symbol, path)
        targets = {
            name: target
            for name in self._program.export_names(container)
            if (target := self._program.export(container, name)) is not None
        }
        if "#" not in targets.get("default", "#"):
            # A module as default export: what it shares with this one has a shorter name.
            targets["default"] = targets.pop("default")
        for name, target in targets.items():
            form: ExportForm = "default" if name == "default" else "named"
            declared = target.rpartition("#")[2] if form == "default" else ""
            exported = replace(path, name=f"{name_prefix}{name}", form=form, declared=declared)
            if exported.is_named_default and is_project_module(path.module):
                # A project has many: each is known by its declared name.
                exported = replace(exported, name=f"{name_prefix}{declared}")
            self._name(target, exported)

    def _name_exported_members(self, symbol: str, path: ExportPath) -> None:
        """Name the members of a constant, and the static members of a class, of ``export =``.

        They are imported by their own names. ``path`` is that of the module.
        """
        for part, statement in self._exports.statements(symbol) if "#" in symbol else ():
            if statement.kind == "class":
                self._exports.add_value_path(symbol, path)
            elif statement.kind == "const":
                origin = part.container.partition("#")[0]
                by_own_name = replace(path, constant=part.key(statement.name))
                self._exports.add_value_path(symbol, by_own_name)
                self._follow_links(part, statement, by_own_name, origin)

    def _name_reexported_members(self, module: str, path: ExportPath) -> None:
        """Name the members of constants that a module re-exports by name from an ``export =``.

        ``export { chunk } from "./index.js"`` exports a property of the constant's type
        (getExternalModuleMember). ``path`` is that of the module.
        """
        members: dict[str, set[tuple[str, str]]] = {}
        for name, (part, export) in self._program.table(module).exports.items():
            if not export.specifier or self._program.export(module, name) is not None:
                continue
            origin = self._program.module(export.specifier, part.file)
            if origin is not None:
                symbol = self._program.module_symbol(origin)
                members.setdefault(symbol, set()).add((export.local, name))
        for symbol, pairs in members.items():
            self._name_exported_members(symbol, replace(path, reexports=frozenset(pairs)))

    def _name_ambient_modules(self, files: Iterable[str]) -> None:
        # A dependency that is not indexed itself declares its modules under its own name: they are
        # not imported from the package that leads to them.
        packages: dict[str, str] = {}
        for file in files:
            for part in self._program.inner_parts(file):
                if part.container.startswith('"'):
                    packages.setdefault(part.container, self._exports.owner(file))
        # ``fs`` before ``node:fs``: the name without the prefix is the primary one.
        self._deferred = []
        for container in sorted(packages, key=lambda name: (name.startswith('"node:'), name)):
            name = container.strip('"')
            package = packages[container]
            self._name_module(container, _subpath(name, package), name, package)

    def _name_globals(self, files: Iterable[str]) -> None:
        for file in files:
            package = self._exports.owner(file)
            parts = [self._program.file_part(file), *self._program.inner_parts(file)]
            for part in parts:
                if part.container != GLOBAL:
                    continue
                for statement in part.summary.names:
                    key = part.key(statement.name)
                    self._name(key, ExportPath(package, statement.name, form="global"))

    def _name(self, target: str, path: ExportPath) -> None:
        """Name ``target``, its members and its exports."""
        if "#" not in target:
            self._name_exports(target, path)
            return
        if not self._exports.may_name(self._package.name, target):
            return
        is_first = self._exports.add_path(target, path)
        if target in self._seen or not is_first:
            return
        self._seen.add(target)
        statements = self._exports.statements(target)
        kinds = {statement.kind for _, statement in statements}
        for part, statement in statements:
            if statement.kind == "const":
                self._name_constant_members(part, statement, path)
            if statement.kind in ("const", "class") and self._is_computed(part, statement):
                self._computed.setdefault(target, (path, part.container.partition("#")[0]))
        if kinds & _TYPES:
            members = self._types[target] = path.with_name(f"{path.name}#")
            self._exports.add_member_path(target, members)
        if path.form != "equals" or "const" not in kinds:
            self._name_exports(target, path)

    def _is_computed(self, part: ScopePart, statement: DeclarationSummary, steps: int = 8) -> bool:
        """Whether a statement, or an alias that it leads to, has members that are computed."""
        for link in statement.links:
            if link.relation == "computed":
                return True
            target = self._program.resolve(part, link.name) if steps else None
            if target is None or link.relation == "extends" or link.name.startswith("v:"):
                continue
            for outer, linked in self._exports.statements(target.target):
                if linked.kind == "alias" and self._is_computed(outer, linked, steps - 1):
                    return True
        return False

    def _name_constant_members(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath
    ) -> None:
        origin = part.container.partition("#")[0]
        constant = replace(path.with_name(f"{path.name}."), constant=part.key(statement.name))
        self._follow_links(part, statement, constant, origin)

    def _name_exports(self, container: str, path: ExportPath) -> None:
        """Name the exports of a namespace or module."""
        if path.name.count(".") > _MAX_LEVELS:
            return
        if "#" not in container:
            if container in self._seen:
                return
            self._seen.add(container)
        enum_keys = self._program.enum_keys(container)
        for name in self._program.export_names(container):
            target = self._program.export(container, name)
            if target is not None and target not in enum_keys:
                self._name(target, path.with_name(f"{path.name}.{name}"))

    def _add_members(self, target: str, path: ExportPath, origin: str) -> None:
        """Add paths of the members of a constant's type, and of the types that it extends.

        ``origin`` is the module that declares the constant.
        """
        if "#" not in target:
            if target != GLOBAL:
                self._name_exports(target, path.with_name(path.name[:-1]))
            return
        if not self._exports.may_name(self._package.name, target):
            return
        is_elsewhere = target.startswith('"') and target.partition("#")[0] != origin
        if is_elsewhere and self._deferred is not None and not self._exports.has_path(target):
            self._deferred.append((target, path, origin))
            return
        if self._exports.add_member_path(target, path):
            follow = partial(self._follow_links, origin=origin)
            self._add_inherited_members(target, path, _TYPES, follow)

    def _add_inherited_members(
        self, target: str, path: ExportPath, kinds: AbstractSet[str], follow: _Follow
    ) -> None:
        """Add paths of the members that ``target`` has from elsewhere.

        Args:
            kinds: of the statements that count: a type and a constant may share a name.
            follow: adds the paths for one statement.
        """
        if self._level > _MAX_LEVELS:
            return
        self._level += 1
        statements = [
            (part, statement)
            for part, statement in self._exports.statements(target)
            if statement.kind in kinds
        ]
        own_members = {member for _, statement in statements for member in statement.members}
        inherited_path = replace(path, hidden_members=path.hidden_members | own_members)
        for part, statement in statements:
            follow(part, statement, inherited_path)
        self._level -= 1

    def _follow_links(
        self, part: ScopePart, statement: DeclarationSummary, path: ExportPath, origin: str
    ) -> None:
        """Add paths of the members that a statement has through its links."""
        for link in statement.links:
            resolved = self._program.resolve(part, link.name)
            if resolved is None or resolved.rest:
                continue
            if link.relation == "new":
                self._add_members(resolved.target, _instance_path(path), origin)
            elif link.name.startswith("v:"):
                self._add_value_members(resolved.target, path, origin)
            else:
                self._add_members(resolved.target, path, origin)

    def _add_value_members(self, target: str, path: ExportPath, origin: str) -> None:
        """Add paths of the members of ``typeof target``."""
        statements = self._exports.statements(target) if "#" in target else ()
        kinds = {statement.kind for _, statement in statements}
        if not kinds & {"class", "const", "function", "namespace"}:
            self._add_members(target, path, origin)
            return
        if not self._exports.may_name(self._package.name, target):
            return
        if "namespace" in kinds:
            self._late.append((target, path))
        if "class" in kinds:
            self._exports.add_value_path(target, path)
            self._add_members(target, _instance_path(path), origin)
        elif "const" in kinds and self._exports.add_value_path(target, path):
            follow = partial(self._follow_links, origin=origin)
            self._add_inherited_members(target, path, _CONSTANTS, follow)


def _instance_path(path: ExportPath) -> ExportPath:
    """Return the path of the members of what a constant constructs."""
    return path.with_name(f"{path.name[:-1]}#")


def _subpath(module: str, package: str) -> str:
    """Return the subpath that the name of an ambient module has in the package that declares it.

    ``compiler`` of ``svelte/compiler`` in ``svelte``, and empty of ``svelte``; the name of another
    package's module stays as it is.
    """
    name = imported_name(package)
    return "" if module == name else module.removeprefix(f"{name}/")
