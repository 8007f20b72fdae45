"""The one place through which text reaches a terminal or a log.

Every control character is escaped, wherever it comes from: results, errors, warnings, logs of
libraries.  Only escape sequences of our own pass.  They begin with ``OUR_ESCAPE``, which contains
random digits of this process, so that no indexed text can contain it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from typematch.control_characters import escape_controls

ESCAPE = "\x1b"
OUR_ESCAPE = f"\x1b{os.urandom(8).hex()}"


def escape_foreign(text: str) -> str:
    """Return what to write for ``text``: its escape sequences are ours or made visible."""
    return ESCAPE.join(map(escape_controls, text.split(OUR_ESCAPE)))


def one_line(line: str) -> str:
    """Return a line of output without line feeds: those in a name would forge further lines."""
    return line.replace("\n", "\\n")


class EscapedStream:
    """A text stream that escapes what it is given; all else is that of ``underlying``."""

    def __init__(self, underlying: TextIO) -> None:
        self.underlying = underlying

    def __getattr__(self, name: str) -> Any:
        return getattr(self.underlying, name)

    def write(self, text: str) -> int:
        self.underlying.write(escape_foreign(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


def underlying_stream(stream: TextIO) -> TextIO:
    """Return the stream that an ``EscapedStream`` writes to; any other stream itself.

    What is written to it must be ours, or pass ``escape_foreign``.
    """
    return cast(TextIO, getattr(stream, "underlying", stream))


def escape_of(stream: TextIO) -> str:
    """Return what our escape sequences begin with when they are written to ``stream``."""
    return ESCAPE if underlying_stream(stream) is stream else OUR_ESCAPE


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape what is written to standard output and standard error.

    After an exception the streams stay: Python still has to print it, and without colours.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, EscapedStream(stream)) for stream in before)
    try:
        yield
    except Exception:
        import traceback

        sys.excepthook = traceback.print_exception
        raise
    except BaseException:
        sys.stdout, sys.stderr = before
        raise
    sys.stdout, sys.stderr = before
