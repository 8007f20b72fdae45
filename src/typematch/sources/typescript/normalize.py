"""Rewrite legal TypeScript that the grammar cannot read into text of the same length that it can.

Offsets stay valid: every text and name is sliced from the original.
"""

from __future__ import annotations

import re

_IMPORT_TYPE = re.compile(
    rb"""(?<![\w$.])import\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*(?:,\s*\{[^()]*?\}\s*)?\)(?:\s*\.\s*[\w$]+)*"""
)
_UNWORDED = re.compile(rb"[^\w]")


def _masked(match: re.Match[bytes]) -> bytes:
    return _UNWORDED.sub(b"_", match[0])


def mask_import_types(text: bytes) -> bytes:
    """Return ``text`` with ``import("m").A`` made one name; ``lower`` reads the original."""
    return _IMPORT_TYPE.sub(_masked, text) if b"import(" in text else text
