"""Names packages and files independently of the machine."""

from __future__ import annotations

import os
import re

from typematch.ir.literals import encodable
from typematch.package_names import LIBRARY, is_compiler_library, typed_name
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.model import DiscoveredPackages

_SPECIFIER = re.compile(r"((?:@[^/\s]+/)?[^@/.#:\s][^/:\s]*)(?:/(.+))?")


def package_of(specifier: str) -> tuple[str, str]:
    """Return the package and the subpath (``.`` or ``./sub``) of a specifier; or an empty name."""
    match = _SPECIFIER.fullmatch(specifier)
    if match is None:
        return "", "."
    return match[1], f"./{match[2]}" if match[2] else "."


def outermost_modules(path: str) -> str:
    """Return the first ``node_modules`` folder on the way to ``path``; empty if there is none."""
    before, inside, _ = (path + os.sep).partition(f"{os.sep}node_modules{os.sep}")
    return f"{before}{os.sep}node_modules" if inside else ""


class PackageNames:
    """The catalog's names of the files of one run."""

    def __init__(self, found: DiscoveredPackages, disk: FileSystemCache) -> None:
        self._disk = disk
        self._roots: dict[str, str] = {}  # real folder of a package -> its name in file names
        self._owners: dict[str, str] = {}
        self._folders: dict[str, str] = {}  # first folder of each name in file names
        self._of_folder: dict[str, str] = {}
        self._first_modules: list[str] = []
        self._declared = found.declared
        for package in found.packages:
            root = str(package.root)
            self._call(root, package.typings_for or package.name, package.name)
            modules = outermost_modules(root) or next(iter(disk.node_modules_folders(root)), "")
            if modules and modules not in self._first_modules:
                self._first_modules.append(modules)

    def _call(self, root: str, name: str, owner: str) -> None:
        self._roots.setdefault(root, name)
        self._owners.setdefault(root, owner)
        self._folders.setdefault(name, root)

    def file_name(self, path: str) -> str:
        root = self._root_of(os.path.dirname(path))
        inside = path[len(root) :].lstrip(os.sep).replace(os.sep, "/")
        return encodable(f"{self._roots[root]}/{inside}")

    def root(self, path: str) -> str:
        """Return the folder of a file's package."""
        return self._root_of(os.path.dirname(path))

    def owner(self, path: str) -> str:
        if is_compiler_library(path.replace(os.sep, "/")):
            return LIBRARY
        return self._owners[self._root_of(os.path.dirname(path))]

    def version(self, owner: str) -> str:
        """Return the version of a package from its manifest; empty if that has none."""
        root = next((root for root, name in self._owners.items() if name == owner), None)
        manifest = self._disk.manifest(root) if root else None
        return manifest.version if manifest else ""

    def canonical(self, path: str) -> str:
        """Return the real path; for copies of one package version, the path in the first copy."""
        real = self._disk.real(path)
        root = self._root_of(os.path.dirname(real))
        first = self._folders[self._roots[root]]
        if first != root:
            same = first + real[len(root) :]
            return same if self._disk.is_file(same) else real
        return real

    def _root_of(self, folder: str) -> str:
        """Return the package folder of ``folder``, and assign it a name."""
        known = self._of_folder.get(folder)
        if known is None:
            known = self._of_folder[folder] = self._find_root(folder)
        return known

    def _find_root(self, folder: str) -> str:
        if folder in self._roots:
            return folder
        above, name = os.path.split(folder)
        scope = os.path.basename(above)
        holder = os.path.dirname(above) if scope.startswith("@") else above
        if os.path.basename(holder) == "node_modules" and not name.startswith("@"):
            inside = f"{scope}/{name}" if scope.startswith("@") else name
            # pnpm links ``npm:other@1`` to a folder that is called ``other``.
            declared = self._declared.get(folder)
            self._name_installed(folder, declared.name if declared else inside)
            return folder
        if f"{os.sep}node_modules{os.sep}" not in folder + os.sep:
            return self._find_own_root(folder)
        return self._root_of(above)

    def _find_own_root(self, folder: str) -> str:
        above = folder
        while os.path.dirname(above) != above:
            if above in self._roots:
                return above
            if above in self._declared:
                break
            above = os.path.dirname(above)
        root = self._disk.package_root(folder)
        manifest = self._disk.manifest(root) if root else None
        name = manifest.name if manifest else os.path.basename(folder)
        root = root or folder
        self._call(root, self._free(name), name)
        return root

    def _free(self, name: str) -> str:
        number, free = 2, name
        while free in self._folders:
            number, free = number + 1, f"{name}~{number}"
        return free

    def _name_installed(self, root: str, name: str) -> None:
        manifest = self._disk.manifest(root)
        version = manifest.version if manifest else ""
        primary = self._folders.get(name) or self._primary(name)
        suffix = "" if primary in {None, root} else f"@{version}"
        self._call(root, f"{name}{suffix}", f"{self._owner(root, name)}{suffix}")

    def _primary(self, name: str) -> str | None:
        """Return the copy of a package that has the plain name: the top-level one, if any."""
        inside = name.replace("/", os.sep)
        for modules in self._first_modules:
            hoisted = os.path.join(modules, ".pnpm", "node_modules")
            for candidate in (os.path.join(modules, inside), os.path.join(hoisted, inside)):
                if self._disk.is_folder(candidate):
                    return self._disk.real(candidate)
        return None

    def _owner(self, root: str, name: str) -> str:
        """Return ``x`` for ``@types/x`` if ``x`` is installed in the same folder."""
        typed = typed_name(name)
        if typed:
            modules = os.path.dirname(os.path.dirname(root))
            folders = [modules, *self._first_modules]
            if any(self._disk.is_folder(os.path.join(folder, typed)) for folder in folders):
                return typed
        return name
