"""Maps build output to the source files it is built from.

The package.json of a project names published files (``dist/index.js``), which may not be built yet
and would duplicate the sources.  ``outDir`` and ``rootDir`` of tsconfig.json give the mapping;
without them, conventional folder names do.
"""

from __future__ import annotations

import os

from typematch.sources.packages.extensions import file_at, file_or_index, is_declaration
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.tsconfig import Configs

# Conventional names of folders with build output.
_OUTPUT_FOLDERS = frozenset(
    {"dist", "build", "out", "lib", "es", "esm", "cjs", "types", "typings", "umd"}
)
_SOURCE_FOLDERS = ("src", "source", "lib", "")


class BuildSources:
    def __init__(self, disk: FileSystemCache, configs: Configs) -> None:
        self._disk = disk
        self._configs = configs

    @staticmethod
    def is_own(root: str) -> bool:
        """Return whether the package in ``root`` is own code, not installed."""
        return f"{os.sep}node_modules{os.sep}" not in root + os.sep

    def source_of(self, root: str, path: str) -> str | None:
        """Return the source file of the build output ``path``; None if there is none."""
        found = file_at(self._disk, path)
        if found is not None and not is_declaration(found):
            return found
        for candidate in self._candidates(root, path):
            found = file_or_index(self._disk, candidate)
            if found is not None and not is_declaration(found):
                return found
        return None

    def source_folders_of(self, root: str, folder: str) -> list[str]:
        """Return the source folders of the build output folder ``folder``."""
        return [
            candidate
            for candidate in self._candidates(root, folder)
            if self._disk.is_folder(candidate)
        ]

    def _candidates(self, root: str, path: str) -> list[str]:
        stem = _stem(path)
        candidates = []
        config = self._configs.of_folder(root)
        if config is not None:
            for built in (config.out_dir, config.declaration_dir):
                if built and (stem + os.sep).startswith(built + os.sep):
                    inside = os.path.relpath(stem, built)
                    roots = (
                        [config.root_dir] if config.root_dir else [os.path.join(root, "src"), root]
                    )
                    candidates += [os.path.join(folder, inside) for folder in roots]
        parts = os.path.relpath(stem, root).split(os.sep)
        while parts and parts[0] in _OUTPUT_FOLDERS:
            parts = parts[1:]
            candidates += [
                os.path.join(root, folder, *parts) for folder in _SOURCE_FOLDERS if folder or parts
            ]
        return candidates


def _stem(path: str) -> str:
    for suffix in (
        ".d.ts",
        ".d.mts",
        ".d.cts",
        ".js",
        ".mjs",
        ".cjs",
        ".jsx",
        ".ts",
        ".mts",
        ".cts",
    ):
        if path.endswith(suffix):
            return path[: -len(suffix)]
    return path
