"""The files of our declarations, with the names they have in a catalog."""

from __future__ import annotations

from importlib.resources import files

from typematch.package_names import LIBRARY

_FOLDER = "typematch.sources.library"


def declaration_files() -> list[tuple[str, bytes]]:
    """Return (catalog name, text) of each file, sorted by name: ``("lib/arrays.d.ts", b"...")``."""
    found = [item for item in files(_FOLDER).iterdir() if item.name.endswith(".d.ts")]
    found.sort(key=lambda item: item.name)
    return [(f"{LIBRARY}/{item.name}", item.read_bytes()) for item in found]
