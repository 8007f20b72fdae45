"""Say which folders are to be looked at, and which changes in them may count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from typematch.errors import TypematchError
from typematch.serve.watch.repositories import repository_of
from typematch.sources.packages import Package, discover, may_count


@dataclass(frozen=True, slots=True)
class WatchRoots:
    """Folders to look at: ``deep`` with all that is below them, ``shallow`` without.

    ``marks`` tell a folder from another one that has taken its place.
    """

    deep: tuple[Path, ...]
    shallow: tuple[Path, ...]
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def places(self) -> tuple[Path, ...]:
        return (*self.deep, *self.shallow)


def cover_of(paths: Sequence[Path]) -> WatchRoots:
    """Return what to look at for ``paths``, and for the packages that they reach.

    What does not exist is waited for in the nearest folder above it.
    """
    deep: set[Path] = set()
    shallow: set[Path] = set()
    for path in paths:
        if path.is_dir():
            deep.add(path)
        else:
            shallow.add(_existing_above(path))
        # Imports lead to what is installed in any folder above.
        deep.update(folder / "node_modules" for folder in path.parents)
        repository = repository_of(path)
        if repository is not None:
            shallow.update((repository, repository.parent))
    for package in _reached(paths):
        # Of own code the named places; its settings stand at its root.
        (shallow if package.own else deep).add(package.root)
    outer = _outermost(one for one in deep if one.is_dir())
    apart = [one for one in sorted(shallow) if one.is_dir() and not _is_below(one, outer)]
    return WatchRoots(outer, tuple(apart), tuple(_mark(one) for one in (*outer, *apart)))


def _reached(paths: Sequence[Path]) -> tuple[Package, ...]:
    try:
        return discover(paths).packages
    except TypematchError:
        return ()  # the run beside this one says so


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


def _mark(folder: Path) -> tuple[int, int]:
    try:
        found = folder.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def counts(
    path: Path, *, deleted: bool, is_folder: bool, places: Iterable[Path], database: Path
) -> bool:
    """Whether a change at ``path`` may change what is indexed.

    Args:
        path: absolute, as are all others.
        deleted: it is gone; what it was nobody knows any more.
        is_folder: it is a folder now, which was made or moved here.
        places: the folders that are looked at.
        database: the catalog's own file, which is written all the time, as are those beside it.
    """
    if path.name.startswith(database.name) and path.parent == database.parent:
        return deleted and path == database
    if ".git" in path.parent.parts:
        return path.name == "HEAD" and "logs" not in path.parts
    around = [place for place in places if path != place and path.is_relative_to(place)]
    folders = (
        path.relative_to(max(around, key=lambda one: len(one.parts))).parts[:-1] if around else ()
    )
    own = folders[: folders.index("node_modules")] if "node_modules" in folders else folders
    if any(folder.startswith(".") for folder in own):
        return False  # own code is not looked for in hidden folders
    return may_count(path.name) or is_folder or deleted
