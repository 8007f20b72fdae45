"""Processes that answer side by side: a question that takes too long ends its process, no other.

A search works, it does not wait: threads would take turns on one core, and none could be stopped.

What can end early with a part of the answer has its time to itself while nobody waits.  When more
questions come than there are processes, each gets its share of their time, as many as come: all are
answered a little worse before any is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from typematch.serve.http.worker_process import ErrorReply, Share, serve
from typematch.serve.processes import SPAWNED, begin

_TO_BEGIN = 120.0  # seconds a process may take to get ready
_COUNTED = 5.0  # seconds over which it is counted how many questions come
# Seconds for which the time is shared after a question had to wait.  Were they few, every other
# second would begin with searches that take all the time they want, and others behind them.
_SHARED = 30.0
# Of the time between questions, what may go into one: the rest is for what takes as long as it
# takes, for questions that come in bursts, and for what else the machine has to do.
_SHARE = 0.4
_LEAST = 0.04  # seconds; with less than that little is found at all
_WHOLE = 0.8  # of the time that a question may take: better a part of an answer than none


class OverloadedError(Exception):
    """More questions wait than can be answered in time."""


class TooSlowError(Exception):
    """A question was given up after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WorkerPool:
    """Answers questions about one file.

    Args:
        path: the database.
        number: of processes.
        seconds: how long one question may take, once it is begun.
        patience: seconds after which a question that still waits for a process is refused.
        waiting: how many questions may wait for a process; any more are refused at once.
    """

    def __init__(
        self, path: Path, *, number: int, seconds: float, waiting: int, patience: float = 2.0
    ) -> None:
        self._path = path
        self._seconds = seconds
        self._patience = patience
        self._most = number + waiting
        self._asked = 0
        self._number = number
        self._lately: deque[float] = deque()
        self._waited = -math.inf
        self._share = SPAWNED.RawValue("d")
        self._has_ended = False
        self._free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="worker")
        self._workers = [_Worker(path, self._share) for _ in range(number)]
        for worker in self._workers:
            self._lend_once_ready(worker)

    async def ask(self, question: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer, a document or a ``ErrorReply``.

        Raises:
            OverloadedError, TooSlowError: there is none in time.
        """
        if self._has_ended or self._asked >= self._most:
            raise OverloadedError
        self._asked += 1
        asked = time.monotonic()
        self._lately.append(asked)
        self._share.value = self._fair(asked)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self._threads, self._answer, question, arguments, asked
            )
        except asyncio.CancelledError:
            # Whoever types on has no use for this one, and wants all the more of the last.
            with contextlib.suppress(ValueError):
                self._lately.remove(asked)
            raise
        finally:
            self._asked -= 1

    def close(self) -> None:
        """End the processes; what they still work on is not answered, nor is what is asked now."""
        self._has_ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end()

    def _fair(self, now: float) -> float:
        """Return how many seconds a question may take for as many as come now to be answered.

        Those that are being answered too: what has had that much ends now.
        """
        while self._lately[0] < now - _COUNTED:
            self._lately.popleft()
        whole = _WHOLE * self._seconds
        if self._asked > self._number:
            self._waited = now
        if now - self._waited > _SHARED:
            return whole
        fair = _SHARE * self._number * _COUNTED / len(self._lately)
        waiting = max(1.0, self._asked / self._number)  # those that came faster than that told
        return min(max(fair / waiting, _LEAST), whole)

    def _answer(self, question: str, arguments: Mapping[str, Any], asked: float) -> Any:
        # As many threads as workers: one is free, unless it has to get ready.
        left = self._patience - (time.monotonic() - asked)
        if left <= 0:
            raise OverloadedError  # whoever asked has given up by now, or asked again
        try:
            worker = self._free.get(timeout=left)
        except queue.Empty as error:
            raise OverloadedError from error
        try:
            return worker.answer(question, arguments, self._seconds)
        finally:
            if worker.is_ready:
                self._free.put(worker)
            else:  # another process was begun
                self._lend_once_ready(worker)

    def _lend_once_ready(self, worker: _Worker) -> None:
        """Lend a worker once its process is ready: no question waits for that in its hands."""

        def wait() -> None:
            worker.get_ready()
            self._free.put(worker)

        threading.Thread(target=wait, daemon=True).start()


class _Worker:
    """A process and the line to it; a new one is begun as soon as the old one has ended."""

    def __init__(self, path: Path, share: Share) -> None:
        self._path = path
        self._share = share
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self.is_ready = False
        self._changing = threading.Lock()
        self._has_ended = False
        self.begin()

    def get_ready(self) -> None:
        """Wait until the process is ready, or cannot be: then whoever asks it next is told."""
        with contextlib.suppress(EOFError, OSError):
            self._ready()

    def answer(self, question: str, arguments: Mapping[str, Any], seconds: float) -> Any:
        try:
            line = self._ready()
            line.send((question, dict(arguments)))
            if line.poll(seconds):
                return line.recv()
        except (EOFError, OSError):
            self.begin()
            return ErrorReply("outside", "the process that answers has ended", "", "Ask again.")
        self.begin()
        raise TooSlowError(seconds)

    def begin(self) -> None:
        """Begin a process, which then gets ready by itself; the one before is ended.

        Nothing is begun once the worker has ended.
        """
        with self._changing:
            self._stop()
            if self._has_ended:
                return
            self._line, theirs = SPAWNED.Pipe()
            self._process = begin(serve, theirs, self._path, self._share)
            theirs.close()

    def end(self) -> None:
        with self._changing:
            self._has_ended = True
            self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        # Not closed: another thread may wait on the line; it is told, and lets it go.
        self._process = self._line = None
        self.is_ready = False

    def _ready(self) -> Connection:
        """Wait until the process is ready; raise OSError or EOFError if it cannot be."""
        line = self._line
        if line is None:
            raise EOFError
        if not self.is_ready:
            if not line.poll(_TO_BEGIN):
                raise TimeoutError
            line.recv()
            self.is_ready = True
        return line
