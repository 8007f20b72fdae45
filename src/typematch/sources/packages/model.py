"""Results of package discovery: packages, skipped files, notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# A larger file is generated data; reading it would take longer than all the others.
MAX_BYTES = 10_000_000

# Of ``Package.purpose``.  Some descriptions are whole pages, and some keywords are advertisements.
_MAX_DESCRIPTION = 200  # characters
_MAX_KEYWORDS = 150  # characters

SOURCE_SUFFIXES = (".ts", ".tsx", ".mts", ".cts")
DECLARATION_SUFFIXES = (".d.ts", ".d.mts", ".d.cts")
DOCUMENT_SUFFIXES = (".json", ".yaml", ".yml", ".md", ".markdown")
SCRIPT_SUFFIXES = (".js", ".jsx", ".mjs", ".cjs")


@dataclass(frozen=True, slots=True)
class Package:
    """A package to index.

    Attributes:
        name: the name in an import: ``lodash``, even if the typings come from ``@types/lodash``.
            For a folder without a package.json, the folder's name.
        version: of the imported package; empty if unknown.
        description: what the imported package says that it is for; empty if it does not.
        keywords: those of the imported package, in one line.
        root: the real folder of the files.
        entry_points: (subpath, real file) pairs, ``.`` first, the others as ``./sub`` in the
            order of the manifest.
        own: the project's own code: all ``files`` are indexed, not only those that entry points
            reach.
        files: for own code, every source file that no ignore rule excludes, sorted; else empty.
        typings_for: ``@types/lodash`` for an untyped ``lodash``; else empty.
        requested: for own code, the folders and files that the user named; other files under
            ``root`` were not examined in this run.
        library: for own code, the files of TypeScript's library that its tsconfig.json asks for.
        requires_extensions: for own code, its files are imported by names with an extension.
    """

    name: str
    version: str
    root: Path
    entry_points: tuple[tuple[str, Path], ...] = ()
    own: bool = False
    files: tuple[Path, ...] = ()
    typings_for: str = ""
    description: str = ""
    keywords: str = ""
    requested: tuple[Path, ...] = ()
    library: tuple[Path, ...] = ()
    requires_extensions: bool = False

    @property
    def purpose(self) -> str:
        """The text from which the package's vector is computed, beside its name; may be empty."""
        return f"{self.description[:_MAX_DESCRIPTION]} {self.keywords[:_MAX_KEYWORDS]}".strip()


@dataclass(frozen=True, slots=True)
class Declared:
    """A dependency or a workspace of a project, found but not read.

    Attributes:
        name: the one in an import, or its ``@types`` name.
        project: the folder of the package.json that names it.
    """

    name: str
    project: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Files skipped for one reason: ``path`` lists the first few of ``count``."""

    path: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class DiscoveredPackages:
    """The packages of a run, and what else was found on the way.

    Attributes:
        packages: in the order of the paths, dependencies by name.
        notices: sentences.
        library_folder: the folder of TypeScript's library that own code has; None without one.
        declared: what the projects around own code declare, by real folder: also packages that no
            path names, such as the dependencies of the project if the path is a folder in it.
    """

    packages: tuple[Package, ...]
    skipped: tuple[Skipped, ...] = ()
    notices: tuple[str, ...] = ()
    declared: Mapping[str, Declared] = field(default_factory=dict)
    library_folder: Path | None = None
