"""``typematch costs``: what asking Claude did cost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typematch.search.present.wire_format import Document
from typematch.serve.cli.arguments import cache_option, parser, read
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.format_hits import dollars
from typematch.serve.cli.printing import print_document, print_lines

if TYPE_CHECKING:
    from typematch.llm.settings import Settings
    from typematch.llm.usage_ledger import DailyUsage, UsageLedger

_MORE = """\
examples:
  typematch costs                     by day, stage and model; what is left of today's budget
  typematch costs --forget-answers    kept answers are asked and paid for again

Days are those of UTC.  What got no answer counts as the most that it may have cost.

exit codes: 0 always, 2 bad settings, 3 the file cannot be used"""

_DAYS = 30


def run(words: Sequence[str]) -> int:
    made = parser(
        "costs",
        "[--forget-answers] [--json] [--cache FILE]",
        "Say what asking Claude did cost, and what is left of today's budget.",
        lambda: _MORE,
        database=False,
    )
    cache_option(made)
    made.add_argument(
        "--forget-answers", action="store_true", help="forget what Claude answered, not the costs"
    )
    arguments = read(made, words)
    import time

    from typematch.llm.settings import read_settings
    from typematch.llm.usage_ledger import UsageLedger, accounts_path

    settings = read_settings(os.environ, Path.cwd())
    with closing(UsageLedger(accounts_path(arguments.cache, os.environ), time.time)) as accounts:
        if arguments.forget_answers:
            forgotten = accounts.forget_answers()
            print(f"forgot {forgotten:,} answers")
        elif arguments.json:
            print_document(costs_document(accounts, settings))
        else:
            print_lines(costs_lines(accounts, settings))
    return OK


def costs_document(accounts: UsageLedger, settings: Settings) -> Document:
    today = accounts.today()
    return {
        "format": "typematch.costs/1",
        "file": str(accounts.path or ""),
        "today": {
            "dollars": round(today.dollars, 6),
            "tokens": today.usage.total,
            "dollars_per_day": settings.dollars_per_day,
            "tokens_per_day": settings.tokens_per_day,
        },
        "spent": [_spent_document(one) for one in accounts.spent()],
    }


def _spent_document(one: DailyUsage) -> dict[str, Any]:
    return {
        "day": one.day,
        "stage": one.stage,
        "model": one.model,
        "requests": one.requests,
        "tokens_in": one.usage.all_input,
        "tokens_out": one.usage.output,
        "cached_in": one.usage.cache_read,
        "dollars": round(one.dollars, 6),
        "unsettled": one.unsettled,
    }


def costs_lines(accounts: UsageLedger, settings: Settings) -> Iterator[str]:
    rows = accounts.spent()
    today = accounts.today()
    if not rows:
        yield "nothing was spent yet"
    else:
        yield (
            f"{'day':<12}{'stage':<10}{'model':<20}"
            f"{'requests':>9}{'in':>12}{'out':>10}{'dollars':>11}"
        )
    days = sorted({one.day for one in rows}, reverse=True)
    for one in rows:
        if one.day not in days[:_DAYS]:
            continue
        late = f"  ({one.unsettled} without an answer)" if one.unsettled else ""
        yield (
            f"{one.day:<12}{one.stage:<10}{one.model:<20}{one.requests:>9,}"
            f"{one.usage.all_input:>12,}{one.usage.output:>10,}{dollars(one.dollars):>11}{late}"
        )
    if len(days) > _DAYS:
        yield f"and {len(days) - _DAYS:,} days before; --json has all"
    yield (
        f"today: ${today.dollars:.4f} of ${settings.dollars_per_day:.2f}, "
        f"{today.usage.total:,} tokens of {settings.tokens_per_day:,}"
    )
    yield f"kept in {accounts.path or 'memory only: there is no folder for it'}"
