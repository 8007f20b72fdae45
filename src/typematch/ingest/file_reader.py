"""Single source files: read, hashed, parsed.  A file that fails does not stop the run."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from typematch.index.records import FileDigests
from typematch.ingest.sibling_files import SiblingFiles
from typematch.ir.literals import encodable
from typematch.ir.module import Module, Scope
from typematch.program.resolution.declaration_merging import Fragment
from typematch.program.resolution.module_summary import ModuleSummary, summarize_module
from typematch.sources.openapi.loading import TEXT_SPECIFIER, DocumentError
from typematch.sources.packages import MAX_BYTES, DiscoveredPackages, may_be_document

T = TypeVar("T")

_log = logging.getLogger(__name__)
_DIGEST_BYTES = 16
_MAX_REASON = 200  # characters of an exception's message
_MEGABYTE = 1_000_000


@dataclass(slots=True)
class SourceFile:
    """A file of this run.

    Attributes:
        owner: name of its package.
        path: None for the bundled standard library.
        imports: the file that each specifier resolves to, if there is one.
        module: set while it is needed, if the file was parsed.
        is_kept: of a library that an earlier run stored; it is known by its summary and not read.
        fragments: what it declares, by key; set if it was bound.
    """

    name: str
    owner: str
    path: Path | None
    content_digest: bytes
    specifiers: tuple[str, ...] = ()
    imports: dict[str, str] = field(default_factory=dict)
    module: Module | None = None
    summary: ModuleSummary | None = None
    is_kept: bool = False
    fragments: dict[str, list[Fragment]] = field(default_factory=dict)
    resolution_digest: bytes = b""
    export_digest: bytes = b""

    @property
    def digests(self) -> FileDigests:
        return self.content_digest, self.resolution_digest, self.export_digest


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file that was parsed ahead.

    Attributes:
        text_digest: of the bytes that were parsed.
        content_digest, module, summary: as in ``SourceFile``.
        failed: as in ``FileReader``, of this file.
    """

    text_digest: bytes
    content_digest: bytes
    module: Module
    summary: ModuleSummary
    failed: tuple[tuple[str, str], ...]


class FileReader:
    """Reads and parses the files of a run.

    Args:
        keep: names of the document cleaners that are not applied.
        declared: the compiler's declaration output, by the path of its source.

    Attributes:
        failed: (file, reason) of files that could not be read or indexed.
    """

    def __init__(
        self,
        packages: DiscoveredPackages,
        keep: frozenset[str] = frozenset(),
        declared: Mapping[Path, bytes] = MappingProxyType({}),
    ) -> None:
        self.failed: list[tuple[str, str]] = []
        self._declared = dict(declared)
        self._packages = packages
        self._keep = keep

    def read_bytes(self, name: str, path: Path) -> bytes | None:
        """Return the bytes of a file; None if it cannot be read, which is noted in ``failed``."""
        try:
            if path.stat().st_size > MAX_BYTES:
                self.failed.append((name, f"larger than {MAX_BYTES // _MEGABYTE} MB"))
                return None
            return path.read_bytes()
        except OSError as error:
            self.failed.append((name, error.strerror or "cannot be read"))
            return None

    def bytes_if_readable(self, path: Path) -> bytes | None:
        """Return the bytes of a file; None if ``read_bytes`` would report it."""
        try:
            return None if path.stat().st_size > MAX_BYTES else path.read_bytes()
        except OSError:
            return None

    def module(self, file: SourceFile) -> Module:
        """Return the module of a file, parsed now unless it was parsed before."""
        if file.module is None:
            self.parse(file, self._current_text(file))
        assert file.module is not None
        return file.module

    def parse(self, file: SourceFile, text: bytes, ahead: ParsedFile | None = None) -> None:
        """Set module, summary, specifiers and digest of a file.

        They are those of ``ahead`` if it was parsed from the same text.
        """
        if ahead is not None and ahead.text_digest == digest(text):
            file.module, file.summary = ahead.module, ahead.summary
            file.specifiers, file.content_digest = ahead.summary.specifiers, ahead.content_digest
            self.failed += ahead.failed
            return
        unreadable = Module(Scope("file"), True, unreadable="cannot be read")
        file.module, file.summary = self.guarded(
            file, lambda: self._summarized(file, text), (unreadable, summarize_module(unreadable))
        )
        file.specifiers = file.summary.specifiers
        file.content_digest = self.content_digest(file.path, text, file.specifiers)
        if file.module.unreadable and file.module is not unreadable:
            self.failed.append((file.name, file.module.unreadable))

    def guarded(self, file: SourceFile, work: Callable[[], T], default: T) -> T:
        """Return the result of ``work``; on any exception note the file as failed.

        The traceback is logged for debugging.
        """
        try:
            return work()
        except Exception as error:  # one of thousands of files must not stop the others
            # A message may quote source text; handlers encode it as UTF-8.
            _log.debug("%s failed\n%s", file.name, encodable(traceback.format_exc()))
            message = encodable(" ".join(str(error).split()))[:_MAX_REASON]
            self.failed.append((file.name, f"{type(error).__name__}: {message}"))
            return default

    def _summarized(self, file: SourceFile, text: bytes) -> tuple[Module, ModuleSummary]:
        module = self._parsed(file, text)
        return module, summarize_module(module)

    def content_digest(self, path: Path | None, text: bytes, specifiers: Iterable[str]) -> bytes:
        """Return the digest of a file, of the files that are part of it, and of the options."""
        content = digest(text)
        if path is not None and path in self._declared:
            content = digest(content + self._declared[path])
        if self._keep and path is not None and may_be_document(path.name):
            content = digest(content + " ".join(sorted(self._keep)).encode())
        for specifier in specifiers:
            if path is not None and specifier.startswith(TEXT_SPECIFIER):
                try:
                    part = self._siblings(path).read(specifier.removeprefix(TEXT_SPECIFIER))
                except DocumentError as error:
                    part = str(error).encode("utf-8", "replace")
                content = digest(content + part)
        return content

    def _current_text(self, file: SourceFile) -> bytes:
        """Return the text of a file not parsed before; it may have changed since it was hashed."""
        if file.path is None:
            return library()[file.name]
        return self.read_bytes(file.name, file.path) or b""

    def _parsed(self, file: SourceFile, text: bytes) -> Module:
        if file.path is None or not may_be_document(file.name):
            from typematch.sources.typescript import read_module
            from typematch.sources.typescript.declared_types import with_declared_types

            module = read_module(text, path=file.name)
            if file.path is None or file.path not in self._declared:
                return module
            output = read_module(self._declared[file.path], path=f"{file.name}.d.ts")
            return with_declared_types(module, output)
        from typematch.sources.documents import read_document

        siblings = self._siblings(file.path)
        return read_document(text, path=file.name, siblings=siblings, keep=self._keep)

    def _siblings(self, path: Path) -> SiblingFiles:
        roots = (root for package in self._packages.packages for root in package.requested)
        return SiblingFiles(path.parent, [root for root in roots if path.is_relative_to(root)])


def digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=_DIGEST_BYTES).digest()


def library() -> dict[str, bytes]:
    """Return the texts of the bundled standard library, by file name."""
    from typematch.sources.library.declaration_files import declaration_files

    return dict(declaration_files())
