"""The sentences of a hit's edits as people read them: short, and only those that say something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from typematch.ir.types import ANY, UNKNOWN, Type
from typematch.match.edit_kinds import CONTAINER_INSTANTIATED, INSTANTIATED, RENAMED, Edit

_TYPE_ARGUMENTS = (RENAMED, INSTANTIATED, CONTAINER_INSTANTIATED)
_UNKNOWN = (ANY, UNKNOWN, "any", "unknown")
_SAME = re.compile(r"(.+) (?:is|=) \1|Awaited<(.+)> is \2")
_MAX_TYPE_LENGTH = 60  # characters of a type in a sentence
# Brackets with only emptied ones inside; the arrow of a function type does not close one.
_INSIDE = r"(?:[^<>(){}]|=>|<…>|\(…\)|\{…\})+"
_INNERMOST = re.compile(rf"<{_INSIDE}>|\({_INSIDE}\)|\{{{_INSIDE}\}}")


def informative_edits(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that say something, each once.

    Not ``URL is URL``, nor a free or cheap ``T = any``, nor the value of a type parameter without a
    name, ``_ = string``.
    """
    shown = {
        edit.sentence: edit
        for edit in reversed(edits)
        if not _SAME.fullmatch(edit.sentence)
        and not (edit.kind in _TYPE_ARGUMENTS and (edit.b in _UNKNOWN or edit.a == "_"))
    }
    return list(reversed(shown.values()))


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
