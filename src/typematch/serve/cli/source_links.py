"""Find the file behind a catalog's name of it, so that a terminal can open it.

A catalog holds names that mean the same on every machine (``rxjs/dist/types/index.d.ts``), not
paths of the machine that indexed it.  Near the database or the current folder the file usually is
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def locate(name: str, folders: Sequence[Path]) -> str:
    """Return the absolute path of the file called ``name``, or nothing where it is not found.

    Looks upward from each of ``folders``: for an installed package in ``node_modules``, and for
    the project's own code behind the name of the project.
    """
    scoped = 2 if name.startswith("@") else 1
    own = "/".join(name.split("/")[scoped:])
    for folder in folders:
        start = folder.resolve()
        for place in (start, *start.parents):
            for found in (place / "node_modules" / name, place / name, place / own):
                if own and found.is_file():
                    return str(found)
    return ""
