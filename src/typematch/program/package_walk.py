"""Walks the exports of one package from its entry points, and names what they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typematch.package_names import imported_name, is_project_module, project_module
from typematch.program.export_paths import ExportForm, ExportPath
from typematch.program.member_walk import MemberWalk
from typematch.program.resolution.module_summary import VALUE
from typematch.program.resolution.symbol_tables import GLOBAL

if TYPE_CHECKING:
    from typematch.program.export_path_index import ExportPathIndex

_MAX_LEVELS = 100  # of namespaces in namespaces


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
        requires_extensions: of a project: its files are imported by names with an extension.
    """

    name: str
    version: str = ""
    files: tuple[tuple[str, str], ...] = ()
    own: bool = False
    description: str = ""
    requires_extensions: bool = False


class PackageWalk(MemberWalk):
    """Walks one package from its entry points."""

    def __init__(self, path_index: ExportPathIndex, package: PackageEntryPoints) -> None:
        super().__init__(path_index, package.name)
        self._package = package
        self._seen: set[str] = set()

    def run(self) -> None:
        files = self._package.files
        scripts: list[str] = []
        prefixes: dict[str, str] = {}
        for subpath, file in files:
            if file not in self._program.summaries:
                continue
            if self._program.summaries[file].is_module:
                prefix = subpath.removeprefix("./") if subpath != "." else ""
                prefixes.setdefault(file, prefix)
                self._name_module(file, prefix, self._module(prefix))
            else:
                scripts.append(file)
        reached = self._reachable_files(scripts or [file for _, file in files])
        self._name_ambient_modules(reached)
        self._name_globals(reached, prefixes)
        self._add_deferred_members()
        if self._package.own and not files:
            for file in self._path_index.files_of(self._package_name):
                self._name_file(file)

    def name_namespace_values(self) -> None:
        """Name the values of namespaces through ``typeof``, after every package is walked.

        What a namespace declares is named after that, if it is exported.
        """
        for namespace, path in self._take_namespace_values():
            for name in self._program.export_names(namespace):
                target = self._program.export(namespace, name)
                if target is not None and self._program.meanings(target) & VALUE:
                    self._name(target, path.with_name(f"{path.name}{name}"))

    def _name_file(self, file: str) -> None:
        """Name the exports of a file of a project without entry points."""
        if self._program.summaries[file].is_module:
            module = project_module(file, with_extension=self._package.requires_extensions)
            self._name_module(file, "", module)
        else:
            self._name_globals([file], {})

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
                if self._path_index.may_name(self._package_name, f"{imported}#"):
                    reachable[imported] = None
                    pending.append(imported)
        return [file for file in reachable if file in self._program.summaries]

    def _name_module(self, container: str, prefix: str, module: str, package: str = "") -> None:
        """Name the exports of a module; ``package`` declares it, by default the walked one."""
        name_prefix = f"{prefix}:" if prefix else ""
        symbol = self._program.module_symbol(container)
        path = ExportPath(package or self._package_name, name_prefix, prefix, module, "named")
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
            # A module as default export.  Its members are named last, so that an export of this
            # module keeps its own name.
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
        for part, statement in self._path_index.statements(symbol) if "#" in symbol else ():
            if statement.kind == "class":
                self._path_index.add_value_path(symbol, path)
            elif statement.kind == "const":
                origin = part.container.partition("#")[0]
                by_own_name = replace(path, constant=part.key(statement.name))
                self._path_index.add_value_path(symbol, by_own_name)
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
                    packages.setdefault(part.container, self._path_index.owner(file))
        self._defer_other_modules()
        # ``fs`` before ``node:fs``: the name without the prefix is the primary one.
        for container in sorted(packages, key=lambda name: (name.startswith('"node:'), name)):
            name = container.strip('"')
            package = packages[container]
            self._name_module(container, _subpath(name, package), name, package)

    def _module(self, prefix: str) -> str:
        return f"{self._package_name}/{prefix}" if prefix else self._package_name

    def _name_globals(self, files: Iterable[str], prefixes: Mapping[str, str]) -> None:
        """Name what files declare in the global scope.

        Args:
            prefixes: those of the entry points, by file.
        """
        for file in files:
            package = self._path_index.owner(file)
            path = ExportPath(package, "", form="global")
            if self._needs_import(file):
                # A file that is no entry point is imported by the main one.
                prefix = prefixes.get(file, "")
                path = replace(path, prefix=prefix, module=self._module(prefix))
            parts = [self._program.file_part(file), *self._program.inner_parts(file)]
            for part in parts:
                if part.container != GLOBAL:
                    continue
                for statement in part.summary.names:
                    key = part.key(statement.name)
                    name = f"{path.prefix}:{statement.name}" if path.prefix else statement.name
                    self._name(key, replace(path, name=name))

    def _needs_import(self, file: str) -> bool:
        """Whether code has to import this package for the globals that a file of it declares.

        The compiler includes the files of a project, and of packages of ``@types``, without one.
        """
        is_included = self._package.own or self._package_name.startswith("@types/")
        return not is_included and self._program.summaries[file].is_module

    def _name(self, target: str, path: ExportPath) -> None:
        """Name ``target``, its members and its exports."""
        if "#" not in target:
            self._name_exports(target, path)
            return
        if not self._path_index.may_name(self._package_name, target):
            return
        is_first = self._path_index.add_path(target, path)
        if target in self._seen or not is_first:
            return
        self._seen.add(target)
        statements = self._path_index.statements(target)
        kinds = {statement.kind for _, statement in statements}
        self._add_members_of(target, statements, path)
        if path.form != "equals" or "const" not in kinds:
            self._name_exports(target, path)

    def _name_exports(self, container: str, path: ExportPath) -> None:
        """Name the exports of a namespace or module."""
        if path.name.count(".") > _MAX_LEVELS:
            return
        if "#" not in container:
            if container in self._seen:
                self._add_second_name(container, path)
                return
            self._seen.add(container)
        enum_keys = self._program.enum_keys(container)
        for name in self._program.export_names(container):
            target = self._program.export(container, name)
            if target is not None and target not in enum_keys:
                self._name(target, path.with_name(f"{path.name}.{name}"))

    def _add_second_name(self, module: str, path: ExportPath) -> None:
        """Add another name of a module as a namespace: ``export { Pattern, Pattern as P }``.

        Only the main entry point's: the others of a package often repeat all of its names.
        """
        if path.form != "named" or path.prefix or "." in path.name:
            return
        for name in self._program.export_names(module):
            target = self._program.export(module, name)
            if target is not None and self._path_index.has_path(target):
                self._path_index.add_path(target, path.with_name(f"{path.name}.{name}"))


def _subpath(module: str, package: str) -> str:
    """Return the subpath that the name of an ambient module has in the package that declares it.

    ``compiler`` of ``svelte/compiler`` in ``svelte``, and empty of ``svelte``; the name of another
    package's module stays as it is.
    """
    name = imported_name(package)
    return "" if module == name else module.removeprefix(f"{name}/")
