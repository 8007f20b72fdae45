"""A pool of worker processes with timeouts, a bounded queue and load-dependent time slices.

Searches are CPU-bound and cannot be interrupted in a thread, so each worker is a process; a request
that exceeds its timeout ends its process.  Interruptible requests return partial results: when
requests queue up, their time slice shrinks, so that all are answered less completely before any is
rejected.
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
from typing import Any

from typematch.child_processes import SPAWN_CONTEXT
from typematch.config import Location
from typematch.serve.processes import spawn
from typematch.serve.workers.error_replies import ErrorReply
from typematch.serve.workers.worker_process import TimeSlice, serve

_PROCESS_START_TIMEOUT = 120.0  # seconds until a new process must be ready
# Handlers that may take a multiple of the timeout: they compare whole interfaces with many classes,
# and return no partial result.
TIMEOUT_FACTORS: Mapping[str, float] = {"match": 4.0, "compose": 4.0}
_START_POLL = 0.02  # seconds between two looks at whether a worker is ready
_RATE_WINDOW = 5.0  # seconds over which the request rate is measured
# Seconds for which time slices stay reduced after a request had to wait.  With fewer, slices would
# alternate between full and reduced under constant load.
_BUSY_PERIOD = 30.0
# Share of the available process time that time slices use up.  The rest is for requests that cannot
# be interrupted, for bursts, and for other programs.
_LOAD_FACTOR = 0.4
_MIN_TIME_SLICE = 0.04  # seconds; a shorter search finds next to nothing
_MAX_TIMEOUT_SHARE = 0.8  # of the timeout: a partial result is better than a timeout


class OverloadedError(Exception):
    """More requests are waiting than can be answered in time."""


class StartingError(OverloadedError):
    """No worker has become ready in the time that a request waits for the start."""


class RequestTimeoutError(Exception):
    """A request was given up after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WorkerPool:
    """Answers requests about one database.

    Args:
        path: the database.
        workers: number of processes.
        timeout_seconds: time limit of one request, counted from when a worker starts on it, times
            the factor of its handler.
        max_queued: number of requests that may wait for a worker; more are rejected at once.
        queue_timeout_seconds: a request that waits longer for a worker is rejected.
        start_timeout_seconds: time that a request waits for the first worker to become ready.  No
            other time limit counts it.
    """

    def __init__(
        self,
        path: Location,
        *,
        workers: int,
        timeout_seconds: float,
        max_queued: int,
        queue_timeout_seconds: float = 2.0,
        start_timeout_seconds: float = 60.0,
    ) -> None:
        self._path = path
        self._start_timeout_seconds = start_timeout_seconds
        self._has_started = threading.Event()
        self._timeout_seconds = timeout_seconds
        self._queue_timeout_seconds = queue_timeout_seconds
        self._max_open_requests = workers + max_queued
        self._open_requests = 0
        self._worker_count = workers
        self._recent_requests: deque[float] = deque()
        self._last_wait = -math.inf
        self._time_slice = SPAWN_CONTEXT.RawValue("d")
        self._is_closed = False
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")
        self._workers = [_Worker(path, self._time_slice) for _ in range(workers)]
        for worker in self._workers:
            self._add_when_ready(worker)

    async def request(
        self, handler: str, arguments: Mapping[str, Any], *, total_seconds: float | None = None
    ) -> Any:
        """Return the reply of a handler: a document or an ``ErrorReply``.

        Args:
            total_seconds: time limit of waiting and work together; None for no limit of both
                together.  The wait for the start of the pool does not count.

        Raises:
            OverloadedError: no worker was free in time.
            StartingError: the pool has not started in time.
            RequestTimeoutError: the worker did not reply in time.
        """
        if self._is_closed or self._open_requests >= self._max_open_requests:
            raise OverloadedError
        self._open_requests += 1
        try:
            await self._wait_until_started()
            return await self._reply(handler, arguments, total_seconds)
        finally:
            self._open_requests -= 1

    async def _wait_until_started(self) -> None:
        # An event of asyncio belongs to one loop; a pool serves requests of any loop.
        deadline = time.monotonic() + self._start_timeout_seconds
        while not self._has_started.is_set() and not self._is_closed:
            if time.monotonic() >= deadline:
                raise StartingError
            await asyncio.sleep(_START_POLL)
        if self._is_closed:
            raise OverloadedError

    async def _reply(
        self, handler: str, arguments: Mapping[str, Any], total_seconds: float | None
    ) -> Any:
        start = time.monotonic()
        self._recent_requests.append(start)
        self._time_slice.value = self._fair_time_slice(start)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(total_seconds):
                return await loop.run_in_executor(
                    self._threads, self._send, handler, arguments, start
                )
        except TimeoutError as error:
            raise RequestTimeoutError(total_seconds or 0.0) from error
        except asyncio.CancelledError:
            # A cancelled request, of a user who goes on typing, does not count as load.
            with contextlib.suppress(ValueError):
                self._recent_requests.remove(start)
            raise

    def close(self) -> None:
        """End the processes; open requests fail, and later ones are rejected."""
        self._is_closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _fair_time_slice(self, now: float) -> float:
        """Return the seconds per request at which the pool keeps up with the current rate.

        The slice also applies to requests that are being processed: those that have had more end.
        """
        while self._recent_requests[0] < now - _RATE_WINDOW:
            self._recent_requests.popleft()
        longest = _MAX_TIMEOUT_SHARE * self._timeout_seconds
        if self._open_requests > self._worker_count:
            self._last_wait = now
        if now - self._last_wait > _BUSY_PERIOD:
            return longest
        fair = _LOAD_FACTOR * self._worker_count * _RATE_WINDOW / len(self._recent_requests)
        burst = max(1.0, self._open_requests / self._worker_count)  # faster than the mean rate
        return min(max(fair / burst, _MIN_TIME_SLICE), longest)

    def _send(self, handler: str, arguments: Mapping[str, Any], start: float) -> Any:
        # There are as many threads as workers, so a worker is idle unless it is starting.
        remaining = self._queue_timeout_seconds - (time.monotonic() - start)
        if remaining <= 0:
            raise OverloadedError  # the client has given up or repeated the request
        try:
            worker = self._idle.get(timeout=remaining)
        except queue.Empty as error:
            raise OverloadedError from error
        try:
            timeout_seconds = self._timeout_seconds * TIMEOUT_FACTORS.get(handler, 1.0)
            return worker.request(handler, arguments, timeout_seconds)
        finally:
            if worker.is_ready:
                self._idle.put(worker)
            else:  # its process was replaced
                self._add_when_ready(worker)

    def _add_when_ready(self, worker: _Worker) -> None:
        """Make a worker available once its process is ready, so that no request waits for that."""

        def wait() -> None:
            worker.wait_until_ready()
            self._idle.put(worker)
            self._has_started.set()

        threading.Thread(target=wait, daemon=True).start()


class _Worker:
    """A process with its connection; the process is replaced as soon as it has ended."""

    def __init__(self, path: Location, time_slice: TimeSlice) -> None:
        self._path = path
        self._time_slice = time_slice
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self.is_ready = False
        self._lock = threading.Lock()
        self._is_closed = False
        self._start_process()

    def wait_until_ready(self) -> None:
        """Wait until the process is ready or has failed; then the next request gets the error."""
        with contextlib.suppress(EOFError, OSError):
            self._ready_connection()

    def request(self, handler: str, arguments: Mapping[str, Any], timeout_seconds: float) -> Any:
        try:
            connection = self._ready_connection()
            connection.send((handler, dict(arguments)))
            if connection.poll(timeout_seconds):
                return connection.recv()
        except (EOFError, OSError):
            self._start_process()
            return ErrorReply("outside", "the worker process has ended", "", "Try again.")
        self._start_process()
        raise RequestTimeoutError(timeout_seconds)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._kill_process()

    def _start_process(self) -> None:
        """Replace the process, unless the worker is closed."""
        with self._lock:
            self._kill_process()
            if self._is_closed:
                return
            self._connection, child_connection = SPAWN_CONTEXT.Pipe()
            self._process = spawn(serve, child_connection, self._path, self._time_slice)
            child_connection.close()

    def _kill_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        # The connection is not closed: another thread that waits on it gets EOFError.
        self._process = self._connection = None
        self.is_ready = False

    def _ready_connection(self) -> Connection:
        """Wait until the process is ready; raise OSError or EOFError if it cannot be."""
        connection = self._connection
        if connection is None:
            raise EOFError
        if not self.is_ready:
            if not connection.poll(_PROCESS_START_TIMEOUT):
                raise TimeoutError
            connection.recv()
            self.is_ready = True
        return connection
