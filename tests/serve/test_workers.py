"""The processes behind the servers: what is closed while it works leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
from pathlib import Path

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


def _ask(workers: Workers) -> None:
    # Refused, told that the process has ended, or given up: there was no time to get ready.
    with contextlib.suppress(OverloadedError, asyncio.CancelledError):
        assert isinstance(asyncio.run(workers.ask("health", {})), Refusal)
