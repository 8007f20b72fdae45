"""Which files of TypeScript's library does a project ask for?

By ``lib`` and ``target`` of its configuration, and by ``/// <reference lib="dom" />`` in its files.
The files belong to the project's own ``typescript`` package.  TypeScript 7 has them in the package
of the platform (``@typescript/typescript-linux-x64``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

_MARKER = "lib.es5.d.ts"  # part of every version
# Names that are not those of files, from ``libEntries`` of the compiler.
_RENAMED = {"es6": "es2015", "es7": "es2016", "esnext.regexp": "es2024.regexp"}
# Without ``lib``: the file by ``target`` (``getDefaultLibFileName``), which includes the DOM.
_BY_TARGET = {"es3": "lib.d.ts", "es5": "lib.d.ts", "es6": "lib.es6.d.ts", "es2015": "lib.es6.d.ts"}
_NEWEST = "lib.esnext.full.d.ts"


@dataclass(frozen=True, slots=True)
class LibraryOptions:
    """What a tsconfig.json asks for.

    Attributes:
        lib: names such as ``DOM``; None where not given.
        target: such as ``ES2022``; empty where not given.
    """

    lib: tuple[str, ...] | None = None
    target: str = ""


@dataclass(frozen=True, slots=True)
class LibraryFiles:
    """Files of TypeScript's library, and the names in ``lib`` that it does not have."""

    files: tuple[Path, ...] = ()
    unknown: tuple[str, ...] = ()


def library_folder(modules: Iterable[str]) -> Path | None:
    """Return the first folder with the library in these ``node_modules`` folders."""
    for folder in map(Path, modules):
        for package in (folder / "typescript", *_platform_packages(folder)):
            if (package / "lib" / _MARKER).is_file():
                return (package / "lib").resolve()
    return None


def _platform_packages(modules: Path) -> list[Path]:
    return sorted(modules.glob("@typescript/typescript-*"))


def library_files(folder: Path, options: Sequence[LibraryOptions]) -> LibraryFiles:
    """Return the files in ``folder`` that any of the configurations asks for.

    A configuration without ``lib`` and ``target`` asks for the newest library, with the DOM.
    """
    found: dict[Path, None] = {}
    unknown: dict[str, None] = {}
    for option in options or (LibraryOptions(),):
        if option.lib is None and (file := _default_file(folder, option.target)):
            found[file] = None
        for name in option.lib or ():
            file = library_file(folder, name)
            if file is None:
                unknown[name] = None
            else:
                found[file] = None
    return LibraryFiles(tuple(found), tuple(unknown))


def library_file(folder: Path, name: str) -> Path | None:
    """Return the file in ``folder`` of the library ``name``, such as ``DOM``; None without one."""
    lowered = name.lower()
    for file in (f"lib.{_RENAMED.get(lowered, lowered)}.d.ts", f"lib.{lowered}.d.ts"):
        if _is_inside(folder, file):
            return folder / file
    edition, _, part = lowered.partition(".")
    if edition != "esnext" or "/" in part:
        return None
    # A part of esnext that an edition has taken over: that of the newest edition.
    return max(folder.glob(f"lib.es20[0-9][0-9].{escape(part)}.d.ts"), default=None)


def _default_file(folder: Path, target: str) -> Path | None:
    lowered = target.lower()
    name = _BY_TARGET.get(lowered, f"lib.{lowered}.full.d.ts" if lowered else _NEWEST)
    return next((folder / file for file in (name, _NEWEST) if _is_inside(folder, file)), None)


def _is_inside(folder: Path, name: str) -> bool:
    """Whether ``name``, which a tsconfig.json may have written, is a file of the folder."""
    return "/" not in name and "\\" not in name and (folder / name).is_file()
