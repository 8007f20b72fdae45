"""``typematch costs``: costs of Claude by day, stage and model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typematch.search.present.wire_format import Document
from typematch.serve.cli.arguments import add_cache_option, command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.format_hits import dollars_text
from typematch.serve.cli.printing import print_document, print_lines

if TYPE_CHECKING:
    from typematch.llm.settings import Settings
    from typematch.llm.usage_ledger import DailyUsage, UsageLedger

_EPILOG = """\
examples:
  typematch costs                  by day, stage and model, with today's budget
  typematch costs --clear-cache    delete the response cache; requests are paid for again

Days are in UTC.  A request without an answer counts with its maximum possible cost, a
batch without results with its estimate.

exit codes: 0 success, 2 invalid settings, 3 the file cannot be used"""

_DAYS_SHOWN = 30


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "costs",
        "[--clear-cache] [--json] [--cache FILE]",
        "Print what requests to Claude cost, and today's budget.",
        lambda: _EPILOG,
        database=False,
    )
    add_cache_option(parser)
    parser.add_argument(
        "--clear-cache", action="store_true", help="delete cached answers, keep the costs"
    )
    arguments = parse_arguments(parser, argv)
    import time

    from typematch.llm.settings import read_settings
    from typematch.llm.usage_ledger import UsageLedger, ledger_path

    settings = read_settings(os.environ, Path.cwd())
    with closing(UsageLedger(ledger_path(arguments.cache, os.environ), time.time)) as ledger:
        if arguments.clear_cache:
            deleted = ledger.clear_cache()
            print(f"deleted {deleted:,} cached answers")
        elif arguments.json:
            print_document(costs_document(ledger, settings))
        else:
            print_lines(costs_lines(ledger, settings))
    return OK


def costs_document(ledger: UsageLedger, settings: Settings) -> Document:
    today = ledger.today()
    return {
        "format": "typematch.costs/1",
        "file": str(ledger.path or ""),
        "today": {
            "dollars": round(today.dollars, 6),
            "tokens": today.usage.total,
            "dollars_per_day": settings.dollars_per_day,
            "tokens_per_day": settings.tokens_per_day,
        },
        "spent": [_row_document(row) for row in ledger.daily_usage()],
    }


def _row_document(row: DailyUsage) -> dict[str, Any]:
    return {
        "day": row.day,
        "stage": row.stage,
        "model": row.model,
        "requests": row.requests,
        "tokens_in": row.usage.total_input,
        "tokens_out": row.usage.output,
        "cached_in": row.usage.cache_read,
        "dollars": round(row.dollars, 6),
        "unsettled": row.unsettled,
    }


def costs_lines(ledger: UsageLedger, settings: Settings) -> Iterator[str]:
    rows = ledger.daily_usage()
    today = ledger.today()
    if not rows:
        yield "no costs yet"
    else:
        yield (
            f"{'day':<12}{'stage':<10}{'model':<20}"
            f"{'requests':>9}{'in':>12}{'out':>10}{'dollars':>11}"
        )
    days = sorted({row.day for row in rows}, reverse=True)
    for row in rows:
        if row.day not in days[:_DAYS_SHOWN]:
            continue
        unsettled = f"  ({row.unsettled} without an answer)" if row.unsettled else ""
        yield (
            f"{row.day:<12}{row.stage:<10}{row.model:<20}{row.requests:>9,}"
            f"{row.usage.total_input:>12,}{row.usage.output:>10,}"
            f"{dollars_text(row.dollars):>11}{unsettled}"
        )
    if len(days) > _DAYS_SHOWN:
        yield f"and {len(days) - _DAYS_SHOWN:,} earlier days; --json lists all"
    yield (
        f"today: ${today.dollars:.4f} of ${settings.dollars_per_day:.2f}, "
        f"{today.usage.total:,} tokens of {settings.tokens_per_day:,}"
    )
    yield f"file: {ledger.path or 'none (no cache folder), kept in memory'}"
