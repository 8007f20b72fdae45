"""``typematch adapt``: prints the code that calls an entry as a signature says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from typematch.adapt.snippet import snippet
from typematch.search.present.wire_format import adapt_document
from typematch.search.results import Hit
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output

_EPILOG = """\
examples:
  typematch adapt '(size: number, items: T[]) => T[][]' lodash#_.chunk
  typematch adapt '(path: string) => Promise<string>' readFile      any unambiguous suffix of an id

The code is a module: imports first, then a constant of the type of QUERY that calls the entry.
What QUERY gives no value for is a parameter.  A comment says where the type differs from QUERY.
--check compiles it with the TypeScript in node_modules of this folder or a parent and the options
of the nearest tsconfig.json, and prints what the compiler says to standard error.

exit codes: 0 printed, 1 the entry does not fit or tsc refuses the code, 2 invalid query or id,
3 database, no compiler"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "adapt",
        "QUERY ID [--check] [--json] [--db FILE]",
        "Print TypeScript that calls an entry as the signature QUERY says.",
        lambda: _EPILOG,
    )
    parser.add_argument("query", metavar="QUERY", help="the signature that you need")
    parser.add_argument("id", metavar="ID", help="id of an entry, or a suffix of one")
    parser.add_argument(
        "--check", action="store_true", help="let the project's tsc compile the code"
    )
    arguments = parse_arguments(parser, argv)
    query = arguments.query.strip()
    with open_catalog(arguments.db) as catalog:
        entry = catalog.get(arguments.id.strip())
        hit = catalog.adapt(query, entry.id)
    adapter = None if hit is None else hit.adapter
    if arguments.json:
        print_document(adapt_document(query, entry.id, hit))
    elif adapter is None:
        print(f"typematch: {_refusal(entry.id, hit)}", file=sys.stderr)
    else:
        terminal = standard_output()
        print_pages(terminal.code(line) for line in snippet(adapter).splitlines())
    if adapter is None:
        return NONE
    return check_code(snippet(adapter)) if arguments.check else OK


def check_code(code: str) -> int:
    """Print what the compiler of the project in the current folder says to standard error."""
    from typematch.serve.cli.project_compiler import compiler_messages

    messages = compiler_messages(code, Path.cwd())
    print("\n".join(messages) or "tsc accepts it", file=sys.stderr)
    return NONE if messages else OK


def _refusal(id_: str, hit: Hit | None) -> str:
    if hit is None or hit.undecided:
        return f"{id_} does not fit this signature"
    sentences = "; ".join(edit.sentence for edit in hit.edits)
    return f"{id_} fits only with edits that code cannot express: {sentences}"
