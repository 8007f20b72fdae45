"""Runs the same queries with the compiler and with typematch; prints the ratios of CPU time.

    python scripts/bench_relation.py --data DIR --corpus DIR --typescript FOLDER --db FILE

The compiler has its program loaded and the type of every function made; typematch has its catalog
open.  Either then answers which functions are assignable to a query: ids and verdicts of all
matches.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measuring import machine, measure, mebibytes, peak_bytes, python
from typematch.evaluate.metrics import percentile


def compiler(typescript: Path, corpus: Path, data: Path) -> dict[str, Any]:
    script = Path(__file__).with_suffix(".mjs")
    command = ["node", "--max-old-space-size=6000", str(script)]
    done = subprocess.run(
        [*command, str(typescript), str(corpus), str(data)],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"the compiler's run failed (exit {done.returncode}):\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def ours(database: Path, queries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return CPU milliseconds, number of compared types, and matches of each query."""
    import typematch
    from typematch.errors import TypematchError

    rows = []
    with typematch.open(database, create=False) as catalog:
        catalog.search("(a: string) => boolean  is:assignable", limit=1)
        for query in queries:
            start = time.process_time()
            try:
                # The compiler gives ids and verdicts, no documentation: of ours one hit is made.
                found = catalog.search(f"{query['query']}  is:assignable", limit=1)
                matches = len(found.ids) - found.undecided
            except TypematchError:
                matches = 0
            milliseconds = (time.process_time() - start) * 1000
            rows.append({"id": query["id"], "milliseconds": milliseconds, "matches": matches})
    return {"rows": rows, "memory": peak_bytes()}


def survivors(database: Path, queries: Sequence[dict[str, Any]]) -> dict[str, tuple[int, float]]:
    """Return for each query the number of compared types, and microseconds for each."""
    from typematch.index.sql_store import open_store
    from typematch.match.edit_kinds import CHEAPEST_REJECTED_COST
    from typematch.match.strictness import Strictness
    from typematch.search.prepare.prepared_query import prepare_query
    from typematch.search.score.scoring import TypeScorers

    store = open_store(database, create=False)
    counted = {}
    for query in queries:
        request = prepare_query(query["query"], store)
        scorers = TypeScorers(store)
        number, seconds = 0, 0.0
        for signature in request.signatures:
            scorer = scorers.function_scorer(signature, request.variables, Strictness.ASSIGNABLE)
            bounds = store.function_bounds(signature)
            within = bounds.bounds < CHEAPEST_REJECTED_COST
            found = [store.type(int(number)) for number in bounds.numbers[within]]
            start = time.process_time()
            for type_ in found:
                scorer.verdict(type_, None)
            seconds += time.process_time() - start
            number += len(found)
        counted[query["id"]] = (number, seconds / number * 1e6 if number else 0.0)
    store.close()
    return counted


def report(theirs: dict[str, Any], own: dict[str, Any], seen: dict[str, tuple[int, float]]) -> None:
    by_id = {row["id"]: row for row in own["rows"]}
    ratios = []
    print(
        f"{'query':9}{'compiler ms':>12}{'ours ms':>9}{'ratio':>8}"
        f"{'matches':>9}{'ours':>7}{'survive':>9}{'us each':>9}"
    )
    for row in theirs["rows"]:
        mine = by_id[row["id"]]
        ratio = row["milliseconds"] / max(mine["milliseconds"], 0.001)
        ratios.append((ratio, row["matches"]))
        number, each = seen[row["id"]]
        print(
            f"{row['id']:9}{row['milliseconds']:12.1f}{mine['milliseconds']:9.1f}{ratio:8.1f}"
            f"{row['matches']:9}{mine['matches']:7}{number:9}{each:9.0f}"
        )
    plain = [ratio for ratio, _ in ratios]
    widest = max(ratios, key=lambda pair: pair[1])[0]
    # The 90th percentile of cost is the tenth of lowest ratio.
    print(
        f"\nratio: median {percentile(plain, 0.5):.1f}, 90 % at least {percentile(plain, 0.1):.1f}"
    )
    print(f"the widest query: {widest:.1f}")
    for title, rows in (("compiler", theirs["rows"]), ("typematch", own["rows"])):
        spent = [row["milliseconds"] for row in rows]
        middle, high = percentile(spent, 0.5), percentile(spent, 0.95)
        print(f"{title:10} median {middle:.1f} ms, p95 {high:.1f} ms")
    print(f"memory: compiler {mebibytes(theirs['memory'])}, typematch {mebibytes(own['memory'])}")
    known = sum(row["known"] for row in theirs["rows"])
    print(
        f"the compiler loaded in {theirs['load_milliseconds'] / 1000:.1f} s of CPU and found "
        f"{theirs['found']} of {theirs['functions']} functions; {known} of its "
        f"{sum(row['matches'] for row in theirs['rows'])} matches are those of the data"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--typescript", type=Path, required=True, help="node_modules/typescript")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    from typematch.evaluate.corpus import read_lines

    queries = list(read_lines(options.data / "queries.jsonl.gz"))
    if options.ours:
        print(json.dumps(ours(options.db, queries)))
        return 0
    print(machine())
    theirs = compiler(options.typescript, options.corpus, options.data)
    passed = ["--data", options.data, "--corpus", options.corpus, "--db", options.db]
    inner = measure(
        python(__file__, *map(str, passed), "--typescript", str(options.typescript), "--ours")
    )
    if inner.exit_code:
        raise SystemExit(inner.output)
    own = json.loads(inner.output.splitlines()[-1])
    report(theirs, own, survivors(options.db, queries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
