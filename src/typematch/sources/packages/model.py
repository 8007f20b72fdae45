"""What finding out about packages and projects comes back with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# A larger file is data in the shape of a declaration; reading it would cost more than all the
# others.
MAX_BYTES = 10_000_000

SOURCE_SUFFIXES = (".ts", ".tsx", ".mts", ".cts")
DECLARATION_SUFFIXES = (".d.ts", ".d.mts", ".d.cts")
DOCUMENT_SUFFIXES = (".json", ".yaml", ".yml", ".md", ".markdown")
SCRIPT_SUFFIXES = (".js", ".jsx", ".mjs", ".cjs")


@dataclass(frozen=True, slots=True)
class Package:
    """A package to index.

    Attributes:
        name: what one imports: ``lodash``, also where the typings are those of ``@types/lodash``.
            A folder without a package.json is named after itself.
        version: of the package one imports; empty where none is written.
        root: the real folder that the files lie in.
        entry_points: (subpath, real file) pairs, ``.`` first, the others as ``./sub`` in the
            order of the manifest; each file once, under its first subpath.
        own: the project's own code: all of ``files`` are indexed, not only what entry points reach.
        files: for own code every source file that no ignore rule leaves out, sorted; else empty.
        typings_for: ``@types/lodash`` beside an untyped ``lodash``; else empty.
        asked: for own code the folders and files that were named; whatever else lies under
            ``root`` was not looked at in this run.
    """

    name: str
    version: str
    root: Path
    entry_points: tuple[tuple[str, Path], ...] = ()
    own: bool = False
    files: tuple[Path, ...] = ()
    typings_for: str = ""
    asked: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out for one reason: ``path`` names the first few of ``count`` things."""

    path: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class DiscoveredPackages:
    """Packages in the order named, dependencies by name; notices are sentences for people."""

    packages: tuple[Package, ...]
    skipped: tuple[Skipped, ...] = ()
    notices: tuple[str, ...] = ()
