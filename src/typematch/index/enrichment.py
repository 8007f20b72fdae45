"""Texts that a language model wrote about entries, indexed beside the entries' own texts.

They are content, not derived data.  They are stored under the digest of the description that the
model received, so they outlive every run of indexing until the description changes, and entries
with equal descriptions share them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import groupby

from typematch.index.deletion import mark_sweep_due
from typematch.index.engines.engine import Database, DriverConnection
from typematch.index.entries.entry_codec import decode_fragments
from typematch.index.entries.entry_reader import EntryReader
from typematch.index.entries.operation_dependencies import PropertyNames, field_names
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.entries.sql_conditions import where
from typematch.index.text.text_fields import (
    NO_ENRICHMENT,
    Enrichment,
    text_rows,
)
from typematch.index.vectors.vector_writer import write_enrichment_texts
from typematch.ir.entry import Entry
from typematch.ir.types import Object
from typematch.program.resolution.declaration_merging import Fragment

_DIGEST_BYTES = 16
_BATCH = 500  # entries in one transaction
# Lengths in characters of the parts of a description.
_MAX_SIGNATURE_LENGTH, _MAX_DOC_LENGTH, _MAX_MEMBERS_LENGTH = 400, 1_500, 400
_MAX_SIGNATURES = 3


@dataclass(frozen=True, slots=True)
class EnrichmentInput:
    """The description of an entry for a language model; equal descriptions have equal digests."""

    number: int
    digest: str
    description: Mapping[str, str]


def describe(entry: Entry, members: Sequence[str]) -> Mapping[str, str]:
    """Return the description of an entry for a language model, by part.

    ``members``: as ``member_names`` returns them.
    """
    texts = [signature.text for signature in entry.signatures[:_MAX_SIGNATURES]]
    signatures = texts or [entry.signature]
    return {
        "name": entry.qualified_name,
        "kind": entry.kind,
        "of": entry.service or entry.package,
        "http": entry.http,
        "signature": " ; ".join(signatures)[:_MAX_SIGNATURE_LENGTH],
        "fields": ", ".join(members)[:_MAX_MEMBERS_LENGTH],
        "says": entry.doc.text[:_MAX_DOC_LENGTH] if entry.doc is not None else "",
    }


def description_digest(description: Mapping[str, str]) -> str:
    text = json.dumps(description, sort_keys=True, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def member_names(entry: Entry, property_names_of: PropertyNames) -> Sequence[str]:
    """Return the property names of an entry's type; of an operation, of parameters and result.

    ``property_names_of`` returns the properties that a declaration has in the entry's file.
    """
    if entry.kind == "operation":
        return field_names(entry, property_names_of)
    return property_names_of(entry.declaration) if entry.type is not None else ()


def property_names(fragments: Sequence[Fragment]) -> list[str]:
    """Return the names of the properties in fragments of a declaration."""
    return [
        member.name
        for fragment in fragments
        if isinstance(fragment.type, Object)
        for member in fragment.type.properties
    ]


# Reading ------------------------------------------------------------------------------------------


def read_enrichments(connection: DriverConnection) -> dict[str, Enrichment]:
    """Return all stored enrichments by digest of the description."""
    rows = connection.execute("SELECT digest, summary, questions, interface FROM enrichment")
    return {digest: _from_columns(*texts) for digest, *texts in rows}


def _from_columns(summary: str, questions: str, interface: str) -> Enrichment:
    return Enrichment(summary, tuple(questions.split("\n")) if questions else (), interface)


class EnrichmentStore:
    """The enrichments of one file."""

    def __init__(self, database: Database, entry_reader: EntryReader) -> None:
        self._database = database
        self._entry_reader = entry_reader

    def enrichment_inputs(self, selection: Selection) -> Iterator[EnrichmentInput]:
        """Yield the descriptions of the entries that meet ``selection``.

        In order of file, then of number.
        """
        for batch in self._batches(selection):
            for number, entry, members in self._read_batch(batch):
                description = describe(entry, members)
                yield EnrichmentInput(number, description_digest(description), description)

    def enriched_digests(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._database.query("SELECT digest FROM enrichment"))

    def enrichment(self, number: int, /) -> Enrichment:
        query = (
            "SELECT t.summary, t.questions, t.interface FROM enrichment t "
            "JOIN entry_enrichment e ON e.digest = t.digest WHERE e.entry = ?"
        )
        rows = self._database.query(query, (number,))
        return _from_columns(*rows[0]) if rows else NO_ENRICHMENT

    def count_enriched(self) -> int:
        """Return the number of entries that have an enrichment."""
        return int(self._database.query("SELECT count(*) FROM entry_enrichment")[0][0])

    def _batches(self, selection: Selection) -> Iterator[Sequence[int]]:
        condition, values = where(selection)
        query = f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.file, e.id"
        numbers = [row[0] for row in self._database.query(query, values)]
        for start in range(0, len(numbers), _BATCH):
            yield numbers[start : start + _BATCH]

    def _read_batch(self, numbers: Sequence[int]) -> Iterator[tuple[int, Entry, Sequence[str]]]:
        """Yield the entries that still exist, each with its member names."""
        query = "SELECT id, file FROM entry WHERE id"
        rows = list(self._database.select_in(query, numbers, suffix="ORDER BY file, id"))
        entries = self._entry_reader.entries([number for number, _ in rows])
        by_file = groupby(zip(rows, entries, strict=True), key=lambda item: item[0][1])
        for file, group in by_file:
            property_names_of = self._property_names_in(file)
            for (number, _), entry in group:
                yield number, entry, member_names(entry, property_names_of)

    def _property_names_in(self, file: int) -> PropertyNames:
        """Return a function from a key to the property names that the declaration has in a file."""

        @cache
        def property_names_of(key: str) -> Sequence[str]:
            query = (
                "SELECT g.blob FROM fragment g JOIN symbol s ON s.id = g.symbol "
                "WHERE s.key = ? AND g.file = ?"
            )
            blobs = self._database.query(query, (key, file))
            return property_names(
                [fragment for (blob,) in blobs for fragment in decode_fragments(key, "", blob)]
            )

        return property_names_of

    def write_texts(self) -> None:
        """Write the full text of all entries, within the caller's transaction."""
        stored = read_enrichments(self._database.connection)
        texts = self._database.texts
        for batch in self._batches(EVERYTHING):
            rows, operations = [], []
            for number, entry, members in self._read_batch(batch):
                enrichment = NO_ENRICHMENT
                if stored:
                    digest = description_digest(describe(entry, members))
                    enrichment = stored.get(digest, NO_ENRICHMENT)
                row, operation = text_rows(number, entry, members, enrichment)
                rows.append(row)
                operations += [operation] if operation else []
            texts.write(rows)
            texts.write(operations, operations=True)

    def write_enrichments(self, enrichments: Mapping[str, Enrichment], model: str) -> int:
        """Store and index enrichments by digest; return the number of entries that got one.

        Entries get one if they have the description now, whatever was indexed since the model was
        asked.  The texts are embedded by the next pass.
        """
        written = 0
        if not enrichments:
            return written
        for batch in self._batches(EVERYTHING):
            with self._database.transaction() as connection:
                for number, entry, members in self._read_batch(batch):
                    digest = description_digest(describe(entry, members))
                    if digest in enrichments:
                        enrichment = enrichments[digest]
                        _write(connection, digest, model, enrichment)
                        mark_sweep_due(connection)
                        _index(self._database, number, entry, members, digest, enrichment)
                        written += 1
        return written


# Writing ------------------------------------------------------------------------------------------


def _write(connection: DriverConnection, digest: str, model: str, enrichment: Enrichment) -> None:
    questions = "\n".join(" ".join(question.split()) for question in enrichment.questions)
    connection.execute(
        "INSERT INTO enrichment VALUES (?, ?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE SET "
        "model = excluded.model, summary = excluded.summary, questions = excluded.questions, "
        "interface = excluded.interface",
        (digest, model, enrichment.summary, questions, enrichment.interface),
    )


def _index(
    database: Database,
    number: int,
    entry: Entry,
    members: Sequence[str],
    digest: str,
    enrichment: Enrichment,
) -> None:
    database.texts.delete_entry_rows(number)
    row, operation = text_rows(number, entry, members, enrichment)
    database.texts.write([row])
    if operation:
        database.texts.write([operation], operations=True)
    link_enrichments(database.connection, [(number, digest, enrichment)])


def link_enrichments(
    connection: DriverConnection, rows: Sequence[tuple[int, str, Enrichment]]
) -> None:
    """Link (entry, digest, enrichment) rows, and record their texts to be embedded."""
    connection.executemany(
        "INSERT INTO entry_enrichment VALUES (?, ?) "
        "ON CONFLICT (entry) DO UPDATE SET digest = excluded.digest",
        [(number, digest) for number, digest, _ in rows],
    )
    numbers = [(number,) for number, _, _ in rows]
    connection.executemany("DELETE FROM enrichment_vector WHERE entry = ?", numbers)
    write_enrichment_texts(
        connection,
        [(number, text) for number, _, enrichment in rows for text in enrichment.texts()],
    )
