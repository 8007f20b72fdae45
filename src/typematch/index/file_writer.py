"""Rows of source files and their entries: collected in memory, inserted many at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property

from typematch.index.compression import compress
from typematch.index.engines.engine import DriverConnection
from typematch.index.enrichment import (
    describe,
    description_digest,
    link_enrichments,
    member_names,
    property_names,
    read_enrichments,
)
from typematch.index.entries.entry_codec import (
    encode_entry,
    encode_fragments,
    split_documentation,
)
from typematch.index.entries.operation_dependencies import OperationDependencies, dependencies_of
from typematch.index.records import NewFile
from typematch.index.row_buffer import RowBuffer
from typematch.index.text.text_fields import (
    NO_ENRICHMENT,
    Enrichment,
    text_rows,
)
from typematch.index.vectors.vector_texts import embedding_text, is_embedded
from typematch.index.vectors.vector_writer import write_texts
from typematch.ir.entry import Entry
from typematch.ir.types import Type
from typematch.package_names import is_project_module

# Entries whose rows are collected; more take memory and save nothing.
_ENTRIES_IN_MEMORY = 2_000


class FileWriter:
    """Writes the rows of files within the caller's transaction, which ends with ``flush``."""

    def __init__(self, rows: RowBuffer) -> None:
        self._rows = rows
        self._texts: list[tuple[object, ...]] = []
        self._operation_texts: list[tuple[object, ...]] = []
        self._embedding_texts: list[tuple[int, str]] = []
        self._packages: dict[str, int] = {}
        self._links: list[tuple[int, str, Enrichment]] = []

    @property
    def _connection(self) -> DriverConnection:
        return self._rows.database.connection

    @cached_property
    def _enrichments(self) -> Mapping[str, Enrichment]:
        return read_enrichments(self._connection)

    def flush(self) -> None:
        self._rows.flush()
        texts = self._rows.database.texts
        texts.write(self._texts)
        texts.write(self._operation_texts, operations=True)
        self._texts.clear()
        self._operation_texts.clear()
        write_texts(self._connection, self._embedding_texts)
        self._embedding_texts.clear()
        link_enrichments(self._connection, self._links)
        self._links.clear()

    def forget(self) -> None:
        """Forget everything about the stored rows: another run has written."""
        self.clear_numbers()
        self._rows.clear_next_numbers()
        self.__dict__.pop("_enrichments", None)

    def clear_numbers(self) -> None:
        """Forget which numbers are in use: rows may have been deleted."""
        self._rows.clear_numbers()
        self._packages.clear()

    def package(self, name: str, version: str) -> int:
        """Return the number of a package; a row is added or its version updated if necessary."""
        query = "SELECT id, version FROM package WHERE name = ?"
        row = self._connection.execute(query, (name,)).fetchone()
        if row is None:
            number = self._rows.next_number("package")
            self._connection.execute(
                "INSERT INTO package VALUES (?, ?, ?)", (number, name, version)
            )
            return number
        if version and row[1] != version:
            update = "UPDATE package SET version = ? WHERE id = ?"
            self._connection.execute(update, (version, row[0]))
        return int(row[0])

    def add_file(self, package: int, file: NewFile) -> set[int]:
        """Add the rows of a file; return the packages of its entries."""
        number = self._rows.next_number("file")
        self._add_file_rows(number, package, file)
        packages = set()

        @cache  # each member of a declaration asks for all of them
        def property_names_of(key: str) -> Sequence[str]:
            return property_names(file.fragments.get(key, ()))

        for position, entry in enumerate(file.entries):
            entry_package = self._entry_package(entry)
            packages.add(entry_package)
            receiver = file.receivers[position] if file.receivers else None
            entry_number = self._add_entry(entry_package, number, position, entry, receiver)
            members = member_names(entry, property_names_of)
            enrichment = self._enrichment(entry_number, entry, members)
            row, operation = text_rows(entry_number, entry, members, enrichment)
            self._texts.append(row)
            if operation:
                self._add_dependencies(entry_number, dependencies_of(entry, property_names_of))
                self._operation_texts.append(operation)
            if is_embedded(entry):
                self._embedding_texts.append((entry_number, embedding_text(entry)))
            if len(self._texts) >= _ENTRIES_IN_MEMORY:
                self.flush()
        return packages

    def _entry_package(self, entry: Entry) -> int:
        number = self._packages.get(entry.package)
        if number is None:
            # Entries of a service carry the version of the service, not that of its package.
            number = self.package(entry.package, "" if entry.service else entry.version)
            self._packages[entry.package] = number
        return number

    def _add_file_rows(self, number: int, package: int, file: NewFile) -> None:
        rows = self._rows
        rows.add(
            "file", number, file.name, package, file.content_digest, file.resolution_digest,
            file.export_digest, compress(file.summary.encode()), "\n".join(file.specifiers),
            file.errors, file.unreadable, 0,
        )  # fmt: skip
        for key, fragments in file.fragments.items():
            rows.add("fragment", rows.symbol(key), number, encode_fragments(fragments))
        for key in set(file.dependencies):
            rows.add("file_dependency", rows.symbol(key), number)
        for position, problem in enumerate(file.problems):
            rows.add("problem", number, position, problem)
        if file.cleaned is not None:
            rows.add("document", number, file.cleaned.tokens, file.cleaned.kept)
            for sort, times, characters in file.cleaned.removed:
                rows.add("removed", number, sort, times, characters)
        for specifier in set(file.unresolved):
            rows.add("unresolved", number, specifier)

    def _enrichment(self, number: int, entry: Entry, members: Sequence[str]) -> Enrichment:
        """Return the stored enrichment of the entry's description, and link it to the entry."""
        if not self._enrichments:
            return NO_ENRICHMENT
        digest = description_digest(describe(entry, members))
        enrichment = self._enrichments.get(digest, NO_ENRICHMENT)
        if enrichment is not NO_ENRICHMENT:
            self._links.append((number, digest, enrichment))
        return enrichment

    def _add_dependencies(self, number: int, dependencies: OperationDependencies) -> None:
        for noun in dependencies.requires:
            self._rows.add("supply", number, 0, noun)
        for noun in dependencies.provides:
            self._rows.add("supply", number, 1, noun)

    def _add_entry(
        self, package: int, file: int, position: int, entry: Entry, receiver: Type | None
    ) -> int:
        """Add the rows of an entry; return its number."""
        rows = self._rows
        number = rows.next_number("entry")
        functions = [rows.function(signature.type) for signature in entry.signatures]
        type_ = None if entry.type is None else rows.masked_type("source_mask", entry.type)
        generic = any(signature.type_parameters for signature in entry.signatures)
        without_package = entry.id.partition("#")[2]
        other_name = _unless(entry.qualified_name, without_package)
        declaration = rows.symbol(entry.declaration)
        rows.add(
            "entry", number, f"~{number}", entry.id, package, file, position, entry.kind,
            entry.name, other_name, import_path(entry), entry.line, entry.min_arity,
            entry.max_arity, len(functions), _unless(entry.visibility, "public"), declaration,
            type_, entry.http, entry.service, _unless(entry.source, "typescript"), entry.exported,
            entry.is_async, entry.is_generator, entry.is_fluent, generic or bool(entry.outer),
            entry.static, entry.deprecated, entry.inferred, encode_entry(entry),
        )  # fmt: skip
        for ordinal, function in enumerate(functions):
            rows.add("signature", number, 0, ordinal, function)
            if receiver is not None:
                form = rows.receiver_form(function, receiver)
                rows.add("signature", number, 1, ordinal, form)
        if entry.doc is not None and (entry.doc.text or entry.doc.summary):
            rows.add("doc", number, *split_documentation(entry.doc))
        for alias in dict.fromkeys(entry.aliases):
            rows.add("alias", number, alias)
        for tag in dict.fromkeys(entry.tags):
            rows.add("tag", number, tag)
        return number


def _unless(value: str, usual: str) -> str | None:
    """Return the stored form of a column that is null for the usual value."""
    return None if value == usual else value


def import_path(entry: Entry) -> str:
    """Return the module to import the entry from: ``fs``, the package, or ``package/module``.

    Without an import statement the module stands before ``:`` in an id.  Operations have none:
    their names may hold any sign.  A file of the project counts as its package.
    """
    if entry.service:
        return entry.package
    module = entry.import_statement.partition('"')[2].removesuffix('"')
    if module and not is_project_module(module):
        return module
    path = entry.id.partition("#")[2]
    module, colon, _ = path.partition(":")
    return f"{entry.package}/{module}" if colon else entry.package
