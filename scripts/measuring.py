"""Runs a command and measures it; names the machine.  Used by the bench scripts."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
_MEBIBYTE = 1 << 20
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in a unit of ``ru_maxrss``


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a process and its children.

    Attributes:
        cpu: seconds, user and system.
        wall: seconds.
        peak: bytes of the largest process.
        peak_together: bytes of all its processes at one moment, sampled (pages they share counted
            once where the system tells); 0 where that cannot be read.
    """

    cpu: float
    wall: float
    peak: int
    peak_together: int
    exit_code: int
    output: str


def machine() -> str:
    """Return processor, cores, system and Python version in one line."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def peak_bytes() -> int:
    """Return the most memory in use by this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a child that runs this checkout's typematch."""
    path = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, **(extra or {})}


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def typematch(*arguments: str) -> list[str]:
    return python("-m", "typematch", *arguments)


def measure(command: Sequence[str]) -> Cost:
    """Run a command to its end, its output kept."""
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
        text=True,
        errors="replace",
    ) as child:
        sampler = _Sampler(child.pid)
        sampler.start()
        assert child.stdout is not None
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        sampler.stop()
    return Cost(
        cpu=usage.ru_utime + usage.ru_stime,
        wall=time.perf_counter() - start,
        peak=usage.ru_maxrss * _RSS_UNIT,
        peak_together=sampler.peak,
        exit_code=child.returncode,
        output=output,
    )


def dumped(catalog: str | Path) -> list[str]:
    """Return the content of a catalog, a file or an address, as lines in a stable order."""
    from typematch.config import location_of
    from typematch.index.dump import dump
    from typematch.index.engines.locations import open_for_reading

    database = open_for_reading(location_of(catalog))
    try:
        return dump(database)
    finally:
        database.close()


def entry_counts(catalog: str | Path) -> Counter[str]:
    """Return the number of entries of each package; empty if there is no catalog yet."""
    from typematch import open as typematch_opened
    from typematch.errors import MissingDatabaseError

    try:
        with typematch_opened(catalog, create=False) as opened:
            return Counter(entry.package for entry in opened.entries())
    except MissingDatabaseError:
        return Counter()


class _Sampler(threading.Thread):
    """Samples the memory of a process and its descendants."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.1):
            self.peak = max(self.peak, sum(_proportional(pid) for pid in family_of(self.pid)))

    def stop(self) -> None:
        self._over.set()
        self.join()


def family_of(pid: int) -> list[int]:
    """Return a process and its descendants; only the process where there is no /proc."""
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").glob("*/children"):
                found += [int(child) for child in task.read_text().split()]
        except OSError:
            continue  # it has ended meanwhile
    return found


def _proportional(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def mebibytes(size: int) -> str:
    return f"{size / _MEBIBYTE:.0f} MiB" if size else "-"
