"""Measures `typematch search --at` from a cold shell, beside opening the file in the process.

    python scripts/bench_at.py --db FILE [--times 20] [QUERY ...]

Each search is a process of its own; the server is warm.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from measuring import environment, machine, measure, typematch

_QUERIES = ("(items: T[], size: number) => T[][]", "split a list into batches", "name:*debounce*")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("queries", nargs="*", default=_QUERIES)
    options = parser.parse_args(arguments)
    print(machine())
    serving = typematch("serve", "--port", "0", "--db", str(options.db))
    with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            told = server.stdout.readline() if server.stdout is not None else ""
            [address] = re.findall(r"http://\S+:\d+", told)
            ways = {"--at": ("--at", address), "--db": ("--db", str(options.db))}
            print(f"{'seconds':<40}{'way':<6}{'median':>8}{'most':>8}{'cpu':>8}")
            for query in options.queries:
                for way, where in ways.items():
                    command = typematch("search", query, "--limit", "5", *where)
                    measure(command)  # the server's first answer, and the system's cache of files
                    costs = [measure(command) for _ in range(options.times)]
                    assert all(cost.exit_code == 0 for cost in costs), costs[0].output
                    walls = [cost.wall for cost in costs]
                    cpu = statistics.median(cost.cpu for cost in costs)
                    median = statistics.median(walls)
                    print(f"{query:<40}{way:<6}{median:>8.2f}{max(walls):>8.2f}{cpu:>8.2f}")
        finally:
            server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
