"""List a project's own source files, and say what was left out and why."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.sources.packages.documents import is_document, is_markdown, may_be_document
from typematch.sources.packages.extensions import is_declaration, is_source
from typematch.sources.packages.fs_cache import FileSystemCache
from typematch.sources.packages.model import DOCUMENT_SUFFIXES, MAX_BYTES, SCRIPT_SUFFIXES
from typematch.sources.packages.skipped import SkippedFiles
from typematch.sources.packages.tsconfig import Configs

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILES = (".typematchignore", ".gitignore")  # what the first says goes before the second

JAVASCRIPT = "JavaScript: only TypeScript is read"
IGNORED = "named in .gitignore or .typematchignore"
BUILD_OUTPUT = "build output"
MINIFIED = "minified"
LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"
LINK = "symbolic link in own code: indexed where it points to, if that is indexed"
INSTALLED = "node_modules: only what is imported from it is indexed"
HIDDEN = "hidden folder"
GONE = "cannot be read"
UNNAMEABLE = "name that is not UTF-8"
NO_DOCUMENT = "no document by itself: read where a document refers to it"
BESIDE = "declarations built from the source beside them"

# By custom these hold what tools made; they are read all the same if they hold sources.
_BUILD_FOLDERS = frozenset({"dist", "build", "out", "coverage"})


def may_count(name: str) -> bool:
    """Return whether what is indexed may hang on a file of that name: code, documents, settings."""
    return is_source(name) or name.endswith(DOCUMENT_SUFFIXES) or name in IGNORE_FILES


@dataclass(slots=True)
class ProjectFiles:
    """A walk over own code.

    ``files``, ``include`` and ``exclude`` of tsconfig.json leave nothing out: tests and scripts are
    code that one may look for.  Its ``outDir`` does.

    Attributes:
        outside: folders that belong to another package of the run; they are not entered.
    """

    disk: FileSystemCache
    configs: Configs
    skips: SkippedFiles
    outside: frozenset[str] = frozenset()
    _specs: dict[str, tuple[GitIgnoreSpec, ...]] = field(default_factory=dict)
    _others: list[str] = field(default_factory=list)

    def files(self, folder: str) -> list[str]:
        """Return the source files under ``folder``, sorted; rules against itself do not count."""
        self._others.clear()
        found = sorted(self._walk(folder, self._stack_above(folder)))
        if any(may_be_document(one) for one in found):
            # Where there are no documents, nobody takes package.json for one.
            for path in self._others:
                self.skips.add(path, NO_DOCUMENT)
        return found

    def _stack_above(self, folder: str) -> list[tuple[str, tuple[GitIgnoreSpec, ...]]]:
        """Return the ignore rules above ``folder``, outermost first, unless they exclude it."""
        stack: list[tuple[str, tuple[GitIgnoreSpec, ...]]] = []
        asked, top = folder, self._top(folder)
        while len(folder) > len(top):
            folder = os.path.dirname(folder)
            if self._rules(folder):
                stack.insert(0, (folder, self._rules(folder)))
        return [] if _is_ignored(asked, stack, is_folder=True) else stack

    def _top(self, folder: str) -> str:
        """Return the root of the working tree around ``folder``, else that of its package."""
        above = folder
        while ".git" not in self.disk.names(above):
            if os.path.dirname(above) == above:
                return self.disk.package_root(folder) or folder
            above = os.path.dirname(above)
        return above

    def _walk(
        self, folder: str, above: list[tuple[str, tuple[GitIgnoreSpec, ...]]]
    ) -> Iterator[str]:
        rules = self._rules(folder)
        stack = [*above, (folder, rules)] if rules else above
        names = self.disk.files(folder)
        for name in names:
            if self._takes(folder, name, stack):
                yield os.path.join(folder, name)
        for name in self.disk.links(folder):
            if name != "node_modules" and (
                is_source(name) or self.disk.is_folder(os.path.join(folder, name))
            ):
                self.skips.add(os.path.join(folder, name), LINK)
        for name in self.disk.folders(folder):
            yield from self._enter(folder, name, stack)

    def _enter(
        self, folder: str, name: str, stack: list[tuple[str, tuple[GitIgnoreSpec, ...]]]
    ) -> Iterator[str]:
        path = os.path.join(folder, name)
        if path in self.outside or name == ".git":
            return
        if name.startswith("."):
            self.skips.add(path, HIDDEN)
        elif not _is_utf8(name):
            self.skips.add(path, UNNAMEABLE)
        elif name == "node_modules":
            if self.disk.manifest(folder) is None:  # beside a package.json nobody expects otherwise
                self.skips.add(path, INSTALLED)
        elif stack and _is_ignored(path, stack, is_folder=True):
            self.skips.add(path, IGNORED)
        elif self._is_build_output(folder, path):
            self.skips.add(path, BUILD_OUTPUT)
        elif name in _BUILD_FOLDERS:
            inner = ProjectFiles(
                self.disk, self.configs, SkippedFiles(self.skips.root), self.outside, self._specs
            )
            found = list(inner._walk(path, stack))
            if any(is_source(one) and not is_declaration(one) for one in found):
                self.skips.merge(inner.skips)
                yield from found
            else:
                self.skips.add(path, BUILD_OUTPUT)
        else:
            yield from self._walk(path, stack)

    def _is_build_output(self, folder: str, path: str) -> bool:
        nearest = self.configs.of_folder(folder)
        for config in (nearest, *map(self.configs.read, nearest.references if nearest else ())):
            if config is not None and path in {config.out_dir, config.declaration_dir}:
                return True
        return False

    def _takes(
        self, folder: str, name: str, stack: list[tuple[str, tuple[GitIgnoreSpec, ...]]]
    ) -> bool:
        document = may_be_document(name)
        source = is_source(name) or document
        if not _is_utf8(name):
            self.skips.add(os.path.join(folder, name), UNNAMEABLE)
            return False
        if not source and not name.endswith(SCRIPT_SUFFIXES):
            return False
        path = os.path.join(folder, name)
        if os.path.islink(path):
            return False
        if stack and _is_ignored(path, stack):
            reason = IGNORED
        elif not source:
            reason = JAVASCRIPT
        elif ".min." in name:
            reason = MINIFIED
        elif document and not self._is_document(folder, path):
            return False
        elif is_declaration(name) and self._has_source(folder, name):
            reason = BESIDE
        elif (size := _size(path)) is None:
            reason = GONE
        elif size > MAX_BYTES:
            reason = LARGE
        else:
            return True
        self.skips.add(path, reason)
        return False

    def _is_document(self, folder: str, path: str) -> bool:
        found = is_document(path, in_package=self.disk.package_root(folder) is not None)
        if not found and not is_markdown(path):
            self._others.append(path)
        return found

    def _has_source(self, folder: str, name: str) -> bool:
        stem = name[: name.rindex(".d.")]
        names = self.disk.names(folder)
        return any(stem + suffix in names for suffix in (".ts", ".tsx", ".mts", ".cts"))

    def _rules(self, folder: str) -> tuple[GitIgnoreSpec, ...]:
        if folder not in self._specs:
            names = self.disk.names(folder)
            self._specs[folder] = tuple(
                _read_rules(os.path.join(folder, name)) for name in IGNORE_FILES if name in names
            )
        return self._specs[folder]


def _size(path: str) -> int | None:
    """Return the bytes of a file; None where it cannot be looked at or has just vanished."""
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _is_utf8(name: str) -> bool:
    """Return whether the name of a file can be printed and stored."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _read_rules(path: str) -> GitIgnoreSpec:
    # Imported where a project has such a file: it takes as long to import as a small index run.
    from pathspec import GitIgnoreSpec

    try:
        lines = Path(path).read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    return GitIgnoreSpec.from_lines(lines)


def _is_ignored(
    path: str, stack: Iterable[tuple[str, tuple[GitIgnoreSpec, ...]]], *, is_folder: bool = False
) -> bool:
    """Return what the innermost rule that speaks of ``path`` says."""
    for folder, rules in reversed(list(stack)):
        inside = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/") + (
            "/" if is_folder else ""
        )
        for spec in rules:
            verdict = spec.check_file(inside).include
            if verdict is not None:
                return verdict
    return False
