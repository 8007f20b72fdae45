"""``typematch watch``: updates the database while files change."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.catalog_commands.index import (
    add_indexing_options,
    indexing_options,
    report_lines,
)
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.printing import print_lines
from typematch.serve.cli.progress import progress_on, waiting_line

_EPILOG = """\
examples:
  typematch watch                          this folder and the typings of its dependencies
  typematch watch src specs/               folders and files
  typematch serve --watch . &              the same beside a server (also: mcp --watch)

Indexes like `typematch index`, then again about a second after every change: edited, added, renamed
and deleted files, installed packages, a git checkout.  File contents are compared, so a touched
file is not parsed again.  Each update prints a line, with --json a document.  Searches work
meanwhile without waiting.

exit codes: 0 stopped by Ctrl-C, 2 a path is missing or contains nothing to index, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "watch",
        "[PATH ...] [--model MODEL | --no-vectors] [--keep KIND,...] [--json]",
        "Index, then update the database while files change.",
        lambda: _EPILOG,
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="folders and files (default: this folder)"
    )
    add_indexing_options(parser)
    arguments = parse_arguments(parser, argv)
    from threading import Event

    from typematch.config import database_path
    from typematch.serve.watch.format import cycle_document, cycle_lines
    from typematch.serve.watch.index_loop import index_cycles

    paths = arguments.paths or ["."]
    database = database_path(arguments.db, os.environ, Path.cwd())
    options = indexing_options(arguments)
    is_first = True
    try:
        with progress_on(sys.stderr) as progress:
            cycles = index_cycles(
                paths, database, Event(), progress=progress, waiting=waiting_line(), **options
            )
            for cycle in cycles:
                if is_first and cycle.error is not None:
                    raise cycle.error
                if arguments.json:
                    print(json.dumps(cycle_document(cycle), ensure_ascii=False), flush=True)
                elif is_first and cycle.report is not None:
                    print_lines(report_lines(cycle.report, str(database)))
                    print(f"watching {', '.join(paths)}; press Ctrl-C to stop", flush=True)
                else:
                    print_lines(cycle_lines(cycle, Path.cwd(), datetime.now()))
                    sys.stdout.flush()
                is_first = False
    except KeyboardInterrupt:
        return OK
    return OK
