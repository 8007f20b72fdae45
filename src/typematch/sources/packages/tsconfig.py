"""Reads the options of tsconfig.json about module resolution, build output and the library."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from typematch.sources.packages.fs_cache import UNREADABLE, FileSystemCache
from typematch.sources.packages.globs import glob
from typematch.sources.packages.manifest import read_json

# A string, a comment, or a trailing comma.
_COMMENTED = re.compile(rb'("(?:[^"\\]|\\.)*")|//[^\n\r]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = re.compile(rb'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])')


@dataclass(frozen=True, slots=True)
class TsConfig:
    """A tsconfig.json merged with the configs it extends; paths are absolute.

    Attributes:
        path: of the file itself.
        base_url: empty where not given.
        paths: pattern -> targets, absolute, with at most one ``*`` each.
        references: the config files of the projects that this one builds on.
        files: None where not given; ``include`` likewise.
        include: patterns, absolute.
        jsx: in lower case; empty where not given, like ``jsx_import_source``.
        lib, target: as written; ``lib`` is None, ``target`` empty where not given.
        module, module_resolution: as written; empty where not given.
    """

    path: str
    base_url: str = ""
    paths: Mapping[str, tuple[str, ...]] | None = None
    root_dirs: tuple[str, ...] = ()
    root_dir: str = ""
    out_dir: str = ""
    declaration_dir: str = ""
    type_roots: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    files: tuple[str, ...] | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    lib: tuple[str, ...] | None = None
    target: str = ""
    module: str = ""
    module_resolution: str = ""
    jsx: str = ""
    jsx_import_source: str = ""

    @property
    def requires_extensions(self) -> bool:
        """Whether a relative import names a file with its extension.

        It does in modules of Node.js (``node16``, ``nodenext``), which ``module`` implies:
        getEmitModuleResolutionKind.
        """
        resolution = (self.module_resolution or self.module).lower()
        return resolution.startswith("node") and resolution not in ("node", "node10")

    def covers(self, path: str) -> bool:
        """Return whether the config includes the file at ``path``."""
        if self.files is not None and path in self.files:
            return True
        if self.include is None:
            inside = self.files is None and path.startswith(os.path.dirname(self.path) + os.sep)
        else:
            inside = _matches(path, self.include)
        return inside and not _matches(path, self.exclude)


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    slash_path = path.replace(os.sep, "/")
    return any(
        slash_path.startswith(pattern + "/") or glob(pattern).fullmatch(slash_path)
        for pattern in patterns
    )


class Configs:
    """The tsconfig.json files of one run, each read once."""

    def __init__(self, disk: FileSystemCache) -> None:
        self._disk = disk
        self._read: dict[str, TsConfig | None] = {}
        self._of_folder: dict[str, TsConfig | None] = {}
        self._of_file: dict[str, TsConfig | None] = {}

    def of_folder(self, folder: str) -> TsConfig | None:
        """Return the nearest tsconfig.json, in ``folder`` or above it in the same working tree."""
        if folder not in self._of_folder:
            path = os.path.join(folder, "tsconfig.json")
            above = os.path.dirname(folder)
            if self._disk.is_file(path):
                self._of_folder[folder] = self.read(path)
            elif above == folder or ".git" in self._disk.names(folder):
                self._of_folder[folder] = None
            else:
                self._of_folder[folder] = self.of_folder(above)
        return self._of_folder[folder]

    def of_project(self, folder: str) -> list[TsConfig]:
        """Return the nearest tsconfig.json of own code and those that it refers to."""
        nearest = self.of_folder(folder)
        references = map(self.read, nearest.references if nearest else ())
        return [config for config in (nearest, *references) if config is not None]

    def of_file(self, path: str) -> TsConfig | None:
        """Return the config of a file: the nearest one, or its reference that includes the file."""
        if path not in self._of_file:
            self._of_file[path] = self._governing(path)
        return self._of_file[path]

    def _governing(self, path: str) -> TsConfig | None:
        nearest = self.of_folder(os.path.dirname(path))
        if nearest is None or not nearest.references or nearest.covers(path):
            return nearest
        for reference in nearest.references:
            config = self.read(reference)
            if config is not None and config.covers(path):
                return config
        return nearest

    def read(self, path: str) -> TsConfig | None:
        """Return the config at ``path``; None if it is missing or not a JSON object."""
        if path not in self._read:
            self._read[path] = None  # ends the recursion of a config that extends itself
            self._read[path] = self._load(path)
        return self._read[path]

    def _load(self, path: str) -> TsConfig | None:
        data = read_jsonc(path)
        if not isinstance(data, dict):
            if self._disk.is_file(path):
                self._disk.note(path, UNREADABLE)
            return None
        merged = TsConfig(path)
        for base in _texts(data.get("extends")):
            found = self._extended(os.path.dirname(path), base)
            config = self.read(found) if found else None
            if config is not None:
                merged = _over(merged, config)
        return _over(merged, _written(path, data, merged.base_url))

    def _extended(self, folder: str, specifier: str) -> str | None:
        """Return the file that ``extends`` names: a path, or a file of an installed package."""
        if specifier.startswith((".", "/")) or os.path.isabs(specifier):
            bases = [os.path.normpath(os.path.join(folder, specifier))]
        else:
            bases = [
                os.path.join(modules, specifier)
                for modules in self._disk.node_modules_folders(folder)
            ]
        for base in bases:
            for candidate in (base, base + ".json", os.path.join(base, "tsconfig.json")):
                if candidate.endswith(".json") and self._disk.is_file(candidate):
                    return candidate
        return None


def _over(base: TsConfig, config: TsConfig) -> TsConfig:
    """Return ``config`` with its missing options taken from ``base``."""
    return replace(
        config,
        base_url=config.base_url or base.base_url,
        paths=base.paths if config.paths is None else config.paths,
        root_dirs=config.root_dirs or base.root_dirs,
        root_dir=config.root_dir or base.root_dir,
        out_dir=config.out_dir or base.out_dir,
        declaration_dir=config.declaration_dir or base.declaration_dir,
        type_roots=config.type_roots or base.type_roots,
        files=base.files if config.files is None else config.files,
        include=base.include if config.include is None else config.include,
        exclude=config.exclude or base.exclude,
        lib=base.lib if config.lib is None else config.lib,
        target=config.target or base.target,
        module=config.module or base.module,
        module_resolution=config.module_resolution or base.module_resolution,
        jsx=config.jsx or base.jsx,
        jsx_import_source=config.jsx_import_source or base.jsx_import_source,
    )


def _written(path: str, data: Mapping[str, object], inherited_base_url: str) -> TsConfig:
    folder = os.path.dirname(path)
    options = data.get("compilerOptions")
    options = options if isinstance(options, dict) else {}

    def place(written: object) -> str:
        if not isinstance(written, str) or not written:
            return ""
        return os.path.normpath(os.path.join(folder, written.replace("${configDir}", folder)))

    def places(written: object) -> tuple[str, ...]:
        return tuple(place(text) for text in _texts(written))

    base_url = place(options.get("baseUrl")) or inherited_base_url
    paths = options.get("paths")
    return TsConfig(
        path,
        base_url=base_url,
        paths={
            pattern: tuple(
                os.path.normpath(
                    os.path.join(base_url or folder, text.replace("${configDir}", folder))
                )
                for text in _texts(found)
            )
            for pattern, found in paths.items()
        }
        if isinstance(paths, dict)
        else None,
        root_dirs=places(options.get("rootDirs")),
        root_dir=place(options.get("rootDir")),
        out_dir=place(options.get("outDir")),
        declaration_dir=place(options.get("declarationDir")),
        type_roots=places(options.get("typeRoots")),
        references=_references(folder, data.get("references")),
        files=places(data["files"]) if "files" in data else None,
        include=places(data["include"]) if "include" in data else None,
        exclude=places(data.get("exclude")),
        lib=_texts(options["lib"]) if isinstance(options.get("lib"), list) else None,
        target=_text(options.get("target")),
        module=_text(options.get("module")),
        module_resolution=_text(options.get("moduleResolution")),
        jsx=_text(options.get("jsx")).lower(),
        jsx_import_source=_text(options.get("jsxImportSource")),
    )


def _references(folder: str, references: object) -> tuple[str, ...]:
    found = []
    for entry in references if isinstance(references, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("path"), str):
            path = os.path.normpath(os.path.join(folder, entry["path"]))
            found.append(path if path.endswith(".json") else os.path.join(path, "tsconfig.json"))
    return tuple(found)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def read_jsonc(path: str) -> object:
    """Return the value of a JSON file with comments and trailing commas; None if unreadable."""
    try:
        text = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
        text = _COMMENTED.sub(lambda match: match[1] or b" ", text)
        return read_json(_TRAILING.sub(lambda match: match[1] or b"", text))
    except (OSError, ValueError, RecursionError):
        return None
