"""``typematch mcp``: serves coding agents over the Model Context Protocol."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from typematch.serve.cli.arguments import add_watch_option, command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import require_database
from typematch.serve.cli.server_options import (
    accepted_hosts,
    add_listening_options,
    missing_extra,
    open_listener,
    run_server,
    token,
    warn_without_token,
)

_EPILOG = """\
examples:
  typematch mcp                                        standard input and output
  typematch mcp --db /path/to/typematch.db
  typematch mcp --db code.db --watch /path/to/code     index this folder, and on changes
  typematch mcp --http                                 http://127.0.0.1:8738/mcp

Standard input and output are for clients that start the server themselves (see docs/agents.md).
Tools: search, read, producers_and_consumers, compose, relate, match, packages.  A call takes at
most 5 seconds (compose and match 20), and an answer has at most the number of tokens that the
client asks for.  The database is opened read-only; it can be indexed meanwhile.

With --http the server listens on loopback by default.  It accepts requests addressed to loopback
names, --host and --name.  If TYPEMATCH_TOKEN is set, every request must send
`Authorization: Bearer TOKEN`.

exit codes: 0 stopped, 2 invalid arguments, 3 database, missing package, or address in use"""

_PORT = 8738
_WORKERS = 2
_SECONDS, _QUEUE_SECONDS = (
    3.7,
    1.0,
)  # limits of the work on one answer, and of the wait for a worker


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "mcp",
        "[--watch PATH] [--http [--host HOST] [--port N] [--name NAME]] [--db FILE]",
        "Serve coding agents over the Model Context Protocol: standard input and output, or HTTP.",
        lambda: _EPILOG,
        json_output=False,
    )
    parser.add_argument(
        "--http", action="store_true", help="listen on HTTP (streamable HTTP transport)"
    )
    add_listening_options(parser, port=_PORT)
    parser.add_argument(
        "--name", action="append", default=[], help="host name of this server; repeatable"
    )
    add_watch_option(parser)
    arguments = parse_arguments(parser, argv)
    number = arguments.workers or _WORKERS
    try:
        import anyio

        from typematch.serve.mcp.server import create_server
        from typematch.serve.mcp.transports import MCP_PATH, create_http_app, serve_stdio
        from typematch.serve.watch.background import watch_in_background
        from typematch.serve.workers.worker_pool import WorkerPool
    except ImportError as error:
        raise missing_extra("the MCP server", "mcp", error) from error
    database = require_database(arguments.db, watched_paths=arguments.watch)

    @contextmanager
    def worker_pool() -> Iterator[WorkerPool]:
        with watch_in_background(arguments.watch, database):
            workers = WorkerPool(
                database,
                workers=number,
                timeout_seconds=_SECONDS,
                queue_timeout_seconds=_QUEUE_SECONDS,
                max_queued=8 * number,
            )
            try:
                yield workers
            finally:
                workers.close()

    if not arguments.http:
        # The transport blocks in a read of standard input: let Ctrl-C end the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(serve_stdio, worker_pool)
        return OK
    required_token = token()
    with (
        closing(open_listener(arguments.host, arguments.port)) as listener,
        worker_pool() as workers,
    ):
        hosts = accepted_hosts(listener, arguments, arguments.name)
        app = create_http_app(create_server(workers), hosts=hosts, token=required_token)

        def announce(address: str) -> None:
            warn_without_token(listener, database)
            url = f"{address}{MCP_PATH}"
            print(f"serving agents at {url} from {database}; press Ctrl-C to stop", flush=True)

        run_server(app, listener, announce)
    return OK
