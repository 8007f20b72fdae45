"""``typematch watch``: keep the database true while files change."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.catalog_commands.index import (
    add_indexing_options,
    indexing_options,
    report_lines,
)
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.printing import print_lines
from typematch.serve.cli.progress import progress_on

_MORE = """\
examples:
  typematch watch                          this folder, and the typings of its dependencies
  typematch watch src specs/               folders and files
  typematch serve --watch . &              the same beside a server (mcp --watch too)

Indexes first, as `typematch index` does, and then whatever changes, a moment after it changed:
files that are edited, added, renamed or deleted, packages that are installed, another branch in
git.  Contents are compared, so what is only touched is not read again.  A line says what was done;
--json prints a document for each round.  Others may search the database meanwhile, and never wait.

exit codes: 0 stopped with Ctrl-C, 2 a path is missing or holds nothing to index, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "watch",
        "[PATH ...] [--model MODEL | --no-vectors] [--keep SORT,...] [--json]",
        "Index, and keep the database true while files change.",
        lambda: _MORE,
    )
    made.add_argument(
        "paths", nargs="*", metavar="PATH", help="folders and files; else this folder"
    )
    add_indexing_options(made)
    arguments = read(made, words)
    from threading import Event

    from typematch.config import database_path
    from typematch.serve.watch.format import round_document, round_lines
    from typematch.serve.watch.index_loop import rounds

    paths = arguments.paths or ["."]
    database = database_path(arguments.db, os.environ, Path.cwd())
    options = indexing_options(arguments)
    is_first = True
    try:
        with progress_on(sys.stderr) as progress:
            for done in rounds(paths, database, Event(), progress=progress, **options):
                if is_first and done.error is not None:
                    raise done.error
                if arguments.json:
                    print(json.dumps(round_document(done), ensure_ascii=False), flush=True)
                elif is_first and done.report is not None:
                    print_lines(report_lines(done.report, str(database)))
                    print(f"watching {', '.join(paths)}; Ctrl-C stops it", flush=True)
                else:
                    print_lines(round_lines(done, Path.cwd(), datetime.now()))
                    sys.stdout.flush()
                is_first = False
    except KeyboardInterrupt:
        return OK
    return OK
