"""Finds the typings of a package and of its subpaths, as the compiler's module resolution does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from typematch.package_names import emitted_name
from typematch.sources.packages.exports import (
    Active,
    anyhow,
    importing,
    lookup,
    requiring,
    targets,
    versioned_paths,
)
from typematch.sources.packages.extensions import file_at, file_or_index, is_declaration, is_source
from typematch.sources.packages.fs_cache import FileSystemCache, is_encodable
from typematch.sources.packages.manifest import Manifest
from typematch.sources.packages.model import SCRIPT_SUFFIXES
from typematch.sources.packages.module_formats import originals_of_copies
from typematch.sources.packages.source_of_build import BuildSources

_NO_MANIFEST = Manifest()
_TYPESCRIPT_EXTENSION = re.compile(r"(?:\.d)?\.[cm]?tsx?\Z")


class EntryPoints:
    """Entry points of packages, installed or own."""

    def __init__(self, disk: FileSystemCache, build_sources: BuildSources) -> None:
        self._disk = disk
        self._build_sources = build_sources
        self._listed: dict[str, tuple[tuple[str, str], ...]] = {}
        self._copies: dict[str, Mapping[str, str]] = {}

    def find(self, root: str, subpath: str, *, commonjs: bool = False) -> str | None:
        """Return the file for ``subpath`` (``.`` or ``./sub``) of a package, None if untyped.

        Args:
            commonjs: whether it is required by a CommonJS module: decides between ``import`` and
                ``require``.
        """
        manifest = self._disk.manifest(root) or _NO_MANIFEST
        if manifest.exports is not None:
            value = lookup(manifest.exports, subpath)
            if value is not None:
                found = self.target(root, *value, commonjs=commonjs)
                if found is not None:
                    return found
            # A package whose exports name only scripts may still have `types`.
            return self._main(root, manifest) if subpath == "." else None
        if subpath == ".":
            return self._main(root, manifest)
        return self._resolve_subpath(root, manifest, subpath)

    def target(self, root: str, value: object, star: str, *, commonjs: bool = False) -> str | None:
        """Return the first typings among the targets of a value in ``exports`` or ``imports``."""
        usual: Active = requiring if commonjs else importing
        own = self._build_sources.is_own(root)
        home = self._disk.dependency_root(root)
        for active in (usual, anyhow):
            for target in targets(value, active, star):
                if target.startswith("./"):
                    path = os.path.normpath(os.path.join(root, target))
                    found = self._build_sources.source_of(root, path) if own else None
                    found = found or file_at(self._disk, path)
                    if found is not None and self._disk.stays_inside(home, found):
                        return found
        return None

    def _main(self, root: str, manifest: Manifest) -> str | None:
        for path in (manifest.types, manifest.main, "index"):
            if path:
                found = self._resolve_subpath(root, manifest, path)
                if found is not None:
                    return found
        return None

    def _resolve_subpath(self, root: str, manifest: Manifest, subpath: str) -> str | None:
        """Return the file for a path inside a package that has no ``exports``."""
        paths = versioned_paths(manifest.types_versions)
        if paths is not None:
            value = lookup(paths, subpath.removeprefix("./"))
            for target in targets(value[0], anyhow, value[1]) if value else ():
                found = self._resolve(root, target)
                if found is not None:
                    return found
        return self._resolve(root, subpath)

    def _resolve(self, root: str, relative_path: str) -> str | None:
        path = os.path.normpath(os.path.join(root, relative_path))
        if self._build_sources.is_own(root):
            found = self._build_sources.source_of(root, path)
            if found is not None:
                return found
        home = self._disk.dependency_root(root)
        found = file_at(self._disk, path)
        if found is not None and self._disk.stays_inside(home, found):
            return found
        if path == root or not self._disk.is_folder(path):
            return None
        return self.folder(path) if self._disk.stays_inside(home, path) else None

    def folder(self, path: str) -> str | None:
        """Return the typings of a folder: from its own package.json, else its index file."""
        home = self._disk.dependency_root(path)
        if not self._disk.is_folder(path) or not self._disk.stays_inside(home, path):
            return None
        manifest = self._disk.manifest(path)
        if manifest is not None and (manifest.types or manifest.main):
            return self._main(path, manifest)
        found = file_or_index(self._disk, os.path.join(path, "index"))
        return found if found is not None and self._disk.stays_inside(home, found) else None

    def list_all(self, root: str) -> tuple[tuple[str, str], ...]:
        """Return the (subpath, file) pairs of the package in ``root``: ``.`` first.

        A file has every subpath that ``exports`` names, but only the first one that a pattern
        gives.  Left out are subpaths named internal that a pattern or a folder gives, and typings
        or sources without a script that a pattern gives: importing them fails when it runs.
        """
        listed = self._listed.get(root)
        if listed is None:
            listed = self._listed[root] = self._list_all(root)
        return listed

    def _list_all(self, root: str) -> tuple[tuple[str, str], ...]:
        manifest = self._disk.manifest(root) or _NO_MANIFEST
        named = manifest.exports or {}
        found: dict[str, str] = {}
        files: set[str] = set()
        for subpath in self._subpaths(root, manifest):
            is_left_out = subpath not in named and _is_internal(subpath)
            file = None if is_left_out else self.find(root, subpath)
            if file is None:
                continue
            real = self._disk.real(file)
            if subpath in named or real not in files:
                found.setdefault(subpath, real)
                files.add(real)
        return tuple(found.items())

    def list_installed(self, root: str) -> tuple[tuple[str, str], ...]:
        """Return ``list_all`` of an installed package, each module in one format.

        A subpath that ``exports`` names for a copy leads to its original; one that a pattern or a
        folder gives is left out.
        """
        named = (self._disk.manifest(root) or _NO_MANIFEST).exports or {}
        copies = self.copies(root)
        return tuple(
            (subpath, copies.get(file, file))
            for subpath, file in self.list_all(root)
            if subpath in named or file not in copies
        )

    def copies(self, root: str) -> Mapping[str, str]:
        """Return the modules of an installed package that repeat another, each with that one."""
        known = self._copies.get(root)
        if known is None:
            files = [file for _, file in self.list_all(root)]
            known = originals_of_copies(files, self._disk.real(root), self._disk)
            self._copies[root] = known
        return known

    def _subpaths(self, root: str, manifest: Manifest) -> Iterator[str]:
        yield "."
        if manifest.exports is None:
            yield from self._folders(root)
            yield from self._files(root)
            return
        named = [key for key in manifest.exports if key != "." and "*" not in key]
        yield from sorted(named, key=_is_internal)  # the sort is stable
        for key, value in manifest.exports.items():
            if "*" in key:
                yield from self._expand(root, manifest, key, value)

    def _folders(self, root: str) -> Iterator[str]:
        """Yield the folders with their own package.json: they are importable subpaths."""
        for name in self._disk.folders(root):
            inner = self._disk.manifest(os.path.join(root, name))
            if name != "node_modules" and inner is not None and (inner.types or inner.main):
                yield f"./{name}"

    def _files(self, root: str) -> Iterator[str]:
        """Yield the files beside the package.json of an installed package: ``next/headers``.

        Only those with typings and a script: others are not imported when the package runs.
        """
        if self._build_sources.is_own(root):
            return
        for name in self._disk.files(root):
            if is_declaration(name) and self._has_script(root, _scripts_of(name)):
                yield f"./{_TYPESCRIPT_EXTENSION.sub('', name)}"

    def _expand(self, root: str, manifest: Manifest, key: str, value: object) -> Iterator[str]:
        """Yield the subpaths that a pattern of ``exports`` gives for the files on disk."""
        own = self._build_sources.is_own(root)
        needs_script = not own and self._ships_scripts(root, manifest)
        # A source condition of the package's own build comes after what its users import.
        found = (
            target for active in (importing, requiring, anyhow) for target in targets(value, active)
        )
        for target in dict.fromkeys(found):
            before, star, after = target.partition("*")
            if not star or not target.startswith("./"):
                continue
            prefix = os.path.normpath(os.path.join(root, os.path.dirname(before)))
            # Own code, too: a pattern that leads up would list folders without end.
            if not self._disk.stays_inside(self._disk.real(root), prefix):
                continue
            if own and before.endswith("/"):
                yield from self._expand_sources(root, key, prefix)
            pattern = re.compile(re.escape(before) + "(.+)" + re.escape(after).replace(r"\*", ".+"))
            paths = [
                path
                for path in self._files_under(prefix, root)
                if is_source(path) or path.endswith(SCRIPT_SUFFIXES)
            ]
            # Of x.cjs, x.d.ts and x.js, code imports x.js: typings before scripts.
            for path in sorted(paths, key=lambda path: not is_source(path)):
                match = pattern.fullmatch(path)
                if match is None:
                    continue
                is_named_by_typings = needs_script and is_source(match[1])
                if not is_named_by_typings or self._has_script(root, _scripts_of(path)):
                    yield key.replace("*", emitted_name(match[1]))

    def _ships_scripts(self, root: str, manifest: Manifest) -> bool:
        """Whether the main module of a package has a script; packages of typings have none."""
        exported = targets((manifest.exports or {}).get("."), anyhow)
        return self._has_script(root, [manifest.main, *exported])

    def _has_script(self, root: str, paths: Iterable[str]) -> bool:
        return any(
            path.endswith(SCRIPT_SUFFIXES)
            and self._disk.is_file(os.path.normpath(os.path.join(root, path)))
            for path in paths
        )

    def _expand_sources(self, root: str, key: str, prefix: str) -> Iterator[str]:
        """Yield the subpaths that a pattern matches once the sources are built."""
        for folder in self._build_sources.source_folders_of(root, prefix):
            for path in self._files_under(folder, folder):
                if is_source(path) and not is_declaration(path):
                    yield key.replace("*", os.path.splitext(path)[0].removeprefix("./"))

    def _files_under(self, folder: str, root: str) -> Iterator[str]:
        """Yield the files as ``./path`` from ``root``, in order, nested packages left out."""
        prefix = "./" + os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        prefix = "./" if prefix == "././" else prefix
        for name in self._disk.files(folder):
            if is_encodable(name):
                yield prefix + name
        for name in self._disk.folders(folder):
            if name != "node_modules" and not name.startswith(".") and is_encodable(name):
                yield from self._files_under(os.path.join(folder, name), root)


def _scripts_of(path: str) -> list[str]:
    """Return the names that the script of a TypeScript file may have."""
    module = _TYPESCRIPT_EXTENSION.sub("", path)
    return [module + suffix for suffix in SCRIPT_SUFFIXES]


def _is_internal(subpath: str) -> bool:
    return any(part.startswith("_") or part == "internal" for part in subpath.split("/"))
