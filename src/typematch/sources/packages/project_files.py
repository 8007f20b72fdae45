"""Lists a project's own source files, and the skipped files with their reasons."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.sources.packages.documents import is_document, is_markdown, may_be_document
from typematch.sources.packages.extensions import is_declaration, is_source
from typematch.sources.packages.fs_cache import FileSystemCache, is_encodable
from typematch.sources.packages.model import DOCUMENT_SUFFIXES, MAX_BYTES, SCRIPT_SUFFIXES
from typematch.sources.packages.skipped import SkippedFiles
from typematch.sources.packages.tsconfig import Configs

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILES = (".typematchignore", ".gitignore")  # the first overrides the second

JAVASCRIPT = "JavaScript: only TypeScript is read"
IGNORED = "excluded by .gitignore or .typematchignore"
BUILD_OUTPUT = "build output"
MINIFIED = "minified"
LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"
LINK = "symbolic link in own code: its target is indexed if it is inside the project"
INSTALLED = "node_modules: only imported packages are indexed"
HIDDEN = "hidden folder"
GONE = "cannot be read"
UNNAMEABLE = "file name that is not UTF-8"
NO_DOCUMENT = "not a document by itself: read if a document refers to it"
BAD_PATTERN = "line of an ignore file that is no pattern"
BUILT_DECLARATIONS = "declarations built from a source in the same folder"

# Conventional folders of build output; they are indexed if they contain sources.
_BUILD_FOLDERS = frozenset({"dist", "build", "out", "coverage"})


def may_count(name: str) -> bool:
    """Return whether a file of that name can affect the index: code, document or ignore file."""
    return is_source(name) or name.endswith(DOCUMENT_SUFFIXES) or name in IGNORE_FILES


@dataclass(slots=True)
class ProjectFiles:
    """Walks the folders of own code.

    ``files``, ``include`` and ``exclude`` of tsconfig.json are ignored, because tests and scripts
    are worth finding too; its ``outDir`` is excluded.

    Attributes:
        outside: folders of other packages of the run; they are not entered.
    """

    disk: FileSystemCache
    configs: Configs
    skips: SkippedFiles
    outside: frozenset[str] = frozenset()
    _specs: dict[str, tuple[GitIgnoreSpec, ...]] = field(default_factory=dict)
    _others: list[str] = field(default_factory=list)

    def files(self, folder: str) -> list[str]:
        """Return the source files under ``folder``, sorted; rules that exclude it are ignored."""
        self._others.clear()
        found = sorted(self._walk(folder, self._stack_above(folder)))
        if any(may_be_document(name) for name in found):
            # Without any documents, JSON files are not worth a notice.
            for path in self._others:
                self.skips.add(path, NO_DOCUMENT)
        return found

    def _stack_above(self, folder: str) -> list[tuple[str, tuple[GitIgnoreSpec, ...]]]:
        """Return the ignore rules above ``folder``, outermost first, unless they exclude it."""
        stack: list[tuple[str, tuple[GitIgnoreSpec, ...]]] = []
        start, top = folder, self._top(folder)
        while len(folder) > len(top):
            folder = os.path.dirname(folder)
            if self._rules(folder):
                stack.insert(0, (folder, self._rules(folder)))
        return [] if _is_ignored(start, stack, is_folder=True) else stack

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
        elif not is_encodable(name):
            self.skips.add(path, UNNAMEABLE)
        elif name == "node_modules":
            if self.disk.manifest(folder) is None:  # next to a package.json it is expected
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
            if any(is_source(name) and not is_declaration(name) for name in found):
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
        if not is_encodable(name):
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
            reason = BUILT_DECLARATIONS
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
                self._read_rules(os.path.join(folder, name))
                for name in IGNORE_FILES
                if name in names
            )
        return self._specs[folder]

    def _read_rules(self, path: str) -> GitIgnoreSpec:
        """Return the rules of an ignore file; lines that are no pattern are noted and left out."""
        # Imported late: the import takes as long as a small index run.
        from pathspec import GitIgnoreSpec

        kept = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of `re`, for `[[`
            for number, line in enumerate(_read_lines(path), start=1):
                try:
                    GitIgnoreSpec.from_lines([line])
                except (ValueError, OverflowError, re.error):
                    self.skips.add(f"{path}:{number}", BAD_PATTERN)
                else:
                    kept.append(line)
            return GitIgnoreSpec.from_lines(kept)


def _size(path: str) -> int | None:
    """Return the size of a file in bytes; None if it is gone or cannot be examined."""
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _read_lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def _is_ignored(
    path: str, stack: Iterable[tuple[str, tuple[GitIgnoreSpec, ...]]], *, is_folder: bool = False
) -> bool:
    """Return whether the innermost rule that matches ``path`` excludes it."""
    for folder, rules in reversed(list(stack)):
        inside = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/") + (
            "/" if is_folder else ""
        )
        for spec in rules:
            verdict = spec.check_file(inside).include
            if verdict is not None:
                return verdict
    return False
