"""``typematch export``: a compact copy of the database for distribution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from typematch.search.present.wire_format import export_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document

_EPILOG = """\
examples:
  typematch export shipped.db

The copy is a single file without a journal; it can be searched on read-only media.

exit codes: 0 written, 2 FILE already exists, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "export",
        "FILE [--json] [--db FILE]",
        "Write a compact copy of the database.",
        lambda: _EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="the copy; must not exist yet")
    arguments = parse_arguments(parser, argv)
    target = Path(arguments.file)
    with open_catalog(arguments.db) as catalog:
        catalog.export(target)
    size = target.stat().st_size
    if arguments.json:
        print_document(export_document(str(target), size))
    else:
        print(f"wrote {target}: {size / 1e6:.1f} MB")
    return OK
