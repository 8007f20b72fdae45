"""``typematch entries``: lists all entries, one per line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain

from typematch.catalog import Catalog
from typematch.ir.entry import Entry
from typematch.search.prepare.spelling import did_you_mean, nearest_values
from typematch.search.present.wire_format import entries_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import short_signature
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.terminal import Terminal

_EPILOG = """\
examples:
  typematch entries --package lodash
  typematch entries --json > entries.json

exit codes: 0 entries, 1 no entries, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "entries",
        "[--package NAME] [--json] [--db FILE]",
        "List all entries sorted by id: id, kind, location, signature.",
        lambda: _EPILOG,
    )
    parser.add_argument("--package", metavar="NAME", help="only entries of this package")
    arguments = parse_arguments(parser, argv)
    terminal = standard_output()
    with open_catalog(arguments.db) as catalog:
        if arguments.json:
            entries = list(catalog.entries(package=arguments.package))
            print_document(entries_document(entries))
            return OK if entries else NONE
        all_entries = catalog.entries(package=arguments.package)
        first = next(all_entries, None)
        if first is None:
            print(f"typematch: {_no_entries(catalog, arguments.package)}", file=sys.stderr)
            return NONE
        print_pages(entry_line(entry, terminal) for entry in chain((first,), all_entries))
    return OK


def _no_entries(catalog: Catalog, package: str | None) -> str:
    if package is None:
        return "the database has no entries"
    near = nearest_values(package, tuple(name for name, *_ in catalog.stats().package_counts))
    return f"no package here is called {package}{did_you_mean(near, otherwise='')}"


def entry_line(entry: Entry, terminal: Terminal) -> str:
    location = terminal.style("dim", f"{entry.path}:{entry.line}")
    signature = terminal.code(short_signature(entry.signature))
    return f"{terminal.style('name', entry.id)}  {entry.kind}  {location}  {signature}"
