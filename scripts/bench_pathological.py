"""Measures how indexing grows with files of unusual shapes, each at sizes n, 2n and 4n.

    python scripts/bench_pathological.py [--size 1000] [--limit 60] [--shapes TEXT]

Prints CPU seconds over those of an empty file and the peak memory, each run in a process of its
own with a limit of time and memory.  The size n grows from ``--size`` until 4n takes seconds, or
its text is near the largest file that is indexed.  Each time is the minimum of several runs; a
growth above the goal is measured again.  A shape grows linearly if doubling its size takes at most
2.3 times as long.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from measuring import environment, machine, peak_bytes, python
from pathological_shapes import SHAPES

MAX_GROWTH = 2.3  # times, when the size doubles
_AIM = 3.0  # CPU seconds that 4n takes at least, where the text can be that large
_NOISE = 0.25  # CPU seconds; nothing is said of less
_SHORT = 10.0  # CPU seconds; a shorter run is repeated
_REPEATED = 2  # runs of each size
_MORE = 2  # times that a growth above the goal is measured again
_MAX_STEP = 8  # times that n grows at once
_MAX_TEXT = 10_000_000  # bytes
_MEMORY = 2 << 30  # bytes of a process


@dataclass(frozen=True, slots=True)
class Run:
    """One run: CPU seconds, peak bytes, and what ended it early, if anything.

    ``is_stopped``: by a limit of this script; else the problem is why the file was not indexed.
    """

    seconds: float
    peak: int
    problem: str = ""
    is_stopped: bool = False


def index_file(file: Path, limit: int) -> None:
    """Index ``file`` in this process; print CPU seconds and peak bytes."""
    from typematch.catalog import Catalog

    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    with Catalog(file.with_suffix(".db")) as catalog:
        report = catalog.add(file, model=None)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{seconds} {peak_bytes()} {report.failed[0][1] if report.failed else ''}")


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
        return Run(float(limit), 0, last, is_stopped=True)
    seconds, peak, problem = done.stdout.splitlines()[-1].split(" ", 2)
    return Run(float(seconds), int(peak), problem)


class Measurement:
    """The best runs of one shape by its size."""

    def __init__(self, shape: str, limit: int) -> None:
        self.runs: dict[int, Run] = {}
        self.empty = float(limit)  # CPU seconds of an empty file
        self._text = SHAPES[shape]
        self._limit = limit

    def measure(self, size: int, times: int = 1) -> Run:
        """Return the fastest of all runs of this size, after ``times`` more of them.

        An empty file is measured beside each: other load on the machine slows down both.
        """
        for _ in range(times):
            self.empty = min(self.empty, run("export {};\n", self._limit).seconds)
            new = run(self._text(size), self._limit)
            best = self.runs.get(size)
            if best is None or (not new.problem and new.seconds < best.seconds):
                self.runs[size] = new
            if self.runs[size].problem or new.seconds > _SHORT:
                break
        return self.runs[size]

    def seconds(self, size: int) -> float:
        """Return CPU seconds over those of an empty file."""
        return max(0.0, self.runs[size].seconds - self.empty)

    def calibrate(self, size: int) -> int:
        """Return n, at least ``size``, such that 4n takes long enough to be compared."""
        largest = self.measure(4 * size)
        while not largest.problem and self.seconds(4 * size) < _AIM:
            step = min(_MAX_STEP, int(1.2 * _AIM / max(self.seconds(4 * size), 0.01)) + 1)
            while step > 1 and len(self._text(4 * size * step).encode()) > _MAX_TEXT:
                step -= 1
            if step < 2:
                break
            larger = self.measure(4 * size * step)
            if larger.problem and not larger.is_stopped:
                break  # a published limit, as of levels of syntax: such files are not indexed
            size, largest = size * step, larger
        return size

    def growths(self, size: int) -> list[float | None]:
        """Return the growth from n to 2n and to 4n; None for a time that is noise."""
        seconds = [self.seconds(size * factor) for factor in (1, 2, 4)]
        return [
            larger / smaller if smaller > _NOISE else None for smaller, larger in pairwise(seconds)
        ]


def is_too_much(growths: Sequence[float | None]) -> bool:
    return any(times is not None and times > MAX_GROWTH for times in growths)


def report(shapes: Sequence[str], size: int, limit: int) -> int:
    print(f"{machine()}\n")
    print(f"{'shape':24}{'n':>8}{'n':>9}{'2n':>9}{'4n':>9}{'growth':>15}   CPU seconds")
    bad = 0
    for name in shapes:
        shape = Measurement(name, limit)
        base = shape.calibrate(size)
        sizes = [base, 2 * base, 4 * base]
        for size_ in sizes:
            shape.measure(size_, _REPEATED)
        for _ in range(_MORE):
            if is_too_much(shape.growths(base)):
                for size_ in sizes:
                    shape.measure(size_, _REPEATED)
        growths = shape.growths(base)
        runs = [shape.runs[size_] for size_ in sizes]
        problem = next((run_.problem for run_ in runs if run_.problem), "")
        too_much = is_too_much(growths)
        bad += too_much or bool(problem)
        shown = " ".join("     -" if times is None else f"{times:6.2f}" for times in growths)
        peak = max(run_.peak for run_ in runs) >> 20
        print(
            f"{name:24}{base:8}"
            + "".join(f"{shape.seconds(size_):9.2f}" for size_ in sizes)
            + f"  {shown}  {peak:5} MiB{'  TOO MUCH' if too_much else ''}  {problem}",
            flush=True,
        )
    print(f"\n{len(shapes)} shapes: {bad} problems")
    return 1 if bad else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=1_000)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a run")
    parser.add_argument("--shapes", default="", help="only those whose name contains this text")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        index_file(options.inside, options.limit)
        return 0
    return report([name for name in SHAPES if options.shapes in name], options.size, options.limit)


if __name__ == "__main__":
    sys.exit(main())
