"""Measures how indexing and searching grow from a smaller to a larger folder.

    python scripts/bench_growth.py SMALL LARGE --queries QUERIES.jsonl[.gz] [--number N]

Both are projects, or folders with an installed ``node_modules``: such as the corpus of the
compiler's data, and one with three times the declarations.  What counts is how much faster than
the bytes that were read the rest grows; the queries are signatures, asked warm, for 20 hits.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench_search import read_queries, warm
from measuring import Cost, machine, measure, mebibytes, python, typematch

_HITS = 20


@dataclass(frozen=True, slots=True)
class Size:
    """Measures of a folder: indexed files and bytes, and the cost of indexing and searching."""

    files: int
    bytes: int
    index: Cost
    milliseconds: float  # of CPU, of the median search


def bytes_of(root: Path, database: Path) -> tuple[int, int]:
    """Return the number of indexed files of ``root``, and their size in bytes."""
    import typematch as library

    with library.open(database, create=False) as catalog:
        names = {entry.path for entry in catalog.entries()}
    places = (root, root / "node_modules")
    found = [place / name for name in names for place in places if (place / name).is_file()]
    return len(found), sum(path.stat().st_size for path in found)


def sized(root: Path, database: Path, arguments: Sequence[str]) -> Size:
    index = measure(typematch("index", str(root), "--db", str(database), "--no-vectors"))
    if index.exit_code:
        raise SystemExit(f"index gave exit code {index.exit_code}:\n{index.output}")
    files, size = bytes_of(root, database)
    inner = measure(python(__file__, *arguments, "--inside", str(database)))
    if inner.exit_code:
        raise SystemExit(inner.output)
    return Size(files, size, index, json.loads(inner.output.splitlines()[-1]))


def report(small: Size, large: Size) -> None:
    print(f"{'':24}{'small':>12}{'large':>12}{'times':>8}")

    def row(title: str, one: float, other: float, unit: str, digits: int = 1) -> None:
        times = other / one if one else 0.0
        print(f"{title:24}{one:12,.{digits}f}{other:12,.{digits}f}{times:8.2f}  {unit}")

    row("files", small.files, large.files, "", 0)
    row("declarations", small.bytes / 1e6, large.bytes / 1e6, "MB")
    row("index, CPU", small.index.cpu, large.index.cpu, "s")
    row("index, memory", small.index.peak / 2**20, large.index.peak / 2**20, "MiB", 0)
    row("search, CPU, median", small.milliseconds, large.milliseconds, "ms", 0)
    print(f"\nlargest process: {mebibytes(large.index.peak)}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("small", type=Path)
    parser.add_argument("large", type=Path)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--number", type=int, default=40, help="ask so many of the queries")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        queries = read_queries(options.queries)[: options.number]
        print(json.dumps(median(warm(options.inside, queries, "", _HITS)["cpu"])))
        return 0
    passed = [str(options.small), str(options.large), "--queries", str(options.queries)]
    passed += ["--number", str(options.number)]
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as folder:
        sizes = [
            sized(root.resolve(), Path(folder) / f"{name}.db", passed)
            for name, root in (("small", options.small), ("large", options.large))
        ]
    report(*sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
