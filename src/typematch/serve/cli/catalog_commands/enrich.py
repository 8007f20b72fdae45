"""``typematch enrich``: have Claude say of entries what they are for, and index that."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.present.wire_format import Document
from typematch.serve.cli.arguments import cache_option, parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import dollars
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_lines
from typematch.serve.cli.progress import progress_on

if TYPE_CHECKING:
    from typematch.llm.batches import Estimate
    from typematch.llm.enrich import Enriched

_MORE = """\
examples:
  typematch enrich                           all that packages export; asks before it sends
  typematch enrich 'pkg:lodash kind:method' --yes
  typematch enrich kind:operation --now      at once, at twice the price of a batch

Each entry is described to the small model once: name, signature, documentation.  It says which
problems the entry solves, which questions it answers, and its interface in prose; search compares
these too.  A run that is stopped goes on where it was, and pays nothing twice.

exit codes: 0 enriched, or nothing to do, 1 not asked, 2 bad query, 3 database or Claude"""


def run(words: Sequence[str]) -> int:
    made = parser(
        "enrich",
        "[QUERY ...] [--yes] [--now] [--json] [--db FILE] [--cache FILE]",
        "Have Claude say of entries what they are for; search compares that too.",
        lambda: _MORE,
    )
    made.add_argument("query", nargs="*", metavar="QUERY", help="enrich what it finds; else all")
    made.add_argument("--yes", action="store_true", help="do not ask whether to go on")
    made.add_argument("--now", action="store_true", help="no batch: at once, at twice the price")
    cache_option(made)
    arguments = read(made, words)
    with (
        open_catalog(arguments.db, cache=arguments.cache) as catalog,
        progress_on(sys.stderr) as progress,
    ):
        done = catalog.enrich(
            " ".join(arguments.query),
            confirm=None if arguments.yes else confirmed,
            batch=not arguments.now,
            progress=progress,
        )
    if arguments.json:
        print_document(enrich_document(done))
    else:
        print_lines(enrich_lines(done))
    return NONE if done.skipped else OK


def confirmed(estimate: Estimate) -> bool:
    """Ask whoever sits there; where nobody does, the answer is no."""
    print(_cost(estimate), file=sys.stderr)
    if not sys.stdin.isatty():
        return False
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _cost(estimate: Estimate) -> str:
    return (
        f"{estimate.questions:,} descriptions to {estimate.model}: about "
        f"{estimate.usage.input:,} tokens in, {estimate.usage.output:,} out, "
        f"${estimate.dollars:.2f}"
    )


def enrich_lines(done: Enriched) -> Iterator[str]:
    yield f"{done.entries:>8,}  entries"
    yield f"{done.unchanged:>8,}  enriched before"
    yield f"{done.written:>8,}  enriched now"
    if done.failed:
        yield f"{sum(done.failed.values()):>8,}  descriptions without an answer:"
        yield from (f"          {count:,}  {reason}" for reason, count in done.failed.items())
    if done.bill.requests:
        usage = done.bill.usage
        yield (
            f"{done.bill.model}: {done.bill.requests:,} requests, {usage.all_input:,} tokens in, "
            f"{usage.output:,} out, {dollars(done.bill.dollars)}"
        )
    if done.skipped:
        yield f"Note: nothing was sent: {done.skipped}; {_cost(done.estimate)}"


def enrich_document(done: Enriched) -> Document:
    return {
        "format": "typematch.enrich/1",
        "entries": done.entries,
        "unchanged": done.unchanged,
        "written": done.written,
        "failed": dict(done.failed),
        "skipped": done.skipped,
        "estimate": {
            "questions": done.estimate.questions,
            "model": done.estimate.model,
            "tokens_in": done.estimate.usage.input,
            "tokens_out": done.estimate.usage.output,
            "dollars": round(done.estimate.dollars, 6),
        },
        "requests": done.bill.requests,
        "tokens_in": done.bill.usage.all_input,
        "tokens_out": done.bill.usage.output,
        "dollars": round(done.bill.dollars, 6),
    }
