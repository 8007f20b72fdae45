"""Shorten a text to one line.  Without imports, because the remote client uses it."""

from __future__ import annotations


def truncate_line(text: str, width: int) -> str:
    """Return ``text`` on one line of at most ``width`` characters; ``…`` marks the cut."""
    prefix = text[: 20 * width]  # a long text is not split as a whole
    line = " ".join(prefix.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"
