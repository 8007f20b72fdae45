from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from typematch.search.score import deadline as module
from typematch.search.score.deadline import Deadline, TimeLimit


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that a test sets: ``now`` in seconds."""
    clock = SimpleNamespace(now=100.0)
    clock.monotonic = clock.thread_time = lambda: clock.now
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.mark.parametrize("limit", [3.0, lambda: 3.0])
def test_searches_share_the_time_of_a_deadline(
    clock: SimpleNamespace, limit: float | Callable[[], float]
) -> None:
    request = Deadline(limit)
    first = Deadline(request.left(0.5))
    clock.now += 1.4
    assert not first.expired()
    clock.now += 0.2
    assert first.expired()
    second = Deadline(request.left())
    clock.now += 1.3
    assert not second.expired()
    clock.now += 0.2
    assert second.expired()
    assert request.expired()
    assert Deadline(request.left()).expired()


def test_a_limit_that_shrinks_applies_to_the_rest(clock: SimpleNamespace) -> None:
    limit = SimpleNamespace(seconds=3.0)
    request = Deadline(lambda: float(limit.seconds))
    clock.now += 1.0
    search = Deadline(request.left())
    assert not search.expired()
    limit.seconds = 0.5
    assert search.expired()


def test_without_a_limit_there_is_none_left() -> None:
    left: TimeLimit = Deadline().left(0.5)
    assert left is None
