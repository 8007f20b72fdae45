"""What the terminal can show: colour, links, and how TypeScript is coloured.

Colour is written here by hand: importing rich for it would cost a cold search a sixth of a second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TextIO
from urllib.parse import quote

_CODES = {
    "bold": "1",
    "dim": "2",
    "keyword": "36",
    "string": "32",
    "number": "33",
    "type": "35",
    "name": "1;34",
    "warning": "33",
}

_TOKENS = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)
      | (?P<number>\b\d[\w.]*)
      | (?P<label>[A-Za-z_$][\w$]*(?=\??:))
      | (?P<word>[A-Za-z_$][\w$]*)
      | (?P<dim>=>|[|&?])""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    (
        *("any", "unknown", "never", "void", "undefined", "null", "string", "number", "boolean"),
        *("bigint", "symbol", "object", "this", "true", "false", "keyof", "typeof", "infer", "is"),
        *("extends", "asserts", "readonly", "unique", "new", "abstract", "in", "as", "out"),
        *("const", "import", "function", "class", "interface", "type", "enum", "namespace"),
        *("declare", "export", "static", "private", "protected", "get", "set"),
    )
)

_NARROWEST = 40  # columns: lines are not folded more than that
_HANGING = 8  # columns by which folded lines are indented

# Terminals that are known to make OSC 8 links clickable; others might print rubbish.
_LINKING = frozenset(
    ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "WarpTerminal")
)
_LINKING_MARKS = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "FORCE_HYPERLINK")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Plain by default; ``colour`` and ``links`` add escape sequences, never other words.

    ``width`` in columns: longer lines are folded at spaces; 0 leaves them as they are.
    """

    colour: bool = False
    links: bool = False
    width: int = 0

    def fold(self, text: str, *, behind: int = 0) -> list[str]:
        """Return ``text`` in lines that fit; ``behind`` columns of the first one are taken.

        All but the first are indented.
        """
        if not self.width or behind + len(text) <= self.width:
            return [text]
        from textwrap import TextWrapper

        wrapper = TextWrapper(
            width=max(self.width, _NARROWEST),
            initial_indent=" " * behind,
            subsequent_indent=" " * _HANGING,
            break_long_words=False,
            break_on_hyphens=False,
        )
        first, *more = wrapper.wrap(text)
        return [first[behind:], *more]

    def style(self, style: str, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and text else text

    def code(self, text: str) -> str:
        """Colour a piece of TypeScript; the characters stay the same."""
        if not self.colour:
            return text
        return _TOKENS.sub(self._token, text)

    def _token(self, found: re.Match[str]) -> str:
        kind, text = found.lastgroup or "", found.group()
        if kind == "word":
            kind = "keyword" if text in _KEYWORDS else "type"
        elif kind == "label":
            return text
        return self.style(kind, text)

    def link(self, text: str, path: str, line: int) -> str:
        """Make ``text`` lead to a line of a file, where the terminal can; ``path`` is absolute."""
        if not self.links or not path:
            return text
        return f"\x1b]8;;file://{quote(path)}#L{line}\x1b\\{text}\x1b]8;;\x1b\\"


def terminal(stream: TextIO, environment: Mapping[str, str]) -> Terminal:
    """Return what ``stream`` can show: text alone when piped, with NO_COLOR, or if dumb."""
    live = stream.isatty() and environment.get("TERM", "") != "dumb"
    colour = live and not environment.get("NO_COLOR")
    if environment.get("FORCE_COLOR") and not environment.get("NO_COLOR"):
        colour = True
    width = get_terminal_size().columns if live else 0
    return Terminal(colour=colour, links=live and _links(environment), width=width)


def _links(environment: Mapping[str, str]) -> bool:
    if environment.get("TERM_PROGRAM") in _LINKING:
        return True
    if any(environment.get(mark) for mark in _LINKING_MARKS):
        return True
    vte = environment.get("VTE_VERSION", "")
    return vte.isdecimal() and int(vte) >= 5000
