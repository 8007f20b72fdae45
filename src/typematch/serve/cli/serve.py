"""``typematch serve``: answer over HTTP."""

from __future__ import annotations

import os
from collections.abc import Sequence

from typematch.errors import OutsideError, UsageError
from typematch.serve.cli import OK
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.listening import LOOPBACK, address_of, check_port, listening_socket
from typematch.serve.cli.opening import served_database

_MORE = """\
examples:
  typematch serve                                      on http://127.0.0.1:8737
  typematch serve --port 9000 --db shared.db
  TYPEMATCH_TOKEN=... typematch serve --host 0.0.0.0 --name search.example.org

GET /api/search?q=QUERY, /api/entry/ID, /api/references/ID, /api/facets?q=QUERY, /api/stats; POST
/api/relate, /api/match; /api/openapi.json describes them.  Answers are those of --json.  The
database is only read, and may be indexed meanwhile.

It listens on loopback unless told otherwise, and answers to the names of that, to --host and to
--name.  With the variable TYPEMATCH_TOKEN it asks every request for `Authorization: Bearer TOKEN`.

exit codes: 0 stopped, 2 bad usage, 3 the server extra is missing or the address is taken"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "serve",
        "[--host HOST] [--port N] [--name NAME] [--workers N] [--seconds N] [--db FILE]",
        "Serve searches over HTTP to programs and pages on this machine.",
        lambda: _MORE,
        document=False,
    )
    made.add_argument("--host", default=LOOPBACK[0], help="the address to listen on")
    made.add_argument("--port", type=int, default=8737, metavar="N", help="the port, 8737")
    made.add_argument("--name", action="append", default=[], help="a name it is called by; again")
    made.add_argument("--workers", type=int, metavar="N", help="processes that answer")
    made.add_argument("--seconds", type=float, default=5.0, metavar="N", help="for one answer")
    arguments = read(made, words)
    check_port(arguments.port)
    if arguments.seconds <= 0 or (arguments.workers is not None and arguments.workers < 1):
        raise UsageError("--workers and --seconds must be more than nothing")
    try:
        import uvicorn

        from typematch.serve.http.app import create_app
        from typematch.serve.http.workers import Workers
    except ImportError as error:
        raise OutsideError(
            f"the server needs a package that is not installed ({error.name})",
            hint="Install it: pip install 'typematch[server]'",
        ) from error
    database = served_database(arguments.db)
    number = arguments.workers or max(2, os.cpu_count() or 1)
    workers = Workers(database, number=number, seconds=arguments.seconds, waiting=8 * number)
    hosts = (*LOOPBACK, arguments.host, *arguments.name)
    app = create_app(workers, hosts=hosts, token=os.environ.get("TYPEMATCH_TOKEN", ""))
    listening = listening_socket(arguments.host, arguments.port)
    print(
        f"typematch answers on {address_of(listening)} from {database}; Ctrl-C stops it", flush=True
    )
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        workers.close()
        listening.close()
    return OK
