"""Which files of TypeScript's library does a project ask for, by ``lib`` and ``target``?

The files belong to the project's own ``typescript`` package.  TypeScript 7 has them in the package
of the platform (``@typescript/typescript-linux-x64``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_MARKER = "lib.es5.d.ts"  # part of every version
# Names in ``lib`` that are not those of files, from ``libEntries`` of the compiler.
_RENAMED = {"es6": "es2015", "es7": "es2016"}
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
    libraries: dict[str, str] = {}
    for option in options or (LibraryOptions(),):
        if option.lib is None:
            libraries.setdefault(_default_file(folder, option.target), "")
        for name in option.lib or ():
            lowered = name.lower()
            libraries.setdefault(f"lib.{_RENAMED.get(lowered, lowered)}.d.ts", name)
    found = [name for name in libraries if _is_inside(folder, name)]
    unknown = [library for name, library in libraries.items() if library and name not in found]
    return LibraryFiles(tuple(folder / name for name in found), tuple(unknown))


def _default_file(folder: Path, target: str) -> str:
    lowered = target.lower()
    name = _BY_TARGET.get(lowered, f"lib.{lowered}.full.d.ts" if lowered else _NEWEST)
    return name if _is_inside(folder, name) else _NEWEST


def _is_inside(folder: Path, name: str) -> bool:
    """Whether ``name``, which a tsconfig.json may have written, is a file of the folder."""
    return "/" not in name and "\\" not in name and (folder / name).is_file()
