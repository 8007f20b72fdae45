"""The seam for an engine: what ingest writes and what search asks.

Numbers (of types, of entries) are those of one opened file and mean nothing outside it; they may
change with every write.  Types and declarations are decoded when they are asked for, and kept in a
bounded cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias
from typing import Literal as OneOf

from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.text.full_text import FullTextQuery
from typematch.ir.declaration import Declaration
from typematch.ir.entry import Entry
from typematch.ir.types import Object, Type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from typematch.index.enrichment import EnrichmentInput
    from typematch.index.entries.operations import OperationTable
    from typematch.index.text.text_views import Enrichment
    from typematch.index.vectors.embedding import ModelIdentity
    from typematch.index.vectors.vector_store import VectorState

Place: TypeAlias = OneOf["parameter", "returns", "entry", "property"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A distinct function type that may fit: its number, and the numbers of its entries.

    Attributes:
        entries: (entry number, ordinal of the signature) pairs, in order of number.
        receiver: the entries are methods, and the type is theirs with the receiver as its first
            argument.
        overloads: of entries with several signatures, where they are to be compared together: the
            numbers of all their types, in order, ``type`` being the first.
        container: of members whose type mentions the type parameters of their class or interface,
            where they are compared as the compiler does: the key of its declaration.
    """

    type: int
    entries: tuple[tuple[int, int], ...]
    receiver: bool = False
    overloads: tuple[int, ...] = ()
    container: str = ""


@dataclass(frozen=True, slots=True)
class EntrySummary:
    """What ranking needs to know of an entry without decoding it."""

    number: int
    id: str
    name: str
    package: str
    path: str
    line: int
    kind: str
    exported: bool
    deprecated: bool


@dataclass(frozen=True, slots=True)
class FileStats:
    files: int = 0
    with_errors: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of what is stored; ``unresolved`` is (specifier, files), most frequent first."""

    packages: int
    files: int
    files_with_errors: int
    entries: int
    signatures: int
    types: int
    declarations: int
    irreducible: int
    size_bytes: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    by_package: Sequence[tuple[str, str, int, int]] = ()  # name, version, files, entries
    unresolved: Sequence[tuple[str, int]] = ()
    skipped: Sequence[tuple[str, int]] = ()  # reason, files
    model: str = ""  # that made the vectors; empty where there are none
    texts: int = 0
    waiting: int = 0  # texts that have no vector yet
    documents: Sequence[tuple[str, int, int]] = ()  # file, tokens, tokens that are indexed
    removed: Sequence[tuple[str, int, int]] = ()  # sort, how often, characters
    scored_by: str = "numpy"  # or sqlite-vec: what scores a filtered search
    enriched: int = 0  # entries of which a model has said something


class Store(Protocol):
    """What search asks.  It is a ``Declarations`` too: ``get(key)``."""

    def get(self, key: str, /) -> Declaration | None: ...

    # Names -----------------------------------------------------------------------------------

    def global_key(self, name: str, /) -> str | None:
        """Return ``global#name`` if that is declared (``name`` may be dotted), else None."""
        ...

    def exported(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of exported type declarations of that (dotted) name, in order of key.

        Where none is exported, the keys of those that are not: one sees them in signatures.
        Of ``selection`` only ``pkg`` and ``path`` count.  A namespace path from a package's entry
        point (``z.ZodType``) is a name too.
        """
        ...

    def declared(self, name: str, /, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """Return the keys of type declarations of that name, whether they are exported or not."""
        ...

    def has_spelling(self, asked: Object, /) -> bool:
        """Return whether a function's type reads like ``asked``, whatever parameters are called."""
        ...

    def are_together(self, keys: Sequence[str], /) -> bool:
        """Return whether one function's type mentions all these declarations, one at least.

        It is quickest where the rarest comes first.
        """
        ...

    def type_called(self, noun: str, /) -> str | None:
        """Return the name of the declared type that a noun means: ``user`` -> ``User``.

        ``noun`` stands in the singular; as it is written it counts more than with a capital.
        """
        ...

    def similar(self, name: str, /, limit: int = 3) -> tuple[str, ...]:
        """Return the names of declared types that are spelled most alike, the likest first."""
        ...

    def scope_values(self, facet: str, /) -> tuple[str, ...]:
        """Return the values that a facet of names has in the file; of others none."""
        ...

    # Candidates ------------------------------------------------------------------------------

    def candidates(
        self,
        asked: Object,
        tier: int,
        selection: Selection = EVERYTHING,
        *,
        misfits: bool = False,
    ) -> list[Candidate]:
        """Return the function types that pass the filter of ``tier`` and of no lower one.

        ``asked`` is a function type with one call.  With ``misfits`` the last tier also gives what
        passes no filter.  They come in order of number; receiver forms begin with tier 1.
        """
        ...

    def alike(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        """Return the function types that read like ``asked``, whatever parameters are called.

        And those that differ only in the order of arguments, in optional ones, in a promise, and
        the like (``ir.outline``), where they are few.
        """
        ...

    def possible(self, asked: Object, tiers: int, /) -> frozenset[int]:
        """Return the entries of all that ``candidates`` gives for the first so many tiers."""
        ...

    def chosen(self, selection: Selection, /) -> tuple[int, ...]:
        """Return the entries that meet ``selection``, in order of number."""
        ...

    def assignable(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        """Return what the compiler may accept: functions as wholes, with all their overloads."""
        ...

    def shaped(self, asked: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        """Return the types that entries name and that may be assignable to ``asked``."""
        ...

    def types_in(
        self, place: Place, asked: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        """Yield (number, type) of the distinct types that stand in ``place``.

        With ``asked`` only those that may be assignable to it (``returns``, ``entry``,
        ``property``) or from it (``parameter``); with ``name`` only those of properties or
        parameters so named.
        """
        ...

    def type(self, number: int, /) -> Type:
        """Return the type of that number; KeyError if there is none."""
        ...

    def text(self, number: int, /) -> str:
        """Return that type as TypeScript text."""
        ...

    # Texts -----------------------------------------------------------------------------------

    def lexical(
        self,
        asked: FullTextQuery,
        selection: Selection = EVERYTHING,
        *,
        limit: int,
        every: bool = False,
        operations: bool = False,
    ) -> list[tuple[int, float]]:
        """Return (entry number, score) of the best ``limit``; the higher the score, the better.

        With ``every`` each of the words must occur, else one of them is enough.  With
        ``operations`` only these are searched, by how rare words are among them.
        """
        ...

    def unknown(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return those of ``words`` that no text has."""
        ...

    def near_words(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the words and names of entries that are spelled most like ``word``."""
        ...

    def dense(
        self, vector: NDArray[np.float32], selection: Selection = EVERYTHING, *, limit: int
    ) -> list[tuple[int, float]]:
        """Return (entry number, cosine) of the ``limit`` nearest entries, the nearest first."""
        ...

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]:
        """Return how near each entry is to each unit vector, of shape ``(vectors, numbers)``.

        An entry without a vector has 0.0.
        """
        ...

    def model(self) -> ModelIdentity | None:
        """Return the model of the vectors; None while there are none."""
        ...

    def waiting(self) -> int:
        """Return how many texts have no vector yet."""
        ...

    def vector_state(self) -> VectorState: ...

    def mark(self) -> tuple[int, int]:
        """Return a value that is another one once the file has changed."""
        ...

    # Entries ---------------------------------------------------------------------------------

    def briefs(self, numbers: Iterable[int]) -> dict[int, EntrySummary]: ...

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        """Return those entries, in the order given."""
        ...

    def select(self, selection: Selection, *, limit: int | None = None) -> list[int]:
        """Return the numbers of the entries that meet ``selection``, in order of id."""
        ...

    def overloads(self, numbers: Sequence[int], selection: Selection) -> dict[int, int]:
        """Return by entry which of its signatures, from 0, is the first to meet ``selection``.

        Nothing, where that wants nothing of a signature.
        """
        ...

    def count(self, selection: Selection = EVERYTHING) -> int: ...

    def find(self, id_or_suffix: str, /, limit: int = 20) -> list[str]:
        """Return the id given if it exists, else the ids that end in it, in order."""
        ...

    def ids_beginning(self, text: str, /, limit: int = 20) -> list[str]:
        """Return the names that mean one entry, then the ids, that begin with ``text``."""
        ...

    def numbers(self, ids: Iterable[str], /) -> dict[str, int]: ...

    def declaring(self, keys: Iterable[str], /) -> dict[str, int]:
        """Return the entries that declarations are of, by key; without those that have none."""
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
        """Return (type of a result, entries), in order of the types' numbers."""
        ...

    def containers(self, numbers: Iterable[int], /) -> dict[int, str]:
        """Return by entry what it is a member of: a declaration's key, or ``package NAME``."""
        ...

    def members(self, container: str, /) -> list[tuple[int, str, Type]]:
        """Return (entry, name, function type) of what a container has, inherited ones included.

        All overloads are in one type.  Of a package they are the functions that it exports.
        """
        ...

    def operations(self) -> OperationTable:
        """Return the operations of services, with what they need and give."""
        ...

    # What a model said -----------------------------------------------------------------------

    def offered(self, selection: Selection, /) -> Iterator[EnrichmentInput]:
        """Yield the entries that meet ``selection`` as they are described to a model."""
        ...

    def known(self) -> frozenset[str]:
        """Return the digests of the descriptions of which a model has said something."""
        ...

    def told(self, number: int, /) -> Enrichment:
        """Return what a model said of an entry."""
        ...

    # The file --------------------------------------------------------------------------------

    def stats(self) -> Stats: ...

    def remove(self, package: str, /) -> int:
        """Forget a package; return how many entries went."""
        ...

    def export(self, path: Path, /) -> None:
        """Write a compact copy that needs no write-ahead log.  ``path`` must not exist."""
        ...

    def close(self) -> None: ...
