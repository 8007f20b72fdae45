"""Measures how indexing and searching grow with the number of entries, up to a million.

    python scripts/bench_scale.py node_modules --queries QUERIES.jsonl[.gz] --words QUERIES.jsonl
        [--entries 30000,200000,1000000] [--db FILE]

The packages of the folder are indexed, then copies of them under other names (``d3`` as
``d3-copy-2``), until the catalog has so many entries.  Copies have the types of their originals:
distinct types grow less than in a catalog of as many different packages, hits of equal cost grow
more.  Queries are asked once each in one warm process; the first ten are not counted.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median

from bench_search import COLD_QUERY, COLD_RUNS, read_queries, warm
from measuring import machine, measure, mebibytes, python, typematch
from typematch.evaluate.metrics import percentile

_HITS = 20
_DECLARATIONS = ("*.d.ts", "*.d.mts", "*.d.cts")


@dataclass(frozen=True, slots=True)
class Searches:
    """Milliseconds of CPU time of each search, and the memory of their process in bytes."""

    signatures: Sequence[float]
    words: Sequence[float]
    peak: int


def packages_of(folder: Path) -> list[Path]:
    """Return the folders of the packages with declarations in a ``node_modules`` folder."""
    manifests = [*folder.glob("*/package.json"), *folder.glob("@*/*/package.json")]
    return sorted(file.parent for file in manifests if any(declarations_of(file.parent)))


def declarations_of(package: Path) -> Iterator[Path]:
    """Yield the declaration files of a package, without those of packages inside it."""
    for pattern in _DECLARATIONS:
        for file in package.rglob(pattern):
            if "node_modules" not in file.relative_to(package).parts:
                yield file


def copy_package(package: Path, source: Path, target: Path, suffix: str) -> Path:
    """Copy the declarations of ``package`` in ``source`` to ``target`` under another name."""
    copied = target / f"{package.relative_to(source)}{suffix}"
    for file in declarations_of(package):
        place = copied / file.relative_to(package)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
    manifest["name"] = str(copied.relative_to(target))
    copied.mkdir(parents=True, exist_ok=True)
    (copied / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    return copied


def batches(source: Path, target: Path) -> Iterator[list[Path]]:
    """Yield the packages to index next: the originals, then copies of each."""
    originals = packages_of(source)
    third = max(1, len(originals) // 3)
    for number in count(1):
        for start in range(0, len(originals), third):
            batch = originals[start : start + third]
            yield (
                batch
                if number == 1
                else [copy_package(package, source, target, f"-copy-{number}") for package in batch]
            )


def index(database: Path, packages: Sequence[Path]) -> tuple[int, float, int]:
    """Index packages; return the number of entries, CPU seconds and the peak memory in bytes."""
    cost = measure(typematch("index", *map(str, packages), "--db", str(database)))
    if cost.exit_code:
        raise SystemExit(f"index gave exit code {cost.exit_code}:\n{cost.output}")
    stats = measure(typematch("stats", "--json", "--db", str(database)))
    entries = sum(package["entries"] for package in json.loads(stats.output)["packages"])
    return entries, cost.cpu, cost.peak


def searches(database: Path, queries: Path, words: Path, number: int) -> Searches:
    """Ask ``number`` of the queries of each file in a process of its own."""
    arguments = ["--queries", str(queries), "--words", str(words), "--number", str(number)]
    inner = measure(python(__file__, str(database), *arguments, "--inside"))
    if inner.exit_code:
        raise SystemExit(inner.output)
    return Searches(**json.loads(inner.output.splitlines()[-1]))


def inside(database: Path, queries: Path, words: Path, number: int) -> None:
    """Print the measures of one warm process as JSON."""
    signatures = warm(database, read_queries(queries)[: number + 10], "", _HITS)
    requests = [query for query in read_queries(words) if "=>" not in query]
    texts = warm(database, requests[: number + 10], "", _HITS)
    print(
        json.dumps({"signatures": signatures["cpu"], "words": texts["cpu"], "peak": texts["peak"]})
    )


def report(source: Path, database: Path, sizes: Sequence[int], options: argparse.Namespace) -> None:
    heads = ("index CPU s", "peak MiB", "bytes/entry", "signature", "p95", "words", "p95", "cold")
    print(f"{'entries':>12}" + "".join(f"{head:>13}" for head in heads) + "   (searches: CPU ms)")
    with tempfile.TemporaryDirectory() as folder:
        remaining = batches(source, Path(folder) / "node_modules")
        entries, cpu, peak = 0, 0.0, 0
        for size in sizes:
            while entries < size:
                before = entries
                entries, seconds, memory = index(database, next(remaining))
                if entries == before:
                    raise SystemExit(f"{source}: these packages add no entries")
                cpu, peak = cpu + seconds, max(peak, memory)
            found = searches(database, options.queries, options.words, options.number)
            command = typematch("search", COLD_QUERY, "--db", str(database))
            measure(command)
            cold = 1000 * median(measure(command).cpu for _ in range(COLD_RUNS))
            row = [cpu, peak / 2**20, database.stat().st_size / entries]
            for times in (found.signatures, found.words):
                row += [median(times), percentile(times, 0.95)]
            print(f"{entries:12,}" + "".join(f"{value:13,.0f}" for value in (*row, cold)))
            print(f"{'':12}memory of the searches: {mebibytes(found.peak)}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, help="a node_modules folder")
    parser.add_argument("--queries", type=Path, required=True, help="signatures")
    parser.add_argument(
        "--words", type=Path, required=True, help="requests, those in words are asked"
    )
    parser.add_argument("--number", type=int, default=40, help="ask so many of each")
    parser.add_argument("--entries", default="30000,200000,1000000", help="sizes, ascending")
    parser.add_argument("--db", type=Path, help="keep the catalog in this file")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        inside(options.source, options.queries, options.words, options.number)
        return 0
    sizes = [int(size) for size in options.entries.split(",")]
    if not packages_of(options.source):
        parser.error(f"{options.source} has no packages; give a node_modules folder")
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as folder:
        report(options.source, options.db or Path(folder) / "catalog.db", sizes, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
