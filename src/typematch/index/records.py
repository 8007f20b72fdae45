"""Values that the store and its callers exchange (see ``typematch.index.store``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from typing import Literal as OneOf

from typematch.index.compression import decompress
from typematch.ir.entry import Entry
from typematch.ir.module import CleaningStats
from typematch.ir.type_parts import TypeParameter
from typematch.ir.types import Type
from typematch.program.resolution.declaration_merging import Fragment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TypePosition: TypeAlias = OneOf["parameter", "returns", "property"]


# Read ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FunctionBounds:
    """Function types and lower bounds of their costs; two arrays of equal length.

    Attributes:
        numbers: of the types; negative for receiver forms.
        bounds: in edit units; ``NO_FIT_COST`` or more if a type cannot fit.
    """

    numbers: NDArray[np.int64]
    bounds: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A distinct type, with its entries.

    Attributes:
        type: number of the type.
        entries: (entry number, ordinal of the signature) pairs, ascending.
        receiver: the type is a receiver form: a method's type with the receiver as its first
            parameter.
        overloads: numbers of all function types of an overloaded entry, in order, ``type`` first;
            empty where the signature is compared alone.
        container: key of the class or interface whose type parameters the type mentions; set where
            the relation must treat them as rigid, else empty.
    """

    type: int
    entries: tuple[tuple[int, int], ...]
    receiver: bool = False
    overloads: tuple[int, ...] = ()
    container: str = ""


@dataclass(frozen=True, slots=True)
class MemberGroup:
    """Entries of one function type for which it means the same.

    Attributes:
        outer_parameters: the type parameters of their containers that the type mentions, as
            ``ir.lift.mentioned_parameters`` returns them.
        entries: their numbers; None for all entries of the type.
    """

    outer_parameters: tuple[TypeParameter, ...] = ()
    entries: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class ProjectPackages:
    """The packages of the projects in a store; none if only packages were indexed.

    Attributes:
        own: the projects themselves.
        direct: what they depend on directly.
    """

    own: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()


class EntrySummary(NamedTuple):
    """The columns of an entry that ranking reads; no blob is decoded for it.

    A tuple: a search reads hundreds of them.

    Attributes:
        callable: it has a signature: a function, a method, a field of a function type ...
    """

    number: int
    id: str
    name: str
    package: str
    path: str
    line: int
    kind: str
    exported: bool
    deprecated: bool
    callable: bool = True


@dataclass(frozen=True, slots=True)
class RepetitionKey:
    """What an entry has in common with those that repeat it elsewhere.

    Attributes:
        type: number of the type of a field or constant; None if it has none.
        summary: the first sentence of the documentation; None without one.
        functions: numbers of the types of its overloads.
    """

    kind: str
    name: str
    type: int | None
    summary: str | None
    functions: tuple[int, ...]

    @property
    def is_typed(self) -> bool:
        return self.type is not None or bool(self.functions)


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of what is stored.

    Attributes:
        irreducible: types whose mask lets everything through: reducing them exceeded the limits.
        package_counts: (name, version, files, entries) in order of name.
        unresolved: (module specifier, files), most frequent first.
        skipped: (reason, files), most frequent first.
        model: name of the embedding model; empty if there are no vectors.
        texts: distinct texts to embed; ``texts_without_vector`` of them have none yet.
        documents: (file, tokens, tokens indexed), longest first.
        removed: (sort, how often, characters) that cleaning took out of documents.
        scored_by: ``sqlite-vec`` or ``numpy``: what scores the first filtered search of a process.
        enriched: entries that have texts written by a language model.
    """

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
    package_counts: Sequence[tuple[str, str, int, int]] = ()
    unresolved: Sequence[tuple[str, int]] = ()
    skipped: Sequence[tuple[str, int]] = ()
    model: str = ""
    texts: int = 0
    texts_without_vector: int = 0
    documents: Sequence[tuple[str, int, int]] = ()
    removed: Sequence[tuple[str, int, int]] = ()
    scored_by: str = "numpy"
    enriched: int = 0


# Written ------------------------------------------------------------------------------------------


# Content, resolution and export digest of a file.
FileDigests: TypeAlias = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A source file as it was last indexed.

    Attributes:
        number: of its row.
        content_digest: of the bytes, of the files that are part of it, and of the reading options.
        resolution_digest: of the declarations that its names resolve to.
        export_digest: of the paths under which its declarations are exported.
        summary_blob: the compressed JSON of its ``ModuleSummary``.
        specifier_lines: the module specifiers of the summary, one a line.
        errors: number of syntax errors.
        unreadable: why it could not be read; empty if it was.
        stale: to be bound again by the next run that reaches it.
    """

    number: int
    name: str
    package: str
    content_digest: bytes
    resolution_digest: bytes
    export_digest: bytes
    summary_blob: bytes
    specifier_lines: str
    errors: int
    unreadable: str
    stale: bool

    @property
    def summary(self) -> str:
        return decompress(self.summary_blob).decode()

    @property
    def specifiers(self) -> tuple[str, ...]:
        return tuple(self.specifier_lines.split("\n")) if self.specifier_lines else ()


@dataclass(frozen=True, slots=True)
class NewFile:
    """A source file to be written; the digests are those of ``StoredFile``.

    Attributes:
        fragments: what it contributes to declarations, by key.
        entries: in order of their position.
        receivers: for each entry the type of the receiver it is called on, or None; empty if no
            entry has one.
        dependencies: keys of the declarations that the entries were computed from, including keys
            that no file declares.
        problems, cleaned: of a document, as in ``Module``.
        unresolved: module specifiers that resolve to no file.
    """

    name: str
    content_digest: bytes
    resolution_digest: bytes
    export_digest: bytes
    summary: str
    specifiers: Sequence[str] = ()
    errors: int = 0
    unreadable: str = ""
    problems: Sequence[str] = ()
    cleaned: CleaningStats | None = None
    fragments: Mapping[str, Sequence[Fragment]] = field(default_factory=dict)
    entries: Sequence[Entry] = ()
    dependencies: Iterable[str] = ()
    unresolved: Sequence[str] = ()
    receivers: Sequence[Type | None] = ()

    @property
    def digests(self) -> FileDigests:
        return self.content_digest, self.resolution_digest, self.export_digest


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Entries of some files, and how many of these files have syntax errors."""

    entries: int
    with_errors: int
