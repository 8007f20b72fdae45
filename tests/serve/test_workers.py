"""The processes behind the servers: what is closed while it works leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from typematch.serve.http.worker import Refusal
from typematch.serve.http.workers import OverloadedError, Workers


def test_closed_while_a_question_waits_nothing_is_begun_again(tiny: Path) -> None:
    before = set(multiprocessing.active_children())
    for _ in range(3):
        workers = Workers(tiny, number=2, seconds=60.0, waiting=2, patience=60.0)
        asking = threading.Thread(target=_ask, args=(workers,))
        asking.start()
        workers.close()
        asking.join(60.0)
        assert not asking.is_alive()
        assert set(multiprocessing.active_children()) == before


def test_who_has_waited_too_long_is_refused_even_where_a_process_is_free_by_then(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Slow:
        is_ready = True

        def __init__(self, path: Path) -> None:
            self.path = path

        def get_ready(self) -> None:
            pass

        def answer(self, *_: object) -> str:
            time.sleep(0.6)
            return "answered"

        def end(self) -> None:
            pass

    monkeypatch.setattr("typematch.serve.http.workers._Worker", Slow)
    workers = Workers(tmp_path, number=1, seconds=60.0, waiting=5, patience=0.3)

    async def three() -> list[object]:
        asked = (workers.ask("health", {}) for _ in range(3))
        return list(await asyncio.gather(*asked, return_exceptions=True))

    try:
        answers = asyncio.run(three())
    finally:
        workers.close()
    assert answers[0] == "answered"
    assert [type(one) for one in answers[1:]] == [OverloadedError, OverloadedError]


def _ask(workers: Workers) -> None:
    # Refused, told that the process has ended, or given up: there was no time to get ready.
    with contextlib.suppress(OverloadedError, asyncio.CancelledError):
        assert isinstance(asyncio.run(workers.ask("health", {})), Refusal)
