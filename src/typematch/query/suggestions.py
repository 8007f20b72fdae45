"""Suggest how a type that cannot be read may have been meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from typematch.errors import TypeSyntaxError

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LONGEST = 200  # characters of a text that is worth trying again


def suggestion(
    text: str, error: TypeSyntaxError, read: Callable[[str], object], *, prefix: str = ""
) -> str:
    """Return ``Try: ...`` with the first small change that makes ``text`` readable, else "".

    ``prefix`` is what stands before ``text`` in the query.
    """
    written = text.strip()
    if len(written) > _LONGEST:
        return ""
    shift = len(text) - len(text.lstrip())
    for changed in _changes(written, max(0, error.column - shift)):
        try:
            read(changed)
        except TypeSyntaxError:
            continue
        return f"Try: {prefix}{changed.replace('->', '=>')}"
    return ""


def _changes(text: str, column: int) -> Iterator[str]:
    """Yield small changes of ``text`` around ``column``, the likeliest first."""
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
    """Return the brackets that are missing at the end of ``text``, innermost first."""
    missing: list[str] = []
    for character in text.replace("=>", "").replace("->", ""):
        if character in _CLOSING:
            missing.append(_CLOSING[character])
        elif missing and character == missing[-1]:
            missing.pop()
    return missing[::-1]


def closing(text: str) -> int:
    """Return the end of the type parameters and parameters that ``text`` begins with, or -1."""
    missing: list[str] = []
    plain = text.replace("=>", "  ").replace("->", "  ")
    for position, character in enumerate(plain):
        if character in _CLOSING:
            missing.append(_CLOSING[character])
        elif missing and character == missing[-1]:
            missing.pop()
            if not missing and not (character == ">" and plain[position + 1 :].lstrip()[:1] == "("):
                return position + 1
    return -1
