"""Resolves module specifiers to files, and files to the names that the catalog uses.

Resolution is that of bundlers, which TypeScript calls ``moduleResolution: bundler``, with the
nearest thing that exists where that would find nothing typed.  Paths that come back are real:
symbolic links are resolved, so that a package that pnpm links into ten places is one package.
"""

from __future__ import annotations

import os
from pathlib import Path

from typematch.ir.module import JSX_RUNTIME
from typematch.package_names import (
    LIBRARY,
    imported_name,
    is_compiler_library,
    typings_name,
)
from typematch.sources.library.typescript_library import library_file
from typematch.sources.packages.entry_points import EntryPoints
from typematch.sources.packages.exports import importing, lookup, targets
from typematch.sources.packages.extensions import file_at
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.installed import InstalledPackages, installed_name
from typematch.sources.packages.manifest import Manifest
from typematch.sources.packages.model import Declared, DiscoveredPackages, Package
from typematch.sources.packages.naming import (
    PackageNames,
    outermost_modules,
    package_of,
)
from typematch.sources.packages.source_of_build import BuildSources
from typematch.sources.packages.tsconfig import Configs, TsConfig


class Resolver:
    """Module resolution for one run; file system probes are cached."""

    def __init__(self, found: DiscoveredPackages, *, disk: FileSystemCache | None = None) -> None:
        self._disk = disk or FileSystemCache()
        self._configs = Configs(self._disk)
        self._entry_points = EntryPoints(self._disk, BuildSources(self._disk, self._configs))
        self._installed_packages = InstalledPackages(self._disk, self._entry_points)
        self._names = PackageNames(found, self._disk)
        self._declared = found.declared
        named = [(declared.name, root) for root, declared in found.declared.items()]
        named += [(package.name, str(package.root)) for package in found.packages]
        self._own_roots = {
            name: root
            for name, root in named
            if BuildSources.is_own(root) and self._disk.manifest(root)
        }
        self._is_own = dict.fromkeys(found.declared, False)
        self._is_own.update((str(package.root), package.own) for package in found.packages)
        # By root; None for those that were discovered, or have no typings.
        self._imported: dict[str, Package | None] = dict.fromkeys(
            str(package.root) for package in found.packages
        )
        self._answers: dict[tuple[str, str, bool], str | None] = {}
        self._paths: dict[str, Path] = {}
        self._library_folder = found.library_folder

    def resolve(self, specifier: str, importer: Path) -> Path | None:
        """Return the real path of the file that ``specifier`` resolves to in ``importer``.

        ``types:x`` is a type reference directive, ``lib:x`` a library reference directive.  None:
        nothing typed is installed under that name, or it is an ambient module (``fs``,
        ``node:fs``), or no TypeScript (``./data.json``), or the project has no such library.
        """
        found = self._resolve(specifier, str(importer))
        if found is None:
            return None
        path = self._paths.get(found)
        if path is None:
            path = self._paths[found] = Path(found)
        return path

    def file_name(self, path: Path) -> str:
        """Return the catalog's name of a file: ``rxjs/dist/types/index.d.ts``."""
        return self._names.file_name(str(path))

    def owner(self, path: Path) -> str:
        """Return the import name of a file's package: ``lodash`` for ``@types/lodash``."""
        return self._names.owner(str(path))

    def version(self, owner: str) -> str:
        """Return the version of a file's package by its import name; empty if it has none."""
        return self._names.version(owner)

    def imported_package(self, path: Path, importer: Path) -> Package | None:
        """Return the package of a file if the import of it makes it a dependency of the run.

        The packages that own code imports are dependencies, and all that the project declares, as
        in a run over the whole project.  None for others, for discovered packages, and for a
        second version of a package.
        """
        root = self._names.root(str(path))
        if root not in self._imported:
            declared = self._declared.get(root)
            if declared is None:
                if not BuildSources.is_own(str(importer)):
                    return None
                manifest = self._disk.manifest(root)
                name = installed_name(root) or (manifest.name if manifest else "")
                declared = Declared(name, os.path.dirname(importer))
            owner = self.owner(path)
            if owner == LIBRARY or owner not in {declared.name, imported_name(declared.name)}:
                return None
            package = self._typed_package(root, declared)
            self._imported[root] = (
                self._imported.setdefault(str(package.root), package) if package else None
            )
        return self._imported[root]

    def _typed_package(self, root: str, declared: Declared) -> Package | None:
        package = self._installed_packages.imported(declared.name, root, declared.project)
        if package is not None or not BuildSources.is_own(root):
            return package
        # A workspace without entry points exports what its files export.
        manifest = self._disk.manifest(root) or Manifest()
        extensions = any(config.requires_extensions for config in self._configs.of_project(root))
        return Package(
            declared.name, manifest.version, Path(root), own=True, requires_extensions=extensions
        )

    def _resolve(self, specifier: str, importer: str) -> str | None:
        folder = os.path.dirname(importer)
        commonjs = importer.endswith(".cts")
        installed = f"{os.sep}node_modules{os.sep}" in importer
        # Resolution depends on the folder alone, unless a config applies to single files.
        config = None if installed else self._configs.of_file(importer)
        key = (specifier, f"{folder}\0{config.path}" if config else folder, commonjs)
        if key not in self._answers:
            answer = self._find(specifier, folder, config, commonjs=commonjs)
            if answer is not None:
                answer = self._in_one_format(self._names.canonical(answer))
            self._answers[key] = answer
        return self._answers[key]

    def _in_one_format(self, path: str) -> str:
        """Return the module that is read for one of an installed package in several formats."""
        root = self._names.root(path)
        if self._is_own.get(root, BuildSources.is_own(root)):
            return path
        return self._entry_points.copies(root).get(path, path)

    def _find(
        self, specifier: str, folder: str, config: TsConfig | None, *, commonjs: bool
    ) -> str | None:
        if specifier.startswith("types:"):
            return self._type_directive(specifier[len("types:") :], folder, config)
        if specifier.startswith("lib:"):
            return self._library(specifier[len("lib:") :], folder)
        if specifier.startswith(JSX_RUNTIME):
            runtime = _jsx_runtime(specifier[len(JSX_RUNTIME) :].partition("#")[0], config)
            return self._find(runtime, folder, config, commonjs=commonjs)
        if not specifier:
            return None
        if specifier.startswith("#"):
            return self._private(specifier, folder, config, commonjs=commonjs)
        if (
            specifier in {".", ".."}
            or specifier.startswith(("./", "../"))
            or os.path.isabs(specifier)
        ):
            found = self._relative(os.path.normpath(os.path.join(folder, specifier)), config)
            return found if found is None or self._may_import(folder, found) else None
        if config is not None:
            found = self._mapped(specifier, config)
            if found is not None:
                return found
        return self._package(specifier, folder, commonjs=commonjs)

    def _may_import(self, folder: str, path: str) -> bool:
        """Return whether code in ``folder`` may import the file at ``path`` by its path.

        Own code may import any file.  A dependency may import its own files and what is installed
        beside it; links inside any dependency do not lead out of it.
        """
        if not self._disk.stays_inside(self._disk.dependency_root(path), path):
            return False
        home = self._disk.dependency_root(folder)
        return self._disk.stays_inside(outermost_modules(home) if home else "", path)

    def _library(self, name: str, folder: str) -> str | None:
        """Return the file of library ``name``: processLibReferenceDirectives.

        Files of TypeScript's library refer to those beside them, all others to the run's.
        """
        beside = is_compiler_library(f"{folder}/lib.d.ts".replace(os.sep, "/"))
        library = Path(folder) if beside else self._library_folder
        found = library_file(library, name) if library else None
        if found is None or not self._may_import(str(library), str(found)):
            return None
        return str(found)

    def _relative(self, path: str, config: TsConfig | None) -> str | None:
        found = self._file_or_folder(path)
        if found is None and config is not None and config.root_dirs:
            # rootDirs: the file may be in another of the merged folders.
            inside = [root for root in config.root_dirs if path.startswith(root + os.sep)]
            for root in config.root_dirs if inside else ():
                moved = os.path.join(root, os.path.relpath(path, max(inside, key=len)))
                found = found or self._file_or_folder(moved)
        return found

    def _file_or_folder(self, path: str) -> str | None:
        return file_at(self._disk, path) or self._entry_points.folder(path)

    def _mapped(self, specifier: str, config: TsConfig) -> str | None:
        """Return the target of the project's ``paths`` or ``baseUrl``."""
        if config.paths:
            match = lookup(dict(config.paths), specifier)
            if match is not None:
                value, star = match
                for target in targets(
                    list(value) if isinstance(value, tuple) else value, importing, star
                ):
                    found = self._file_or_folder(target)
                    if found is not None:
                        return found
        if config.base_url:
            return self._file_or_folder(os.path.normpath(os.path.join(config.base_url, specifier)))
        return None

    def _package(self, specifier: str, folder: str, *, commonjs: bool) -> str | None:
        name, subpath = package_of(specifier)
        if not name:
            return None
        root = self._disk.package_root(folder)
        manifest = self._disk.manifest(root) if root else None
        if root and manifest and manifest.name == name and manifest.exports is not None:
            found = self._entry_points.find(root, subpath, commonjs=commonjs)
            if found is not None:
                return found
        if name in self._own_roots:  # a workspace needs no link in node_modules
            found = self._entry_points.find(self._own_roots[name], subpath, commonjs=commonjs)
            if found is not None:
                return found
        return self._installed(name, subpath, folder, commonjs=commonjs)

    def _installed(self, name: str, subpath: str, folder: str, *, commonjs: bool) -> str | None:
        typings = typings_name(name)
        for modules in self._disk.node_modules_folders(folder):
            for candidate in (name, typings):
                at = os.path.join(modules, candidate.replace("/", os.sep))
                if candidate and self._disk.is_folder(at) and self._may_enter(modules, at):
                    found = self._entry_points.find(self._disk.real(at), subpath, commonjs=commonjs)
                    if found is not None:
                        return found
        return None

    def _may_enter(self, modules: str, at: str) -> bool:
        """Return whether the package folder ``at`` in ``modules`` may be read.

        A link in the ``node_modules`` inside a dependency leads to installed packages only.
        """
        home = self._disk.dependency_root(os.path.dirname(modules))
        return self._disk.stays_inside(outermost_modules(home) if home else "", at)

    def _type_directive(self, name: str, folder: str, config: TsConfig | None) -> str | None:
        for root in config.type_roots if config else ():
            found = self._file_or_folder(os.path.join(root, name))
            if found is not None:
                return found
        bare, subpath = package_of(name)
        for candidate in (typings_name(bare), bare):
            found = (
                self._installed(candidate, subpath, folder, commonjs=False) if candidate else None
            )
            if found is not None:
                return found
        return None

    def _private(
        self, specifier: str, folder: str, config: TsConfig | None, *, commonjs: bool
    ) -> str | None:
        """Return the target of ``#x``: tsconfig ``paths``, then ``imports`` of package.json."""
        found = self._mapped(specifier, config) if config is not None else None
        root = self._disk.package_root(folder)
        manifest = self._disk.manifest(root) if root else None
        match = lookup(manifest.imports, specifier) if manifest else None
        if found is not None or match is None or root is None:
            return found
        found = self._entry_points.target(root, *match, commonjs=commonjs)
        for target in targets(match[0], importing, match[1]) if found is None else ():
            if not target.startswith((".", "#")):
                found = found or self._package(target, root, commonjs=commonjs)
        return found


def _jsx_runtime(pragma: str, config: TsConfig | None) -> str:
    """Return the module that JSX imports implicitly, empty if none: getJSXImplicitImportBase.

    Args:
        pragma: the RUNTIME of ``ir.module.JSX_RUNTIME``.
    """
    source = (config.jsx_import_source if config else "") or "react" * (pragma == "+")
    pragma = pragma.removeprefix("+")
    # Without any option the compiler refuses JSX; what it writes for new projects is taken.
    jsx = (config.jsx if config else "") or "react-jsx"
    if pragma == "." or not (pragma or source or jsx in {"react-jsx", "react-jsxdev"}):
        return ""
    return f"{pragma or source or 'react'}/jsx-{'dev-' if jsx == 'react-jsxdev' else ''}runtime"
