"""Finds installed packages and workspaces by name, and the typings of a package."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from typematch.package_names import typed_name, typings_name
from typematch.sources.packages.entry_points import EntryPoints
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.manifest import Manifest
from typematch.sources.packages.model import Declared, Package
from typematch.sources.packages.naming import package_of
from typematch.sources.packages.workspaces import workspace_root, workspaces


class InstalledPackages:
    """What can be imported by the name of a package."""

    def __init__(self, disk: FileSystemCache, entry_points: EntryPoints) -> None:
        self._disk = disk
        self._entry_points = entry_points
        self._members: dict[str, dict[str, str]] = {}

    def find(self, name: str, importer: str) -> str | None:
        """Return the real folder of the package that ``name`` resolves to from ``importer``."""
        return self._find_in_modules(name, importer) or self._find_workspace(name, importer)

    def _find_in_modules(self, name: str, importer: str) -> str | None:
        for modules in self._disk.node_modules_folders(importer):
            at = os.path.join(modules, name.replace("/", os.sep))
            if self._disk.is_folder(at):
                return self._disk.real(at)
        return None

    def _find_workspace(self, name: str, importer: str) -> str | None:
        """Return the folder of a sibling workspace of ``importer``, which may not be linked yet."""
        if importer not in self._members:
            root = None if is_installed(importer) else workspace_root(self._disk, importer)
            folders = workspaces(self._disk, root) if root else ()
            manifests = ((self._disk.manifest(folder), folder) for folder in folders)
            self._members[importer] = {
                manifest.name: folder for manifest, folder in manifests if manifest
            }
        return self._members[importer].get(name)

    def entries(self, root: str) -> tuple[tuple[str, Path], ...]:
        """Return the entry points of an installed package, each module in one format."""
        return tuple(
            (subpath, Path(file)) for subpath, file in self._entry_points.list_installed(root)
        )

    def typed(self, name: str, at: str, importer: str) -> Package | None:
        """Return the package in ``at`` with its typings, or those in ``@types``, or None."""
        manifest = self._disk.manifest(at) or Manifest()
        # That of typings only says that they are typings.
        described = Manifest() if typed_name(name) else manifest
        package = Package(
            name,
            manifest.version,
            Path(at),
            self.entries(at),
            description=described.description,
            keywords=described.keywords,
        )
        if any(subpath == "." for subpath, _ in package.entry_points):
            return package
        # Typings of other subpaths only, as in yargs: the compiler takes those of @types for ".".
        typings = typings_name(name)
        beside = self.find(typings, importer) if typings else None
        entries = self.entries(beside) if beside else ()
        if beside is None or not entries:
            return package if package.entry_points else None
        return replace(package, root=Path(beside), entry_points=entries, typings_for=typings)

    def imported(self, name: str, at: str, importer: str) -> Package | None:
        """Return ``typed`` of the package that is imported: ``lodash`` for ``@types/lodash``."""
        imported_name = typed_name(name)
        beside = self.find(imported_name, importer) if imported_name else None
        package = self.typed(imported_name, beside, importer) if beside else None
        return package or self.typed(name, at, importer)

    def declared(self, root: str) -> Iterator[tuple[str, Declared]]:
        """Yield (real folder, name) of what a run over the projects around ``root`` indexes.

        These are their workspaces, and the installed packages that their manifests name.
        """
        top = workspace_root(self._disk, root) or root
        own = dict.fromkeys((root, top, *workspaces(self._disk, top)))
        above = map(os.path.dirname, self._disk.node_modules_folders(root))
        for project in dict.fromkeys((*own, *above)):
            manifest = self._disk.manifest(project) or Manifest()
            if manifest.name and project in own:
                yield project, Declared(manifest.name, project)
            for name in manifest.dependencies:
                if package_of(name) == (name, "."):
                    for candidate in filter(None, (name, typings_name(name), typed_name(name))):
                        at = self._find_in_modules(candidate, project)
                        if at is not None:
                            yield at, Declared(candidate, project)


def is_installed(path: str) -> bool:
    return f"{os.sep}node_modules{os.sep}" in path


def installed_name(path: str) -> str:
    """Return the path of a folder below ``node_modules``; empty for other folders."""
    _, inside, name = path.rpartition(f"{os.sep}node_modules{os.sep}")
    return name.replace(os.sep, "/") if inside else ""
