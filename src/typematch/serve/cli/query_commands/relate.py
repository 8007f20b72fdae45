"""``typematch relate``: checks whether a type is assignable to another, and explains why not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from typematch.config import database_path
from typematch.search.present.wire_format import relate_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document

_EPILOG = """\
examples:
  typematch relate 'string[]' 'Iterable<string>'
  typematch relate '(a: string) => 1' '(a: "x", b: number) => number'
  typematch relate 'Circle' '{ radius: number }' --declarations shapes.ts
  typematch relate 'AxiosError' 'Error'                       types of the database

The relation is the TypeScript compiler's assignability under `strict`.  Both types are plain
TypeScript: _ and implicit type variables are not allowed.  They may name types of the database, if
there is one; import("package").Name means one of several of one name.

exit codes: 0 assignable, 1 not assignable or undecided, 2 invalid type or arguments"""
_ANSWERS = {"assignable": "yes", "not-assignable": "no", "undecided": "undecided"}


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "relate",
        "SOURCE TARGET [--declarations FILE] [--json] [--db FILE]",
        "Check whether type SOURCE is assignable to type TARGET; if not, print where and why.",
        lambda: _EPILOG,
    )
    parser.add_argument("source", metavar="SOURCE", help="a TypeScript type")
    parser.add_argument("target", metavar="TARGET", help="a TypeScript type")
    parser.add_argument(
        "--declarations", metavar="FILE", help="TypeScript file that declares the types used"
    )
    arguments = parse_arguments(parser, argv)
    source, target = arguments.source.strip(), arguments.target.strip()
    declarations = _declarations(arguments.declarations)
    database = database_path(arguments.db, os.environ, Path.cwd())
    if arguments.db is None and isinstance(database, Path) and not database.is_file():
        from typematch.type_api import relate

        verdict = relate(source, target, declarations)
    else:
        with open_catalog(arguments.db) as catalog:
            verdict = catalog.relate(source, target, declarations)
    document = relate_document(source, target, verdict)
    if arguments.json:
        print_document(document)
    else:
        word, reason = _ANSWERS[document["verdict"]], document["reason"]
        print(f"{word}: {reason}" if reason else word)
    return OK if verdict else NONE


def _declarations(path: str | None) -> str:
    from typematch.errors import SourceError

    if path is None:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SourceError(f"cannot read the declarations ({error.strerror})", path) from error
