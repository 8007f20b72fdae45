"""``typematch enrich``: Claude describes entries, and the descriptions are indexed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.present.wire_format import Document
from typematch.serve.cli.arguments import add_cache_option, command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import dollars_text
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_lines
from typematch.serve.cli.progress import progress_on

if TYPE_CHECKING:
    from typematch.llm.batches import Estimate
    from typematch.llm.enrich import EnrichmentReport

_EPILOG = """\
examples:
  typematch enrich                           all exported entries; asks for confirmation
  typematch enrich 'pkg:lodash kind:method' --yes
  typematch enrich kind:operation --now      single requests, at twice the price of a batch

Claude gets the name, kind, package or service, signatures, member names and documentation of each
entry, and writes which problems it solves, which questions it answers, and what goes in and out.
Search uses these texts too.  An interrupted run is resumed by the next one, and no request is paid
for twice.

exit codes: 0 enriched or up to date, 1 not sent, 2 invalid query, 3 database or Claude"""


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "enrich",
        "[QUERY ...] [--yes] [--now] [--json] [--db FILE] [--cache FILE]",
        "Let Claude describe entries by the problems they solve, and index the descriptions.",
        lambda: _EPILOG,
    )
    parser.add_argument(
        "query", nargs="*", metavar="QUERY", help="entries to enrich (default: all exported)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument(
        "--now", action="store_true", help="send single requests, at twice the price"
    )
    add_cache_option(parser)
    arguments = parse_arguments(parser, argv)
    with (
        open_catalog(arguments.db, cache=arguments.cache) as catalog,
        progress_on(sys.stderr) as progress,
    ):
        report = catalog.enrich(
            " ".join(arguments.query),
            confirm=None if arguments.yes else confirm,
            batch=not arguments.now,
            progress=progress,
        )
    if arguments.json:
        print_document(enrich_document(report))
    else:
        print_lines(enrich_lines(report))
    return NONE if report.skipped else OK


def confirm(estimate: Estimate) -> bool:
    """Ask for confirmation on the terminal; without one, return False."""
    print(estimate_text(estimate), file=sys.stderr)
    if not sys.stdin.isatty():
        return False
    print("Continue? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def estimate_text(estimate: Estimate) -> str:
    return (
        f"{estimate.requests:,} requests to {estimate.model}: about "
        f"{estimate.usage.input:,} tokens in, {estimate.usage.output:,} out, "
        f"{dollars_text(estimate.dollars)}"
    )


def enrich_lines(report: EnrichmentReport) -> Iterator[str]:
    yield f"{report.entries:>8,}  entries"
    yield f"{report.unchanged:>8,}  already enriched"
    yield f"{report.written:>8,}  enriched now"
    if report.failed:
        yield f"{sum(report.failed.values()):>8,}  requests without an answer:"
        yield from (f"          {count:,}  {reason}" for reason, count in report.failed.items())
    if report.cost.requests:
        usage = report.cost.usage
        yield (
            f"{report.cost.model}: {report.cost.requests:,} requests, "
            f"{usage.total_input:,} tokens in, {usage.output:,} out, "
            f"{dollars_text(report.cost.dollars)}"
        )
    if report.skipped:
        yield f"Note: nothing was sent: {report.skipped}; {estimate_text(report.estimate)}"


def enrich_document(report: EnrichmentReport) -> Document:
    return {
        "format": "typematch.enrich/1",
        "entries": report.entries,
        "unchanged": report.unchanged,
        "written": report.written,
        "failed": dict(report.failed),
        "skipped": report.skipped,
        "estimate": {
            "requests": report.estimate.requests,
            "model": report.estimate.model,
            "tokens_in": report.estimate.usage.input,
            "tokens_out": report.estimate.usage.output,
            "dollars": round(report.estimate.dollars, 6),
        },
        "requests": report.cost.requests,
        "tokens_in": report.cost.usage.total_input,
        "tokens_out": report.cost.usage.output,
        "dollars": round(report.cost.dollars, 6),
    }
