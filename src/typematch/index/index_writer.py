"""The interface that writes a database; ``typematch.index.store`` describes both interfaces."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol

from typematch.index.records import FileCounts, FileDigests, NewFile, StoredFile
from typematch.ir.declaration import Declarations
from typematch.program.resolution.declaration_merging import Fragment

if TYPE_CHECKING:
    from typematch.index.text.text_fields import Enrichment
    from typematch.index.vectors.embedding import Embedder


class IndexWriter(Protocol):
    """The writer of one open index; every method commits before it returns.

    A run that is killed between two calls leaves a file that the next run completes: the keys in
    ``pending``, files marked stale, masks not computed, texts without a vector and that rows are
    to be swept are all stored.
    """

    # Runs ------------------------------------------------------------------------------------

    @property
    def waited(self) -> Mapping[str, float]:
        """What other runs wrote, and the seconds for which this run waited for them."""
        ...

    def is_complete(self, request: str, inputs: str) -> bool:
        """Return whether a run of ``request`` with inputs of this digest would change nothing."""
        ...

    def clear_inputs(self, request: str) -> None:
        """Record that ``request`` is not complete: a run begins to change the index.

        Other requests are complete until one of their files is replaced, removed or marked stale.
        """
        ...

    def complete_run(self, request: str, inputs: str, digests: Mapping[str, FileDigests]) -> None:
        """Record that ``request`` is complete with these inputs; move the log into the file.

        Nothing is recorded if another run has written a file meanwhile that is not as ``digests``
        says any more.
        """
        ...

    def roots(self) -> list[str]:
        """Return all names that files were found from."""
        ...

    def set_roots(
        self,
        request: str,
        roots: Mapping[str, Iterable[str]],
        skipped: Iterable[tuple[str, str, int]],
    ) -> None:
        """Record the roots of a request with the files that each reaches.

        Args:
            skipped: (path, reason, files) that were left out.
        """
        ...

    def unreached(
        self, request: str, roots: Mapping[str, Iterable[str]], files: Container[str]
    ) -> list[str]:
        """Return the stored files that no root reaches any more, in order.

        Args:
            roots: those of ``request`` now; ``files`` are all that they reach.
        """
        ...

    # Changes ---------------------------------------------------------------------------------

    def files(self) -> dict[str, StoredFile]:
        """Return every stored file by name."""
        ...

    def changed_keys(self, name: str, fragments: Mapping[str, Sequence[Fragment]]) -> set[str]:
        """Return the keys whose fragments in file ``name`` differ from the stored ones.

        No ``fragments`` means that the file is removed.
        """
        ...

    def add_pending(self, keys: Iterable[str], stale: Sequence[str] = ()) -> None:
        """Record declarations that this run changes, and files that must be bound again."""
        ...

    def pending(self) -> list[str]:
        """Return the keys of changed declarations whose dependents are not up to date."""
        ...

    def dependent_files(self, keys: Iterable[str]) -> set[str]:
        """Return the names of the files whose entries were computed from these declarations."""
        ...

    def declarations(
        self, changed: Mapping[str, Mapping[str, Sequence[Fragment]]], removed: AbstractSet[str]
    ) -> Declarations:
        """Return the declarations as they will be after this run.

        Args:
            changed: new fragments of files, by name and key; they replace what is stored.
            removed: names of files that are gone.
        """
        ...

    # Contents --------------------------------------------------------------------------------

    def write_package(
        self, name: str, version: str, files: Sequence[NewFile], removed: Iterable[str] = ()
    ) -> None:
        """Replace ``files`` and delete ``removed`` of a package, in one transaction.

        Other files of the package stay as they are.
        """
        ...

    def write_purposes(self, purposes: Mapping[str, str]) -> None:
        """Store what packages are for, to be embedded with their names.

        Args:
            purposes: texts by name of a package; those without entries are ignored.
        """
        ...

    def remove_package(self, package: str) -> int:
        """Delete a package; return the number of entries removed.

        Files elsewhere that depend on its declarations are marked stale.  A removal that was killed
        is completed by the next.
        """
        ...

    def sweep_is_due(self) -> bool:
        """Return whether rows may be left that nothing refers to: by this run or a killed one."""
        ...

    def delete_unreferenced(self) -> None:
        """Delete types, symbols, vectors and enrichments that nothing refers to.

        Counts the statistics of the full-text index again; then no sweep is due.
        """
        ...

    def update_masks(self, progress: Callable[[int, int], None], *, jobs: int = 1) -> Sequence[str]:
        """Compute the masks that are missing or depend on pending declarations.

        Then nothing is pending.  Returns the keys of declarations whose properties are not listed,
        as they inherit from too many types.

        Args:
            progress: receives (done, total).
            jobs: processes to compute in, at most.

        Raises:
            WorkerError: such a process was killed; what was computed is stored.
        """
        ...

    def embed(self, embedder: Embedder, progress: Callable[[int, int], None]) -> int:
        """Embed the texts without a vector; return how many there were.

        Vectors of another model are discarded first.  Batches are committed one by one, so an
        interrupted call is continued by the next.

        Raises:
            EmbeddingError: the model failed.
        """
        ...

    def compact(self) -> None:
        """Reduce the size of a file that has grown much since this was last called."""
        ...

    def write_enrichments(self, enrichments: Mapping[str, Enrichment], model: str) -> int:
        """Store and index enrichments by the digest of the description they answer.

        Returns:
            the number of entries that have one of these descriptions now.
        """
        ...

    # Report ----------------------------------------------------------------------------------

    def counts(self, files: Container[str]) -> FileCounts: ...

    def unresolved(self, files: Container[str]) -> list[str]:
        """Return the module specifiers of these files that resolve to no file, once a file."""
        ...

    def unannotated(self) -> list[tuple[str, int]]:
        """Return (package, entries) that have a parameter or result without a type, by name."""
        ...

    def problems(self, files: Container[str]) -> list[tuple[str, str]]:
        """Return (file, problem) of parts that could not be read, in order of file and position."""
        ...
