"""Finds the modules of an installed package that repeat another one in a second module format.

A package may export ``client.d.mts`` beside ``client.d.ts``, or a folder ``browser/`` beside its
main one.  If their declarations are the same, code gets the same types from both, and one of them
is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from typematch.package_names import without_module_format
from typematch.sources.packages.extensions import is_declaration

# What the declarations of two formats differ in: the extensions of what they import, and the name
# of the source map.
_FORMAT_EXTENSION = re.compile(rb"\.[cm]?(?=[jt]s\b)")
_SOURCE_MAP = re.compile(rb"//# sourceMappingURL=.*")


def originals_of_copies(files: Iterable[str], root: str) -> dict[str, str]:
    """Return for each declaration file that repeats another one of the package that other one.

    Of several, the one whose format is most like that of the first file is read: the package's
    main module.

    Args:
        files: absolute paths.
        root: the folder of the package.
    """
    paths = list(dict.fromkeys(files))
    modules: dict[str, list[str]] = {}
    for path in paths:
        if is_declaration(path):
            relative = os.path.relpath(path, root).replace(os.sep, "/")
            modules.setdefault(without_module_format(f"/{relative}"), []).append(path)
    main_format = _format(paths[0], root) if paths else frozenset[str]()
    originals: dict[str, str] = {}
    for formats in modules.values():
        if len(formats) > 1:
            # The sort is stable.
            formats.sort(key=lambda path: len(_format(path, root) ^ main_format))
            originals |= _equal_to_first(formats)
    return originals


def _format(path: str, root: str) -> frozenset[str]:
    """Return what the paths of the modules of one format have in common."""
    relative = os.path.relpath(path, root).replace(os.sep, "/")
    folder, _, name = relative.rpartition("/")
    kept = without_module_format(f"/{folder}/").split("/")
    removed = [part for part in folder.split("/") if part not in kept]
    return frozenset((*removed, name[name.find(".") :]))


def _equal_to_first(files: list[str]) -> dict[str, str]:
    first_of: dict[bytes, str] = {}
    originals: dict[str, str] = {}
    for path in files:
        try:
            text = Path(path).read_bytes()
        except OSError:
            continue
        first = first_of.setdefault(_without_format(text), path)
        if first != path:
            originals[path] = first
    return originals


def _without_format(text: bytes) -> bytes:
    return _FORMAT_EXTENSION.sub(b".", _SOURCE_MAP.sub(b"", text))
