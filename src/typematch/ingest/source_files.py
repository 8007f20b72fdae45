"""Find the files of a run: from entry points along imports, each read and hashed once.

Of a file whose bytes are stored already nothing more is done: its skeleton and its imports are in
the store too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from typematch.index.writing import StoredFile
from typematch.ingest.sibling_files import SiblingFiles
from typematch.ir.module import Module, Scope
from typematch.program.exports import PackageEntryPoints
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import Skeleton, skeleton
from typematch.sources.openapi import READS, DocumentError
from typematch.sources.packages import (
    MAX_BYTES,
    DiscoveredPackages,
    Package,
    Resolver,
    may_be_document,
)

if TYPE_CHECKING:
    from typematch.ingest.run import Progress

T = TypeVar("T")

LIBRARY = "lib"
_DIGEST_BYTES = 16
_MEGABYTE = 1_000_000


@dataclass(slots=True)
class SourceFile:
    """A file of this run.

    Attributes:
        path: None for the library that comes with this program.
        imports: the file that each specifier means, where there is one.
        module: there while it is needed, if it had to be read.
        fragments, blobs: what it declares, if it had to be bound.
    """

    name: str
    owner: str
    path: Path | None
    content: bytes
    specifiers: tuple[str, ...] = ()
    imports: dict[str, str] = field(default_factory=dict)
    module: Module | None = None
    skeleton: Skeleton | None = None
    fragments: dict[str, list[Fragment]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    bindings: bytes = b""
    placing: bytes = b""


class SourceFiles:
    """All files of a run.

    Args:
        keep: what cleaning leaves in the texts of documents.

    Attributes:
        files: by name.
        roots: the files that each package of ``found`` reaches.
        failed: (file, reason).
    """

    def __init__(
        self,
        found: DiscoveredPackages,
        stored: Mapping[str, StoredFile],
        progress: Progress,
        keep: frozenset[str] = frozenset(),
    ) -> None:
        self.stored = stored
        self._keep = keep
        self.files: dict[str, SourceFile] = {}
        self.failed: list[tuple[str, str]] = []
        self._found = found
        self._progress = progress
        self._resolver = Resolver(found)
        self._names: dict[Path, str | None] = {}
        starts = [(package, self._starts(package)) for package in found.packages]
        self._follow([name for _, names in starts for name in names])
        self.roots: dict[str, list[str]] = {}
        for package, names in starts:
            for root, first in self._roots_of(package, names):
                self.roots[root] = [*self.roots.get(root, ()), *self._reached(first)]
        if not any(name.endswith("/lib.es5.d.ts") for name in self.files):
            self.roots[LIBRARY] = self._take_library()

    # What the program asks ------------------------------------------------------------------------

    def owner(self, name: str) -> str:
        return self.files[name].owner

    def imported(self, specifier: str, name: str) -> str | None:
        return self.files[name].imports.get(specifier)

    def skeleton(self, name: str) -> Skeleton:
        file = self.files[name]
        if file.skeleton is None:
            file.skeleton = Skeleton.from_json(self.stored[name].skeleton)
        return file.skeleton

    def module(self, file: SourceFile) -> Module:
        """Return a file's module, read now if it was not before."""
        if file.module is None:
            self._read(file, self._text(file))
        assert file.module is not None
        return file.module

    def entry_points(self) -> list[PackageEntryPoints]:
        points = [
            PackageEntryPoints(
                package.name, package.version, tuple(self._named(package)), package.own
            )
            for package in self._found.packages
        ]
        library = [name for name, file in self.files.items() if file.owner == LIBRARY]
        files = tuple((f"./{name}", name) for name in library)
        return [*points, PackageEntryPoints(LIBRARY, "", files)] if files else points

    def digest(self) -> str:
        """Return a digest of all that the result of this run hangs on."""
        hasher = blake2b(digest_size=_DIGEST_BYTES)
        for package in self._found.packages:
            said = f"{package.name} {package.version} {package.own} {self._named(package)}\n"
            hasher.update(said.encode("utf-8", "surrogatepass"))
        for name in sorted(self.files):
            file = self.files[name]
            said = f"{name} {file.owner} {sorted(file.imports.items())}\n"
            hasher.update(file.content + said.encode("utf-8", "surrogatepass"))
        return hasher.hexdigest()

    def guarded(self, file: SourceFile, work: Callable[[], T], otherwise: T) -> T:
        """Return what ``work`` makes of a file; its failure is that file's alone."""
        try:
            return work()
        except Exception as error:
            # Whatever goes wrong with one of thousands of files, the others are wanted.
            self.failed.append((file.name, f"{type(error).__name__}: {error}"))
            return otherwise

    # Finding --------------------------------------------------------------------------------------

    def _named(self, package: Package) -> list[tuple[str, str]]:
        named = [(subpath, self._names.get(path)) for subpath, path in package.entry_points]
        return [(subpath, name) for subpath, name in named if name is not None]

    def _starts(self, package: Package) -> list[str]:
        paths = [path for _, path in package.entry_points]
        taken = [self._take(path) for path in (*paths, *package.files)]
        return list(dict.fromkeys(name for name in taken if name is not None))

    def _roots_of(self, package: Package, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield (root, files that it begins with): of own code a root for each place named.

        So a folder indexed today leaves alone what was indexed of another one yesterday.
        """
        if not package.own:
            yield package.typings_for or package.name, list(names)
            return
        asked = package.asked or (package.root,)
        paths = {name: self.files[name].path for name in names}
        for place in asked:
            under = [name for name, path in paths.items() if path and path.is_relative_to(place)]
            # An entry point may lie elsewhere: it belongs to the first place.
            rest = [
                name
                for name, path in paths.items()
                if path and not any(path.is_relative_to(one) for one in asked)
            ]
            yield root_name(package, place), [*under, *(rest if place == asked[0] else ())]

    def _follow(self, starts: Iterable[str]) -> None:
        waiting = list(dict.fromkeys(starts))
        seen = set(waiting)
        while waiting:
            file = self.files[waiting.pop()]
            for specifier in file.specifiers:
                if specifier.startswith(READS):
                    continue
                path = self._resolver.resolve(specifier, file.path) if file.path else None
                name = None if path is None else self._take(path)
                if name is not None:
                    file.imports[specifier] = name
                    if name not in seen:
                        seen.add(name)
                        waiting.append(name)

    def _reached(self, starts: Sequence[str]) -> list[str]:
        reached = dict.fromkeys(starts)
        waiting = list(reached)
        while waiting:
            for name in self.files[waiting.pop()].imports.values():
                if name not in reached:
                    reached[name] = None
                    waiting.append(name)
        return list(reached)

    # Reading --------------------------------------------------------------------------------------

    def _take(self, path: Path) -> str | None:
        """Read a file unless that was done; return its name, or None if it cannot be read."""
        if path not in self._names:
            name = self._resolver.file_name(path)
            text = self._bytes(name, path)
            self._names[path] = None if text is None else name
            if text is not None and name not in self.files:
                self._add(name, self._resolver.owner(path), path, text)
        return self._names[path]

    def _bytes(self, name: str, path: Path) -> bytes | None:
        try:
            if path.stat().st_size > MAX_BYTES:
                self.failed.append((name, f"larger than {MAX_BYTES // _MEGABYTE} MB"))
                return None
            return path.read_bytes()
        except OSError as error:
            self.failed.append((name, error.strerror or "cannot be read"))
            return None

    def _take_library(self) -> list[str]:
        texts = _library()
        for name, text in texts.items():
            self._add(name, LIBRARY, None, text)
        return list(texts)

    def _add(self, name: str, owner: str, path: Path | None, text: bytes) -> None:
        stored = self.stored.get(name)
        content = self._content(path, text, stored.specifiers if stored else ())
        file = self.files[name] = SourceFile(name, owner, path, content)
        if stored is None or stored.content != content:
            self._read(file, text)
        else:
            file.specifiers = stored.specifiers
            if stored.unreadable:
                self.failed.append((name, stored.unreadable))
        self._progress("reading", len(self.files), 0, "files")

    def _text(self, file: SourceFile) -> bytes:
        """Return the text of a file that did not seem to be needed; it may have changed since."""
        if file.path is None:
            return _library()[file.name]
        return self._bytes(file.name, file.path) or b""

    def _read(self, file: SourceFile, text: bytes) -> None:
        nothing = Module(Scope("file"), True, unreadable="cannot be read")
        file.module = self.guarded(file, lambda: self._module_of(file, text), nothing)
        file.skeleton = skeleton(file.module)
        file.specifiers = file.skeleton.specifiers
        file.content = self._content(file.path, text, file.specifiers)
        if file.module.unreadable and file.module is not nothing:
            self.failed.append((file.name, file.module.unreadable))

    def _module_of(self, file: SourceFile, text: bytes) -> Module:
        if file.path is None or not may_be_document(file.name):
            from typematch.sources.typescript import read_module

            return read_module(text, path=file.name)
        from typematch.sources.documents import read_document

        return read_document(text, path=file.name, beside=self._beside(file.path), keep=self._keep)

    def _beside(self, path: Path) -> SiblingFiles:
        named = (place for package in self._found.packages for place in package.asked)
        return SiblingFiles(path.parent, [place for place in named if path.is_relative_to(place)])

    def _content(self, path: Path | None, text: bytes, specifiers: Iterable[str]) -> bytes:
        """Return the digest of a file, of those that are a part of it, and of how it is read."""
        content = _digest(text)
        if self._keep and path is not None and may_be_document(path.name):
            content = _digest(content + " ".join(sorted(self._keep)).encode())
        for specifier in specifiers:
            if path is not None and specifier.startswith(READS):
                try:
                    part = self._beside(path).read(specifier.removeprefix(READS))
                except DocumentError as error:
                    part = str(error).encode("utf-8", "replace")
                content = _digest(content + part)
        return content


def root_name(package: Package, place: Path) -> str:
    """Return the name of what was named of a package's own code; ``#`` is in no package's name."""
    if not place.is_relative_to(package.root):
        return f"{package.name}#{place.name}"
    return f"{package.name}#{place.relative_to(package.root).as_posix()}"


def covers(root: str, other: str) -> bool:
    """Whether whatever ``other`` begins with lies in the place that ``root`` names too."""
    package, sign, place = root.partition("#")
    other_package, other_sign, other_place = other.partition("#")
    if not sign or not other_sign or package != other_package:
        return False
    return place == "." or other_place == place or other_place.startswith(f"{place}/")


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=_DIGEST_BYTES).digest()


def _library() -> dict[str, bytes]:
    from typematch.sources.library import files

    return dict(files())
