"""``typematch serve``: an HTTP server with a JSON API and a search page."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import closing

from typematch.errors import UsageError
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
  typematch serve                                      http://127.0.0.1:8737
  typematch serve --port 9000 --db shared.db
  typematch serve --watch                              index this folder, and on changes
  TYPEMATCH_TOKEN=... typematch serve --host 0.0.0.0 --name search.example.org

/ is a search page, and /docs/ describes the API: GET /api/search?q=QUERY, /api/entry/ID,
/api/references/ID, /api/facets?q=QUERY, /api/stats; POST /api/relate, /api/match.  Responses are
those of --json.  The database is opened read-only; it can be indexed meanwhile.

The server listens on loopback by default.  It accepts requests addressed to loopback names, --host
and --name.  If TYPEMATCH_TOKEN is set, requests under /api/ must send `Authorization: Bearer
TOKEN`; the page and its files need no token.

exit codes: 0 stopped, 2 invalid arguments, 3 database, missing package, or address in use"""

PORT = 8737
_MAX_SECONDS = 3_600


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "serve",
        "[--watch PATH] [--host HOST] [--port N] [--name NAME] [--workers N] [--db FILE]",
        "Serve searches and a search page over HTTP.",
        lambda: _EPILOG,
        json_output=False,
    )
    parser.add_argument(
        "--name", action="append", default=[], help="host name of this server; repeatable"
    )
    add_serving_options(parser, port=PORT)
    arguments = parse_arguments(parser, argv)
    serve(arguments, names=arguments.name)
    return OK


def add_serving_options(parser: ArgumentParser, *, port: int) -> None:
    """Add the options that ``serve`` reads; ``port`` is the default port."""
    add_listening_options(parser, port=port)
    parser.add_argument(
        "--seconds", type=float, default=5.0, metavar="N", help="limit per request (default: 5)"
    )
    add_watch_option(parser)


def serve(
    arguments: Namespace,
    *,
    names: Sequence[str] = (),
    on_start: Callable[[str], None] = lambda _: None,
) -> None:
    """Run the server until Ctrl-C.

    Args:
        names: further host names under which requests are accepted.
        on_start: called with the address when the server accepts connections.

    Raises:
        UsageError: an option is out of range.
        OutsideError: a package is missing, or the address is in use.
        DatabaseError: the database cannot be used.
    """
    number = arguments.workers or max(2, os.cpu_count() or 1)
    required_token = token()
    if not 0 < arguments.seconds <= _MAX_SECONDS:  # false for nan
        raise UsageError(
            f"--seconds must be greater than 0 and at most {_MAX_SECONDS:,}",
            str(arguments.seconds),
        )
    try:
        from typematch.serve.http.app import create_app
        from typematch.serve.workers.worker_pool import WorkerPool
    except ImportError as error:
        raise missing_extra("the server", "server", error) from error
    from typematch.serve.watch.background import watch_in_background

    database = require_database(arguments.db, watched_paths=arguments.watch)
    with (
        closing(open_listener(arguments.host, arguments.port)) as listener,
        watch_in_background(arguments.watch, database),
        closing(
            WorkerPool(
                database, workers=number, timeout_seconds=arguments.seconds, max_queued=8 * number
            )
        ) as workers,
    ):
        hosts = accepted_hosts(listener, arguments, names)

        def announce(address: str) -> None:
            warn_without_token(listener, database)
            print(f"serving {address} from {database}; press Ctrl-C to stop", flush=True)
            on_start(address)

        run_server(create_app(workers, hosts=hosts, token=required_token), listener, announce)
