"""Finds the TypeScript file of a path without extension, or with another extension.

The order is the compiler's: sources before declarations, files before folders.
"""

from __future__ import annotations

import os

from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.model import DECLARATION_SUFFIXES, SOURCE_SUFFIXES

_PLAIN = (".ts", ".tsx", ".d.ts")
# TypeScript extensions that replace an extension, best first.
_INSTEAD = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts", ".ts", ".d.ts"),
    ".cjs": (".cts", ".d.cts", ".ts", ".d.ts"),
    ".ts": (".ts", ".tsx", ".d.ts"),
    ".tsx": (".tsx", ".ts", ".d.ts"),
    ".mts": (".mts", ".d.mts"),
    ".cts": (".cts", ".d.cts"),
}


def is_source(name: str) -> bool:
    return name.endswith(SOURCE_SUFFIXES)


def is_declaration(name: str) -> bool:
    """Return whether this is a declaration file: ``x.d.ts``, or ``x.d.css.ts`` for ``x.css``."""
    return name.endswith(DECLARATION_SUFFIXES) or (name.endswith(".ts") and ".d." in name)


def file_at(disk: FileSystemCache, path: str) -> str | None:
    """Return the TypeScript file of ``path``, which may have another extension or none."""
    if is_source(path) and disk.is_file(path):
        return path
    stem, extension = os.path.splitext(path)
    folder, _, name = path.rpartition(os.sep)
    names = disk.names(folder or os.sep)
    if not names:
        return None
    if extension in _INSTEAD:
        base = stem.rpartition(os.sep)[2]
        # The stem of x.d.ts is x.d; a declaration file has no alternatives.
        for suffix in _INSTEAD[extension]:
            if base + suffix in names and disk.is_file(stem + suffix):
                return stem + suffix
    for suffix in _PLAIN:
        if name + suffix in names and disk.is_file(path + suffix):
            return path + suffix
    other = f"{stem}.d{extension}.ts"  # declarations of a file that is no script: x.d.css.ts
    return other if extension and extension not in _INSTEAD and disk.is_file(other) else None


def file_or_index(disk: FileSystemCache, path: str) -> str | None:
    """Return the TypeScript file of a file or folder, without reading package.json."""
    return file_at(disk, path) or (
        file_at(disk, os.path.join(path, "index")) if disk.is_folder(path) else None
    )
