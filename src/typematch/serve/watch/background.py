"""Watches in a separate process beside a server, so that indexing does not slow its requests."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path

from typematch.child_processes import SPAWN_CONTEXT
from typematch.config import Location
from typematch.errors import TypematchError
from typematch.serve.escaped_output import one_line
from typematch.serve.processes import spawn
from typematch.serve.watch.format import cycle_lines
from typematch.serve.watch.index_loop import index_cycles


@contextmanager
def watch_in_background(paths: Sequence[str], database: Location) -> Iterator[None]:
    """Keep ``database`` up to date with ``paths`` while the context lasts; log to stderr."""
    if not paths:
        yield
        return
    parent_end, child_end = SPAWN_CONTEXT.Pipe()
    process = spawn(_watch, child_end, list(paths), database)
    child_end.close()
    try:
        yield
    finally:
        parent_end.close()
        process.terminate()
        process.join()


def _watch(pipe: Connection, paths: Sequence[str], database: Location) -> None:
    """Body of the process: watch until the parent closes its end of ``pipe``."""
    stop = threading.Event()
    threading.Thread(target=_await_parent_exit, args=(pipe, stop), daemon=True).start()
    try:
        for cycle in index_cycles(paths, database, stop):
            for line in cycle_lines(cycle, Path.cwd(), datetime.now()):
                print(one_line(line), file=sys.stderr, flush=True)
    except TypematchError as error:
        print(f"typematch: watching stopped: {error}", file=sys.stderr, flush=True)


def _await_parent_exit(pipe: Connection, stop: threading.Event) -> None:
    try:
        pipe.recv()
    except (EOFError, OSError):
        stop.set()
        # An index run may take long; stopping it is safe, packages are written in transactions.
        threading.Timer(1.0, os._exit, (0,)).start()
