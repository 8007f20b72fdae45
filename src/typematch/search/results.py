"""The result of a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from typematch.adapt.model import Adapter
from typematch.ir.entry import Entry, EntrySignature
from typematch.match.edit_kinds import Edit
from typematch.query.chips import QueryChip
from typematch.search.llm_protocols import RelevanceJudgment, StageReport
from typematch.search.score.alignment import AlignmentEdge


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that a search found.

    Attributes:
        score: from 0.0 to 1.0; orders the hits of one search, not comparable between searches.
        cost: the sum of the edits' costs, in edit units; None if no type was compared,
            or if it was not decided.
        edits: how the entry differs from the query, in the order of the entry's signature.
        channels: its rank, from 1, in each channel (``structural``, ``lexical``, ``dense``).
        overload: the index in ``entry.signatures`` that matched; None if none was compared.
        undecided: why it was not decided whether the types fit; else empty.
        snippet: the sentence of its documentation with most words of the query, or empty.
        clause: the clause that it serves, of a request for several things; else empty.
        provides_for: the id of the operation that it provides an argument for, if that is why it
            is listed; else empty.
        more: how many other entries, left out, differ from this one only in their place.
        alignment: of the query's signature to the overload's; empty without a signature.
        types: the names of types in its signatures -> ids of the entries that declare them.
        judgment: of a model; None if none was asked for.
        adapter: an expression of the query's type that calls the entry; None without a match,
            or if its edits do not say how.
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
    provides_for: str = ""
    more: int = 0
    alignment: tuple[AlignmentEdge, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    judgment: RelevanceJudgment | None = None
    adapter: Adapter | None = None

    @property
    def import_statement(self) -> str:
        """The import statement of the entry; empty if it is global or cannot be imported."""
        return self.entry.import_statement

    @property
    def signature(self) -> str:
        """The text of the overload that matched, or of the entry."""
        matched = self._matched_overload
        return self.entry.signature if matched is None else matched.text

    @property
    def deprecation(self) -> str | None:
        """Why the entry or the overload that matched is deprecated; None if neither is."""
        if self.entry.doc is not None and self.entry.doc.deprecated is not None:
            return self.entry.doc.deprecated
        matched = self._matched_overload
        return None if matched is None else matched.deprecation

    @property
    def _matched_overload(self) -> EntrySignature | None:
        if self.overload is None or self.overload >= len(self.entry.signatures):
            return None
        return self.entry.signatures[self.overload]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of hits, best first.

    Attributes:
        read_as: how the query was read, as a query with the same meaning.
        total: how many entries were found.
        at_least: there may be more than ``total``: the search ended with a full page, or when its
            time was over.
        relaxed: what of the query was given up because of too few hits, one sentence each.
        left_out: the facets and the name before ``::`` that were given up, in query syntax.
        notices: other sentences for the user (an unknown name, an unknown package ...).
        undecided: how many candidates the relation gave up on.
        clauses: the clauses of a request for several things, in order; else empty.
        services: titles of the services with the best operations, best first.
        parts: the pieces of the query, for a user interface that edits it.
        query_signature: the signature that hits are compared with, typed or from a sentence; None
            if there is none, or one per clause.
        ids: of all entries found, best first, for further pages.
        facets: how many of the entries have which value of each facet; None unless requested.
        stages: what a model did, and its cost.
    """

    query: str
    read_as: str
    hits: tuple[Hit, ...] = ()
    total: int = 0
    at_least: bool = False
    relaxed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    undecided: int = 0
    clauses: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    parts: tuple[QueryChip, ...] = ()
    query_signature: EntrySignature | None = None
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
