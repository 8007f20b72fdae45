"""The processes behind the servers: what is closed while it works leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from typematch.serve.http.worker_pool import OverloadedError, WorkerPool
from typematch.serve.http.worker_process import ErrorReply


class Ready:
    """Stands for a process, and is ready."""

    is_ready = True

    def __init__(self, *_: object) -> None:
        pass

    def get_ready(self) -> None:
        pass

    def end(self) -> None:
        pass


def test_closed_while_a_question_waits_nothing_is_begun_again(tiny: Path) -> None:
    before = set(multiprocessing.active_children())
    for _ in range(3):
        workers = WorkerPool(tiny, number=2, seconds=60.0, waiting=2, patience=60.0)
        asking = threading.Thread(target=_ask, args=(workers,))
        asking.start()
        workers.close()
        asking.join(60.0)
        assert not asking.is_alive()
        assert set(multiprocessing.active_children()) == before


def test_who_has_waited_too_long_is_refused_even_where_a_process_is_free_by_then(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Slow(Ready):
        def answer(self, *_: object) -> str:
            time.sleep(0.6)
            return "answered"

    monkeypatch.setattr("typematch.serve.http.worker_pool._Worker", Slow)
    workers = WorkerPool(tmp_path, number=1, seconds=60.0, waiting=5, patience=0.3)

    async def three() -> list[object]:
        asked = (workers.ask("health", {}) for _ in range(3))
        return list(await asyncio.gather(*asked, return_exceptions=True))

    try:
        answers = asyncio.run(three())
    finally:
        workers.close()
    assert answers[0] == "answered"
    assert [type(one) for one in answers[1:]] == [OverloadedError, OverloadedError]


def test_the_more_questions_come_the_less_time_is_for_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Quick(Ready):
        def answer(self, *_: object) -> object:
            return workers._share.value

    now = [1_000.0]
    monkeypatch.setattr("typematch.serve.http.worker_pool._Worker", Quick)
    workers = WorkerPool(tmp_path, number=2, seconds=10.0, waiting=100, patience=60.0)
    monkeypatch.setattr(
        "typematch.serve.http.worker_pool.time", type("Time", (), {"monotonic": lambda: now[0]})
    )

    async def at(rate: float, seconds: float) -> list[float]:
        shares = []
        for _ in range(int(rate * seconds)):
            now[0] += 1 / rate
            shares.append(await workers.ask("search", {}))
        return shares

    async def at_once(count: int) -> list[float]:
        await asyncio.gather(*(workers.ask("search", {}) for _ in range(count)))
        return [workers._share.value]

    try:
        one_by_one = asyncio.run(at(10.0, 10.0))
        burst = asyncio.run(at_once(20))
        ten = asyncio.run(at(10.0, 10.0))
        fifty = asyncio.run(at(50.0, 10.0))
        now[0] += 60.0
        later = asyncio.run(at(10.0, 10.0))
    finally:
        workers.close()
    assert set(one_by_one) == set(later) == {8.0}  # nobody waited for another
    assert burst == pytest.approx([0.04])  # for those that are being answered, too
    assert ten[-1] == pytest.approx(0.08, rel=0.05)
    assert fifty[-1] == pytest.approx(0.04)


def test_questions_that_nobody_waits_for_any_more_leave_their_time_to_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = threading.Event()

    class Patient(Ready):
        def answer(self, *_: object) -> object:
            gone.wait(60.0)
            return workers._share.value

    monkeypatch.setattr("typematch.serve.http.worker_pool._Worker", Patient)
    workers = WorkerPool(tmp_path, number=2, seconds=100.0, waiting=100, patience=60.0)

    async def type_on() -> float:
        asked = [asyncio.ensure_future(workers.ask("search", {})) for _ in range(20)]
        await asyncio.sleep(0.1)
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        gone.set()
        last: float = await workers.ask("search", {})
        return last

    try:
        assert asyncio.run(type_on()) == pytest.approx(4.0)  # of two processes in five seconds
    finally:
        gone.set()
        workers.close()


def test_a_search_of_a_busy_server_is_cut_short_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tiny: Path
) -> None:
    monkeypatch.setattr("typematch.serve.http.worker_pool._LEAST", 0.0)
    monkeypatch.setattr("typematch.serve.http.worker_pool._SHARE", 0.0)
    monkeypatch.setattr("typematch.serve.http.worker_pool._WHOLE", 0.0)
    workers = WorkerPool(tiny, number=1, seconds=60.0, waiting=2, patience=60.0)
    try:
        asked = {"query": "(x: T[], n: number) => T[][]", "limit": 5}
        answer = asyncio.run(workers.ask("search", asked))
        words = asyncio.run(workers.ask("search", {"query": "chunk", "limit": 5}))
        stats = asyncio.run(workers.ask("stats", {}))
    finally:
        workers.close()
    [told] = answer["notices"]
    assert told.startswith("Ended after 0.")
    assert answer["at_least"]
    assert words["hits"]
    assert stats["entries"] > 0


def _ask(workers: WorkerPool) -> None:
    # Refused, told that the process has ended, or given up: there was no time to get ready.
    with contextlib.suppress(OverloadedError, asyncio.CancelledError):
        assert isinstance(asyncio.run(workers.ask("health", {})), ErrorReply)
