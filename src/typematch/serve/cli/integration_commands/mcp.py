"""``typematch mcp``: answer coding agents over the Model Context Protocol."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from typematch.serve.cli.arguments import add_watch_option, parser, read
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import served_database
from typematch.serve.cli.server_options import (
    LOOPBACK,
    add_listening_options,
    answer,
    listening_socket,
    missing,
    token,
    workers_of,
)

_MORE = """\
examples:
  typematch mcp                                        over standard input and output
  typematch mcp --db /path/to/typematch.db
  typematch mcp --db code.db --watch /path/to/code     indexed, and kept true while it changes
  typematch mcp --http                                 at http://127.0.0.1:8738/mcp

The first is for clients that start the server themselves; the README shows how each is told.
Tools: search, read, relate, match, packages.  No call takes longer than 5 seconds, no answer more
tokens than were asked for.  The database is only read, and may be indexed meanwhile.

With --http it listens on loopback unless told otherwise, and answers to the names of that, to
--host and to --name.  With the variable TYPEMATCH_TOKEN it asks every request for
`Authorization: Bearer TOKEN`.

exit codes: 0 stopped, 2 bad usage, 3 the database, a missing package, or the address is taken"""

_PORT = 8738
_WORKERS = 2
_SECONDS, _PATIENCE = 3.7, 1.0  # of work on one answer, and of waiting for a process before


def run(words: Sequence[str]) -> int:
    made = parser(
        "mcp",
        "[--watch PATH] [--http [--host HOST] [--port N] [--name NAME]] [--db FILE]",
        "Serve searches to coding agents over MCP: standard input and output, or HTTP.",
        lambda: _MORE,
        document=False,
    )
    made.add_argument("--http", action="store_true", help="listen for clients (streamable HTTP)")
    add_listening_options(made, port=_PORT)
    made.add_argument("--name", action="append", default=[], help="a name it is called by; again")
    add_watch_option(made)
    arguments = read(made, words)
    number = workers_of(arguments, default=_WORKERS)
    try:
        import anyio

        from typematch.serve.http.worker_pool import WorkerPool
        from typematch.serve.mcp.server import create_server
        from typematch.serve.mcp.transports import PATH, create_http_app, serve_stdio
        from typematch.serve.watch.background import watching_beside
    except ImportError as error:
        raise missing("the MCP server", "mcp", error) from error
    database = served_database(arguments.db, watched=arguments.watch)

    @contextmanager
    def answering() -> Iterator[WorkerPool]:
        with watching_beside(arguments.watch, database):
            workers = WorkerPool(
                database,
                number=number,
                seconds=_SECONDS,
                patience=_PATIENCE,
                waiting=8 * number,
            )
            try:
                yield workers
            finally:
                workers.close()

    if not arguments.http:
        # Nobody can be waited for who reads a line that never comes: Ctrl-C ends this at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(serve_stdio, answering)
        return OK
    with (
        closing(listening_socket(arguments.host, arguments.port)) as listening,
        answering() as workers,
    ):
        hosts = (*LOOPBACK, arguments.host, *arguments.name)
        app = create_http_app(create_server(workers), hosts=hosts, token=token())

        def tell(address: str) -> None:
            print(
                f"typematch answers agents at {address}{PATH} from {database}; Ctrl-C stops it",
                flush=True,
            )

        answer(app, listening, tell)
    return OK
