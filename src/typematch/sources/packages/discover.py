"""Finds the packages behind the paths that a user names: projects, packages, folders, files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from typematch.errors import NoTypingsError, SourceError
from typematch.ir.literals import encodable
from typematch.package_names import LIBRARY, typed_name, typings_name
from typematch.sources.library.typescript_library import (
    LibraryOptions,
    library_files,
    library_folder,
)
from typematch.sources.packages.documents import may_be_document
from typematch.sources.packages.entry_points import EntryPoints
from typematch.sources.packages.extensions import is_declaration, is_source
from typematch.sources.packages.fetch import npm_pack
from typematch.sources.packages.fs_cache import UNLISTABLE, FileSystemCache
from typematch.sources.packages.installed import (
    InstalledPackages,
    installed_name,
    is_installed,
)
from typematch.sources.packages.manifest import Manifest
from typematch.sources.packages.model import (
    MAX_BYTES,
    SCRIPT_SUFFIXES,
    Declared,
    DiscoveredPackages,
    Package,
)
from typematch.sources.packages.naming import package_of
from typematch.sources.packages.project_files import LARGE, ProjectFiles
from typematch.sources.packages.skipped import SkippedFiles
from typematch.sources.packages.source_of_build import BuildSources
from typematch.sources.packages.tsconfig import Configs
from typematch.sources.packages.workspaces import workspaces

NOT_INSTALLED = "dependency that is not installed (npm install)"
NO_NAME = "dependency whose name is no package name"
UNTYPED = "package without typings, and without @types"
MISSING_TYPES = "package whose `types` names a file that does not exist"
RESERVED_NAME = "package that is called lib, as the standard library is here"
OWN_TYPINGS = "@types of a package that has its own typings"

_FETCHED = "npm:"


def discover(
    paths: Sequence[str | Path],
    *,
    fetch: Callable[[str], Path] = npm_pack,
    disk: FileSystemCache | None = None,
) -> DiscoveredPackages:
    """Return the packages and own code that ``paths`` name, with the dependencies of projects.

    Args:
        paths: folders, files, or ``npm:name@version``.
        fetch: returns the folder of the package ``name@version``.
        disk: cache shared with the ``Resolver`` of the same run.

    Raises:
        SourceError: a path does not exist or contains nothing to index.
        NoTypingsError: a named package has no typings.
        OutsideError: a package could not be fetched.
    """
    search = _Discovery(disk or FileSystemCache())
    for path in paths:
        if str(path).startswith(_FETCHED):
            search.add_package(str(fetch(str(path)[len(_FETCHED) :])), requested=str(path))
        else:
            search.add_path(path)
    return search.result()


class _Discovery:
    def __init__(self, disk: FileSystemCache) -> None:
        self._disk = disk
        self._configs = Configs(disk)
        self._build_sources = BuildSources(disk, self._configs)
        self._entry_points = EntryPoints(disk, self._build_sources)
        self._installed = InstalledPackages(disk, self._entry_points)
        self._packages: dict[str, Package] = {}  # by root
        self._skipped = SkippedFiles(os.path.realpath(os.curdir))
        self._notices: list[str] = []
        self._matches = 0  # packages found so far, including those found twice
        self._library_folder: Path | None = None

    def result(self) -> DiscoveredPackages:
        for path, reason in self._disk.take_notes():
            self._skipped.add(path, reason)
        declared: dict[str, Declared] = {}
        for package in self._packages.values():
            if package.own and str(package.root) not in declared:
                for root, found in self._installed.declared(str(package.root)):
                    declared.setdefault(root, found)
        return DiscoveredPackages(
            tuple(self._packages.values()),
            self._skipped.summary(),
            tuple(self._notices),
            declared,
            self._library_folder,
        )

    def add_path(self, requested: str | Path) -> None:
        try:
            path = os.path.realpath(os.path.expanduser(requested), strict=True)
        except (OSError, ValueError) as error:
            raise SourceError(
                "there is no such file or folder",
                str(requested),
                "Packages that are not installed are written npm:NAME or npm:NAME@VERSION.",
            ) from error
        if not os.access(path, os.R_OK):
            raise SourceError("this cannot be read", str(requested), "Check its permissions.")
        if os.path.isfile(path):
            self._add_file(path, str(requested))
        elif _holds_packages(path):
            self._add_all_installed(path, str(requested))
        elif is_installed(path):
            self._add_installed_folder(path, str(requested))
        else:
            self._add_folder(path, str(requested))

    def _add_file(self, path: str, requested: str) -> None:
        if not is_source(path) and not may_be_document(path):
            kind = "a JavaScript file" if path.endswith(SCRIPT_SUFFIXES) else "not a source file"
            raise SourceError(
                f"this is {kind}",
                requested,
                "Files to index end in .ts, .tsx, .mts, .cts, or are documents in JSON or YAML.",
            )
        if os.stat(path).st_size > MAX_BYTES:
            raise SourceError(f"this file is {LARGE}", requested, "Index its parts.")
        root = self._disk.package_root(os.path.dirname(path)) or os.path.dirname(path)
        self._add_own_code(root, [path], path)

    def _add_folder(self, path: str, requested: str) -> None:
        if not self._disk.is_listable(path):
            raise SourceError(UNLISTABLE, requested, "Check its permissions.")
        before = self._matches
        manifest = self._disk.manifest(path)
        members = workspaces(self._disk, path)
        for root in (path, *members) if manifest or members else (path,):
            home = self._disk.package_root(root) or root
            inside = frozenset(member for member in members if member != root)
            code = ProjectFiles(self._disk, self._configs, self._skipped, inside)
            files = code.files(root)
            if self._is_package(root) and not members and not _has_sources(files):
                self.add_package(root, requested=requested)
                continue
            if files:
                self._add_own_code(home, files, root)
        roots = [path, *members]
        for root in roots if manifest or members else ():
            self._add_dependencies(root)
        if self._matches == before:
            raise SourceError(
                "nothing to index here: no TypeScript files, no OpenAPI documents"
                + (", no dependencies with typings" if manifest else ""),
                requested,
                "Install the dependencies first (npm install)."
                if manifest and manifest.dependencies
                else "JavaScript is not read; name a folder with .ts files or OpenAPI documents.",
            )

    def _add_all_installed(self, modules: str, requested: str) -> None:
        """Add every typed package of a ``node_modules`` folder, or of one scope in it."""
        before = self._matches
        for name in sorted(self._disk.names(modules)):
            at = os.path.join(modules, name)
            if name.startswith(".") or not self._disk.is_folder(at):
                continue
            if name.startswith("@") and _holds_packages(at):
                self._add_all_installed(at, requested)
            else:
                self._add_installed(installed_name(at), self._disk.real(at), modules)
        if self._matches == before and not os.path.basename(modules).startswith("@"):
            raise SourceError("there is no package with typings here", requested)

    def _add_installed(self, name: str, at: str, modules: str) -> None:
        typed = typed_name(name)
        if not typed or self._installed.find(typed, modules) is None:
            self._add_dependency(name, at, modules)

    def _add_installed_folder(self, path: str, requested: str) -> None:
        """Add the package of a folder in ``node_modules``, or of a folder inside it."""
        parts = installed_name(path).split("/")
        inside = parts[2:] if parts[0].startswith("@") else parts[1:]
        root = path
        for _ in inside:
            root = os.path.dirname(root)
        self.add_package(root, requested=requested)
        if inside:
            whole = installed_name(root)
            self._notices.append(f"{requested} is part of {whole}; the whole package is indexed.")

    def _is_package(self, root: str) -> bool:
        manifest = self._disk.manifest(root)
        return manifest is not None and self._entry_points.find(root, ".") is not None

    def _add_own_code(self, root: str, files: Sequence[str], requested: str) -> None:
        self._matches += 1
        manifest = self._disk.manifest(root) or Manifest()
        known = self._packages.get(root)
        all_files = {Path(file) for file in files}.union(known.files if known else ())
        self._packages[root] = Package(
            name=_own_name(root, manifest),
            version=manifest.version,
            description=manifest.description,
            keywords=manifest.keywords,
            root=Path(root),
            entry_points=self._own_entries(root) if manifest.name else (),
            own=True,
            files=tuple(sorted(all_files)),
            requested=(*(known.requested if known else ()), Path(requested)),
            library=known.library if known else self._library(root),
            requires_extensions=any(
                config.requires_extensions for config in self._configs.of_project(root)
            ),
        )

    def _library(self, root: str) -> tuple[Path, ...]:
        """Return the files of TypeScript's library for own code; all of one run share a folder."""
        folder = self._library_folder
        if folder is None:
            folder = self._library_folder = library_folder(self._disk.node_modules_folders(root))
        if folder is None:
            return ()
        nearest = self._configs.of_folder(root)
        options = [
            LibraryOptions(config.lib, config.target) for config in self._configs.of_project(root)
        ]
        configured = [option for option in options if option.lib is not None or option.target]
        found = library_files(folder, configured)
        if found.unknown and nearest is not None:
            names = ", ".join(found.unknown)
            self._notices.append(
                f"{nearest.path}: the installed TypeScript has no library {names} (lib)."
            )
        return found.files

    def _own_entries(self, root: str) -> tuple[tuple[str, Path], ...]:
        return tuple((subpath, Path(file)) for subpath, file in self._entry_points.list_all(root))

    def _add_dependencies(self, root: str) -> None:
        manifest = self._disk.manifest(root) or Manifest()
        dependency_names = set(manifest.dependencies)
        for name in manifest.dependencies:
            if package_of(name) != (name, "."):
                self._skipped.add(name, NO_NAME)
                continue
            at = self._installed.find(name, root)
            if at is None:
                self._skipped.add(name, NOT_INSTALLED)
                continue
            typed = typed_name(name)
            beside = self._installed.find(typed, root) if typed else None
            if beside is None:
                self._add_dependency(name, at, root)
            elif typed not in dependency_names:
                self._add_dependency(typed, beside, root)
            elif self._entry_points.find(beside, ".") is not None:
                self._skipped.add(name, OWN_TYPINGS)

    def _add_dependency(self, name: str, at: str, root: str) -> None:
        package = self._packages.get(at) or self._installed.typed(name, at, root)
        if package is None:
            manifest = self._disk.manifest(at)
            declares = manifest is not None and manifest.types
            self._skipped.add(name, MISSING_TYPES if declares else UNTYPED)
        else:
            self._add(package)

    def _add(self, package: Package) -> None:
        self._matches += 1
        if package.name == LIBRARY:
            self._skipped.add(package.name, RESERVED_NAME)
            return
        self._packages.setdefault(str(package.root), package)

    def add_package(self, path: str, *, requested: str) -> None:
        """Add the package in folder ``path``.

        Raises:
            NoTypingsError: there are none.
        """
        path = os.path.realpath(path)
        name = installed_name(path)
        manifest = self._disk.manifest(path)
        if manifest is None and not self._installed.entries(path):
            raise SourceError("no package here: neither package.json nor index.d.ts", requested)
        name = name or (manifest.name if manifest else "") or os.path.basename(path)
        package = self._installed.imported(name, path, path)
        if package is None:
            typings = typings_name(name)
            raise NoTypingsError(
                requested,
                f"Install its typings, if there are any: npm install {typings}" if typings else "",
            )
        self._add(package)


def _holds_packages(path: str) -> bool:
    """Return whether ``path`` is a ``node_modules`` folder, or one scope's folder in it."""
    above, name = os.path.split(path)
    return name == "node_modules" or (
        name.startswith("@") and os.path.basename(above) == "node_modules"
    )


def _own_name(root: str, manifest: Manifest) -> str:
    """Return the package name of own code: that of its manifest, else the folder's name.

    ``lib`` is reserved for the standard library.
    """
    above, folder = os.path.split(root)
    name = manifest.name or encodable(folder).replace("#", "_")
    return name if name != LIBRARY else f"{os.path.basename(above)}-{LIBRARY}"


def _has_sources(files: Sequence[str]) -> bool:
    return any(not is_declaration(file) for file in files)
