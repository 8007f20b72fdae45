"""Text lines and JSON documents for index cycles."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from typematch.search.present.wire_format import Document, index_document
from typematch.serve.watch.events import Change
from typematch.serve.watch.index_loop import IndexCycle

_MAX_NAMED_CHANGES = 3  # of more changes only the number is printed
_MAX_FAILED_FILES = 5


def cycle_lines(cycle: IndexCycle, folder: Path, at: datetime) -> Iterator[str]:
    """Yield the lines for a cycle; none if nothing changed.

    Args:
        folder: paths are printed relative to it.
        at: end of the cycle.
    """
    if cycle.is_idle:
        return
    causes = [f"branch {before or '?'} -> {now or '?'}" for before, now in cycle.branches]
    causes += _change_texts(cycle.changes, folder)
    head = f"{at:%H:%M:%S}  {', '.join(causes) or 'rescan'}"
    if cycle.error is not None:
        first, *more = str(cycle.error).splitlines()
        yield f"{head}: not indexed: {first}"
        yield from (f"          {line}" for line in more)
    elif cycle.report is not None:
        actions = [f"{_files(cycle.indexed)} indexed"] if cycle.indexed else []
        actions += [f"{_files(cycle.removed)} removed"] if cycle.removed else []
        entries = "1 entry" if cycle.report.entries == 1 else f"{cycle.report.entries:,} entries"
        summary = ", ".join(actions) or "no content changed"
        yield f"{head}: {summary}; {entries} now, {cycle.seconds:.1f} s"
        for file, reason in cycle.report.failed[:_MAX_FAILED_FILES]:
            yield f"          failed: {file}: {reason}"


def _change_texts(changes: Sequence[Change], folder: Path) -> list[str]:
    # Branch switches are reported by name, new folders by their content.
    paths = [path for _, path in changes]
    shown = [
        (what, path)
        for what, path in changes
        if path.parent.name != ".git" and not any(path in other.parents for other in paths)
    ]
    if len(shown) > _MAX_NAMED_CHANGES:
        return [f"{len(shown):,} changes"]
    return [f"{what} {os.path.relpath(path, folder)}" for what, path in shown]


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def cycle_document(cycle: IndexCycle) -> Document:
    """Return the ``typematch.watch/1`` document of a cycle."""
    return {
        "format": "typematch.watch/1",
        "changes": [{"what": what, "path": str(path)} for what, path in cycle.changes],
        "branches": [{"before": before, "now": now} for before, now in cycle.branches],
        "seconds": round(cycle.seconds, 3),
        "error": str(cycle.error) if cycle.error else "",
        "report": index_document(cycle.report) if cycle.report else None,
    }
