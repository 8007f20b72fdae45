"""``typematch match``: finds implementations of the interfaces in a file, method by method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.search.present.edit_sentences import informative_edits, short_sentence
from typematch.search.present.wire_format import match_document
from typematch.search.retrieve.implementations import (
    MAX_COST,
    THRESHOLD,
    Implementation,
    InterfaceMatches,
)
from typematch.serve.cli.arguments import command_parser, parse_arguments, result_count
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.terminal import Terminal

_EPILOG = f"""\
examples:
  typematch match --like needed.ts           the interfaces, classes and functions of a file
  typematch match --like needed.yaml         the operations of an OpenAPI document

A required method is covered by a member whose type fits it at a cost of {MAX_COST} or less; names
only influence which member is chosen.  Listed is what covers at least {THRESHOLD:.0%} of an
interface.  The share is reduced by costs, and methods with rare types have more weight.  Names that
a TypeScript file imports or extends mean types of the database.

exit codes: 0 implementations found, 1 none found, 2 invalid file, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "match",
        "--like FILE [--limit N] [--json] [--db FILE]",
        "Find classes, interfaces, services and packages that implement the interfaces in FILE.",
        lambda: _EPILOG,
    )
    parser.add_argument(
        "--like", metavar="FILE", required=True, help="TypeScript file or OpenAPI document"
    )
    parser.add_argument(
        "--limit",
        type=result_count,
        default=5,
        metavar="N",
        help="results per interface, or all (default: 5)",
    )
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db) as catalog:
        matches = catalog.match(arguments.like, limit=arguments.limit)
    if arguments.json:
        print_document(match_document(arguments.like, matches))
    else:
        print_pages(match_lines(matches, standard_output()))
    return OK if any(interface.implementations for interface in matches) else NONE


def match_lines(matches: Sequence[InterfaceMatches], terminal: Terminal) -> Iterator[str]:
    """Yield the implementations of each required interface, method by method."""
    for index, interface in enumerate(matches):
        if index:
            yield ""
        methods = len(interface.required.methods)
        noun = "method" if methods == 1 else "methods"
        yield f"{terminal.style('name', interface.required.name)}  {methods} {noun} required"
        if interface.required.fields:
            fields = ", ".join(interface.required.fields)
            yield terminal.style("warning", f"    not compared (not methods): {fields}")
        for implementation in interface.implementations:
            yield ""
            yield from _implementation_lines(implementation, methods, terminal)
        if not interface.implementations:
            yield ""
            best = f"the best candidate covers {interface.best_share:.0%}"
            yield f"    no implementation found; {best}"


def _implementation_lines(
    implementation: Implementation, methods: int, terminal: Terminal
) -> Iterator[str]:
    count = f"{len(implementation.covered)} of {methods}"
    summary = f"{count}, cost {implementation.cost}, {implementation.share:.0%}"
    yield f"  {terminal.style('name', implementation.id)}  {implementation.kind}, {summary}"
    if implementation.path:
        yield f"    {terminal.style('dim', f'{implementation.path}:{implementation.line}')}"
    for covered in implementation.covered:
        reason = "; ".join(map(short_sentence, informative_edits(covered.edits))) or "fits as it is"
        yield f"    {terminal.code(covered.method)}"
        yield f"        {covered.member}  {covered.cost}  {reason}"
    for missing in implementation.missing:
        reason = f": {missing.reason}" if missing.reason else ""
        yield f"    {terminal.style('warning', 'missing')} {terminal.code(missing.method)}{reason}"
