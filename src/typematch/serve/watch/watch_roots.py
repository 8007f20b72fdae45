"""Which folders to watch, and which changes in them can affect the index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from typematch.config import Location
from typematch.errors import TypematchError
from typematch.serve.watch.repositories import git_directory_of
from typematch.sources.packages import Package, discover, may_count


@dataclass(frozen=True, slots=True)
class WatchRoots:
    """Folders to watch.

    Attributes:
        recursive: folders watched with everything below them.
        flat: folders watched without their subfolders.
        inodes: (device, inode) of each folder; detects a folder that was replaced.
    """

    recursive: tuple[Path, ...]
    flat: tuple[Path, ...]
    inodes: tuple[tuple[int, int], ...] = ()

    @property
    def directories(self) -> tuple[Path, ...]:
        return (*self.recursive, *self.flat)


def roots_for(paths: Sequence[Path]) -> WatchRoots:
    """Return the folders to watch for ``paths`` and the packages reachable from them.

    For a path that does not exist, the nearest existing parent is watched.
    """
    recursive: set[Path] = set()
    flat: set[Path] = set()
    for path in paths:
        if path.is_dir():
            recursive.add(path)
        else:
            flat.add(_existing_above(path))
        # Imports resolve to packages installed in any parent folder.
        recursive.update(folder / "node_modules" for folder in path.parents)
        git_directory = git_directory_of(path)
        if git_directory is not None:
            flat.update((git_directory, git_directory.parent))
    for package in _reachable_packages(paths):
        # Own code is covered by ``paths``; its package root holds the settings files.
        (flat if package.own else recursive).add(package.root)
    outermost = _outermost(folder for folder in recursive if folder.is_dir())
    separate = [
        folder for folder in sorted(flat) if folder.is_dir() and not _is_below(folder, outermost)
    ]
    return WatchRoots(
        outermost, tuple(separate), tuple(_inode(folder) for folder in (*outermost, *separate))
    )


def _reachable_packages(paths: Sequence[Path]) -> tuple[Package, ...]:
    try:
        return discover(paths).packages
    except TypematchError:
        return ()  # the index run reports it


def _existing_above(path: Path) -> Path:
    return next(folder for folder in path.parents if folder.is_dir())


def _outermost(folders: Iterable[Path]) -> tuple[Path, ...]:
    outer: list[Path] = []
    for folder in sorted(folders):
        if not _is_below(folder, outer):
            outer.append(folder)
    return tuple(outer)


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _inode(folder: Path) -> tuple[int, int]:
    try:
        status = folder.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)


def is_relevant_change(
    path: Path, *, deleted: bool, is_folder: bool, roots: Iterable[Path], database: Location
) -> bool:
    """Whether a change at ``path`` can affect the index.

    Args:
        path: absolute path of the change.
        deleted: the path was deleted; it may have been a file or a folder.
        is_folder: the path is a folder that was created or moved.
        roots: the watched folders, absolute.
        database: the catalog's location; a file and its journal files change constantly.
    """
    if (
        isinstance(database, Path)
        and path.parent == database.parent
        and path.name.startswith(database.name)
    ):
        return deleted and path == database
    if ".git" in path.parent.parts:
        return path.name == "HEAD" and "logs" not in path.parts
    enclosing = [root for root in roots if path != root and path.is_relative_to(root)]
    folders = (
        path.relative_to(max(enclosing, key=lambda root: len(root.parts))).parts[:-1]
        if enclosing
        else ()
    )
    own_folders = folders[: folders.index("node_modules")] if "node_modules" in folders else folders
    if any(folder.startswith(".") for folder in own_folders):
        return False  # hidden folders contain no own code
    return may_count(path.name) or is_folder or deleted
