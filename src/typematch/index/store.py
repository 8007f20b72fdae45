"""The seam between typematch and a database engine: ``Store`` reads, ``IndexWriter`` writes.

Another engine (PostgreSQL, say) implements these two protocols and offers a function that opens a
``Store``; search, ingest and serve know nothing else of it.  ``SqlStore`` is the implementation.

Numbers of types and entries belong to one open file and may change with every write.  Types and
declarations are decoded on demand and kept in a bounded cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.index_writer import IndexWriter
from typematch.index.records import (
    Candidate,
    EntrySummary,
    FileCounts,
    FunctionBounds,
    NewFile,
    ProjectPackages,
    Stats,
    StoredFile,
    TypePosition,
)
from typematch.index.text.full_text import FullTextQuery
from typematch.ir.declaration import Declaration
from typematch.ir.entry import Entry
from typematch.ir.types import Object, Type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.config import Location
    from typematch.index.enrichment import EnrichmentInput
    from typematch.index.entries.operations import OperationTable
    from typematch.index.masks.function_arrays import FunctionArrays
    from typematch.index.text.text_views import Enrichment
    from typematch.index.vectors.embedding import ModelIdentity
    from typematch.index.vectors.vector_store import VectorState

__all__ = [
    "Candidate",
    "EntrySummary",
    "FileCounts",
    "FunctionBounds",
    "IndexWriter",
    "NewFile",
    "ProjectPackages",
    "Stats",
    "Store",
    "StoredFile",
    "TypePosition",
]


class Store(Protocol):
    """An open index, as search reads it.  With ``get`` it is a ``Declarations`` too."""

    def get(self, key: str, /) -> Declaration | None: ...

    # Names -----------------------------------------------------------------------------------

    def global_key(self, name: str, /) -> str | None:
        """Return ``global#name`` if that is declared (``name`` may be dotted), else None."""
        ...

    def exported_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of exported type declarations of a (dotted) name, in order of key.

        If none is exported, the keys of those that are not: signatures show them.  Only ``pkg``
        and ``path`` of ``selection`` count.  A namespace path from a package's entry point
        (``z.ZodType``) is a name too.
        """
        ...

    def declared_types(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of all type declarations of a name, exported or not, in order of key."""
        ...

    def importable_types(self, name: str, /, selection: Selection) -> tuple[str, ...]:
        """Return those of ``exported_types`` that code imports by this name.

        That is from the package itself, or as a member of the namespace that it exports.
        """
        ...

    def project_packages(self) -> ProjectPackages:
        """Return the projects in the store and their direct dependencies."""
        ...

    def is_language_global(self, name: str, /) -> bool:
        """Return whether ECMAScript declares a global type of this name."""
        ...

    def has_exact_signature(self, target: Object, /) -> bool:
        """Return whether a function type equals ``target`` but for names of parameters."""
        ...

    def co_occur(self, keys: Sequence[str], /) -> bool:
        """Return whether one function type mentions all these declarations (at least one key).

        Fastest with the rarest key first.
        """
        ...

    def type_named(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a singular noun means: ``user`` -> ``User``.

        An exact match precedes a capitalised one, an exported type one that is not.
        """
        ...

    def similar_type_names(
        self, names: Sequence[str], /, limit: int = 3
    ) -> dict[str, tuple[str, ...]]:
        """Return for each name those of declared types spelled most like it, best first."""
        ...

    def similar_ids(self, id_or_suffix: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the ids of entries whose names are spelled most like that of ``id_or_suffix``."""
        ...

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        """Return the stored values of a facet of names (``pkg``, ``kind``, ...); () for others."""
        ...

    # Candidates ------------------------------------------------------------------------------

    def function_bounds(
        self, target: Object, selection: Selection = EVERYTHING, *, mismatch: int | None = None
    ) -> FunctionBounds:
        """Return a lower bound of the cost of every function type, receiver forms included.

        Args:
            target: a function type with one call signature.
            selection: only the types of entries that meet it.
            mismatch: the cost of a pair of types that no conversion relates; None if a function
                with such a pair does not fit.
        """
        ...

    def function_arrays(self) -> FunctionArrays:
        """Return the arrays of all function types, from which their bounds are computed."""
        ...

    def candidate(self, number: int, selection: Selection = EVERYTHING) -> Candidate:
        """Return a type of ``function_bounds`` with its entries that meet ``selection``."""
        ...

    def entries_within_bound(self, target: Object, ceiling: int, /) -> frozenset[int]:
        """Return the entries with a function type whose lower bound is at most ``ceiling``."""
        ...

    def matching_entries(self, selection: Selection, /) -> tuple[int, ...]:
        """Return the numbers of the entries that meet ``selection``, ascending."""
        ...

    def candidate_wholes(
        self, target: Object, selection: Selection = EVERYTHING
    ) -> list[Candidate]:
        """Return the entries that may be assignable to ``target``, each with all its overloads."""
        ...

    def candidate_types(self, target: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        """Return the types named by entries that may be assignable to ``target``."""
        ...

    def types_at(
        self, position: TypePosition, target: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        """Yield (number, type) of the distinct types at ``position``, in order of number.

        Args:
            target: only types that may be assignable to it (``returns``, ``entry``) or from it
                (``parameter``); ignored for ``property``.
            name: only types of properties or parameters of that name.
        """
        ...

    def type(self, number: int, /) -> Type:
        """Return the type of that number; KeyError if there is none."""
        ...

    def expect_types(self, numbers: Sequence[int], /) -> None:
        """Read with few statements what ``type`` may be called for next."""
        ...

    def type_text(self, number: int, /) -> str:
        """Return the type of that number as TypeScript text."""
        ...

    # Texts -----------------------------------------------------------------------------------

    def lexical(
        self,
        query: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        match_all: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        """Return (entry number, BM25 score) of the best ``limit`` entries, highest score first.

        Args:
            match_all: every word must occur; else one is enough.
            operations: only operations, with the document frequencies among operations.
        """
        ...

    def coverage(self, words: Sequence[str], numbers: Sequence[int], /) -> dict[int, float]:
        """Return which share of ``words`` the texts of each entry have, from 0.0 to 1.0.

        Rare words count more, by their inverse document frequency; unknown ones most.
        """
        ...

    def word_weights(self, words: Sequence[str], /) -> tuple[float, ...]:
        """Return the inverse document frequency of each word, as a logarithm."""
        ...

    def unknown_words(self, words: Sequence[str], /) -> tuple[str, ...]:
        """Return those of ``words`` that occur in no text."""
        ...

    def similar_words(self, word: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the words and names of entries spelled most like ``word``."""
        ...

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = EVERYTHING, *, limit: int
    ) -> list[tuple[int, float]]:
        """Return (entry number, cosine) of the ``limit`` nearest entries, nearest first."""
        ...

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]:
        """Return the cosines of unit vectors and entries, of shape ``(vectors, numbers)``.

        0.0 for an entry without a vector.
        """
        ...

    def package_cosines(self, vector: NDArray[np.float32], /) -> Mapping[str, float]:
        """Return the cosine of a unit vector and what each package is for, by package.

        Packages without a vector are left out; so are services.
        """
        ...

    def model(self) -> ModelIdentity | None:
        """Return the model of the vectors; None while there are none."""
        ...

    def texts_without_vector(self) -> int:
        """Return how many distinct texts have no vector yet."""
        ...

    def sweep_is_due(self) -> bool:
        """Return whether a run has left rows that nothing refers to; the next one deletes them."""
        ...

    def vector_state(self) -> VectorState: ...

    def data_version(self) -> tuple[int, int]:
        """Return a value that differs after every change of the file."""
        ...

    # Entries ---------------------------------------------------------------------------------

    def summaries(self, numbers: Iterable[int]) -> dict[int, EntrySummary]: ...

    def forms(self, numbers: Iterable[int]) -> dict[int, tuple[object, ...]]:
        """Return by entry what tells it apart from others, except for its place.

        Equal for entries of one kind, name, type (with all overloads) and first sentence.
        """
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
        """Return (value, entries) of ``kind``, ``pkg``, ``tag``, ``is`` or ``arity``."""
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
        """Yield the descriptions of the entries that meet ``selection``, in order of number."""
        ...

    def enriched_digests(self) -> frozenset[str]:
        """Return the digests of the descriptions that have an enrichment."""
        ...

    def enrichment(self, number: int, /) -> Enrichment:
        """Return the enrichment of an entry; its texts are empty if there is none."""
        ...

    # The file --------------------------------------------------------------------------------

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
