"""Opens the gateway on first use, and builds the search stages that share it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typematch.errors import ClaudeError
from typematch.llm.client import Client
from typematch.llm.discover import CatalogTools, discover, hits_without_plan
from typematch.llm.expand import ClaudeExpander
from typematch.llm.gateway import Gateway
from typematch.llm.rerank import ClaudeReranker
from typematch.llm.select import ClaudeSelector
from typematch.llm.settings import read_settings
from typematch.llm.usage_ledger import UsageLedger, ledger_path
from typematch.search.call_plan import Discovery
from typematch.search.llm_protocols import (
    Expansion,
    RelevanceJudgment,
    ScopeChoice,
    StageReport,
    Stages,
)

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit


class Claude:
    """Lazily opened gateway, with the settings that apply in the current folder.

    Args:
        cache: file of the usage ledger and response cache; default: in the user's cache folder.
    """

    def __init__(self, cache: str | Path | None = None) -> None:
        self._cache = cache
        self._open_gateway: Gateway | None = None

    def close(self) -> None:
        if self._open_gateway is not None:
            self._open_gateway.close()

    def gateway(self) -> Gateway:
        """Return the gateway.

        Raises:
            UsageError: the settings cannot be read.
            ClaudeError: the usage ledger cannot be opened.
        """
        if self._open_gateway is None:
            self._open_gateway = open_gateway(os.environ, Path.cwd(), self._cache)
        return self._open_gateway

    def stages(self, *, select: bool, expand: bool, rerank: bool) -> Stages:
        """Return the requested stages; without a gateway, stages that report why they skip."""
        try:
            gateway = self.gateway()
        except ClaudeError as error:
            unavailable = _UnavailableStages(error.what)
            return Stages(
                unavailable if select else None,
                unavailable if expand else None,
                unavailable if rerank else None,
            )
        return Stages(
            ClaudeSelector(gateway) if select else None,
            ClaudeExpander(gateway) if expand else None,
            ClaudeReranker(gateway) if rerank else None,
        )

    def discover(self, request: str, library: CatalogTools) -> Discovery:
        """Return a call plan for ``request``; on failure, the reason and the hits of a search."""
        try:
            gateway = self.gateway()
        except ClaudeError as error:
            skipped = StageReport("discover", skipped=error.what)
            return hits_without_plan(request, library, skipped)
        return discover(request, gateway, library)


def open_gateway(
    environment: Mapping[str, str], folder: Path, cache: str | Path | None = None
) -> Gateway:
    """Return a gateway with the settings that apply in ``folder``; ``cache`` as for ``Claude``.

    Raises:
        UsageError, ClaudeError: as ``Claude.gateway``.
    """
    settings = read_settings(environment, folder)
    accounts = UsageLedger(ledger_path(cache, environment), time.time)
    return Gateway(settings, accounts, Client(settings))


class _UnavailableStages:
    """Implements every stage; each call is skipped for the same reason."""

    candidates = 1

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def select(
        self, _: str, __: Sequence[ScopeChoice], /
    ) -> tuple[Sequence[ScopeChoice], StageReport]:
        return (), StageReport("select", skipped=self._reason)

    def expand(self, _: str, /) -> tuple[Expansion, StageReport]:
        return Expansion(), StageReport("expand", skipped=self._reason)

    def rerank(
        self, _: str, __: Sequence[Hit], ___: Store, /
    ) -> tuple[Mapping[str, RelevanceJudgment], StageReport]:
        return {}, StageReport("rerank", skipped=self._reason)
