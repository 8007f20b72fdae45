"""Our own description of the ECMAScript globals up to es2022, as TypeScript declarations.

A catalog stores it as package ``lib`` unless the code under index brings TypeScript's own
``lib.*.d.ts``.  ``scripts/check_library.py`` has the compiler hold it against that one.
"""

from __future__ import annotations

from importlib.resources import files as resources


def files() -> list[tuple[str, bytes]]:
    """Return (catalog's name, text) of each file, in order: ``("lib/arrays.d.ts", b"...")``."""
    here = [item for item in resources(__name__).iterdir() if item.name.endswith(".d.ts")]
    return [(f"lib/{item.name}", item.read_bytes()) for item in sorted(here, key=lambda i: i.name)]
