"""``typematch remove``: removes a package from the database."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.search.present.wire_format import removal_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document

_EPILOG = """\
examples:
  typematch remove lodash

exit codes: 0 removed, 1 no such package, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "remove",
        "PACKAGE [--json] [--db FILE]",
        "Remove a package and all its entries from the database.",
        lambda: _EPILOG,
    )
    parser.add_argument("package", metavar="PACKAGE", help="name, as printed by stats")
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db) as catalog:
        removed = catalog.remove(arguments.package)
    if arguments.json:
        print_document(removal_document(arguments.package, removed))
    elif removed:
        print(f"removed {arguments.package}: {removed} entries")
    else:
        print(
            f"there is no package {arguments.package} in this database; "
            "typematch stats lists the packages"
        )
    return OK if removed else NONE
