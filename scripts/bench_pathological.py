"""Measures how indexing grows with files of unusual shapes, each at sizes n, 2n and 4n.

    python scripts/bench_pathological.py [--size 1000] [--limit 20] [--shapes TEXT]

Prints CPU seconds over those of an empty file and the peak memory, each run in a process of its
own with a limit of time and memory.  A shape grows linearly if doubling its size takes at most
2.3 times as long; below a tenth of a second nothing is said.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import environment, machine, python
from pathological_shapes import SHAPES

MAX_GROWTH = 2.3  # times, when the size doubles
_LEAST = 0.1  # CPU seconds; less is noise
_MEMORY = 2 << 30  # bytes of a process
# Sizes as a share of --size, where the text or the work is more than linear in it by its nature.
_SHARES = {
    "diamond": 0.03,
    "callable diamond": 0.02,
    "nested namespaces": 0.1,
    "doc brackets": 10,
    "open comments": 100,
}


@dataclass(frozen=True, slots=True)
class Run:
    """One run: CPU seconds, peak bytes, and what ended it early, if anything."""

    seconds: float
    peak: int
    problem: str = ""


def index_file(file: Path, limit: int) -> None:
    """Index ``file`` in this process; print CPU seconds and peak bytes."""
    from typematch.catalog import Catalog

    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    with Catalog(file.with_suffix(".db")) as catalog:
        report = catalog.add(file, model=None)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{seconds} {usage.ru_maxrss * 1024} {report.failed[0][1] if report.failed else ''}")


def run(text: str, limit: int) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shape.ts"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run(
            python(__file__, "--inside", str(file), "--limit", str(limit)),
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"signal {-done.returncode}"])[-1]
        return Run(float(limit), 0, last)
    seconds, peak, problem = done.stdout.splitlines()[-1].split(" ", 2)
    return Run(float(seconds), int(peak), problem)


def growth(smaller: float, larger: float) -> float | None:
    """Return how many times ``smaller`` the larger is; None if both are noise."""
    return None if larger < _LEAST * 2 else larger / max(smaller, _LEAST)


def report(shapes: Sequence[str], size: int, limit: int) -> int:
    print(f"{machine()}\n")
    empty = run("export {};\n", limit).seconds
    print(f"{'shape':24}{'n':>8}{'n':>9}{'2n':>9}{'4n':>9}{'growth':>15}   CPU seconds")
    bad = 0
    for name in shapes:
        base = max(2, int(size * _SHARES.get(name, 1)))
        runs = [run(SHAPES[name](base * factor), limit) for factor in (1, 2, 4)]
        seconds = [max(0.0, run_.seconds - empty) for run_ in runs]
        growths = [growth(seconds[0], seconds[1]), growth(seconds[1], seconds[2])]
        problem = next((run_.problem for run_ in runs if run_.problem), "")
        too_much = any(times is not None and times > MAX_GROWTH for times in growths)
        bad += too_much or bool(problem)
        shown = " ".join("     -" if times is None else f"{times:6.2f}" for times in growths)
        peak = max(run_.peak for run_ in runs) >> 20
        print(
            f"{name:24}{base:8}" + "".join(f"{value:9.2f}" for value in seconds) + f"  {shown}"
            f"  {peak:5} MiB{'  TOO MUCH' if too_much else ''}  {problem}",
            flush=True,
        )
    print(f"\n{len(shapes)} shapes, an empty file takes {empty:.2f} s: {bad} problems")
    return 1 if bad else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=1_000)
    parser.add_argument("--limit", type=int, default=20, help="CPU seconds of a run")
    parser.add_argument("--shapes", default="", help="only those whose name contains this text")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        index_file(options.inside, options.limit)
        return 0
    return report([name for name in SHAPES if options.shapes in name], options.size, options.limit)


if __name__ == "__main__":
    sys.exit(main())
