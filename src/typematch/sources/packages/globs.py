"""Converts the file patterns of workspaces and tsconfig.json to regular expressions."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def glob(pattern: str) -> re.Pattern[str]:
    """Return an expression for whole paths with ``/``: only ``**/`` matches at any depth."""
    parts = []
    for piece in re.split(r"(\*\*/|/\*\*$|\*+|\?|\{[^{}]*\})", pattern):
        if piece == "**/":
            parts.append("(?:[^/]+/)*")
        elif piece == "/**":
            parts.append("(?:/.*)?")
        elif piece == "**":
            parts.append(".*")
        elif piece.startswith("*"):
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece.startswith("{") and piece.endswith("}"):
            parts.append(
                f"(?:{'|'.join(re.escape(alternative) for alternative in piece[1:-1].split(','))})"
            )
        else:
            parts.append(re.escape(piece))
    return re.compile("".join(parts))
