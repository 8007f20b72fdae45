"""The answers, as values: what was found, and why each of it is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from typematch.ir.entry import Entry, EntrySignature
from typematch.match.edit_kinds import Edit
from typematch.query.chips import QueryChip
from typematch.search.llm_protocols import Judged, StageReport
from typematch.search.score.alignment import AlignmentEdge


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that answers.

    Attributes:
        score: orders the hits of one answer, 1.0 at best, more is better; not comparable between
            answers.
        cost: in edit units, the sum of the edits' prices; None where no type was asked for.
        edits: why it fits and what it lacks, in the order of the found signature.
        channels: the rank, from 1, that each channel gave it (structural, lexical).
        overload: which of ``entry.signatures`` answers, from 0; None where none was asked for.
        undecided: why the relation gave up, else empty; such a hit is listed last.
        snippet: the sentence of its documentation that has most of the words asked for, else empty.
        clause: of a request for several things, the one that it serves; empty where it answers the
            request as a whole, and where that asks for one thing.
        supplies: the id of an operation that it gives an argument to, where it is here for that.
        lines: the match drawn, from the places of the query's signature to those of the overload
            that answers; empty where no signature was asked for.
        judged: what a model says of it; None where none was asked.
    """

    entry: Entry
    score: float
    cost: float | None = None
    edits: tuple[Edit, ...] = ()
    channels: Mapping[str, int] = field(default_factory=dict)
    overload: int | None = None
    undecided: str = ""
    snippet: str = ""
    clause: str = ""
    supplies: str = ""
    lines: tuple[AlignmentEdge, ...] = ()
    judged: Judged | None = None

    @property
    def signature(self) -> str:
        """The text of the overload that answers."""
        if self.overload is None or self.overload >= len(self.entry.signatures):
            return self.entry.signature
        return self.entry.signatures[self.overload].text


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The page of hits that was asked for, best first, and how it came about.

    Attributes:
        read_as: how the query was understood, as a query that may be sent again.
        relaxed: what was given up because there were too few hits, one sentence each.
        total: how many hits there are; ``at_least`` says that it counts only what was looked at
            before the page was full.
        notices: what the asker should know (a name found nowhere, an unknown package, ...).
        undecided: how many candidates the relation gave up on.
        clauses: of a request for several things, in its order; else empty.
        services: titles of the services whose operations do best, in order, if there are any.
        parts: the pieces of the query, which one may take away or soften.
        asked: the signature that hits are compared with, typed or read off a sentence; None where
            there is none, and where each clause has its own.
        ids: of all that was found, best first: what further pages are made of.
        facets: how what was found spreads over facets' values; None unless that was asked for.
        stages: what a model was asked for, and what that did cost.
    """

    query: str
    read_as: str
    hits: tuple[Hit, ...] = ()
    total: int = 0
    at_least: bool = False
    relaxed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    undecided: int = 0
    clauses: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    parts: tuple[QueryChip, ...] = ()
    asked: EntrySignature | None = None
    ids: tuple[str, ...] = ()
    facets: Mapping[str, Mapping[str, int]] | None = None
    stages: tuple[StageReport, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

    @property
    def top(self) -> Hit | None:
        return self.hits[0] if self.hits else None
