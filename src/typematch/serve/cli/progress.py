"""Progress bars on a terminal, one per phase; none when the output is piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeAlias

from typematch.serve.escaped_output import escaped_output, underlying_stream

# (phase, done, total (0: unknown), unit)
Progress: TypeAlias = Callable[[str, int, int, str], None]


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
