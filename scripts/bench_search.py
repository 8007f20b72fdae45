"""Measures searching: from a cold shell, and in one warm process.

    python scripts/bench_search.py --db FILE --queries QUERIES.jsonl[.gz]    # by signature
    python scripts/bench_search.py --db FILE --words 2000                    # words and meaning

The queries are lines with a ``query``; those of the compiler's data are meant.  The last ten warm
the process up and are not counted; each of the others is asked once, so that no answer is
remembered.  Words: so many of the most used words and names are asked one at a time, and sentences
of the catalog's own documentation by each channel and by all.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import bench_meaning
from measuring import Cost, machine, measure, mebibytes, peak_bytes, python, typematch
from typematch.evaluate.metrics import percentile

_WARM_UP = 10
COLD_RUNS = 7
COLD_QUERY = "(items: string[], size: number) => string[][]"
_COLD_WORDS = "split a list into batches"
_SLOW = 100  # milliseconds
_CLOCKS = ("cpu", "wall")


def read_queries(file: Path) -> list[str]:
    data = file.read_bytes()
    text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8")
    return [json.loads(line)["query"] for line in text.splitlines() if line.strip()]


def warm(database: Path, queries: Sequence[str], suffix: str, limit: int | None) -> dict[str, Any]:
    """Run each query in this process; return milliseconds and memory."""
    import typematch as library
    from typematch.errors import TypematchError

    wall, cpu, failed, slowest = [], [], 0, (0.0, "")
    with library.open(database, create=False) as catalog:
        for number, query in enumerate([*queries[-_WARM_UP:], *queries[:-_WARM_UP]]):
            start, start_cpu = time.perf_counter(), time.process_time()
            try:
                catalog.search(f"{query}  {suffix}".strip(), limit=limit)
            except TypematchError:
                failed += 1
            taken = (time.perf_counter() - start) * 1000
            if number >= _WARM_UP:
                wall.append(taken)
                cpu.append((time.process_time() - start_cpu) * 1000)
                slowest = max(slowest, (taken, query))
    return {"wall": wall, "cpu": cpu, "failed": failed, "slowest": slowest, "peak": peak_bytes()}


def table(title: str, result: dict[str, Any]) -> str:
    rows = [
        f"{title}: {len(result['wall'])} queries, {result['failed']} failed, "
        f"peak memory {mebibytes(result['peak'])}"
    ]
    rows.append(f"  {'milliseconds':14}{'median':>9}{'p90':>9}{'p95':>9}{'max':>9}")
    for name in ("wall", "cpu"):
        shares = "".join(
            f"{percentile(result[name], share):9.1f}" for share in (0.5, 0.9, 0.95, 1.0)
        )
        rows.append(f"  {name:14}{shares}")
    taken, query = result["slowest"]
    rows.append(f"  slowest ({taken:.0f} ms): {query}")
    return "\n".join(rows)


def cold(database: Path, query: str, imports: str) -> str:
    """Return the table of a search from a shell, beside the imports that it needs."""
    base_command = python("-c", f"import {imports}")
    command = typematch("search", query, "--db", str(database))
    measure(base_command)
    measure(command)
    bases, ours = [], []
    for _ in range(COLD_RUNS):
        # In turns, so that a busy moment of the machine hits both.
        bases.append(measure(base_command))
        ours.append(measure(command))
    codes = sorted({cost.exit_code for cost in ours})
    base, own = _medians(bases), _medians(ours)
    lines = [f"from a cold shell, median of {COLD_RUNS} (exit codes {codes}):"]
    for title, (wall, cpu) in ((f"import {imports}", base), ("typematch search", own)):
        lines.append(f"  {title:44}wall {wall * 1000:6.0f} ms   cpu {cpu * 1000:6.0f} ms")
    lines.append(f"  {'ratio':44}wall {own[0] / base[0]:6.2f}      cpu {own[1] / base[1]:6.2f}")
    return "\n".join(lines)


def _medians(costs: Sequence[Cost]) -> tuple[float, float]:
    return median(cost.wall for cost in costs), median(cost.cpu for cost in costs)


def meaning(database: Path, words: int, *, inner: bool) -> int:
    """Print the measures of words and meaning; return exit code 1 if a query failed."""
    if inner:
        print(json.dumps(bench_meaning.run(database, words)))
        return 0
    print(machine())
    print(cold(database, _COLD_WORDS, "sqlalchemy, lark, numpy, tokenizers"), flush=True)
    cost = measure(python(__file__, "--db", str(database), "--words", str(words), "--inner"))
    if cost.exit_code:
        raise SystemExit(cost.output)
    result = json.loads(cost.output.splitlines()[-1])
    print(f"{result['entries']:,} entries, warm; peak memory {mebibytes(result['peak'])}")
    heads = "".join(f"{clock + ' ' + what:>13}" for clock in _CLOCKS for what in ("median", "p95"))
    print(f"  {'milliseconds':20}{'asked':>7}{heads}{'failed':>8}")
    for name, measured in result["measured"].items():
        shares = "".join(
            f"{percentile(measured[clock], share):13.1f}"
            for clock in _CLOCKS
            for share in (0.5, 0.95)
        )
        print(f"  {name:20}{len(measured['wall']):>7}{shares}{len(measured['failed']):>8}")
    single = result["measured"]["one word"]
    slow = sum(taken > _SLOW for taken in single["cpu"])
    taken, word = result["slowest"]
    print(f"  single words over {_SLOW} ms of CPU: {slow}; slowest ({taken:.0f} ms): {word}")
    return 1 if single["failed"] else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--queries", type=Path, help="signatures to ask for")
    parser.add_argument("--words", type=int, help="how many single words to ask for")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json-warm", metavar="SUFFIX", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=int, default=20)
    options = parser.parse_args(arguments)
    if options.words is not None:
        return meaning(options.db, options.words, inner=options.inner)
    if options.queries is None:
        parser.error("give --queries or --words")
    queries = read_queries(options.queries)
    if options.json_warm is not None:
        limit = options.limit or None
        print(json.dumps(warm(options.db, queries, options.json_warm.strip(), limit)))
        return 0
    print(machine())
    print(cold(options.db, COLD_QUERY, "sqlalchemy, lark"), flush=True)
    for title, suffix, limit in (
        (f"warm, soft, limit {options.limit}", " ", options.limit),
        ("warm, is:assignable, all", "is:assignable", 0),
    ):
        # A process of its own for each, so that its memory is its own.
        inner = ["--db", str(options.db), "--queries", str(options.queries)]
        inner += ["--limit", str(limit), "--json-warm", suffix]
        cost = measure(python(__file__, *inner))
        if cost.exit_code:
            raise SystemExit(cost.output)
        print(table(title, json.loads(cost.output.splitlines()[-1])), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
