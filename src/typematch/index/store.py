"""The interface to a database engine: ``Store`` reads, ``IndexWriter`` writes.

Search, ingest and serve use these two protocols only.  ``SqlStore`` implements them for the
databases of ``index.engines``.

Numbers of types and entries belong to one open file and may change with every write.  Types and
declarations are decoded on demand and kept in a bounded cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.index_writer import IndexWriter
from typematch.index.records import (
    Candidate,
    EntrySummary,
    FileCounts,
    FunctionBounds,
    MemberGroup,
    NewFile,
    ProjectPackages,
    RepetitionKey,
    Stats,
    StoredFile,
    TypePosition,
)
from typematch.index.stored_texts import StoredTexts
from typematch.index.stored_types import StoredTypes
from typematch.ir.entry import Entry
from typematch.ir.types import Type

if TYPE_CHECKING:
    from typematch.config import Location
    from typematch.index.enrichment import EnrichmentInput
    from typematch.index.entries.operations import OperationTable
    from typematch.index.text.text_fields import Enrichment

__all__ = [
    "Candidate",
    "EntrySummary",
    "FileCounts",
    "FunctionBounds",
    "IndexWriter",
    "MemberGroup",
    "NewFile",
    "ProjectPackages",
    "RepetitionKey",
    "Stats",
    "Store",
    "StoredFile",
    "TypePosition",
]


class Store(StoredTypes, StoredTexts, Protocol):
    """An open index, as search reads it: types, texts, entries and the file."""

    # Entries ---------------------------------------------------------------------------------

    def summaries(self, numbers: Iterable[int]) -> dict[int, EntrySummary]: ...

    def repetition_keys(self, numbers: Iterable[int]) -> dict[int, RepetitionKey]:
        """Return by entry a key that is equal for entries that differ only in their place."""
        ...

    def docs(self, numbers: Iterable[int], *, characters: int) -> dict[int, str]:
        """Return the beginning of the documentation of those entries that have any."""
        ...

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        """Return those entries, in the order of ``numbers``."""
        ...

    def select(self, selection: Selection, *, limit: int | None = None) -> list[int]:
        """Return the numbers of the entries that meet ``selection``, in order of id."""
        ...

    def overloads(self, numbers: Sequence[int], selection: Selection) -> dict[int, int]:
        """Return by entry the ordinal of its first signature that meets ``selection``.

        Empty if ``selection`` has no condition on signatures.
        """
        ...

    def count(self, selection: Selection = EVERYTHING) -> int: ...

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        """Return the id if it exists, else the ids that end in the suffix, in order."""
        ...

    def ids_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        """Return the names of exactly one entry, then the ids, that begin with ``text``."""
        ...

    def type_names_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        """Return names of types that begin with ``text``: exported, global and short ones first."""
        ...

    def entry_numbers(self, ids: Iterable[str], /) -> dict[str, int]: ...

    def entries_declaring(self, keys: Iterable[str], /) -> dict[str, int]:
        """Return the entry of each declaration, by key; keys without an entry are left out."""
        ...

    def all_entries(self, package: str | None = None) -> Iterator[Entry]:
        """Yield every entry, in order of id."""
        ...

    def signatures_of(self, number: int, /) -> tuple[int, ...]:
        """Return the numbers of the function types of an entry's signatures, in order."""
        ...

    def facet_counts(
        self, facet: str, /, selection: Selection = EVERYTHING, *, limit: int = 20
    ) -> list[tuple[str, int]]:
        """Return (value, number of entries) of a facet, most frequent first.

        ``facet``: ``kind``, ``pkg``, ``service``, ``arity``, ``is`` or ``tag``; [] for any other.
        """
        ...

    def result_counts(self, selection: Selection = EVERYTHING) -> list[tuple[int, int]]:
        """Return (number of a result type, entries), in order of number."""
        ...

    def containers(self, numbers: Iterable[int], /) -> dict[int, str]:
        """Return by entry its container: the key of a declaration, or ``package NAME``."""
        ...

    def members(self, container: str, /) -> list[tuple[int, str, Type]]:
        """Return (entry, name, function type) of the members of a container, inherited ones too.

        One type holds all overloads.  The members of a package are the functions it exports.
        """
        ...

    def operations(self) -> OperationTable:
        """Return all operations of services, with the nouns that they require and provide."""
        ...

    # Enrichment ------------------------------------------------------------------------------

    def enrichment_inputs(self, selection: Selection, /) -> Iterator[EnrichmentInput]:
        """Yield the descriptions of the entries that meet ``selection``.

        In order of file, then of number.
        """
        ...

    def enriched_digests(self) -> frozenset[str]:
        """Return the digests of the descriptions that have an enrichment."""
        ...

    def enrichment(self, number: int, /) -> Enrichment:
        """Return the enrichment of an entry; its texts are empty if there is none."""
        ...

    # The file --------------------------------------------------------------------------------

    def data_version(self) -> tuple[int, int]:
        """Return a value that differs after every change of the file."""
        ...

    def sweep_is_due(self) -> bool:
        """Return whether a run has left rows that nothing refers to; the next one deletes them."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Return a context in which every read sees the file as it was at the first read.

        Readers and writers do not wait for each other.  Contexts may be nested.
        """
        ...

    def writing(self, packages: Iterable[str] = ()) -> AbstractContextManager[IndexWriter]:
        """Return a context that gives the writer; caches are cleared when it ends.

        Args:
            packages: what no other run may write meanwhile.

        Raises:
            ReadOnlyError, LockedError: the file cannot be written, or not now.
            UsageError: a snapshot is being read.
        """
        ...

    def stats(self) -> Stats: ...

    def export(self, target: Location, /, shard: str = "") -> int:
        """Write a compact copy to a file or a server; return its size in bytes.

        A file needs no write-ahead log.  With ``shard``, such as "1/4", functions of other packages
        are left out.

        Raises:
            UsageError: there is a database, or another file, already; or no such shard.
        """
        ...

    def close(self) -> None: ...
