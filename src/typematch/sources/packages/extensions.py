"""Decide which TypeScript file a path without, or with another, extension stands for.

The order is the compiler's: sources before declarations, files before folders.
"""

from __future__ import annotations

import os

from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.model import DECLARATION_SUFFIXES, SOURCE_SUFFIXES

_PLAIN = (".ts", ".tsx", ".d.ts")
# What may stand beside a path with this extension, instead of it, best first.
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
    """Return whether it holds declarations only: ``x.d.ts``, or ``x.d.css.ts`` for ``x.css``."""
    return name.endswith(DECLARATION_SUFFIXES) or (name.endswith(".ts") and ".d." in name)


def file_at(disk: FileSystemCache, path: str) -> str | None:
    """Return the TypeScript file that ``path``, with or without extension, stands for."""
    if is_source(path) and disk.is_file(path):
        return path
    stem, extension = os.path.splitext(path)
    folder, _, name = path.rpartition(os.sep)
    names = disk.names(folder or os.sep)
    if not names:
        return None
    if extension in _INSTEAD:
        base = stem.rpartition(os.sep)[2]
        # In x.d.ts the stem is x.d: nothing else stands for a declaration file.
        for suffix in _INSTEAD[extension]:
            if base + suffix in names and disk.is_file(stem + suffix):
                return stem + suffix
    for suffix in _PLAIN:
        if name + suffix in names and disk.is_file(path + suffix):
            return path + suffix
    other = f"{stem}.d{extension}.ts"  # declarations of a file that is no script: x.d.css.ts
    return other if extension and extension not in _INSTEAD and disk.is_file(other) else None


def file_or_index(disk: FileSystemCache, path: str) -> str | None:
    """Return the TypeScript file that a file or folder stands for, package.json not asked."""
    return file_at(disk, path) or (
        file_at(disk, os.path.join(path, "index")) if disk.is_folder(path) else None
    )
