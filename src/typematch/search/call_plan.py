"""A plan of several calls that together serve a request."""

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
    """A value that one call passes to a later one.

    Attributes:
        source, target: ids of entries among the calls.
        gives: the part of the source's result that is passed.
        takes: the argument of the target that it is passed as.
        verdict: ``fits``, ``does not fit`` or ``not known``, by their types.
        types: the types that were compared, or why the verdict is not known.
    """

    source: str
    gives: str
    target: str
    takes: str
    verdict: str
    types: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """The plan for a request.

    Attributes:
        calls: in the order of execution.
        missing: the parts of the request that no entry serves, or empty.
        searched: the queries that the model sent, in order.
        hits: of a plain search, if there is no plan.
    """

    request: str
    calls: tuple[PlannedCall, ...]
    flows: tuple[DataFlow, ...]
    missing: str
    searched: tuple[str, ...]
    report: StageReport
    hits: SearchResult | None = None
