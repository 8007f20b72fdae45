"""Say what the server does under load, on loopback.

    python scripts/bench_serve.py --db FILE --queries QUERIES.jsonl[.gz] [--rate 10] [--seconds 60]

Queries are drawn at random and sent at a steady rate over many open connections, whether answers
have come or not.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import httpx

from bench_search import at, read_queries
from measuring import environment, machine, typematch

_CONNECTIONS = 200
_WARM_UP = 10  # queries


async def load(
    address: str, queries: Sequence[str], *, rate: float, seconds: float
) -> tuple[list[float], Counter[int]]:
    """Return the milliseconds of the answers with status 200, and how many had which status."""
    drawn = random.Random(1)
    taken: list[float] = []
    statuses: Counter[int] = Counter()
    limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:

        async def ask(query: str) -> None:
            start = time.perf_counter()
            try:
                answer = await client.get("/api/search", params={"q": query})
            except httpx.HTTPError:
                statuses[0] += 1
                return
            statuses[answer.status_code] += 1
            if answer.status_code == 200:
                assert answer.json()["query"] == query
                taken.append((time.perf_counter() - start) * 1000)

        for query in queries[:_WARM_UP]:
            await client.get("/api/search", params={"q": query})
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as asking:
            for number in range(int(rate * seconds)):
                await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
                asking.create_task(ask(drawn.choice(queries)))
    return taken, statuses


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True, help="lines with a query")
    parser.add_argument("--rate", type=float, default=10.0, help="requests in a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args(arguments)
    queries = read_queries(options.queries)
    print(machine())
    command = typematch("serve", "--port", "0", "--db", str(options.db))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            told = server.stdout.readline() if server.stdout is not None else ""
            [address] = re.findall(r"http://\S+:\d+", told)
            taken, statuses = asyncio.run(
                load(address, queries, rate=options.rate, seconds=options.seconds)
            )
        finally:
            server.terminate()
    print(f"{options.rate:g} requests a second for {options.seconds:g} s: {dict(statuses)}")
    shares = "  ".join(f"{name} {at(taken, share):.0f}" for name, share in _SHARES)
    print(f"milliseconds of those answered: {shares}")
    return 0


_SHARES = (("median", 0.5), ("p95", 0.95), ("max", 1.0))

if __name__ == "__main__":
    sys.exit(main())
