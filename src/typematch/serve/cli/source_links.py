"""Finds the source file of an entry on this machine, for links in a terminal.

A catalog stores portable paths (``rxjs/dist/types/index.d.ts``), not absolute paths of the machine
that indexed it.  The file is usually near the database or the current folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath


def path_from_here(catalog_path: str, located: str) -> str:
    """Return the path of a located file from the current folder, to be opened from there.

    A file that is not below the current folder keeps its path in the catalog.
    """
    path, here = Path(located), Path.cwd()
    if not located or not path.is_relative_to(here):
        return catalog_path
    return path.relative_to(here).as_posix()


def find_source_file(catalog_path: str, folders: Sequence[Path]) -> str:
    """Return the absolute path of ``catalog_path``, or "" if the file is not found.

    Searches each of ``folders`` and its parents: in ``node_modules``, as a relative path, and
    without the leading package name (the project's own code).
    """
    # A database file may be a stranger's: nothing outside of the searched folders is touched.
    if PurePath(catalog_path).anchor or ".." in PurePath(catalog_path).parts:
        return ""
    package_segments = 2 if catalog_path.startswith("@") else 1
    path_in_package = "/".join(catalog_path.split("/")[package_segments:])
    for folder in folders:
        start = folder.resolve()
        for directory in (start, *start.parents):
            for file in (
                directory / "node_modules" / catalog_path,
                directory / catalog_path,
                directory / path_in_package,
            ):
                if path_in_package and file.is_file():
                    return str(file)
    return ""
