"""``typematch discover``: have Claude plan which calls serve a request together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.llm_protocols import sentence_of, stage_document
from typematch.search.present.wire_format import Document, entry_document, search_document
from typematch.serve.cli.arguments import cache_option, parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import answer_lines, paid, shortened
from typematch.serve.cli.open_catalog import locator, open_catalog
from typematch.serve.cli.printing import print_document, print_lines, standard_output
from typematch.serve.cli.terminal import Terminal

if TYPE_CHECKING:
    from typematch.search.call_plan import Discovery

_MORE = """\
examples:
  typematch discover 'create a playlist and fill it with songs of one singer'

An agent with two tools, search and read, takes the request apart, searches for each need and reads
what it may use.  The plan names entries in the order of calls and what data goes from one to the
next; the types say of each such flow whether it fits.  Without a key one sees the hits of a search.

exit codes: 0 a plan, or hits, 1 neither, 2 bad query, 3 database"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "discover",
        "REQUEST ... [--json] [--db FILE] [--cache FILE]",
        "Have Claude plan which functions or operations serve a request, and in which order.",
        lambda: _MORE,
    )
    made.add_argument("request", nargs="+", metavar="REQUEST", help="what is to be done, in words")
    cache_option(made)
    arguments = read(made, words)
    with open_catalog(arguments.db, cache=arguments.cache) as catalog:
        found = catalog.discover(" ".join(arguments.request))
    if arguments.json:
        print_document(discovery_document(found))
    else:
        shown = standard_output()
        print_lines(plan_lines(found, shown))
        if found.hits is not None:
            print_lines(answer_lines(found.hits, shown, locator(shown, catalog.path)))
    return OK if found.calls or found.hits else NONE


def plan_lines(found: Discovery, shown: Terminal) -> Iterator[str]:
    """Yield the plan: calls in their order, data that flows between them, what is missing."""
    for sentence in (sentence_of(found.report), *found.report.notes):
        if sentence:
            yield f"{shown.style('warning', 'Note:')} {sentence}"
    for place, call in enumerate(found.calls, start=1):
        entry = call.entry
        yield f"{place}. {shown.style('name', entry.id)}  {shown.code(shortened(entry.signature))}"
        told = "  ".join(part for part in (entry.http, call.why) if part)
        if told:
            yield f"   {told}"
    if found.flows:
        yield ""
        yield "data:"
    for flow in found.flows:
        yield f"  {flow.source} {flow.gives} -> {flow.target} {flow.takes}"
        yield f"      {flow.verdict}: {shown.code(flow.types)}"
    if found.missing:
        yield ""
        yield f"{shown.style('warning', 'missing:')} {found.missing}"
    if not found.report.skipped:
        yield ""
        yield shown.style("dim", paid(found.report))


def discovery_document(found: Discovery) -> Document:
    return {
        "format": "typematch.discovery/1",
        "request": found.request,
        "calls": [{"entry": entry_document(call.entry), "why": call.why} for call in found.calls],
        "flows": [
            {
                "from": flow.source,
                "gives": flow.gives,
                "to": flow.target,
                "takes": flow.takes,
                "verdict": flow.verdict,
                "types": flow.types,
            }
            for flow in found.flows
        ],
        "missing": found.missing,
        "searched": list(found.searched),
        "notices": list(found.report.notes),
        "stage": stage_document(found.report),
        "hits": None if found.hits is None else search_document(found.hits),
    }
