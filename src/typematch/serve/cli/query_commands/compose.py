"""``typematch compose``: prints pipelines of calls that together have a signature."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from typematch.adapt.snippet import snippet
from typematch.compose.model import Composition, Pipeline
from typematch.search.present.wire_format import compose_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.query_commands.adapt import check_code

_EPILOG = """\
examples:
  typematch compose '(path: string) => Promise<User[]>'
  typematch compose '(name: string) => Promise<Playlist>' --depth 2 --limit 1
  typematch compose '(date: string, template: string) => string  pkg:dayjs'

A pipeline is two or three calls.  Every argument of a call comes from QUERY, from the result of an
earlier call, or is a literal of its type.  Each pipeline is a module to paste: imports first, then
a constant of the type of QUERY.  The cheapest comes first; those that rely on a result of type any
come last.  --check compiles each with the TypeScript in node_modules of this folder or a parent
and the options of the nearest tsconfig.json, and prints what the compiler says to standard error.

exit codes: 0 printed, 1 there is no pipeline or tsc refuses one, 2 invalid query, 3 database, no
compiler"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "compose",
        "QUERY [--depth N] [--limit N] [--check] [--json] [--db FILE]",
        "Print pipelines of calls that together have the signature QUERY.",
        lambda: _EPILOG,
    )
    parser.add_argument("query", metavar="QUERY", help="the signature that you need, and facets")
    parser.add_argument(
        "--depth", metavar="N", type=int, default=3, help="at most N calls, 2 or 3 (default: 3)"
    )
    parser.add_argument(
        "--limit", metavar="N", type=int, default=5, help="at most N pipelines (default: 5)"
    )
    parser.add_argument(
        "--check", action="store_true", help="let the project's tsc compile the code"
    )
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db) as catalog:
        found = catalog.compose(
            arguments.query.strip(), depth=arguments.depth, limit=arguments.limit
        )
    if arguments.json:
        print_document(compose_document(found))
    else:
        terminal = standard_output()
        print_pages(terminal.code(line) for line in _lines(found))
    for notice in found.notices:
        print(f"typematch: {notice}", file=sys.stderr)
    if not found.pipelines:
        found_so_far = "was found so far" if found.exhausted else "has this signature"
        print(f"typematch: no pipeline of two or three calls {found_so_far}", file=sys.stderr)
        return NONE
    if not arguments.check:
        return OK
    codes = [check_code(snippet(pipeline.adapter)) for pipeline in found]
    return NONE if NONE in codes else OK


def _lines(found: Composition) -> Iterator[str]:
    for number, pipeline in enumerate(found, 1):
        if number > 1:
            yield ""
        yield f"// {number}. cost {pipeline.cost:g}: {_steps_text(pipeline)}"
        yield from snippet(pipeline.adapter).splitlines()


def _steps_text(pipeline: Pipeline) -> str:
    return ", then ".join(step.entry.id for step in pipeline.steps)
