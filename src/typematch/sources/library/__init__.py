"""Our own description of the ECMAScript globals up to es2022, as TypeScript declarations.

A catalog stores it as package ``lib`` unless the code under index brings TypeScript's own
``lib.*.d.ts``.  ``scripts/check_library.py`` has the compiler hold it against that one.
"""

from __future__ import annotations

from importlib.resources import files as resources


def files() -> list[tuple[str, bytes]]:
    """Return (catalog's name of the file, text) of each file: ``("lib/arrays.d.ts", b"...")``, in order of name."""
    here = resources(__name__)
    found = [item for item in here.iterdir() if item.name.endswith(".d.ts")]
    return [(f"lib/{item.name}", item.read_bytes()) for item in sorted(found, key=lambda i: i.name)]
