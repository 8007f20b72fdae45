"""``typematch mcp``: answer coding agents over the Model Context Protocol."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

from typematch.errors import OutsideError, UsageError
from typematch.serve.cli import OK
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.listening import LOOPBACK, address_of, check_port, listening_socket
from typematch.serve.cli.opening import served_database

_MORE = """\
examples:
  typematch mcp                                        over standard input and output
  typematch mcp --db /path/to/typematch.db
  typematch mcp --http                                 at http://127.0.0.1:8738/mcp

The first is for clients that start the server themselves; the README shows how each is told.
Tools: search, read, relate, match, packages.  No call takes longer than 5 seconds, no answer more
tokens than were asked for.  The database is only read, and may be indexed meanwhile.

With --http it listens on loopback unless told otherwise, and answers to the names of that, to
--host and to --name.  With the variable TYPEMATCH_TOKEN it asks every request for
`Authorization: Bearer TOKEN`.

exit codes: 0 stopped, 2 bad usage, 3 the database, a missing package, or the address is taken"""

_PORT = 8738
_SECONDS = 4.0  # of work on one answer; waiting comes on top


def run(words: Sequence[str]) -> int:
    made = parser(
        "mcp",
        "[--http [--host HOST] [--port N] [--name NAME]] [--workers N] [--db FILE]",
        "Serve searches to coding agents over MCP: standard input and output, or HTTP.",
        lambda: _MORE,
        document=False,
    )
    made.add_argument("--http", action="store_true", help="listen for clients (streamable HTTP)")
    made.add_argument("--host", default=LOOPBACK[0], help="the address to listen on")
    made.add_argument("--port", type=int, default=_PORT, metavar="N", help=f"the port, {_PORT}")
    made.add_argument("--name", action="append", default=[], help="a name it is called by; again")
    made.add_argument("--workers", type=int, default=2, metavar="N", help="processes that answer")
    arguments = read(made, words)
    check_port(arguments.port)
    if arguments.workers < 1:
        raise UsageError("--workers must be more than nothing")
    try:
        import anyio
        import uvicorn

        from typematch.serve.http.workers import Workers
        from typematch.serve.mcp.server import create_server
        from typematch.serve.mcp.transports import PATH, create_http_app, serve_stdio
    except ImportError as error:
        raise OutsideError(
            f"the MCP server needs a package that is not installed ({error.name})",
            hint="Install it: pip install 'typematch[mcp]'",
        ) from error
    database = served_database(arguments.db)

    def begin() -> Workers:
        return Workers(
            database, number=arguments.workers, seconds=_SECONDS, waiting=8 * arguments.workers
        )

    if not arguments.http:
        # Nobody can be waited for who reads a line that never comes: Ctrl-C ends this at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(serve_stdio, begin)
        return OK
    listening = listening_socket(arguments.host, arguments.port)
    workers = begin()
    try:
        hosts = (*LOOPBACK, arguments.host, *arguments.name)
        token = os.environ.get("TYPEMATCH_TOKEN", "")
        app = create_http_app(create_server(workers), hosts=hosts, token=token)
        address = f"{address_of(listening)}{PATH}"
        print(f"typematch answers agents at {address} from {database}; Ctrl-C stops it", flush=True)
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        workers.close()
        listening.close()
    return OK
