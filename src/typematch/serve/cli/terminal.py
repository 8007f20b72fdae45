"""Terminal output: capabilities, colours, links, line folding, TypeScript highlighting.

Escape sequences are written directly: importing rich would add about 0.16 s to a search.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TextIO
from urllib.parse import quote

from typematch.serve.escaped_output import ESCAPE, escape_of

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

_MIN_WIDTH = 40  # columns; lines are never folded to less
_HANGING_INDENT = 8  # columns by which folded lines are indented

# Terminals known to support OSC 8 links; others might print the escape sequence.
_LINKING_PROGRAMS = frozenset(
    ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "WarpTerminal")
)
_LINKING_VARIABLES = (
    "WT_SESSION",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "DOMTERM",
    "FORCE_HYPERLINK",
)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Capabilities of an output stream; plain text by default.

    Attributes:
        colour, links: whether to add escape sequences; the visible text stays the same.
        escape: what the escape sequences begin with; the stream tells ours by it.
        width: columns at which lines are folded at spaces; 0 for no folding.
    """

    colour: bool = False
    links: bool = False
    width: int = 0
    escape: str = ESCAPE

    def fold(self, text: str, *, used_columns: int = 0) -> list[str]:
        """Return ``text`` as lines that fit; all but the first are indented.

        Args:
            used_columns: columns of the first line that are already used.
        """
        if not self.width or used_columns + len(text) <= self.width:
            return [text]
        from textwrap import TextWrapper

        wrapper = TextWrapper(
            width=max(self.width, _MIN_WIDTH),
            initial_indent=" " * used_columns,
            subsequent_indent=" " * _HANGING_INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
        first, *more = wrapper.wrap(text)
        return [first[used_columns:], *more]

    def style(self, style: str, text: str) -> str:
        if not self.colour or not text:
            return text
        return f"{self.escape}[{_CODES[style]}m{text}{self.escape}[0m"

    def code(self, text: str) -> str:
        """Highlight a piece of TypeScript."""
        if not self.colour:
            return text
        return _TOKENS.sub(self._token, text)

    def _token(self, match: re.Match[str]) -> str:
        kind, text = match.lastgroup or "", match.group()
        if kind == "word":
            kind = "keyword" if text in _KEYWORDS else "type"
        elif kind == "label":
            return text
        return self.style(kind, text)

    def link(self, text: str, path: str, line: int) -> str:
        """Return ``text`` as a link to a line of a file; unchanged without support or ``path``."""
        if not self.links or not path:
            return text
        begin, end = f"{self.escape}]8;;", f"{self.escape}\\"
        return f"{begin}file://{quote(path)}#L{line}{end}{text}{begin}{end}"


def terminal(stream: TextIO, environment: Mapping[str, str]) -> Terminal:
    """Detect the capabilities of ``stream``: plain text if piped, TERM=dumb or NO_COLOR is set."""
    is_interactive = stream.isatty() and environment.get("TERM", "") != "dumb"
    colour = is_interactive and not environment.get("NO_COLOR")
    if environment.get("FORCE_COLOR") and not environment.get("NO_COLOR"):
        colour = True
    width = get_terminal_size().columns if is_interactive else 0
    return Terminal(
        colour=colour,
        links=is_interactive and _supports_links(environment),
        width=width,
        escape=escape_of(stream),
    )


def _supports_links(environment: Mapping[str, str]) -> bool:
    if environment.get("TERM_PROGRAM") in _LINKING_PROGRAMS:
        return True
    if any(environment.get(mark) for mark in _LINKING_VARIABLES):
        return True
    vte = environment.get("VTE_VERSION", "")
    return vte.isdecimal() and int(vte) >= 5000
