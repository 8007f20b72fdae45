"""Progress on standard error: bars on a terminal, one per phase; a line while a run waits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from typematch.serve.escaped_output import escaped_output, underlying_stream

if TYPE_CHECKING:
    from typematch.ingest.run import Progress

_SILENT_SECONDS = 1.0  # of a wait: most end sooner


def waiting_line() -> Callable[[str, float], None]:
    """Return what prints one line about each thing that a run waits for (``Catalog.waiting``)."""
    printed: set[str] = set()

    def report(what: str, seconds: float) -> None:
        if seconds >= _SILENT_SECONDS and what not in printed:
            printed.add(what)
            line = f"waiting for another run that writes {what}; Ctrl-C ends the wait"
            print(f"typematch: {line}", file=sys.stderr, flush=True)

    return report


@contextmanager
def progress_on(stream: TextIO) -> Iterator[Progress | None]:
    """Yield a function that reports progress on ``stream``; None if it is not a terminal."""
    if not stream.isatty():
        yield None
        return
    # Imported late: importing rich takes about 0.16 s.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bars = Progress(
        TextColumn("{task.description:<12}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(file=underlying_stream(stream)),
        transient=True,
    )
    phases: dict[str, TaskID] = {}

    def report(phase: str, done: int, total: int, unit: str) -> None:
        if phase not in phases:
            phases[phase] = bars.add_task(phase, count="", rate="")
        task = bars.tasks[bars.task_ids.index(phases[phase])]
        rate = f"{task.speed:,.0f} {unit}/s" if task.speed else ""
        # An unknown total (0) is shown as a pulsing bar.
        count = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        bars.update(phases[phase], completed=done, total=total or None, count=count, rate=rate)

    # While the bars are shown, rich prints what is written to the standard streams.
    with bars, escaped_output():
        yield report
