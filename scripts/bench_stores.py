"""Compares a catalog on a PostgreSQL server with the file that it was copied from.

    python scripts/bench_stores.py answers --db FILE QUERIES...
    python scripts/bench_stores.py load [--clients 50] [--seconds 60]

A server is started for the measurement, unless ``--server postgresql://...`` names one.

``answers`` copies FILE to the server and asks both the same queries, in turns in one process: ids,
costs and order must be equal.  Times are CPU seconds of the client, as a ratio of sums.

``load`` asks from so many connections while index runs replace a project beside them.  All
functions of the project have one parameter type, which each run changes: an answer with some of
them is torn.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from bench_search import read_queries
from databases import running_server
from measuring import machine
from typematch import TypematchError
from typematch import open as typematch_opened
from typematch.catalog import Catalog
from typematch.evaluate.metrics import percentile

_LIMIT = 20
_SECONDS = 60.0  # so much that no answer depends on the time
_WARM_UP = 5
_THREADS = 10  # clients of one process
_FUNCTIONS = 40  # of the project that is replaced
_TYPES = ("string", "number")


@contextlib.contextmanager
def server_address(address: str | None) -> Iterator[str]:
    if address is not None:
        yield address
        return
    with running_server() as server:
        yield server.url("bench")


# Answers ------------------------------------------------------------------------------------------


def answer(catalog: Catalog, query: str) -> tuple[object, float]:
    """Return ids, costs and total of the hits, and the CPU seconds they took."""
    start = time.process_time()
    try:
        result = catalog.search(query, limit=_LIMIT, seconds=_SECONDS)
        found: object = ([(hit.entry.id, hit.cost) for hit in result], result.total)
    except TypematchError as error:
        found = type(error).__name__
    return found, time.process_time() - start


def compare(file: Path, address: str, queries: Sequence[Path], first: int | None) -> int:
    """Print equal answers and the ratio of CPU seconds; return the number of other answers.

    Args:
        first: ask only so many of the queries of each file.
    """
    with typematch_opened(file, create=False) as catalog:
        start = time.perf_counter()
        size = catalog.export(address)
        seconds = time.perf_counter() - start
    print(f"copied {file.stat().st_size / 1e6:.0f} MB to {size / 1e6:.0f} MB in {seconds:.0f} s")
    different = 0
    with (
        typematch_opened(file, create=False) as local,
        typematch_opened(address, create=False) as remote,
    ):
        for catalog in (local, remote):
            _, taken = answer(catalog, "split a list :: (items: T[], size: number) => T[][]")
            print(f"first search {taken:.2f} s of CPU time")
        for source in queries:
            sums, equal = [0.0, 0.0], 0
            asked = read_queries(source)[:first]
            for number, query in enumerate([*asked[:_WARM_UP], *asked]):
                (one, here), (other, there) = answer(local, query), answer(remote, query)
                if number < _WARM_UP:
                    continue
                sums[0], sums[1] = sums[0] + here, sums[1] + there
                equal += one == other
                if one != other:
                    print(f"differs: {query}\n  file    {one!s:.300}\n  server  {other!s:.300}")
            different += len(asked) - equal
            print(
                f"{source.name:24}{equal:>5} of {len(asked)} equal; CPU s {sums[0]:.1f} and "
                f"{sums[1]:.1f}, ratio {sums[1] / sums[0]:.2f}"
            )
    return different


# Load ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Seen:
    """What clients saw: milliseconds of each answer, torn answers, errors."""

    milliseconds: list[float] = field(default_factory=list)
    torn: int = 0
    errors: list[str] = field(default_factory=list)


def write_project(folder: Path, parameter: str) -> None:
    functions = "".join(
        f"export declare function use{number}(a: Alias): Date;\n" for number in range(_FUNCTIONS)
    )
    (folder / "package.json").write_text('{"name": "replaced", "types": "index.ts"}')
    (folder / "alias.ts").write_text(f"export type Alias = {parameter};\n")
    (folder / "index.ts").write_text(f'import {{ Alias }} from "./alias";\n{functions}')


def ask(address: str, until: float, seen: Seen) -> None:
    try:
        with typematch_opened(address, create=False) as catalog:
            while time.time() < until:
                start = time.perf_counter()
                with catalog.snapshot():
                    counts = [
                        catalog.search(
                            f"(a: {parameter}) => Date  pkg:replaced is:assignable", limit=None
                        ).total
                        for parameter in _TYPES
                    ]
                seen.milliseconds.append((time.perf_counter() - start) * 1000)
                if sorted(counts) != [0, _FUNCTIONS]:
                    seen.torn += 1
                    seen.errors.append(str(counts))
    except TypematchError as error:
        seen.errors.append(str(error))


def ask_from_threads(address: str, until: float, count: int, pipe: Connection) -> None:
    clients = [Seen() for _ in range(count)]
    threads = [threading.Thread(target=ask, args=(address, until, seen)) for seen in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send([(seen.milliseconds, seen.torn, seen.errors) for seen in clients])


def load(address: str, clients: int, seconds: float) -> int:
    """Print what the clients saw; return the number of torn answers and errors."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        write_project(project, _TYPES[0])
        with typematch_opened(address) as catalog:
            catalog.add(project, model=None)
        context = multiprocessing.get_context("spawn")
        until = time.time() + seconds
        readers: list[tuple[Any, Connection]] = []
        for first in range(0, clients, _THREADS):
            ours, theirs = context.Pipe()
            count = min(_THREADS, clients - first)
            process = context.Process(target=ask_from_threads, args=(address, until, count, theirs))
            process.start()
            readers.append((process, ours))
        runs = 0
        while time.time() < until:
            runs += 1
            write_project(project, _TYPES[runs % len(_TYPES)])
            with typematch_opened(address) as catalog:
                catalog.add(project, model=None)
        total = Seen()
        for process, pipe in readers:
            for milliseconds, torn, errors in pipe.recv():
                total.milliseconds += milliseconds
                total.torn += torn
                total.errors += errors
            process.join()
    print(
        f"{clients} clients, {seconds:.0f} s, {runs} index runs beside them: "
        f"{len(total.milliseconds)} answers to two searches each, {total.torn} torn, "
        f"{len(total.errors) - total.torn} errors; "
        f"median {percentile(total.milliseconds, 0.5):.0f} ms, "
        f"p95 {percentile(total.milliseconds, 0.95):.0f} ms"
    )
    for error in total.errors[:5]:
        print(f"error: {error}")
    return len(total.errors)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=("answers", "load"))
    parser.add_argument("queries", type=Path, nargs="*")
    parser.add_argument("--db", type=Path)
    parser.add_argument("--server", metavar="URL")
    parser.add_argument("--first", type=int, metavar="N", help="queries of each file")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_intermixed_args()
    print(machine())
    with server_address(options.server) as address:
        if options.action == "load":
            return int(load(address, options.clients, options.seconds) > 0)
        if options.db is None or not options.queries:
            parser.error("answers needs --db FILE and QUERIES")
        return int(compare(options.db, address, options.queries, options.first) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
