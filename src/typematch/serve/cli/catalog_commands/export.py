"""``typematch export``: a compact copy of the database for distribution."""

from __future__ import annotations

from collections.abc import Sequence

from typematch.config import location_of
from typematch.search.present.wire_format import export_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document

_EPILOG = """\
examples:
  typematch export shipped.db
  typematch export shipped.db --db postgresql://reader@db.example/apis
  typematch export postgresql://writer@db.example/apis --db shipped.db
  typematch export first.db --shard 1/4      the first of four parts, to be searched beside others

A file is a single one without a journal; it can be searched on read-only media.  A catalog can be
copied from a file to a PostgreSQL server and back.

exit codes: 0 written, 2 TARGET already exists or no such shard, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "export",
        "TARGET [--shard K/N] [--json] [--db FILE]",
        "Write a compact copy of the database.",
        lambda: _EPILOG,
    )
    parser.add_argument("target", metavar="TARGET", help="a file or server; nothing is overwritten")
    parser.add_argument(
        "--shard",
        default="",
        metavar="K/N",
        help="only the functions of the packages of one of N shards, and all types",
    )
    arguments = parse_arguments(parser, argv)
    target = location_of(arguments.target)
    with open_catalog(arguments.db) as catalog:
        size = catalog.export(target, shard=arguments.shard)
    if arguments.json:
        print_document(export_document(str(target), size))
    else:
        print(f"wrote {target}: {size / 1e6:.1f} MB")
    return OK
