"""Processes of our own beside a server, which ends them: Ctrl-C is for the server alone."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

# Not forked: threads of this process may hold locks.
SPAWNED = multiprocessing.get_context("spawn")


def begin(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Begin a process that ends with this one at the latest; ``arguments`` are pickled.

    A terminal sends Ctrl-C to all that runs on it.  The new process never hears of it, not even
    while it still imports what would make it deaf.
    """
    process = SPAWNED.Process(target=_deaf, args=(target, *arguments), daemon=True)
    if sys.platform == "win32":
        process.start()
        return process
    resource_tracker.ensure_running()  # the first `start` would, and unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


def _deaf(target: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where nothing could be blocked
    target(*arguments)
