"""File trees for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

Write = Callable[[Mapping[str, object]], Path]


def writer(root: Path) -> Write:
    """Return a function that writes files, text or values as JSON, and returns ``root``."""
    root = root.resolve()

    def write(files: Mapping[str, object]) -> Path:
        (root / ".git").mkdir(parents=True, exist_ok=True)  # where the project ends
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return root

    return write
