"""Caches folder listings, manifests and real paths of the file system for one run.

Resolving an import probes a dozen names that mostly do not exist, and thousands of imports probe
the same folders.  A folder is listed once, at its first use; files are assumed not to change during
the run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from stat import S_ISDIR

from typematch.sources.packages.manifest import Manifest, read_manifest

UNREADABLE = "configuration that cannot be read: treated as missing"
LEADS_OUT = "manifest or link of a dependency that leads out of its folder"
UNLISTABLE = "folder without permission to list it"

_MODULES = f"{os.sep}node_modules{os.sep}"
_FILE = 1
_FOLDER = 2
_LINK = 4


class FileSystemCache:
    """Cached view of the file system.  Paths are absolute, normalised strings."""

    def __init__(self) -> None:
        self._listings: dict[str, dict[str, int]] = {}
        self._unlistable: set[str] = set()
        self._real_folders: dict[str, str] = {}
        self._manifests: dict[str, Manifest | None] = {}
        self._package_roots: dict[str, str | None] = {}
        self._modules: dict[str, tuple[str, ...]] = {}
        self._dependency_roots: dict[str, str] = {}
        self._notes: dict[tuple[str, str], bool] = {}

    def note(self, path: str, reason: str) -> None:
        """Note something that was skipped, each once."""
        self._notes.setdefault((path, reason), False)

    def take_notes(self) -> list[tuple[str, str]]:
        """Return the (path, reason) noted since the last call."""
        new = [note for note, taken in self._notes.items() if not taken]
        self._notes.update(dict.fromkeys(new, True))
        return new

    def names(self, folder: str) -> Mapping[str, int]:
        """Return the names in a folder with their kinds; empty if it cannot be listed."""
        listing = self._listings.get(folder)
        if listing is None:
            try:
                listing = _list(folder)
            except PermissionError:
                self._unlistable.add(folder)
                listing = {}
            self._listings[folder] = listing
        return listing

    def is_listable(self, folder: str) -> bool:
        """Return whether there is permission to list a folder."""
        self.names(folder)
        return folder not in self._unlistable

    def is_file(self, path: str) -> bool:
        folder, _, name = path.rpartition(os.sep)
        return bool(self.names(folder or os.sep).get(name, 0) & _FILE)

    def is_folder(self, path: str) -> bool:
        folder, _, name = path.rpartition(os.sep)
        return bool(self.names(folder or os.sep).get(name, 0) & _FOLDER)

    def files(self, folder: str) -> list[str]:
        """Return the names of the files in ``folder``; notes that it cannot be listed."""
        names = self.names(folder)
        if not self.is_listable(folder):
            self.note(folder, UNLISTABLE)
        return sorted(name for name, kind in names.items() if kind & _FILE)

    def folders(self, folder: str) -> list[str]:
        """Return the names of the folders in ``folder``, without symbolic links."""
        return sorted(name for name, kind in self.names(folder).items() if kind == _FOLDER)

    def links(self, folder: str) -> list[str]:
        return sorted(name for name, kind in self.names(folder).items() if kind & _LINK)

    def real(self, path: str) -> str:
        """Return ``path`` with every symbolic link on the way resolved."""
        folder, _, name = path.rpartition(os.sep)
        if self.names(folder or os.sep).get(name, 0) & _LINK:
            return os.path.realpath(path)
        return os.path.join(self._real_folder(folder or os.sep), name)

    def _real_folder(self, folder: str) -> str:
        real = self._real_folders.get(folder)
        if real is None:
            real = self._real_folders[folder] = os.path.realpath(folder)
        return real

    def manifest(self, folder: str) -> Manifest | None:
        """Return the package.json of a folder; None if it is missing or cannot be read."""
        if folder not in self._manifests:
            path = os.path.join(folder, "package.json")
            found = self._manifests[folder] = read_manifest(path) if self.is_file(path) else None
            if found is None and self.is_file(path):
                self.note(path, UNREADABLE)
        return self._manifests[folder]

    def dependency_root(self, folder: str) -> str:
        """Return the real folder of the installed package around ``folder``; empty for own code.

        A package that is linked into ``node_modules`` from elsewhere is own code.
        """
        root = _installed_root(folder)
        if root and root not in self._dependency_roots:
            self._dependency_roots[root] = _installed_root(os.path.realpath(root))
        return self._dependency_roots[root] if root else ""

    def stays_inside(self, root: str, path: str) -> bool:
        """Return whether ``path`` lies in real folder ``root`` when links are resolved.

        Otherwise it is noted as skipped.  True for an empty ``root``.
        """
        if not root or (self.real(path) + os.sep).startswith(root + os.sep):
            return True
        self.note(os.path.join(root, os.path.relpath(path, root)), LEADS_OUT)
        return False

    def package_root(self, folder: str) -> str | None:
        """Return the nearest folder, ``folder`` or above it, whose package.json has a name.

        The search ends at a ``node_modules`` folder and at the root of a git working tree.
        """
        if folder not in self._package_roots:
            self._package_roots[folder] = self._find_package_root(folder)
        return self._package_roots[folder]

    def _find_package_root(self, folder: str) -> str | None:
        manifest = self.manifest(folder)
        if manifest is not None and manifest.name:
            return folder
        above, name = os.path.split(folder)
        if above == folder or name == "node_modules" or ".git" in self.names(folder):
            return None
        return self.package_root(above)

    def node_modules_folders(self, folder: str) -> tuple[str, ...]:
        """Return the ``node_modules`` folders that ``folder`` imports from, nearest first."""
        found = self._modules.get(folder)
        if found is None:
            above, name = os.path.split(folder)
            outer = self.node_modules_folders(above) if above != folder else ()
            here = os.path.join(folder, "node_modules")
            # stat instead of a listing: the folders above a project may be large.
            inner = name != "node_modules" and _is_folder(here)
            found = self._modules[folder] = (here, *outer) if inner else outer
        return found


def is_encodable(name: str) -> bool:
    """Return whether a file name is valid UTF-8."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _installed_root(path: str) -> str:
    """Return the folder of the package in ``node_modules`` that ``path`` lies in, else nothing."""
    modules, inside, rest = path.rpartition(_MODULES)
    if not inside or rest.startswith("."):  # .pnpm holds packages
        return ""
    names = rest.split(os.sep)[: 2 if rest.startswith("@") else 1]
    return modules + _MODULES + os.sep.join(names)


def _is_folder(path: str) -> bool:
    try:
        return S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _list(folder: str) -> dict[str, int]:
    """Return the names in a folder with their kinds; empty if there is no such folder.

    Raises:
        PermissionError: the folder may not be listed.
    """
    listing: dict[str, int] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                listing[entry.name] = _kind(entry)
    except PermissionError:
        raise
    except (OSError, ValueError):  # ValueError: a NUL character in a module specifier
        return {}
    return listing


def _kind(entry: os.DirEntry[str]) -> int:
    try:
        link = _LINK if entry.is_symlink() else 0
        if entry.is_file():
            return _FILE | link
        return (_FOLDER | link) if entry.is_dir() else link
    except OSError:  # a circular link
        return _LINK
