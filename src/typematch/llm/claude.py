"""Open Claude once: settings, accounts, and the stages that share them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.errors import ClaudeError
from typematch.llm.accounts import Accounts, accounts_path
from typematch.llm.client import Client
from typematch.llm.expand import ClaudeExpander
from typematch.llm.gateway import Gateway
from typematch.llm.rerank import ClaudeReranker
from typematch.llm.select import ClaudeSelector
from typematch.llm.settings import read_settings
from typematch.search.stages import Choice, Expansion, Judged, StageReport, Stages

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit


def open_gateway(
    environment: Mapping[str, str], folder: Path, cache: str | Path | None = None
) -> Gateway:
    """Return the gateway with the settings that hold in ``folder``; ``cache`` names the accounts.

    Raises:
        UsageError: the settings cannot be read.
        ClaudeError: the file of accounts cannot be used.
    """
    settings = read_settings(environment, folder)
    accounts = Accounts(accounts_path(cache, environment), time.time)
    return Gateway(settings, accounts, Client(settings))


def stages_of(opened: Callable[[], Gateway], *, select: bool, expand: bool, rerank: bool) -> Stages:
    """Return the stages that are wanted; where ``opened`` fails, they are skipped and say why."""
    try:
        gateway = opened()
    except ClaudeError as error:
        absent = _Absent(error.what)
        return Stages(
            absent if select else None, absent if expand else None, absent if rerank else None
        )
    return Stages(
        ClaudeSelector(gateway) if select else None,
        ClaudeExpander(gateway) if expand else None,
        ClaudeReranker(gateway) if rerank else None,
    )


class _Absent:
    """Fills every stage, and does nothing."""

    candidates = 1

    def __init__(self, why: str) -> None:
        self._why = why

    def select(self, _: str, __: Sequence[Choice], /) -> tuple[Sequence[Choice], StageReport]:
        return (), StageReport("select", skipped=self._why)

    def expand(self, _: str, /) -> tuple[Expansion, StageReport]:
        return Expansion(), StageReport("expand", skipped=self._why)

    def rerank(
        self, _: str, __: Sequence[Hit], ___: Store, /
    ) -> tuple[Mapping[str, Judged], StageReport]:
        return {}, StageReport("rerank", skipped=self._why)
