"""``typematch remove``: take a package out of the database."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.search.present.wire_format import removal_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document

_MORE = """\
examples:
  typematch remove lodash

exit codes: 0 removed, 1 there was no such package, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "remove",
        "PACKAGE [--json] [--db FILE]",
        "Take a package and all its entries out of the database.",
        lambda: _MORE,
    )
    made.add_argument("package", metavar="PACKAGE", help="its name, as stats lists it")
    arguments = read(made, words)
    with open_catalog(arguments.db) as catalog:
        removed = catalog.remove(arguments.package)
    if arguments.json:
        print_document(removal_document(arguments.package, removed))
    elif removed:
        print(f"removed {arguments.package}: {removed} entries")
    else:
        print(
            f"there is no package {arguments.package} in this database; typematch stats lists them"
        )
    return OK if removed else NONE
