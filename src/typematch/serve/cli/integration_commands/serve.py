"""``typematch serve``: answer over HTTP."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import closing

from typematch.errors import UsageError
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
  typematch serve                                      on http://127.0.0.1:8737
  typematch serve --port 9000 --db shared.db
  typematch serve --watch                              this folder, indexed and kept true
  TYPEMATCH_TOKEN=... typematch serve --host 0.0.0.0 --name search.example.org

The address shows a page to search in, and /docs/ what programs may ask: GET /api/search?q=QUERY,
/api/entry/ID, /api/references/ID, /api/facets?q=QUERY, /api/stats; POST /api/relate, /api/match.
Answers are those of --json.  The database is only read, and may be indexed meanwhile.

It listens on loopback unless told otherwise, and answers to the names of that, to --host and to
--name.  With the variable TYPEMATCH_TOKEN it asks every request for `Authorization: Bearer TOKEN`.

exit codes: 0 stopped, 2 bad usage, 3 the server extra is missing or the address is taken"""

PORT = 8737


def run(words: Sequence[str]) -> int:
    made = parser(
        "serve",
        "[--watch PATH] [--host HOST] [--port N] [--name NAME] [--workers N] [--db FILE]",
        "Serve searches over HTTP to programs and pages on this machine.",
        lambda: _MORE,
        document=False,
    )
    made.add_argument("--name", action="append", default=[], help="a name it is called by; again")
    add_serving_options(made, port=PORT)
    arguments = read(made, words)
    serve(arguments, names=arguments.name)
    return OK


def add_serving_options(made: ArgumentParser, *, port: int) -> None:
    """Add what ``serve`` reads; ``port`` is the one without an option."""
    add_listening_options(made, port=port)
    made.add_argument("--seconds", type=float, default=5.0, metavar="N", help="for one answer")
    add_watch_option(made)


def serve(
    arguments: Namespace,
    *,
    names: Sequence[str] = (),
    begun: Callable[[str], None] = lambda _: None,
) -> None:
    """Answer until somebody stops it.

    Args:
        names: that it is called by, besides its address.
        begun: is told the address, once somebody who asks is heard.

    Raises:
        UsageError: an option makes no sense.
        OutsideError: a package is missing, or the address is taken.
        DatabaseError: the database cannot be used.
    """
    number = workers_of(arguments, default=max(2, os.cpu_count() or 1))
    if arguments.seconds <= 0:
        raise UsageError("--seconds must be more than nothing")
    try:
        from typematch.serve.http.app import create_app
        from typematch.serve.http.worker_pool import WorkerPool
    except ImportError as error:
        raise missing("the server", "server", error) from error
    from typematch.serve.watch.background import watching_beside

    database = served_database(arguments.db, watched=arguments.watch)
    with (
        closing(listening_socket(arguments.host, arguments.port)) as listening,
        watching_beside(arguments.watch, database),
        closing(
            WorkerPool(database, number=number, seconds=arguments.seconds, waiting=8 * number)
        ) as workers,
    ):
        hosts = (*LOOPBACK, arguments.host, *names)

        def tell(address: str) -> None:
            print(f"typematch answers on {address} from {database}; Ctrl-C stops it", flush=True)
            begun(address)

        answer(create_app(workers, hosts=hosts, token=token()), listening, tell)
