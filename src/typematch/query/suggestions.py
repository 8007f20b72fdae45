"""Suggests repairs of types that cannot be parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from typematch.errors import TypeSyntaxError
from typematch.query.split import BRACKETS

_MAX_LENGTH = 200  # characters of a text that is repaired


def suggestion(
    text: str, error: TypeSyntaxError, read: Callable[[str], object], *, prefix: str = ""
) -> str:
    """Return ``Try: ...`` with the first repair of ``text`` that ``read`` accepts; empty for none.

    Args:
        prefix: the text before ``text`` in the suggestion.
    """
    stripped = text.strip()
    if len(stripped) > _MAX_LENGTH:
        return ""
    shift = len(text) - len(text.lstrip())
    for repaired in _repairs(stripped, max(0, error.column - shift)):
        try:
            read(repaired)
        except TypeSyntaxError:
            continue
        return f"Try: {prefix}{repaired.replace('->', '=>')}"
    return ""


def _repairs(text: str, column: int) -> Iterator[str]:
    """Yield edits of ``text`` around ``column``, most likely first."""
    before, after = text[:column].rstrip(), text[column:].lstrip()
    for mark in (")", "]", "}", ">"):
        yield f"{before}{mark} {after}".rstrip()
    yield f"{before} => {after.lstrip(':=->').lstrip()}".rstrip()
    yield f"{before} => _"
    yield f"{before}, {after}"
    yield f"{before}: {after}"
    yield f"{before} _ {after}".rstrip()
    missing = "".join(_unclosed(text))
    for end in (missing, f" _{missing}", f" _{missing} => _", f"{missing} => _"):
        yield text + end
    if after[:1] in (")", "]", "}", ">", ",", ";", ":"):
        yield f"{before} {after[1:].lstrip()}".strip()


def _unclosed(text: str) -> list[str]:
    """Return the missing closing brackets of ``text``, innermost first."""
    missing: list[str] = []
    for character in text.replace("=>", "").replace("->", ""):
        if character in BRACKETS:
            missing.append(BRACKETS[character])
        elif missing and character == missing[-1]:
            missing.pop()
    return missing[::-1]


def parameters_end(text: str) -> int:
    """Return the end of the type parameters and parameters at the start of ``text``, or -1."""
    missing: list[str] = []
    plain = text.replace("=>", "  ").replace("->", "  ")
    for position, character in enumerate(plain):
        if character in BRACKETS:
            missing.append(BRACKETS[character])
        elif missing and character == missing[-1]:
            missing.pop()
            if not missing and not (character == ">" and plain[position + 1 :].lstrip()[:1] == "("):
                return position + 1
    return -1
