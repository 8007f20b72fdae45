"""Put a text into one line.  It imports nothing: whoever only prints answers needs it too."""

from __future__ import annotations


def cut(text: str, width: int) -> str:
    """Return ``text`` in one line of at most ``width`` characters."""
    # Of a text without end only the beginning is looked at.
    flat = " ".join(text[: 20 * width].split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
