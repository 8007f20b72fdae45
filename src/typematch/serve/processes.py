"""Child processes of a server: they end with it, and Ctrl-C goes to the server alone."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

from typematch.serve.escaped_output import escaped_output

# Not fork: threads of this process may hold locks.
SPAWN_CONTEXT = multiprocessing.get_context("spawn")


def spawn(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a daemon process that calls ``target``; ``arguments`` are pickled.

    A terminal sends SIGINT to its whole process group.  It is blocked in the child from the start,
    before the child can install SIG_IGN.
    """
    process = SPAWN_CONTEXT.Process(target=_ignore_sigint, args=(target, *arguments), daemon=True)
    if sys.platform == "win32":
        process.start()
        return process
    # Otherwise the first ``start`` would start the tracker, which unblocks the signal.
    resource_tracker.ensure_running()
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
    return process


def _ignore_sigint(target: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Windows nothing was blocked
    with escaped_output():
        target(*arguments)
