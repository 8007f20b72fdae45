"""``typematch browse``: the server's page in a browser, for as long as somebody looks at it."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Sequence
from urllib.parse import urlencode

from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.integration_commands.serve import add_serving_options, serve

_MORE = """\
examples:
  typematch browse
  typematch browse '(items: T[], size: number) => T[][]'      with that asked already
  typematch browse --watch                                    this folder, indexed and kept true

Starts a server as `typematch serve` does, on a port that is free, and opens its page.  Where there
is no browser, the address is what is printed.

exit codes: 0 stopped with Ctrl-C, 2 bad usage, 3 the server extra is missing, or the database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "browse",
        "[QUERY ...] [--watch PATH] [--host HOST] [--port N] [--workers N] [--db FILE]",
        "Start a server and open its page in a browser.",
        lambda: _MORE,
        document=False,
    )
    made.add_argument("query", nargs="*", metavar="QUERY", help="what to ask first")
    add_serving_options(made, port=0)
    arguments = read(made, words)
    query = " ".join(arguments.query).strip()
    serve(arguments, begun=lambda address: _open(address, query))
    return OK


def _open(address: str, query: str) -> None:
    page = f"{address}/?{urlencode({'q': query})}" if query else f"{address}/"
    # Of what a browser prints while it starts nothing belongs here.
    opened = _has_display() and webbrowser.open(page)
    if not opened:
        print(f"no browser could be opened; the page is {page}", file=sys.stderr, flush=True)


def _has_display() -> bool:
    """Whether a window can be opened; a browser in the terminal would fight for it with us."""
    return sys.platform != "linux" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
