"""``typematch browse``: starts a server and opens its page in a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Sequence
from urllib.parse import urlencode

from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.integration_commands.serve import add_serving_options, serve

_EPILOG = """\
examples:
  typematch browse
  typematch browse '(items: T[], size: number) => T[][]'      open with this query
  typematch browse --watch                                    index this folder, and on changes

Starts a server like `typematch serve`, on a free port, and opens its page.  Without a browser it
prints the address.

exit codes: 0 stopped by Ctrl-C, 2 invalid arguments, 3 database, missing package"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "browse",
        "[QUERY ...] [--watch PATH] [--host HOST] [--port N] [--workers N] [--db FILE]",
        "Start a server and open its page in a browser.",
        lambda: _EPILOG,
        json_output=False,
    )
    parser.add_argument("query", nargs="*", metavar="QUERY", help="the first query")
    add_serving_options(parser, port=0)
    arguments = parse_arguments(parser, argv)
    query = " ".join(arguments.query).strip()
    serve(arguments, on_start=lambda address: _open(address, query))
    return OK


def _open(address: str, query: str) -> None:
    page = f"{address}/?{urlencode({'q': query})}" if query else f"{address}/"
    # Do not start a terminal browser: it would compete for this terminal.
    opened = _has_display() and webbrowser.open(page)
    if not opened:
        print(f"cannot open a browser; the page is {page}", file=sys.stderr, flush=True)


def _has_display() -> bool:
    """Whether a browser window can be opened."""
    return sys.platform != "linux" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
