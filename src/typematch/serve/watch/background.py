"""Watch in a process of its own, beside a server: indexing would take turns with its answers."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path

from typematch.errors import TypematchError
from typematch.serve.processes import SPAWNED, begin
from typematch.serve.watch.format import round_lines
from typematch.serve.watch.index_loop import rounds


@contextmanager
def watching_beside(paths: Sequence[str], database: Path) -> Iterator[None]:
    """Keep ``database`` true to ``paths`` as long as this lasts; what is done goes to stderr."""
    if not paths:
        yield
        return
    ours, theirs = SPAWNED.Pipe()
    process = begin(_watch, theirs, list(paths), database)
    theirs.close()
    try:
        yield
    finally:
        ours.close()
        process.terminate()
        process.join()


def _watch(line: Connection, paths: Sequence[str], database: Path) -> None:
    """Watch until nobody holds the other end of ``line``; the body of the process."""
    stop = threading.Event()
    threading.Thread(target=_await_end, args=(line, stop), daemon=True).start()
    try:
        for done in rounds(paths, database, stop):
            for told in round_lines(done, Path.cwd(), datetime.now()):
                print(told, file=sys.stderr, flush=True)
    except TypematchError as error:
        print(f"typematch: no longer watching: {error}", file=sys.stderr, flush=True)


def _await_end(line: Connection, stop: threading.Event) -> None:
    try:
        line.recv()
    except (EOFError, OSError):
        stop.set()
        # A run takes long; each package that it has written is complete.
        threading.Timer(1.0, os._exit, (0,)).start()
