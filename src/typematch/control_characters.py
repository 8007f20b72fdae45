"""Escapes control characters, so that indexed text cannot steer a terminal or forge a log.

Names, documentation and types come from files that somebody else wrote; so do error messages that
quote them.  ``serve.escaped_output`` applies this to everything the command line writes.
"""

from __future__ import annotations

import re

# Tab and line feed stay.  C0, DEL and C1 steer terminals; line and paragraph separators end lines;
# bidirectional marks reorder what is shown; lone surrogates cannot be encoded.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def escape_controls(text: str) -> str:
    r"""Return ``text`` with control characters and bidirectional marks written as ``\u001b``.

    That is also how JSON writes them: escaping a JSON document does not change what it says.
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def escape_line(text: str) -> str:
    """Return ``text``, such as a file name, as one line: line feeds and tabs are escaped too."""
    return escape_controls(text).replace("\n", "\\n").replace("\t", "\\t")
