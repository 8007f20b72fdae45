"""The ``IndexWriter`` of one database."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from typematch.index.deletion import delete_file, delete_unreferenced, sweep_is_due
from typematch.index.engines.engine import Database
from typematch.index.enrichment import EnrichmentStore
from typematch.index.entries.declaration_store import OverlayDeclarations, StoredDeclarations
from typematch.index.entries.entry_codec import encode_fragments
from typematch.index.entries.entry_reader import EntryReader
from typematch.index.entries.type_store import TypeStore
from typematch.index.entries.unique_ids import assign_unique_ids
from typematch.index.file_writer import FileWriter
from typematch.index.masks.mask_pass import complete_masks, invalidate_masks
from typematch.index.records import FileCounts, FileDigests, NewFile, StoredFile
from typematch.index.row_buffer import RowBuffer
from typematch.index.run_state import RunState
from typematch.index.text.text_fields import Enrichment
from typematch.index.vectors.embedding import Embedder
from typematch.index.vectors.stored_model import set_model
from typematch.index.vectors.vector_writer import embed_missing, write_purposes
from typematch.ir.declaration import Declarations
from typematch.ir.types import UNANNOTATED
from typematch.program.resolution.declaration_merging import Fragment


class SqlWriter:
    """Writes packages one by one, each in a transaction of its own."""

    def __init__(self, database: Database, waited: Mapping[str, float]) -> None:
        self.database = database
        self.waited = waited
        self._connection = database.connection
        self._rows = RowBuffer(database)
        self._files = FileWriter(self._rows)
        database.when_others_wrote = self._files.forget
        self._known: dict[str, StoredFile] = {}  # when this run began
        runs = self._runs = RunState(self._rows)
        self.is_complete = runs.is_complete
        self.clear_inputs = runs.clear_inputs
        self.roots = runs.roots
        self.set_roots = runs.set_roots
        self.add_pending = runs.add_pending
        self.pending = runs.pending
        self.dependent_files = runs.dependent_files

    def complete_run(self, request: str, inputs: str, digests: Mapping[str, FileDigests]) -> None:
        with self.database.transaction():
            # Else another run has replaced some file: the next run looks at every file.
            if not self.database.coordination.others_wrote or self._runs.are_stored(digests):
                self._runs.record_inputs(request, inputs)
        self.database.checkpoint()

    def unreached(
        self, request: str, roots: Mapping[str, Iterable[str]], files: Container[str]
    ) -> list[str]:
        # Others may have been written since by another run.
        return [name for name in self._runs.unreached(request, roots, files) if name in self._known]

    # Changes ---------------------------------------------------------------------------------

    def files(self) -> dict[str, StoredFile]:
        rows = self._connection.execute(
            "SELECT f.id, f.name, p.name, f.content, f.resolution_digest, "
            "f.export_digest, f.summary, "
            "f.specifiers, f.errors, f.unreadable, f.stale FROM file f "
            "JOIN package p ON p.id = f.package"
        )
        self._known = {row[1]: StoredFile(*row) for row in rows}
        return self._known

    def changed_keys(self, name: str, fragments: Mapping[str, Sequence[Fragment]]) -> set[str]:
        stored = self._runs.fragments_of(name)
        return {
            key
            for key in fragments.keys() | stored.keys()
            if key not in fragments
            or key not in stored
            or encode_fragments(fragments[key]) != stored[key]
        }

    def declarations(
        self, changed: Mapping[str, Mapping[str, Sequence[Fragment]]], removed: AbstractSet[str]
    ) -> Declarations:
        return OverlayDeclarations(self.database, changed, removed)

    # Contents --------------------------------------------------------------------------------

    def write_package(
        self, name: str, version: str, files: Sequence[NewFile], removed: Iterable[str] = ()
    ) -> None:
        with self.database.transaction() as connection:
            self._runs.clear_inputs_of([*removed, *self._replaced(files)])
            stale = self._marked_stale_meanwhile()
            reached = self._roots_of([file.name for file in files])
            package = self._files.package(name, version)
            packages = {package}
            for file_name in (*removed, *(file.name for file in files)):
                packages.update(delete_file(self.database, file_name))
            for file in files:
                packages.update(self._files.add_file(package, file))
            self._files.flush()
            for number in sorted(packages):
                assign_unique_ids(connection, number)
            connection.executemany("UPDATE file SET stale = TRUE WHERE name = ?", stale)
            connection.executemany(
                "INSERT INTO reach SELECT ?, id FROM file WHERE name = ?", reached
            )

    def _replaced(self, files: Sequence[NewFile]) -> list[str]:
        """Return the names of those files that are stored with other digests."""
        digests = {file.name: file.digests for file in files}
        return [
            name for name, stored in self._runs.stored_digests(digests) if stored != digests[name]
        ]

    def _roots_of(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return the (root, file) pairs of files, for roots of any request."""
        query = "SELECT r.root, f.name FROM reach r JOIN file f ON f.id = r.file WHERE f.name"
        return list(self.database.select_in(query, names))

    def _marked_stale_meanwhile(self) -> list[tuple[str]]:
        """Return the files that another run has marked since ``files`` was called."""
        if not self.database.coordination.others_wrote:
            return []
        rows = self._connection.execute("SELECT name FROM file WHERE stale")
        return [(name,) for (name,) in rows if name in self._known and not self._known[name].stale]

    def write_purposes(self, purposes: Mapping[str, str]) -> None:
        with self.database.transaction() as connection:
            write_purposes(connection, purposes)

    def remove_package(self, package: str) -> int:
        names = [file.name for file in self.files().values() if file.package == package]
        if not names and not self.sweep_is_due():
            return 0
        before = self._entry_count()
        changed = {key for name in names for key in self._runs.fragments_of(name)}
        # The masks below end what is pending: the next run must bind what depended on it.
        changed.update(self.pending())
        self.add_pending(changed, sorted(self.dependent_files(changed) - set(names)))
        if names:
            self.write_package(package, "", (), names)
        self._runs.delete_roots(package)
        self._compute_masks(lambda done, total: None)  # noqa: ARG005
        self.delete_unreferenced()
        self.database.checkpoint()
        return before - self._entry_count()

    def _entry_count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM entry").fetchone()[0])

    def sweep_is_due(self) -> bool:
        return sweep_is_due(self._connection)

    def delete_unreferenced(self) -> None:
        with self.database.transaction():
            delete_unreferenced(self.database)
        self._files.clear_numbers()

    def update_masks(self, progress: Callable[[int, int], None], *, jobs: int = 1) -> Sequence[str]:
        self.database.create_indexes()
        return self._compute_masks(progress, jobs)

    def _compute_masks(self, progress: Callable[[int, int], None], jobs: int = 1) -> Sequence[str]:
        self._files.clear_numbers()  # the types of all entries are large
        if not invalidate_masks(self.database):
            return []
        declarations = StoredDeclarations(self.database)
        return complete_masks(self._rows, declarations, progress, jobs=jobs)

    def embed(self, embedder: Embedder, progress: Callable[[int, int], None]) -> int:
        try:
            set_model(self.database, embedder.identity, self._entry_reader().numbered_entries())
            return embed_missing(self.database, embedder, progress)
        finally:
            self.database.checkpoint()

    def compact(self) -> None:
        self.database.compact()

    def write_enrichments(self, enrichments: Mapping[str, Enrichment], model: str) -> int:
        store = EnrichmentStore(self.database, self._entry_reader())
        return store.write_enrichments(enrichments, model)

    def _entry_reader(self) -> EntryReader:
        types, declarations = TypeStore(self.database), StoredDeclarations(self.database)
        return EntryReader(self.database, types, declarations)

    # Report ----------------------------------------------------------------------------------

    def counts(self, files: Container[str]) -> FileCounts:
        rows = self._connection.execute(
            "SELECT f.name, f.errors > 0, "
            "(SELECT count(*) FROM entry e WHERE e.file = f.id) FROM file f"
        )
        counted = [row for row in rows if row[0] in files]
        return FileCounts(sum(row[2] for row in counted), sum(row[1] for row in counted))

    def unresolved(self, files: Container[str]) -> list[str]:
        rows = self._connection.execute(
            "SELECT f.name, u.specifier FROM unresolved u JOIN file f ON f.id = u.file "
            "ORDER BY u.file, u.specifier"
        )
        return [specifier for name, specifier in rows if name in files]

    def unannotated(self) -> list[tuple[str, int]]:
        rows = self._connection.execute(
            "SELECT p.name, count(DISTINCT e.id) FROM symbol s JOIN mention m ON m.symbol = s.id "
            "JOIN signature g ON g.function = m.function JOIN entry e ON e.id = g.entry "
            "JOIN package p ON p.id = e.package WHERE s.key = ? GROUP BY p.name ORDER BY p.name",
            (UNANNOTATED.name,),
        )
        return [(name, count) for name, count in rows]

    def problems(self, files: Container[str]) -> list[tuple[str, str]]:
        rows = self._connection.execute(
            "SELECT f.name, q.text FROM problem q JOIN file f ON f.id = q.file "
            "ORDER BY f.name, q.position"
        )
        return [(name, text) for name, text in rows if name in files]
