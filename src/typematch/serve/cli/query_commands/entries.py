"""``typematch entries``: everything there is, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from typematch.ir.entry import Entry
from typematch.search.present.wire_format import entries_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import shortened
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.terminal import Terminal

_MORE = """\
examples:
  typematch entries --package lodash
  typematch entries --json > everything.json

exit codes: 0 some, 1 none, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "entries",
        "[--package NAME] [--json] [--db FILE]",
        "List every entry, in order of id: id, kind, place, signature.",
        lambda: _MORE,
    )
    made.add_argument("--package", metavar="NAME", help="only what is imported from this package")
    arguments = read(made, words)
    shown = standard_output()
    with open_catalog(arguments.db) as catalog:
        if arguments.json:
            entries = list(catalog.entries(package=arguments.package))
            print_document(entries_document(entries))
            return OK if entries else NONE
        every = catalog.entries(package=arguments.package)
        first = next(every, None)
        if first is None:
            return NONE
        print_pages(entry_line(entry, shown) for entry in chain((first,), every))
    return OK


def entry_line(entry: Entry, shown: Terminal) -> str:
    place = shown.style("dim", f"{entry.path}:{entry.line}")
    signature = shown.code(shortened(entry.signature))
    return f"{shown.style('name', entry.id)}  {entry.kind}  {place}  {signature}"
