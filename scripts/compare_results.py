"""Writes the hits, costs and order of queries, to compare two versions of typematch.

    python scripts/compare_results.py write DATABASE OUT.jsonl QUERIES...
    python scripts/compare_results.py diff BEFORE.jsonl AFTER.jsonl

QUERIES are .jsonl or .jsonl.gz files whose lines have a ``query``, .txt files with a query in each
line, or .txt files of labelled sentences (``sentence TEXT`` lines).  Texts of answers are not
written: only ids, costs, number of edits, order and total.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_LIMIT = 20  # hits of each query


def read_queries(file: Path) -> Iterator[str]:
    data = file.read_bytes()
    lines = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8").splitlines()
    if file.suffix != ".txt":
        yield from (json.loads(line)["query"] for line in lines if line.strip())
        return
    labelled = [line.removeprefix("sentence").strip() for line in lines if line[:9] == "sentence "]
    yield from labelled or [line for line in lines if line.strip() and not line.startswith("#")]


def write(database: Path, out: Path, files: Sequence[Path]) -> None:
    import typematch

    start, rows = time.process_time(), []
    with typematch.open(database, create=False) as catalog:
        for file in files:
            for query in read_queries(file):
                row: dict[str, Any] = {"file": file.name, "query": query}
                try:
                    result = catalog.search(query, limit=_LIMIT)
                    row["total"] = result.total
                    row["hits"] = [(hit.entry.id, hit.cost, len(hit.edits)) for hit in result]
                except typematch.TypematchError as error:
                    row["error"] = type(error).__name__
                rows.append(row)
    out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} queries, {time.process_time() - start:.1f} s of CPU time")


def diff(before: Path, after: Path) -> int:
    """Print how many queries of each file have the same answer, and those that have not."""
    old, new = (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for file in (before, after)
    )
    by_query = {(row["file"], row["query"]): row for row in old}
    counts: dict[str, list[int]] = {}
    for row in new:
        previous = by_query.get((row["file"], row["query"]))
        counts.setdefault(row["file"], []).append(previous == row)
        if previous != row:
            print(f"differs: {row['file']}: {row['query']}")
    for name, same in counts.items():
        print(f"{name:24}{sum(same):>6} of {len(same)} the same hits, costs and order")
    return int(not all(all(same) for same in counts.values()))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=("write", "diff"))
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args(argv)
    if options.action == "diff":
        return diff(*options.files)
    database, out, *queries = options.files
    write(database, out, queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
