"""What a language model may do for a search, where somebody wants it to.

Search owns these protocols, ``llm`` fills them.  A stage never fails a search: what it cannot do it
leaves as it was, and its report says why in half a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typematch.index.store import Store
    from typematch.search.results import Hit


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model says of a hit.

    Attributes:
        score: from 0.0 (of no use) to 10.0 (does just what was asked for).
        why: one sentence; empty where the hit's types say otherwise.
        missing: what it lacks for the job, in a few words; empty where nothing.
    """

    score: float
    why: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class StageReport:
    """What a stage did, and what it did cost.

    Attributes:
        stage: ``select``, ``expand`` or ``rerank``.
        skipped: why it did nothing; empty where it did.
        notes: what else the asker should know, a sentence each.
        requests: sent; ``kept``: answers that were there already, and cost nothing.
        tokens_in, tokens_out: as the service counted them.
    """

    stage: str
    model: str = ""
    skipped: str = ""
    notes: tuple[str, ...] = ()
    requests: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0


class Reranker(Protocol):
    """Judges the first hits of an answer."""

    @property
    def candidates(self) -> int:
        """How many hits it looks at."""
        ...

    def rerank(
        self, question: str, hits: Sequence[Hit], store: Store, /
    ) -> tuple[Mapping[str, Judged], StageReport]:
        """Return what it says of hits, by the id of the entry; of some or all perhaps nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Expansion:
    """Other ways to ask for the same.

    Attributes:
        phrasings: the request in other words, what it needs without saying so, and the names of
            what it speaks of; each is searched as words.
        constraints: what it says about types, as queries: signatures or facets.
    """

    phrasings: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()


class Expander(Protocol):
    """Says a request in other words."""

    def expand(self, words: str, /) -> tuple[Expansion, StageReport]: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """A package or a service that may be worth searching.

    Attributes:
        facet: ``pkg`` or ``service``, of which ``name`` is a value.
        entries: how many it has.
        found: what of it the words of the request found first, in a few words each.
    """

    facet: str
    name: str
    entries: int
    found: tuple[str, ...] = ()


class Selector(Protocol):
    """Says which packages and services are worth searching."""

    def select(
        self, question: str, choices: Sequence[Choice], /
    ) -> tuple[Sequence[Choice], StageReport]:
        """Return the chosen ones of ``choices``, which come with the likeliest first.

        None at all where it cannot say.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages that were asked for, in the order in which they come."""

    selector: Selector | None = None
    expander: Expander | None = None
    reranker: Reranker | None = None


NONE = Stages()

_SKIPPED = {
    "select": "Packages were not chosen by Claude, those that the words find are searched",
    "expand": "The request was not said in other words",
    "rerank": "The hits were not reranked",
    "discover": "Nothing was planned, these are the hits of a search",
}


def sentence_of(report: StageReport) -> str:
    """Return the line that says which stage was skipped and why; empty where none was."""
    return f"{_SKIPPED[report.stage]}: {report.skipped}." if report.skipped else ""


def stage_document(report: StageReport) -> dict[str, Any]:
    return {
        "stage": report.stage,
        "model": report.model,
        "skipped": report.skipped,
        "requests": report.requests,
        "kept": report.kept,
        "tokens_in": report.tokens_in,
        "tokens_out": report.tokens_out,
        "dollars": round(report.dollars, 6),
    }


def judged_document(judged: Judged) -> dict[str, Any]:
    return {"score": judged.score, "why": judged.why, "missing": judged.missing}
