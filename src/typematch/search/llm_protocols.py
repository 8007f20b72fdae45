"""Protocols for what a language model may do in a search; ``llm`` implements them.

A stage never fails a search: if it cannot do its work, the result is the one without it and its
report has the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit


@dataclass(frozen=True, slots=True)
class RelevanceJudgment:
    """A model's judgment of a hit.

    Attributes:
        score: from 0.0 (irrelevant) to 10.0 (does exactly what the query asks for).
        why: one sentence; empty if the hit's types contradict it.
        missing: what the hit lacks, in a few words, or empty.
    """

    score: float
    why: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class StageReport:
    """What a stage did, and its cost.

    Attributes:
        stage: ``select``, ``expand``, ``rerank`` or ``discover``.
        skipped: why it did nothing, or empty.
        notes: sentences for the user.
        requests: how many were sent.
        cached: how many answers came from the cache, without cost.
        tokens_in, tokens_out: as counted by the service.
    """

    stage: str
    model: str = ""
    skipped: str = ""
    notes: tuple[str, ...] = ()
    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0


class Reranker(Protocol):
    """Judges the first hits of a search."""

    @property
    def candidates(self) -> int:
        """How many hits it judges."""
        ...

    def rerank(
        self, question: str, hits: Sequence[Hit], store: Store, /
    ) -> tuple[Mapping[str, RelevanceJudgment], StageReport]:
        """Return judgments by entry id, perhaps not for all hits, and a report."""
        ...


@dataclass(frozen=True, slots=True)
class Expansion:
    """Other wordings of a request.

    Attributes:
        phrasings: the request in other words, what it implies, and names of things in it; each is
            searched as words.
        constraints: what the request says about types, as signatures or facets.
    """

    phrasings: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()


class Expander(Protocol):
    """Rewords a request."""

    def expand(self, words: str, /) -> tuple[Expansion, StageReport]: ...


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """A package or service that may be searched.

    Attributes:
        facet: ``pkg`` or ``service``; ``name`` is its value.
        entries: how many entries it has.
        top_entries: its entries among the first hits, as short texts.
    """

    facet: str
    name: str
    entries: int
    top_entries: tuple[str, ...] = ()


class Selector(Protocol):
    """Selects packages and services to search."""

    def select(
        self, question: str, choices: Sequence[ScopeChoice], /
    ) -> tuple[Sequence[ScopeChoice], StageReport]:
        """Return the selected ones of ``choices``, which come likeliest first, and a report.

        An empty selection means that everything is searched.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages to run, in this order."""

    selector: Selector | None = None
    expander: Expander | None = None
    reranker: Reranker | None = None


NO_STAGES = Stages()

_SKIPPED = {
    "select": "Claude did not select packages, so all are searched",
    "expand": "The request was not reworded",
    "rerank": "The hits were not reranked",
    "discover": "There is no plan; these are the hits of a search",
}


def skipped_notice(report: StageReport) -> str:
    """Return the sentence that a stage was skipped and why; empty if it was not."""
    return f"{_SKIPPED[report.stage]}: {report.skipped}." if report.skipped else ""
