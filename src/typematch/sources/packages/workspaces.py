"""Finds the packages of a monorepo: the workspaces of npm, yarn and pnpm."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.globs import glob


def workspace_root(disk: FileSystemCache, folder: str) -> str | None:
    """Return the folder, ``folder`` or one above it, whose workspaces include ``folder``."""
    above = folder
    while True:
        patterns = workspace_patterns(disk, above)
        if patterns and (above == folder or folder in workspaces(disk, above)):
            return above
        if ".git" in disk.names(above) or os.path.dirname(above) == above:
            return None
        above = os.path.dirname(above)


def workspaces(disk: FileSystemCache, root: str) -> tuple[str, ...]:
    """Return the folders of the workspaces of ``root``, sorted; each has a package.json."""
    patterns = workspace_patterns(disk, root)
    included = [_cleaned(pattern) for pattern in patterns if not pattern.startswith("!")]
    excluded = [glob(_cleaned(pattern[1:])) for pattern in patterns if pattern.startswith("!")]
    found = set()
    for pattern in included:
        for folder in _expand(disk, root, pattern.split("/")):
            inside = os.path.relpath(folder, root).replace(os.sep, "/")
            if inside != "." and disk.manifest(folder) is not None:
                found.add(folder) if not any(
                    pattern.fullmatch(inside) for pattern in excluded
                ) else None
    return tuple(sorted(found))


def _cleaned(pattern: str) -> str:
    return pattern.removeprefix("./").rstrip("/")


def _expand(disk: FileSystemCache, folder: str, pieces: list[str]) -> Iterator[str]:
    if not pieces:
        yield folder
        return
    piece, rest = pieces[0], pieces[1:]
    if piece == "**":
        yield from _expand(disk, folder, rest)
        for name in _enterable(disk, folder):
            yield from _expand(disk, os.path.join(folder, name), pieces)
    elif any(mark in piece for mark in "*?{"):
        for name in _enterable(disk, folder):
            if glob(piece).fullmatch(name):
                yield from _expand(disk, os.path.join(folder, name), rest)
    elif disk.is_folder(os.path.join(folder, piece)):
        yield from _expand(disk, os.path.join(folder, piece), rest)


def _enterable(disk: FileSystemCache, folder: str) -> list[str]:
    return [
        name for name in disk.folders(folder) if name != "node_modules" and not name.startswith(".")
    ]


def workspace_patterns(disk: FileSystemCache, folder: str) -> tuple[str, ...]:
    manifest = disk.manifest(folder)
    pnpm = os.path.join(folder, "pnpm-workspace.yaml")
    if disk.is_file(pnpm):
        try:
            return pnpm_packages(Path(pnpm).read_text("utf-8", "replace"))
        except OSError:
            return ()
    return manifest.workspaces if manifest else ()


def pnpm_packages(text: str) -> tuple[str, ...]:
    """Return the ``packages:`` list of a pnpm-workspace.yaml.

    The list has a string on each line, or is written in brackets; reading it here avoids the import
    of a YAML library.  Anchors and block scalars are not supported and give an empty list.
    """
    lines = iter(text.splitlines())
    for line in lines:
        match = re.match(r"""(?:packages|'packages'|"packages")\s*:\s*(.*)""", line)
        if match is None:
            continue
        if match[1].startswith("["):
            flow = " ".join([_uncommented(match[1]), *map(_uncommented, lines)])
            return tuple(_strings(flow[1 : flow.index("]")])) if "]" in flow else ()
        return tuple(_items(lines))
    return ()


def _items(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        bare = _uncommented(line).strip()
        if bare.startswith("-"):
            yield from _strings(bare[1:])
        elif bare:
            return


def _uncommented(line: str) -> str:
    match = re.match(r"""((?:'[^']*'|"[^"]*"|[^'"#]|(?<!\s)#)*)""", line)
    return match[1] if match else line


def _strings(text: str) -> Iterator[str]:
    for match in re.finditer(r"""'([^']*)'|"([^"]*)"|([^\s,'"][^,]*)""", text):
        found = (match[1] or match[2] or match[3] or "").strip()
        if found:
            yield found
