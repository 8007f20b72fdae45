"""The worker pool: queue, timeouts, time slices, and that closing it leaves no process behind."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from typematch.catalog import Catalog
from typematch.serve.workers.error_replies import ErrorReply
from typematch.serve.workers.worker_pool import OverloadedError, StartingError, WorkerPool


class ReadyWorker:
    """A worker without a process, always ready."""

    is_ready = True

    def __init__(self, *_: object) -> None:
        pass

    def wait_until_ready(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_no_process_is_started_after_close(tiny: Path) -> None:
    before = set(multiprocessing.active_children())
    for _ in range(3):
        workers = WorkerPool(
            tiny, workers=2, timeout_seconds=60.0, max_queued=2, queue_timeout_seconds=60.0
        )
        client = threading.Thread(target=_request, args=(workers,))
        client.start()
        workers.close()
        client.join(60.0)
        assert not client.is_alive()
        assert set(multiprocessing.active_children()) == before


def test_a_request_that_waited_too_long_is_rejected_even_if_a_worker_is_idle_by_then(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class SlowWorker(ReadyWorker):
        def request(self, *_: object) -> str:
            time.sleep(0.6)
            return "answered"

    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", SlowWorker)
    workers = WorkerPool(
        tmp_path, workers=1, timeout_seconds=60.0, max_queued=5, queue_timeout_seconds=0.3
    )

    async def three() -> list[object]:
        requests = (workers.request("stats", {}) for _ in range(3))
        return list(await asyncio.gather(*requests, return_exceptions=True))

    try:
        answers = asyncio.run(three())
    finally:
        workers.close()
    assert answers[0] == "answered"
    assert [type(answer) for answer in answers[1:]] == [OverloadedError, OverloadedError]


class StartingWorker(ReadyWorker):
    """A worker that becomes ready when the test says so, and answers after 0.1 seconds."""

    started = threading.Event()

    def wait_until_ready(self) -> None:
        self.started.wait(60.0)

    def request(self, *_: object) -> str:
        time.sleep(0.1)
        return "answered"


def test_requests_wait_for_the_start_beyond_every_other_time_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", StartingWorker)
    monkeypatch.setattr(StartingWorker, "started", threading.Event())
    workers = WorkerPool(
        tmp_path, workers=2, timeout_seconds=60.0, max_queued=5, queue_timeout_seconds=0.5
    )

    async def requests() -> list[object]:
        open_requests = [
            asyncio.ensure_future(workers.request("stats", {}, total_seconds=0.6)) for _ in range(4)
        ]
        await asyncio.sleep(0.8)
        StartingWorker.started.set()
        return list(await asyncio.gather(*open_requests, return_exceptions=True))

    try:
        assert asyncio.run(requests()) == ["answered"] * 4
    finally:
        workers.close()


def test_a_pool_that_does_not_start_rejects_requests_after_a_while(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", StartingWorker)
    monkeypatch.setattr(StartingWorker, "started", threading.Event())
    workers = WorkerPool(
        tmp_path, workers=1, timeout_seconds=60.0, max_queued=5, start_timeout_seconds=0.1
    )
    try:
        with pytest.raises(StartingError):
            asyncio.run(workers.request("stats", {}))
    finally:
        StartingWorker.started.set()
        workers.close()


def test_a_comparison_of_interfaces_may_take_longer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class LimitedWorker(ReadyWorker):
        def request(self, _handler: str, _arguments: object, timeout_seconds: float) -> float:
            return timeout_seconds

    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", LimitedWorker)
    workers = WorkerPool(tmp_path, workers=1, timeout_seconds=5.0, max_queued=1)
    try:
        assert asyncio.run(workers.request("first_page", {})) == 5.0
        assert asyncio.run(workers.request("match", {})) == 20.0
    finally:
        workers.close()


def test_time_slices_shrink_as_the_request_rate_grows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class FastWorker(ReadyWorker):
        def request(self, *_: object) -> object:
            return workers._time_slice.value

    now = [1_000.0]
    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", FastWorker)
    workers = WorkerPool(
        tmp_path, workers=2, timeout_seconds=10.0, max_queued=100, queue_timeout_seconds=60.0
    )
    monkeypatch.setattr(
        "typematch.serve.workers.worker_pool.time", type("Time", (), {"monotonic": lambda: now[0]})
    )

    async def slices_at(rate: float, seconds: float) -> list[float]:
        slices = []
        for _ in range(int(rate * seconds)):
            now[0] += 1 / rate
            slices.append(await workers.request("first_page", {}))
        return slices

    async def slice_in_a_burst(count: int) -> list[float]:
        await asyncio.gather(*(workers.request("first_page", {}) for _ in range(count)))
        return [workers._time_slice.value]

    try:
        sequential = asyncio.run(slices_at(10.0, 10.0))
        burst = asyncio.run(slice_in_a_burst(20))
        ten = asyncio.run(slices_at(10.0, 10.0))
        fifty = asyncio.run(slices_at(50.0, 10.0))
        now[0] += 60.0
        later = asyncio.run(slices_at(10.0, 10.0))
    finally:
        workers.close()
    assert set(sequential) == set(later) == {8.0}  # no request had to wait
    assert burst == pytest.approx([0.04])  # also for requests that are being processed
    assert ten[-1] == pytest.approx(0.08, rel=0.05)
    assert fifty[-1] == pytest.approx(0.04)


def test_cancelled_requests_do_not_count_as_load(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    released = threading.Event()

    class BlockedWorker(ReadyWorker):
        def request(self, *_: object) -> object:
            released.wait(60.0)
            return workers._time_slice.value

    monkeypatch.setattr("typematch.serve.workers.worker_pool._Worker", BlockedWorker)
    workers = WorkerPool(
        tmp_path, workers=2, timeout_seconds=100.0, max_queued=100, queue_timeout_seconds=60.0
    )

    async def request_after_cancelled_ones() -> float:
        requests = [asyncio.ensure_future(workers.request("first_page", {})) for _ in range(20)]
        await asyncio.sleep(0.1)
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        released.set()
        last: float = await workers.request("first_page", {})
        return last

    try:
        assert asyncio.run(request_after_cancelled_ones()) == pytest.approx(
            4.0
        )  # of two workers in five seconds
    finally:
        released.set()
        workers.close()


def test_a_search_with_a_short_time_slice_returns_a_partial_result_with_a_notice(
    monkeypatch: pytest.MonkeyPatch, tiny: Path
) -> None:
    monkeypatch.setattr("typematch.serve.workers.worker_pool._MIN_TIME_SLICE", 0.0)
    monkeypatch.setattr("typematch.serve.workers.worker_pool._LOAD_FACTOR", 0.0)
    monkeypatch.setattr("typematch.serve.workers.worker_pool._MAX_TIMEOUT_SHARE", 0.0)
    workers = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=2, queue_timeout_seconds=60.0
    )
    try:
        options = {"limit": 5, "services": None, "facets": False, "max_ids": 5}
        arguments = {"query": "(x: T[], n: number) => T[][]", **options}
        answer, _ = asyncio.run(workers.request("first_page", arguments))
        words, _ = asyncio.run(workers.request("first_page", {"query": "chunk", **options}))
        stats = asyncio.run(workers.request("stats", {}))
    finally:
        workers.close()
    [notice] = answer["notices"]
    assert notice.startswith("The search ended after 0.")
    assert answer["at_least"]
    assert words["hits"]
    assert stats["entries"] > 0


def test_a_further_page_with_a_short_time_slice_has_its_hits_and_a_notice(
    monkeypatch: pytest.MonkeyPatch, tiny: Path
) -> None:
    monkeypatch.setattr("typematch.serve.workers.worker_pool._MIN_TIME_SLICE", 0.0)
    monkeypatch.setattr("typematch.serve.workers.worker_pool._LOAD_FACTOR", 0.0)
    monkeypatch.setattr("typematch.serve.workers.worker_pool._MAX_TIMEOUT_SHARE", 0.0)
    query = "(x: T[], n: number) => T[][]"
    with Catalog(tiny, create=False) as catalog:
        ids = catalog.search(query, limit=6).ids[3:6]
    workers = WorkerPool(
        tiny, workers=1, timeout_seconds=60.0, max_queued=2, queue_timeout_seconds=60.0
    )
    try:
        arguments = {"query": query, "limit": 3, "services": None, "ids": ids}
        document, used = asyncio.run(workers.request("page", arguments))
    finally:
        workers.close()
    assert tuple(hit["entry"]["id"] for hit in document["hits"]) == ids
    assert used == 3
    assert any(notice.startswith("The search ended after 0.") for notice in document["notices"])


def _request(workers: WorkerPool) -> None:
    # The pool closes before a worker is ready.
    with contextlib.suppress(OverloadedError, asyncio.CancelledError):
        reply = asyncio.run(workers.request("stats", {}))
        assert isinstance(reply, ErrorReply)
        assert reply.what == "the worker process has ended"
