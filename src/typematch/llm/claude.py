"""Open Claude once: settings, accounts, and the stages that share them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.errors import ClaudeError
from typematch.llm.client import Client
from typematch.llm.discover import Library, discover, without_plan
from typematch.llm.expand import ClaudeExpander
from typematch.llm.gateway import Gateway
from typematch.llm.rerank import ClaudeReranker
from typematch.llm.select import ClaudeSelector
from typematch.llm.settings import read_settings
from typematch.llm.usage_ledger import UsageLedger, accounts_path
from typematch.search.call_plan import Discovery
from typematch.search.llm_protocols import Choice, Expansion, Judged, StageReport, Stages

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit


class Claude:
    """Opened when the first stage is wanted, with the settings that hold where the process stands.

    Args:
        cache: the file of answers and costs; else in the user's cache folder.
    """

    def __init__(self, cache: str | Path | None = None) -> None:
        self._cache = cache
        self._opened: Gateway | None = None

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def gateway(self) -> Gateway:
        """Return the gateway.

        Raises:
            UsageError: the settings cannot be read.
            ClaudeError: the file of accounts cannot be used.
        """
        if self._opened is None:
            self._opened = open_gateway(os.environ, Path.cwd(), self._cache)
        return self._opened

    def stages(self, *, select: bool, expand: bool, rerank: bool) -> Stages:
        """Return the stages that are wanted; where there is no gateway, they say why and skip."""
        try:
            gateway = self.gateway()
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

    def discover(self, request: str, library: Library) -> Discovery:
        """Return a plan for ``request``, or the hits of a plain search and why."""
        try:
            gateway = self.gateway()
        except ClaudeError as error:
            skipped = StageReport("discover", skipped=error.what)
            return without_plan(request, library, skipped)
        return discover(request, gateway, library)


def open_gateway(
    environment: Mapping[str, str], folder: Path, cache: str | Path | None = None
) -> Gateway:
    """Return the gateway with the settings that hold in ``folder``; ``cache`` names the accounts.

    Raises:
        UsageError, ClaudeError: as ``Claude.gateway``.
    """
    settings = read_settings(environment, folder)
    accounts = UsageLedger(accounts_path(cache, environment), time.time)
    return Gateway(settings, accounts, Client(settings))


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
