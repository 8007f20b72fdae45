"""``typematch discover``: Claude plans the calls that serve a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.llm_protocols import skipped_notice
from typematch.search.present.wire_format import (
    Document,
    entry_document,
    search_document,
    stage_document,
)
from typematch.serve.cli.arguments import add_cache_option, command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import result_lines, short_signature, stage_cost_line
from typematch.serve.cli.open_catalog import open_catalog, source_linker
from typematch.serve.cli.printing import print_document, print_lines, standard_output
from typematch.serve.cli.terminal import Terminal

if TYPE_CHECKING:
    from typematch.search.call_plan import Discovery

_EPILOG = """\
examples:
  typematch discover 'create a playlist and fill it with songs of one singer'

An agent with the tools search and read splits the request into parts, searches for each, and reads
declarations.  The plan lists the calls in order and the data that flows between them; the types of
every flow are checked.  Without a plan (no key, failure) the hits of a search are printed.

exit codes: 0 a plan or hits, 1 neither, 2 invalid query, 3 database"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "discover",
        "REQUEST ... [--json] [--db FILE] [--cache FILE]",
        "Let Claude plan the calls that serve a request, in order, with the data between them.",
        lambda: _EPILOG,
    )
    parser.add_argument("request", nargs="+", metavar="REQUEST", help="the task, in English")
    add_cache_option(parser)
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db, cache=arguments.cache) as catalog:
        discovery = catalog.discover(" ".join(arguments.request))
    if arguments.json:
        print_document(discovery_document(discovery))
    else:
        terminal = standard_output()
        print_lines(plan_lines(discovery, terminal))
        if discovery.hits is not None:
            print_lines(result_lines(discovery.hits, terminal, source_linker(catalog.path)))
    return OK if discovery.calls or discovery.hits else NONE


def plan_lines(discovery: Discovery, terminal: Terminal) -> Iterator[str]:
    """Yield the plan: calls in order, data flows, missing parts, cost."""
    for sentence in (skipped_notice(discovery.report), *discovery.report.notes):
        if sentence:
            yield f"{terminal.style('warning', 'Note:')} {sentence}"
    for number, call in enumerate(discovery.calls, start=1):
        entry = call.entry
        signature = terminal.code(short_signature(entry.signature))
        yield f"{number}. {terminal.style('name', entry.id)}  {signature}"
        details = "  ".join(part for part in (entry.http, call.why) if part)
        if details:
            yield f"   {details}"
    if discovery.flows:
        yield ""
        yield "data:"
    for flow in discovery.flows:
        yield f"  {flow.source} {flow.gives} -> {flow.target} {flow.takes}"
        yield f"      {flow.verdict}: {terminal.code(flow.types)}"
    if discovery.missing:
        yield ""
        yield f"{terminal.style('warning', 'missing:')} {discovery.missing}"
    if not discovery.report.skipped:
        yield ""
        yield terminal.style("dim", stage_cost_line(discovery.report))


def discovery_document(discovery: Discovery) -> Document:
    return {
        "format": "typematch.discovery/1",
        "request": discovery.request,
        "calls": [
            {"entry": entry_document(call.entry), "why": call.why} for call in discovery.calls
        ],
        "flows": [
            {
                "from": flow.source,
                "gives": flow.gives,
                "to": flow.target,
                "takes": flow.takes,
                "verdict": flow.verdict,
                "types": flow.types,
            }
            for flow in discovery.flows
        ],
        "missing": discovery.missing,
        "searched": list(discovery.searched),
        "notices": list(discovery.report.notes),
        "stage": stage_document(discovery.report),
        "hits": None if discovery.hits is None else search_document(discovery.hits),
    }
