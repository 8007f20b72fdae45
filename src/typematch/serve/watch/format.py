"""Say in a line what a round did."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from typematch.search.present.wire_format import Document, index_document
from typematch.serve.watch.events import Change
from typematch.serve.watch.index_loop import IndexCycle

_NAMED = 3  # changes; of more only the number is told
_FAILED = 5


def round_lines(done: IndexCycle, folder: Path, at: datetime) -> Iterator[str]:
    """Yield what a round did; nothing where it found everything as it was.

    Args:
        folder: names of files are told from here.
        at: when it ended.
    """
    if done.is_idle:
        return
    why = [f"branch {before or '?'} -> {now or '?'}" for before, now in done.branches]
    why += _changes(done.changes, folder)
    head = f"{at:%H:%M:%S}  {', '.join(why) or 'looked'}"
    if done.error is not None:
        yield f"{head}: not indexed: " + str(done.error).replace("\n", "\n          ")
    elif done.report is not None:
        did = [f"{_files(done.indexed)} indexed"] if done.indexed else []
        did += [f"{_files(done.removed)} removed"] if done.removed else []
        entries = "1 entry" if done.report.entries == 1 else f"{done.report.entries:,} entries"
        told = ", ".join(did) or "no change of content"
        yield f"{head}: {told}; {entries} now, {done.seconds:.1f} s"
        for file, reason in done.report.failed[:_FAILED]:
            yield f"          failed: {file}: {reason}"


def _changes(changes: Sequence[Change], folder: Path) -> list[str]:
    # A branch is told by its name, a folder by what is in it.
    paths = [path for _, path in changes]
    told = [
        (what, path)
        for what, path in changes
        if path.parent.name != ".git" and not any(path in other.parents for other in paths)
    ]
    if len(told) > _NAMED:
        return [f"{len(told):,} changes"]
    return [f"{what} {os.path.relpath(path, folder)}" for what, path in told]


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def round_document(done: IndexCycle) -> Document:
    """Return a round as the wire has it, one document for each."""
    return {
        "format": "typematch.watch/1",
        "changes": [{"what": what, "path": str(path)} for what, path in done.changes],
        "branches": [{"before": before, "now": now} for before, now in done.branches],
        "seconds": round(done.seconds, 3),
        "error": str(done.error) if done.error else "",
        "report": index_document(done.report) if done.report else None,
    }
