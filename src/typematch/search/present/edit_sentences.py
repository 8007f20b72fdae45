"""The sentences of a hit's edits as people read them: short, and only those that say something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from typematch.ir.types import Type
from typematch.match.edit_kinds import INSTANTIATED, RENAMED, Edit

_TYPE_ARGUMENTS = (RENAMED, INSTANTIATED)
_MAX_TYPE_LENGTH = 60  # characters of a type in a sentence
# Brackets with only emptied ones inside; the arrow of a function type does not close one.
_INSIDE = r"(?:[^<>(){}]|=>|<…>|\(…\)|\{…\})+"
_INNERMOST = re.compile(rf"<{_INSIDE}>|\({_INSIDE}\)|\{{{_INSIDE}\}}")


def informative_edits(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that say something: not ``URL is URL``, nor a free or cheap ``T = any``."""
    return [
        edit
        for edit in edits
        if not (edit.a == edit.b and _relates_both(edit))
        and not (edit.kind in _TYPE_ARGUMENTS and edit.b in ("any", "unknown"))
    ]


def _relates_both(edit: Edit) -> bool:
    return "{a}" in edit.kind.sentence and "{b}" in edit.kind.sentence


def short_sentence(edit: Edit) -> str:
    """Return the sentence of an edit with its long types shortened: ``Map<…>``, ``{…}``."""
    a, b = (part if isinstance(part, Type) else shortened(part) for part in (edit.a, edit.b))
    return replace(edit, a=a, b=b).sentence


def shortened(text: str, limit: int = _MAX_TYPE_LENGTH) -> str:
    """Return a type with its longest inner brackets emptied until it has ``limit`` characters."""
    while len(text) > limit:
        groups = [match for match in _INNERMOST.finditer(text) if match[0][1:-1] != "…"]
        if not groups:
            return f"{text[: limit - 1]}…"
        longest = max(groups, key=lambda match: len(match[0]))
        start, end = longest.span()
        text = f"{text[: start + 1]}…{text[end - 1 :]}"
    return text
