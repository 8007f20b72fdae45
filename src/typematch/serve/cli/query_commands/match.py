"""``typematch match``: who implements what a document asks for, method by method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typematch.search.present.wire_format import match_document
from typematch.search.score.implementations import (
    MOST_COST,
    THRESHOLD,
    Implementation,
    InterfaceMatches,
)
from typematch.serve.cli.arguments import count, parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import told
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.terminal import Terminal

_MORE = f"""\
examples:
  typematch match --like needed.ts           every interface, class and function in that file
  typematch match --like needed.yaml         the operations of an OpenAPI document

A method is covered by a member whose type the relation accepts at {MOST_COST} or less; its name
only helps to choose.  What covers less than {THRESHOLD:.0%} of what is needed, by weight and price,
is not claimed; a method whose type few have weighs more than one that many have.

exit codes: 0 somebody implements it, 1 nobody, 2 bad file, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "match",
        "--like FILE [--limit N] [--json] [--db FILE]",
        "Find the classes, interfaces, services and packages that implement what a FILE asks for.",
        lambda: _MORE,
    )
    made.add_argument("--like", metavar="FILE", required=True, help="TypeScript or OpenAPI")
    made.add_argument("--limit", type=count, default=5, metavar="N", help="how many, or all")
    arguments = read(made, words)
    with open_catalog(arguments.db) as catalog:
        found = catalog.match(arguments.like, limit=arguments.limit)
    if arguments.json:
        print_document(match_document(arguments.like, found))
    else:
        print_pages(match_lines(found, standard_output()))
    return OK if any(one.found for one in found) else NONE


def match_lines(found: Sequence[InterfaceMatches], shown: Terminal) -> Iterator[str]:
    """Yield for each needed interface who implements it, with every method."""
    for place, likeness in enumerate(found):
        if place:
            yield ""
        methods = len(likeness.needed.methods)
        noun = "method" if methods == 1 else "methods"
        yield f"{shown.style('name', likeness.needed.name)}  {methods} {noun} needed"
        if likeness.needed.fields:
            fields = ", ".join(likeness.needed.fields)
            yield shown.style("warning", f"    not compared, being no methods: {fields}")
        for one in likeness.found:
            yield ""
            yield from _implementation_lines(one, methods, shown)
        if not likeness.found:
            yield ""
            yield f"    nobody implements it: the nearest covers {likeness.nearest:.0%}"


def _implementation_lines(one: Implementation, methods: int, shown: Terminal) -> Iterator[str]:
    summary = f"{len(one.covered)} of {methods}, cost {one.cost}, {one.share:.0%}"
    yield f"  {shown.style('name', one.id)}  {one.kind}, {summary}"
    if one.path:
        yield f"    {shown.style('dim', f'{one.path}:{one.line}')}"
    for covered in one.covered:
        why = "; ".join(edit.sentence for edit in told(covered.edits)) or "fits as it is"
        yield f"    {shown.code(covered.method)}"
        yield f"        {covered.member}  {covered.cost}  {why}"
    for missing in one.missing:
        reason = f": {missing.reason}" if missing.reason else ""
        yield f"    {shown.style('warning', 'missing')} {shown.code(missing.method)}{reason}"
