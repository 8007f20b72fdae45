"""A plan of several calls for a request that no single one serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.ir.entry import Entry
from typematch.search.llm_protocols import StageReport

if TYPE_CHECKING:
    from typematch.search.results import SearchResult


@dataclass(frozen=True, slots=True)
class PlannedCall:
    entry: Entry
    why: str


@dataclass(frozen=True, slots=True)
class DataFlow:
    """What one call gives to a later one.

    Attributes:
        source, target: ids of entries among the calls.
        gives: which part of the source's result, ``takes``: as which argument of the target.
        verdict: ``fits``, ``does not fit`` or ``not known``: what the relation says of the types.
        types: of which types it says so, or why it cannot.
    """

    source: str
    gives: str
    target: str
    takes: str
    verdict: str
    types: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was planned for a request.

    Attributes:
        calls: in the order in which they are made.
        missing: what of the request nothing serves; empty where nothing is missing.
        searched: the questions that the agent asked the index, in order.
        hits: of a plain search, where there is no plan.
    """

    request: str
    calls: tuple[PlannedCall, ...]
    flows: tuple[DataFlow, ...]
    missing: str
    searched: tuple[str, ...]
    report: StageReport
    hits: SearchResult | None = None
