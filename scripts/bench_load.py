"""Measures the server under load on loopback while an index run works beside it.

    python scripts/bench_load.py --data DIR --db FILE --beside node_modules/rxjs [--seconds 60]

DIR is the folder of the compiler's data; its queries are sampled and sent at a steady rate over 200
open connections, without waiting for answers.  The file is copied; an index run adds the folder to
the copy and removes it, in a loop.  Every answer is checked: it must be complete, consistent, and
belong to its query.  A busy server answers within a deadline; the quality of such an answer is the
cost of its first hit against that of a search without a deadline.  The rates are low, then higher
than the server can answer, then low again.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench_search import read_queries
from measuring import environment, machine, typematch
from typematch import open as typematch_opened
from typematch.evaluate.metrics import percentile
from typematch.search.present.notices import SEARCH_ENDED
from typematch.search.present.result_decoder import decode_search_result
from typematch.search.results import SearchResult

_CONNECTIONS = 200
_WARM_UP = 20  # queries
_AFTER = 15.0  # seconds of little load after much of it


@dataclass(slots=True)
class Taken:
    """Outcomes of the requests at one rate.

    Attributes:
        milliseconds: of the answers with status 200.
        statuses: how many had which; 0 where there was no answer at all.
        ended: how many answers are not all that there is, as there was no more time for them.
        good: how many have a first hit as cheap as that of a search that took its time.
        torn: how many answers were not what was asked for, whole and in itself consistent.
        without_retry: how many refusals did not say when to ask again.
        runs: how many index runs ended meanwhile.
    """

    rate: float
    seconds: float
    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    ended: int = 0
    good: int = 0
    torn: int = 0
    without_retry: int = 0
    runs: int = 0


class Connections:
    """Clients with one connection each, used in turn; all are open before the first request."""

    def __init__(self, address: str) -> None:
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=None)
        context = httpx.create_ssl_context()
        self._clients = [
            httpx.AsyncClient(base_url=address, limits=limits, timeout=60, verify=context)
            for _ in range(_CONNECTIONS)
        ]
        self._next = 0

    async def open(self) -> None:
        for client in self._clients:
            (await client.get("/icon.svg")).raise_for_status()

    async def get(self, path: str, query: str) -> httpx.Response:
        client = self._clients[self._next % _CONNECTIONS]
        self._next += 1
        return await client.get(path, params={"q": query})

    async def close(self) -> None:
        await asyncio.gather(*(client.aclose() for client in self._clients))


async def load(connections: Connections, costs: Mapping[str, float], taken: Taken) -> None:
    """Ask for ``taken.seconds``, ``taken.rate`` times a second.

    Args:
        costs: of the first hit of each query.
    """
    drawn = random.Random(1)
    queries = list(costs)

    async def ask(query: str) -> None:
        start = time.perf_counter()
        try:
            answer = await connections.get("/api/search", query)
        except httpx.HTTPError:
            taken.statuses[0] += 1
            return
        taken.statuses[answer.status_code] += 1
        if answer.status_code == 200:
            taken.milliseconds.append((time.perf_counter() - start) * 1000)
            read = _read(answer, query)
            if read is None:
                taken.torn += 1
                return
            taken.ended += any(notice.startswith(SEARCH_ENDED) for notice in read.notices)
            taken.good += _first_cost(hit.cost for hit in read.hits) <= costs[query]
        elif answer.status_code == 503:
            taken.without_retry += not answer.headers.get("Retry-After", "").isdigit()

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as asking:
        for number in range(int(taken.rate * taken.seconds)):
            await asyncio.sleep(max(0.0, begun + number / taken.rate - time.perf_counter()))
            asking.create_task(ask(drawn.choice(queries)))


def _first_cost(costs: Iterable[float | None]) -> float:
    first = next(iter(costs), None)
    return math.inf if first is None else first


def first_costs(database: Path, queries: Sequence[str]) -> dict[str, float]:
    """Return the cost of each query's first hit without a deadline."""
    with typematch_opened(database, create=False) as catalog:
        return {
            query: _first_cost(hit.cost for hit in catalog.search(query).hits) for query in queries
        }


def _read(answer: httpx.Response, query: str) -> SearchResult | None:
    """Return the result; None if it is incomplete."""
    try:
        document = answer.json()
        result = decode_search_result(document)
    except ValueError:
        return None
    ids = [hit.entry.id for hit in result]
    overloads_exist = all(
        hit["overload"] is None or hit["overload"] < len(hit["entry"]["signatures"])
        for hit in document["hits"]
    )
    is_complete = result.query == query and len(set(ids)) == len(ids) <= result.total
    return result if is_complete and overloads_exist else None


class Indexing(threading.Thread):
    """Indexes a folder into a file and removes it again, in a loop, until stopped."""

    def __init__(self, database: Path, folder: Path) -> None:
        super().__init__(daemon=True)
        self._database, self._folder = database, folder
        self._over = threading.Event()
        self.runs = 0
        self.failed: list[str] = []

    def run(self) -> None:
        index = typematch("index", str(self._folder), "--db", str(self._database))
        while not self._over.is_set():
            for command in (index, *self._removing()):
                done = subprocess.run(command, capture_output=True, text=True, env=environment())
                if done.returncode:
                    self.failed.append(done.stderr.strip())
                self.runs += 1

    def _removing(self) -> Iterator[list[str]]:
        """Yield the command that removes the package of the folder, once it is indexed."""
        manifest = (self._folder / "package.json").read_text(encoding="utf-8")
        [name, *_] = re.findall(r'"name"\s*:\s*"([^"]+)"', manifest)
        yield typematch("remove", name, "--db", str(self._database))

    def stop(self) -> None:
        self._over.set()
        self.join()


@contextmanager
def serving(database: Path) -> Iterator[str]:
    command = typematch("serve", "--port", "0", "--db", str(database))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            told = server.stdout.readline() if server.stdout is not None else ""
            [address] = re.findall(r"http://\S+:\d+", told)
            yield address
        finally:
            server.terminate()


async def measured(
    address: str, costs: Mapping[str, float], rates: Sequence[Taken], beside: Indexing
) -> None:
    connections = Connections(address)
    try:
        await connections.open()
        for query in [*costs][:_WARM_UP]:  # what is loaded late is loaded
            await connections.get("/api/search", query)
        for taken in rates:
            before = beside.runs
            await load(connections, costs, taken)
            taken.runs = beside.runs - before
    finally:
        await connections.close()


def table(rates: Sequence[Taken]) -> Iterator[str]:
    yield (
        "requests/s  seconds  answered  ended  good   503  other  torn  median ms  p95 ms"
        "  max ms  index runs"
    )
    for rate in rates:
        other = sum(count for status, count in rate.statuses.items() if status not in (200, 503))
        times = [
            percentile(rate.milliseconds, share) if rate.milliseconds else 0
            for share in (0.5, 0.95, 1)
        ]
        yield (
            f"{rate.rate:>10g}  {rate.seconds:>7g}  {rate.statuses[200]:>8}  {rate.ended:>5}"
            f"  {rate.good:>4}  {rate.statuses[503]:>4}"
            f"  {other:>5}  {rate.torn:>4}  {times[0]:>9.0f}  {times[1]:>6.0f}  {times[2]:>6.0f}"
            f"  {rate.runs:>10}"
        )
    silent = sum(rate.without_retry for rate in rates)
    yield f"refusals without Retry-After: {silent}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the queries")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--beside", type=Path, required=True, help="a package to be indexed")
    parser.add_argument("--rates", default="10,50", help="requests in a second, one after another")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each rate")
    options = parser.parse_args(arguments)
    queries = read_queries(options.data / "queries.jsonl.gz")
    given = [float(rate) for rate in options.rates.split(",")]
    rates = [Taken(rate, options.seconds) for rate in given] + [Taken(min(given), _AFTER)]
    print(machine())
    costs = first_costs(options.db, queries)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(shutil.copy(options.db, Path(folder) / "typematch.db"))
        beside = Indexing(database, options.beside)
        with serving(database) as address:
            beside.start()
            try:
                asyncio.run(measured(address, costs, rates, beside))
            finally:
                beside.stop()
    print(f"{len(queries)} queries over {_CONNECTIONS} connections, indexing {options.beside.name}")
    print(*table(rates), sep="\n")
    for said in dict.fromkeys(beside.failed):
        print(f"an index run failed: {said}")
    return 1 if beside.failed or any(rate.torn for rate in rates) else 0


if __name__ == "__main__":
    sys.exit(main())
