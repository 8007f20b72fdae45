"""The ``Store`` in one database, composed of a part for each section of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from typematch.config import Location
from typematch.errors import DamagedDatabaseError, MissingDatabaseError, UsageError
from typematch.index.deletion import sweep_is_due
from typematch.index.engines.engine import Database, Waiting
from typematch.index.engines.locations import open_for_reading, open_for_writing
from typematch.index.engines.shards import Shard, check_is_whole
from typematch.index.enrichment import EnrichmentStore
from typematch.index.entries.containers import ContainerIndex
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.entry_reader import EntryReader
from typematch.index.entries.name_index import NameIndex
from typematch.index.entries.operations import OperationTable, read_operations
from typematch.index.entries.selection import Selection
from typematch.index.entries.sql_conditions import matching_entries
from typematch.index.entries.type_store import TypeStore
from typematch.index.index_writer import IndexWriter
from typematch.index.masks.candidate_types import CandidateFinder
from typematch.index.records import Stats
from typematch.index.text.full_text import FullTextIndex
from typematch.index.vectors.vector_index import VectorIndex
from typematch.ir.codec import CodecError
from typematch.ir.entry import Entry


class SqlStore:
    """An open database, read-only until ``writing`` is entered for the first time."""

    def __init__(self, database: Database, waiting: Waiting | None = None) -> None:
        self.database = database
        self._waiting = waiting
        self.declarations = StoredDeclarations(database)
        self.types = TypeStore(database)
        self.vectors = VectorIndex(database)
        self._entry_reader = EntryReader(database, self.types, self.declarations)
        self._candidates = CandidateFinder(database, self.types, self.declarations)
        self._texts = FullTextIndex(database)
        self._enrichments = EnrichmentStore(database, self._entry_reader)
        self._operations: tuple[tuple[int, int], OperationTable] | None = None
        self._cached_version: int | None = None
        self._sound_version: int | None = None  # at which the file was checked
        # The methods of the protocol are those of the parts.  Bound here, a call costs what a call
        # of the part costs; relations call ``get`` and ``type`` millions of times.
        self.get = self.declarations.get
        self._bind_entries()
        self._bind_candidates()

    def _bind_entries(self) -> None:
        names = self._names = NameIndex(self.database)
        self.global_key = names.global_key
        self.exported_types = names.exported_types
        self.importable_types = names.importable_types
        self.project_packages = names.project_packages
        self.is_language_global = names.is_language_global
        self.packages_declaring_global = names.packages_declaring_global
        self.declared_types = names.declared_types
        self.has_exact_signature = names.has_exact_signature
        self.co_occur = names.co_occur
        self.undeclared_names = names.undeclared_names
        self.type_named = names.type_named
        self.similar_type_names = names.similar_type_names
        self.similar_ids = names.similar_ids
        self.scope_values = names.scope_values
        self.find = names.find
        self.ids_beginning = names.ids_beginning
        self.type_names_beginning = names.type_names_beginning
        self.entry_numbers = names.entry_numbers
        self.entries_declaring = names.entries_declaring
        reader = self._entry_reader
        self.type = reader.type
        self.prefetch_types = reader.prefetch_types
        self.type_text = reader.type_text
        self.summaries = reader.summaries
        self.repetition_keys = reader.repetition_keys
        self.docs = reader.docs
        self.entries = reader.entries
        self.select = reader.select
        self.overloads = reader.overloads
        self.count = reader.count
        self.signatures_of = reader.signatures_of
        self.facet_counts = reader.facet_counts
        self.result_counts = reader.result_counts
        containers = ContainerIndex(self.database, self.types, self.declarations)
        self.containers = containers.containers
        self.members = containers.members
        self.enrichment_inputs = self._enrichments.enrichment_inputs
        self.enriched_digests = self._enrichments.enriched_digests
        self.enrichment = self._enrichments.enrichment

    def _bind_candidates(self) -> None:
        candidates = self._candidates
        self.function_bounds = candidates.function_bounds
        self.function_arrays = candidates.function_arrays
        self.functions_with_types_of = candidates.functions_with_types_of
        self.functions_using = candidates.functions_using
        self.candidate = candidates.candidate
        self.member_groups = candidates.member_groups
        self.entries_within_bound = candidates.entries_within_bound
        self.candidate_wholes = candidates.candidate_wholes
        self.candidate_types = candidates.candidate_types
        self.types_at = candidates.types_at
        self.lexical = self._texts.lexical
        self.has_coverage = self._texts.has_coverage
        self.word_weights = self._texts.word_weights
        self.unknown_words = self._texts.unknown_words
        self.similar_words = self._texts.similar_words
        vectors = self.vectors
        self.dense = vectors.dense
        self.cosines = vectors.cosines
        self.package_cosines = vectors.package_cosines
        self.model = vectors.model
        self.texts_without_vector = vectors.texts_without_vector
        self.vector_state = vectors.vector_state
        self.data_version = vectors.data_version

    def sweep_is_due(self) -> bool:
        with self.database.errors():
            return sweep_is_due(self.database.connection)

    def matching_entries(self, selection: Selection, /) -> tuple[int, ...]:
        return matching_entries(self.database, selection)

    def operations(self) -> OperationTable:
        version = self.data_version()
        if self._operations is None or self._operations[0] != version:
            self._operations = version, read_operations(self.database)
        return self._operations[1]

    def all_entries(self, package: str | None = None) -> Iterator[Entry]:
        with self._damage_reported():
            yield from self._entry_reader.all_entries(package)

    @contextmanager
    def _damage_reported(self) -> Iterator[None]:
        """Raise what a damaged file causes, whatever it is, as ``DamagedDatabaseError``."""
        try:
            with self.database.errors():
                yield
        except CodecError as error:
            raise self._damaged(error) from error
        except (ValueError, LookupError, TypeError) as error:
            version = self.database.data_version()
            if version == self._sound_version:
                raise
            if self.database.has_damaged_structure():
                raise self._damaged(error) from error
            self._sound_version = version
            raise

    def _damaged(self, error: Exception) -> DamagedDatabaseError:
        database = self.database
        return DamagedDatabaseError(str(database.location), str(error), database.stored_packages())

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        if self.database.connection.in_transaction:  # nested: the outer context decides
            yield
            return
        with self.database.errors():
            self.database.begin_snapshot()
        try:
            version = self.database.data_version()
            if version != self._cached_version:
                self._clear_caches()
                self._cached_version = version
            with self._damage_reported():
                yield
        finally:
            self.database.end_snapshot()

    @contextmanager
    def writing(self, packages: Iterable[str] = ()) -> Iterator[IndexWriter]:
        # Only writing pays for importing SQLAlchemy and what decides the masks.
        from typematch.index.sql_writer import SqlWriter

        if self.database.connection.in_transaction:
            raise UsageError(
                "a catalog cannot be written while a snapshot of it is read",
                str(self.database.location),
                "Write after the snapshot, or open the file a second time.",
            )
        check_is_whole(self.database, "Write the whole one, and export its shards again.")
        if not self.database.writable:
            self._cached_version = None
        try:
            waited: dict[str, float] = {}

            def waiting(what: str, seconds: float) -> None:
                waited[what] = seconds
                if self._waiting is not None:
                    self._waiting(what, seconds)

            with self.database.writing(packages, waiting), self._damage_reported():
                yield SqlWriter(self.database, waited)
        finally:
            self._clear_caches()

    def _clear_caches(self) -> None:
        self.declarations.clear_cache()
        self.types.clear_cache()
        self.vectors.clear_cache()
        self._entry_reader.clear_cache()
        self._names.clear_cache()
        self._candidates.clear_cache()
        self._texts.clear_cache()

    def stats(self) -> Stats:
        state = self.vector_state()
        return replace(
            self._entry_reader.statistics(),
            model=str(state.model or ""),
            texts=state.texts,
            texts_without_vector=state.texts_without_vector,
            scored_by=state.scored_by,
            enriched=self._enrichments.count_enriched(),
        )

    def export(self, target: Location, /, shard: str = "") -> int:
        from typematch.index.engines.transfer import export

        return export(self.database, target, Shard.parse(shard) if shard else None)

    def close(self) -> None:
        self.database.close()


def open_store(path: Location, *, create: bool = True, waiting: Waiting | None = None) -> SqlStore:
    """Open an index; with ``create`` a missing file is created.

    Args:
        waiting: called while a run of another process writes what one of this store is to write.

    Raises:
        DatabaseError: the file is missing (without ``create``), is no typematch database or of
            another schema version, or cannot be opened.
    """
    try:
        return SqlStore(open_for_reading(path), waiting)
    except MissingDatabaseError:
        if not create:
            raise
        return SqlStore(open_for_writing(path), waiting)
