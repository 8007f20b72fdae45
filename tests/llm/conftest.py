"""A simulated service, and an environment that points to it only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from fakes.messages_api import Behaviour, MessagesApi

Serve = Callable[..., MessagesApi]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a server; the environment gets its address and key."""
    for name in ("ANTHROPIC_AUTH_TOKEN", "TYPEMATCH_CLAUDE", "TYPEMATCH_STRONG_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:

        def start(behaviour: Behaviour, **options: object) -> MessagesApi:
            api = stack.enter_context(MessagesApi(behaviour, **options))  # type: ignore[arg-type]
            monkeypatch.setenv("ANTHROPIC_API_KEY", api.key)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
            return api

        yield start
