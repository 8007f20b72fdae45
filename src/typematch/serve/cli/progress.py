"""Progress of long work: a bar with its rate for each phase on a terminal, nothing when piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeAlias

# (what is being done, how much of it is done, of how much (0: unknown), in which unit)
Progress: TypeAlias = Callable[[str, int, int, str], None]


@contextmanager
def progress_on(stream: TextIO) -> Iterator[Progress | None]:
    """Give what reports progress on ``stream``; None where nobody would see it."""
    if not stream.isatty():
        yield None
        return
    # rich takes a sixth of a second to import: only who waits anyway pays for it.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    bars = Progress(
        TextColumn("{task.description:<12}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        console=Console(file=stream),
        transient=True,
    )
    phases: dict[str, TaskID] = {}

    def report(phase: str, done: int, total: int, unit: str) -> None:
        if phase not in phases:
            phases[phase] = bars.add_task(phase, count="", rate="")
        task = bars.tasks[bars.task_ids.index(phases[phase])]
        rate = f"{task.speed:,.0f} {unit}/s" if task.speed else ""
        # A total of 0 is one that is not known yet: the bar pulses.
        count = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        bars.update(phases[phase], completed=done, total=total or None, count=count, rate=rate)

    with bars:
        yield report
