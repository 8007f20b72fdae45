"""Finds the modules of an installed package that repeat another one in a second module format.

A package may export ``client.d.mts`` beside ``client.d.ts``, or a folder ``browser/`` beside its
main one.  Where such modules declare the same and import modules that do, one of them is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from typematch.package_names import without_module_format
from typematch.sources.packages.extensions import file_or_index, is_declaration
from typematch.sources.packages.fs_cache import FileSystemCache

_RELATIVE_SPECIFIER = re.compile(rb"""(["'])(\.{1,2}(?:/[^"'\n]*)?)\1""")
_SPECIFIER_EXTENSION = re.compile(rb"(?:\.d)?\.[cm]?[jt]s\Z")
_SOURCE_MAP = re.compile(rb"//# sourceMappingURL=.*")

_Pair: TypeAlias = tuple[str, str]  # a module, and one that it may repeat


def originals_of_copies(files: Iterable[str], root: str, disk: FileSystemCache) -> dict[str, str]:
    """Return for each declaration file that repeats another one of the package that other one.

    Of several, the one whose format is most like that of the first file is read: the package's
    main module.

    Args:
        files: real paths.
        root: the real folder of the package.
    """
    paths = list(dict.fromkeys(files))
    modules: dict[str, list[str]] = {}
    for path in paths:
        if is_declaration(path):
            modules.setdefault(without_module_format(_inside(path, root)), []).append(path)
    main_format = _format(paths[0], root) if paths else frozenset[str]()
    pairs: list[_Pair] = []
    for formats in modules.values():
        # The sort is stable.
        formats.sort(key=lambda path: len(_format(path, root) ^ main_format))
        pairs += [(copy, formats[0]) for copy in formats[1:]]
    return dict(_Comparison(root, disk).equal(pairs)) if pairs else {}


def _inside(path: str, root: str) -> str:
    return "/" + os.path.relpath(path, root).replace(os.sep, "/")


def _format(path: str, root: str) -> frozenset[str]:
    """Return what the paths of the modules of one format have in common."""
    folder, _, name = _inside(path, root).rpartition("/")
    kept = without_module_format(f"{folder}/").split("/")
    removed = [part for part in folder.split("/") if part not in kept]
    return frozenset((*removed, name[name.find(".") :]))


class _Comparison:
    """Compares modules of a package with what they import."""

    def __init__(self, root: str, disk: FileSystemCache) -> None:
        self._root = root
        self._disk = disk
        self._texts: dict[str, tuple[bytes, list[str | None]] | None] = {}

    def equal(self, pairs: Iterable[_Pair]) -> Mapping[str, str]:
        """Return the pairs, and those of the modules they import, whose modules are the same.

        Modules that import each other are the same unless something in them differs.
        """
        importers: dict[_Pair, list[_Pair]] = {}
        different: list[_Pair] = []
        pending = list(pairs)
        seen = set(pending)
        while pending:
            pair = pending.pop()
            imported = self._imported_pairs(pair)
            if imported is None:
                different.append(pair)
                continue
            for inner in imported:
                importers.setdefault(inner, []).append(pair)
                if inner not in seen:
                    seen.add(inner)
                    pending.append(inner)
        while different:
            pair = different.pop()
            if pair in seen:
                seen.remove(pair)
                different += importers.get(pair, ())
        originals = {original for _, original in seen}
        return {copy: original for copy, original in seen if copy not in originals}

    def _imported_pairs(self, pair: _Pair) -> list[_Pair] | None:
        """Return the pairs of modules that a pair imports by path; None if the two differ."""
        first, second = map(self._read, pair)
        if first is None or second is None or first[0] != second[0]:
            return None
        imported: list[_Pair] = []
        for inner_copy, inner in zip(first[1], second[1], strict=True):
            if inner_copy == inner:
                continue
            if inner_copy is None or inner is None:
                return None
            imported.append((inner_copy, inner))
        return imported

    def _read(self, path: str) -> tuple[bytes, list[str | None]] | None:
        """Return the text of a module without what formats differ in, and what it imports.

        None for a module that cannot be read, or of another package.
        """
        if path not in self._texts:
            self._texts[path] = self._parse(path)
        return self._texts[path]

    def _parse(self, path: str) -> tuple[bytes, list[str | None]] | None:
        if not path.startswith(self._root + os.sep):
            return None
        try:
            text = Path(path).read_bytes().replace(b"\r\n", b"\n")
        except OSError:
            return None
        text = _SOURCE_MAP.sub(b"", text)
        # The quotes stay: equal texts import equally many modules.
        plain = _RELATIVE_SPECIFIER.sub(
            lambda match: match[1] + _SPECIFIER_EXTENSION.sub(b"", match[2]) + match[1], text
        )
        return plain.rstrip(), list(self._imports(text, os.path.dirname(path)))

    def _imports(self, text: bytes, folder: str) -> Iterator[str | None]:
        for match in _RELATIVE_SPECIFIER.finditer(text):
            specifier = os.fsdecode(match[2])
            found = file_or_index(self._disk, os.path.normpath(os.path.join(folder, specifier)))
            yield None if found is None else self._disk.real(found)
