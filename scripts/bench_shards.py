"""Compares a catalog in one database with the same in two and four, on one PostgreSQL server.

    python scripts/bench_shards.py --db FILE QUERIES [--first N] [--databases 1 2 4]

A server is started for the measurement, unless ``--server postgresql://...`` names one.  FILE is
copied to it as one database, and as the shards of two and four.  Each database has a process of its
own, which all get the same query at once; the answers are merged.  With ``sort:cost`` ids, costs
and order of the first 20 must be those of the one database.  By relevance, words order hits of
similar cost, and a shard weighs them by its own texts: how many hits are the same is printed, too.

Round trips are statements that wait for the server.  Memory is that of the largest process after
all queries, above that of one which has opened a database and searched nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from bench_search import read_queries
from bench_stores import server_address
from measuring import machine
from typematch import SearchResult, merge_results
from typematch import open as typematch_opened
from typematch.child_processes import Workers, workers
from typematch.evaluate.metrics import percentile
from typematch.index.engines.postgres_connection import PostgresConnection
from typematch.search.present.result_decoder import decode_search_result
from typematch.search.present.wire_format import search_document

_LIMIT = 20
_SECONDS = 60.0  # so much that no answer depends on the time
_WARM_UP = 3
_ORDERS = ("sort:cost", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one database answers.

    Attributes:
        document: JSON of the result.
        cpu: seconds of its process.
        round_trips: statements it sent.
        memory: bytes of its process, resident.
    """

    document: str
    cpu: float
    round_trips: int
    memory: int


def searcher() -> Callable[[tuple[str, str]], Answer]:
    """Return what answers (address, query) in a process that keeps its database open."""
    catalogs: dict[str, Any] = {}
    sent = 0
    execute = PostgresConnection.execute

    def counted(connection: PostgresConnection, *arguments: Any) -> Any:
        nonlocal sent
        sent += 1
        return execute(connection, *arguments)

    setattr(PostgresConnection, "execute", counted)  # noqa: B010

    def search(task: tuple[str, str]) -> Answer:
        nonlocal sent
        address, query = task
        if address not in catalogs:
            catalogs[address] = typematch_opened(address, create=False)
        if not query:
            return Answer("", 0, 0, resident_bytes())
        sent, start = 0, time.process_time()
        result = catalogs[address].search(query, limit=_LIMIT, seconds=_SECONDS)
        taken = time.process_time() - start
        return Answer(json.dumps(search_document(result)), taken, sent, resident_bytes())

    return search


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Measured:
    """What the queries took with one number of databases: lists with a value for each query."""

    pages: dict[tuple[str, str], list[tuple[str, float | None]]] = field(default_factory=dict)
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    largest_cpu: list[float] = field(default_factory=list)
    round_trips: list[int] = field(default_factory=list)
    first: float = 0.0
    memory: int = 0


def measure(addresses: Sequence[str], queries: Sequence[str]) -> Measured:
    measured = Measured()
    with workers(len(addresses), searcher) as processes:
        empty = [answer.memory for answer in ask(processes, addresses, "")]
        measured.first = max(answer.cpu for answer in ask(processes, addresses, queries[0]))
        for order in _ORDERS:
            for number, query in enumerate([*queries[:_WARM_UP], *queries]):
                start = time.perf_counter()
                answers = ask(processes, addresses, f"{query} {order}".strip())
                page = merged(answers)
                taken = time.perf_counter() - start
                if number < _WARM_UP:
                    continue
                measured.pages[order, query] = [(hit.entry.id, hit.cost) for hit in page]
                if order:
                    measured.wall.append(taken)
                    measured.cpu.append(sum(answer.cpu for answer in answers))
                    measured.largest_cpu.append(max(answer.cpu for answer in answers))
                    measured.round_trips.append(sum(answer.round_trips for answer in answers))
                measured.memory = max(
                    answer.memory - before for answer, before in zip(answers, empty, strict=True)
                )
    return measured


def ask(processes: Workers, addresses: Sequence[str], query: str) -> list[Answer]:
    return list(processes.map([(address, query) for address in addresses]))


def merged(answers: Sequence[Answer]) -> SearchResult:
    results = [decode_search_result(json.loads(answer.document)) for answer in answers]
    return results[0] if len(results) == 1 else merge_results(results, _LIMIT)


@contextmanager
def copies(file: Path, address: str, counts: Sequence[int]) -> Iterator[dict[int, list[str]]]:
    """Yield by number of databases their addresses."""
    found: dict[int, list[str]] = {}
    with typematch_opened(file, create=False) as catalog:
        entries = catalog.stats().entries
        size = file.stat().st_size
        print(f"{entries} entries, {size / 1e6:.0f} MB as a file, {size / entries:.0f} bytes each")
        for count in counts:
            found[count] = []
            for number in range(1, count + 1):
                target = with_schema(address, f"shard{number}of{count}")
                start = time.perf_counter()
                size = catalog.export(target, shard="" if count == 1 else f"{number}/{count}")
                seconds = time.perf_counter() - start
                print(f"{number} of {count}: {size / 1e6:.0f} MB in {seconds:.0f} s", flush=True)
                found[count].append(target)
    yield found


def with_schema(address: str, schema: str) -> str:
    parts = urlsplit(address)
    parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return urlunsplit(parts._replace(query=urlencode({**parameters, "schema": schema})))


def compare(whole: Measured, other: Measured, count: int) -> int:
    """Print what equals the one database; return the number of pages that should and do not."""
    different = 0
    for (order, query), page in other.pages.items():
        expected = whole.pages[order, query]
        if order and page != expected:
            different += 1
            print(f"differs: {query}\n  one   {expected!s:.300}\n  {count}     {page!s:.300}")
    by_cost = [query for order, query in other.pages if order]
    relevant = [query for order, query in other.pages if not order]
    shared = [
        len({id_ for id_, _ in other.pages["", query]} & {id_ for id_, _ in whole.pages["", query]})
        / max(len(whole.pages["", query]), 1)
        for query in relevant
    ]
    same_first = sum(other.pages["", query][:1] == whole.pages["", query][:1] for query in relevant)
    equal, hits = len(by_cost) - different, sum(shared) / max(len(shared), 1)
    print(
        f"{count} databases: {equal} of {len(by_cost)} pages equal; by relevance {hits:.1%} of the "
        f"hits, {same_first} of {len(relevant)} first hits the same"
    )
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("queries", type=Path)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--server", metavar="URL")
    parser.add_argument("--first", type=int, metavar="N", help="queries of the file")
    parser.add_argument("--databases", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    queries = read_queries(options.queries)[: options.first]
    print(machine())
    different = 0
    with (
        server_address(options.server) as address,
        copies(options.db, address, options.databases) as found,
    ):
        measured = {count: measure(addresses, queries) for count, addresses in found.items()}
    whole = measured[min(measured)]
    for count, other in measured.items():
        if other is not whole:
            different += compare(whole, other, count)
    print(
        f"{len(queries)} queries, first 20 by cost\n"
        "databases  first search  CPU s: median, of the largest process  wall: median, p95  "
        "round trips  memory MB"
    )
    for count, it in measured.items():
        print(
            f"{count:>9}  {it.first:>11.2f}s  {median(it.cpu):>13.3f}  "
            f"{median(it.largest_cpu):>22.3f}  {median(it.wall):>12.3f} "
            f"{percentile(it.wall, 0.95):>5.2f}  "
            f"{median(it.round_trips):>11.0f}  {it.memory / 1e6:>9.0f}"
        )
    return int(different > 0)


if __name__ == "__main__":
    raise SystemExit(main())
