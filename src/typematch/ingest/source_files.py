"""The files of a run: found from entry points along imports, each read and hashed once.

A file whose digest is the stored one is not parsed: its summary and its imports are stored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from typematch.index.store import StoredFile
from typematch.ingest.file_reader import FileReader, ParsedFile, SourceFile, library
from typematch.ingest.parsing_ahead import parse_ahead
from typematch.ir.literals import encodable
from typematch.package_names import LIBRARY
from typematch.program.package_walk import PackageEntryPoints
from typematch.program.resolution.module_summary import ModuleSummary
from typematch.sources.openapi.loading import TEXT_SPECIFIER
from typematch.sources.packages import (
    DiscoveredPackages,
    FileSystemCache,
    Package,
    Resolver,
    SkippedFiles,
)

_LISTED = 3  # files named in a notice
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """All files of a run.

    Attributes:
        stored: the files as they were last indexed, by name.
        files: by name.
        roots: by name of a root (a package, or a path in the project's own code) the files that it
            reaches.
        names: by path; None for a file that cannot be read.
        versions: by package that has files, also one of which only single files are imported.
    """

    packages: DiscoveredPackages
    stored: Mapping[str, StoredFile]
    files: Mapping[str, SourceFile]
    roots: dict[str, list[str]]
    names: Mapping[Path, str | None]
    versions: Mapping[str, str]

    def owner(self, name: str) -> str:
        return self.files[name].owner

    def imported(self, specifier: str, name: str) -> str | None:
        """Return the file that ``specifier`` resolves to in file ``name``."""
        return self.files[name].imports.get(specifier)

    def summary(self, name: str) -> ModuleSummary:
        file = self.files[name]
        if file.summary is None:
            file.summary = ModuleSummary.from_json(self.stored[name].summary)
        return file.summary

    def entry_points(self) -> list[PackageEntryPoints]:
        points = [
            PackageEntryPoints(
                package.name,
                package.version,
                tuple(self._entry_files(package)),
                package.own,
                package.description,
                package.requires_extensions,
            )
            for package in self.packages.packages
        ]
        names = [name for name, file in self.files.items() if file.owner == LIBRARY]
        files = tuple((f"./{name}", name) for name in names)
        return [*points, PackageEntryPoints(LIBRARY, "", files)] if files else points

    def digest(self) -> str:
        """Return a digest of everything that the result of the run depends on."""
        hasher = blake2b(digest_size=_DIGEST_BYTES)
        for package in self.packages.packages:
            files = self._entry_files(package)
            text = f"{package.name} {package.version} {package.own} {files}\n"
            text += f"{package.requires_extensions}\n"
            text += f"{package.description}\n{package.keywords}\n"
            hasher.update(text.encode("utf-8", "surrogatepass"))
        for name in sorted(self.files):
            file = self.files[name]
            text = f"{name} {file.owner} {sorted(file.imports.items())}\n"
            hasher.update(file.content_digest + text.encode("utf-8", "surrogatepass"))
        return hasher.hexdigest()

    def _entry_files(self, package: Package) -> list[tuple[str, str]]:
        """Return (subpath, file name) of the entry points that can be read."""
        files = [(subpath, self.names.get(path)) for subpath, path in package.entry_points]
        return [(subpath, name) for subpath, name in files if name is not None]


def read_source_files(
    packages: DiscoveredPackages,
    stored: Mapping[str, StoredFile],
    reader: FileReader,
    progress: Callable[[int], None],
    *,
    disk: FileSystemCache | None = None,
    jobs: int = 1,
) -> SourceFiles:
    """Read every file that ``packages`` reach, and the library.

    That is TypeScript's, as the projects ask for it; without one, that of an earlier run, else
    ours.

    ``progress`` receives the number of files read so far; ``disk`` is the one of ``discover``;
    files are parsed in ``jobs`` processes, at most.
    """
    search = _FileSearch(packages, stored, reader, progress, disk or FileSystemCache())
    if jobs > 1:
        search.parse_ahead(jobs)
    starts = [(package, search.start_files(package)) for package in packages.packages]
    libraries = {package.name: search.library_files(package) for package in packages.packages}
    first = [name for _, names in starts for name in names]
    search.follow([*first, *(name for names in libraries.values() for name in names)])
    # One without start files has no root: it is reached only from the files that import it.
    starts += [(package, names) for package, names in search.imported() if names]
    roots: dict[str, list[str]] = {}
    for package, names in starts:
        for root, first in search.roots_of(package, names):
            roots[root] = [*roots.get(root, ()), *search.reachable(first)]
    for project, names in libraries.items():
        if names:
            roots[f"{LIBRARY}:{project}"] = search.reachable(names)
    if any(map(_is_typescript_library, search.files)):
        roots[LIBRARY] = []  # ours is not needed any more
    elif any(map(_is_typescript_library, stored)):
        search.keep_library()
    else:
        roots[LIBRARY] = search.add_library()
    return SourceFiles(
        search.with_notes(), stored, search.files, roots, search.names, search.versions()
    )


def _is_typescript_library(name: str) -> bool:
    return name.endswith("/lib.es5.d.ts")


class _FileSearch:
    """The search along imports; ``files`` and ``names`` are its result."""

    def __init__(
        self,
        packages: DiscoveredPackages,
        stored: Mapping[str, StoredFile],
        reader: FileReader,
        progress: Callable[[int], None],
        disk: FileSystemCache,
    ) -> None:
        self.files: dict[str, SourceFile] = {}
        self.names: dict[Path, str | None] = {}
        self._imported: dict[Path, tuple[Package, list[str]]] = {}
        self._packages = packages
        self._disk = disk
        self._outside: dict[Path, None] = {}
        self._stored = stored
        self._reader = reader
        self._progress = progress
        self._resolver = Resolver(packages, disk=disk)
        self._parsed: dict[Path, ParsedFile] = {}
        self._most_done = 0

    def parse_ahead(self, jobs: int) -> None:
        """Parse what the search will ask for in processes."""
        paths = (
            path
            for package in self._packages.packages
            for path in (
                *(path for _, path in package.entry_points), *package.files, *package.library,
            )
        )  # fmt: skip
        self._parsed = parse_ahead(
            paths, self._stored, self._reader, self._resolver, self._report, jobs=jobs
        )

    def _report(self, done: int) -> None:
        self._most_done = max(self._most_done, done)
        self._progress(self._most_done)

    def with_notes(self) -> DiscoveredPackages:
        """Return all packages, with what was skipped or left the project while reading."""
        skips = SkippedFiles(os.path.realpath(os.curdir))
        for path, reason in self._disk.take_notes():
            skips.add(path, reason)
        notices = self._packages.notices
        if self._outside:
            named = ", ".join(encodable(str(path)) for path in list(self._outside)[:_LISTED])
            more = f" and {len(self._outside) - _LISTED:,} more" * (len(self._outside) > _LISTED)
            notices += (f"Own code imports files outside of its folder: {named}{more}.",)
        skipped = (*self._packages.skipped, *skips.summary())
        packages = (*self._packages.packages, *(package for package, _ in self.imported()))
        return replace(self._packages, packages=packages, skipped=skipped, notices=notices)

    def start_files(self, package: Package) -> list[str]:
        """Read the entry points and own files of a package; return their names."""
        paths = [path for _, path in package.entry_points]
        names = [self._add_path(path) for path in (*paths, *package.files)]
        return list(dict.fromkeys(name for name in names if name is not None))

    def follow(self, names: Iterable[str]) -> None:
        """Read everything that the files import, directly or not."""
        stack = list(dict.fromkeys(names))
        seen = set(stack)
        while stack:
            file = self.files[stack.pop()]
            for specifier in file.specifiers:
                if specifier.startswith(TEXT_SPECIFIER):
                    continue
                path = self._resolved(file, specifier)
                name = None if path is None else self._add_path(path)
                if path is None or name is None:
                    continue
                file.imports[specifier] = name
                for found in (name, *self._package_files(file, path)):
                    if found not in seen:
                        seen.add(found)
                        stack.append(found)

    def _package_files(self, file: SourceFile, path: Path) -> Sequence[str]:
        """Read the entry points of a package that is indexed because ``file`` imports it."""
        importer = file.path
        if importer is None:
            return ()
        package = self._reader.guarded(
            file, lambda: self._resolver.imported_package(path, importer), None
        )
        if package is None or package.root in self._imported:
            return ()
        names = self.start_files(package)
        self._imported[package.root] = (package, names)
        return names

    def imported(self) -> list[tuple[Package, list[str]]]:
        """Return the packages that were not discovered, by name, with their start files."""
        return sorted(self._imported.values(), key=lambda item: item[0].name)

    def _resolved(self, file: SourceFile, specifier: str) -> Path | None:
        importer = file.path
        if importer is None:
            return None
        found = self._reader.guarded(
            file, lambda: self._resolver.resolve(specifier, importer), None
        )
        if found is not None and specifier.startswith(".") and self._leaves(importer, found):
            self._outside[found] = None
        return found

    def _leaves(self, importer: Path, path: Path) -> bool:
        """Return whether an import of own code leads out of every package of the run."""
        if "node_modules" in importer.parts or "node_modules" in path.parts:
            return False
        return not any(path.is_relative_to(package.root) for package in self._packages.packages)

    def reachable(self, names: Sequence[str]) -> list[str]:
        reached = dict.fromkeys(names)
        stack = list(reached)
        while stack:
            for name in self.files[stack.pop()].imports.values():
                if name not in reached:
                    reached[name] = None
                    stack.append(name)
        return list(reached)

    def roots_of(self, package: Package, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield (root, its start files); own code has a root for each requested path.

        So a run over one folder leaves alone what another run indexed from another folder.
        """
        if not package.own:
            yield package.typings_for or package.name, list(names)
            return
        requested = package.requested or (package.root,)
        paths = {name: self.files[name].path for name in names}
        for root in requested:
            inside = [name for name, path in paths.items() if path and path.is_relative_to(root)]
            # An entry point outside all of them belongs to the first.
            outside = [
                name
                for name, path in paths.items()
                if path and not any(path.is_relative_to(folder) for folder in requested)
            ]
            yield root_name(package, root), [*inside, *(outside if root == requested[0] else ())]

    def library_files(self, package: Package) -> list[str]:
        """Read the files of TypeScript's library that own code asks for; return their names."""
        names = map(self._add_path, package.library)
        return [name for name in names if name is not None]

    def keep_library(self) -> None:
        """Add the library's files as an earlier run stored them."""
        for name, file in self._stored.items():
            if file.package == LIBRARY:
                kept = SourceFile(name, LIBRARY, None, file.content_digest, file.specifiers)
                kept.is_kept = True
                self.files[name] = kept

    def add_library(self) -> list[str]:
        texts = library()
        for name, text in texts.items():
            self._add(name, LIBRARY, None, text)
        return list(texts)

    def _add_path(self, path: Path) -> str | None:
        """Read a file unless it was read before; return its name, None if it cannot be read."""
        if path not in self.names:
            name = self._resolver.file_name(path)
            text = self._reader.read_bytes(name, path)
            self.names[path] = None if text is None else name
            if text is not None and name not in self.files:
                self._add(name, self._resolver.owner(path), path, text)
        return self.names[path]

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages that files were found of."""
        versions = {package.name: package.version for package in self._packages.packages}
        for file in self.files.values():
            if file.owner not in versions:
                versions[file.owner] = self._resolver.version(file.owner)
        return versions

    def _add(self, name: str, owner: str, path: Path | None, text: bytes) -> None:
        stored = self._stored.get(name)
        content = self._reader.content_digest(path, text, stored.specifiers if stored else ())
        file = self.files[name] = SourceFile(name, owner, path, content)
        if stored is None or stored.content_digest != content:
            self._reader.parse(file, text, None if path is None else self._parsed.pop(path, None))
        else:
            file.specifiers = stored.specifiers
            if stored.unreadable:
                self._reader.failed.append((name, stored.unreadable))
        self._report(len(self.files))


def root_name(package: Package, path: Path) -> str:
    """Return the name of a root in a package's own code; no package name contains ``#``."""
    if not path.is_relative_to(package.root):
        return f"{package.name}#{path.name}"
    return f"{package.name}#{path.relative_to(package.root).as_posix()}"


def covers(root: str, other: str) -> bool:
    """Whether the path of root ``other`` lies inside that of ``root``."""
    package, sign, path = root.partition("#")
    other_package, other_sign, other_path = other.partition("#")
    if not sign or not other_sign or package != other_package:
        return False
    return path == "." or other_path == path or other_path.startswith(f"{path}/")
