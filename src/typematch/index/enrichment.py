"""Keep what a model said of entries, and index it beside what they say themselves.

It is content, and lies in the file.  It is kept under the digest of what the model was told, so it
stays with an entry through every run of indexing until that changes, and entries that are described
alike share it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from typematch.index.database import Connection
from typematch.index.entries.entry_codec import decode_fragments
from typematch.index.entries.entry_reader import EntryReader
from typematch.index.entries.operation_dependencies import Members, field_names
from typematch.index.entries.selection import EVERYTHING, Selection
from typematch.index.entries.sql_conditions import where
from typematch.index.text import full_text as fulltext
from typematch.index.text.text_views import (
    NOTHING_TOLD,
    Enrichment,
    columns,
    operation_views,
    views_of,
)
from typematch.index.vectors import vector_store as vectors
from typematch.ir.entry import Entry
from typematch.ir.types import Object
from typematch.program.resolution.declaration_merging import Fragment

_DIGEST_BYTES = 16
_AT_ONCE = 500  # entries between commits
# Characters that a model is told of one entry.
_MOST_SIGNATURE, _MOST_DOC, _MOST_MEMBERS = 400, 1_500, 400
_MOST_SIGNATURES = 3


@dataclass(frozen=True, slots=True)
class EnrichmentInput:
    """An entry as it is described to a model; what is described alike has one digest."""

    number: int
    digest: str
    said: Mapping[str, str]


def described(entry: Entry, members: Sequence[str]) -> Mapping[str, str]:
    """Return what a model is told of an entry; ``members`` are as for its views."""
    signatures = [one.text for one in entry.signatures[:_MOST_SIGNATURES]] or [entry.signature]
    return {
        "name": entry.qualified_name,
        "kind": entry.kind,
        "of": entry.service or entry.package,
        "http": entry.http,
        "signature": " ; ".join(signatures)[:_MOST_SIGNATURE],
        "fields": ", ".join(members)[:_MOST_MEMBERS],
        "says": entry.doc.text[:_MOST_DOC] if entry.doc is not None else "",
    }


def digest_of(said: Mapping[str, str]) -> str:
    text = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def members_of(entry: Entry, fields: Members) -> Sequence[str]:
    """Return the names that views of an entry hold: of its fields, or of what it takes and gives.

    ``fields`` gives the names of the properties that a declaration has in the entry's file.
    """
    if entry.kind == "operation":
        return field_names(entry, fields)
    return fields(entry.declaration) if entry.type is not None else ()


def property_names(parts: Sequence[Fragment]) -> list[str]:
    """Return the names of the properties that parts of a declaration have."""
    return [
        one.name for part in parts if isinstance(part.type, Object) for one in part.type.properties
    ]


# Reading ------------------------------------------------------------------------------------------


def read_told(connection: Connection) -> dict[str, Enrichment]:
    """Return all that was said, by digest."""
    rows = connection.execute("SELECT digest, summary, questions, interface FROM told")
    return {digest: _told(*texts) for digest, *texts in rows}


def _told(summary: str, questions: str, interface: str) -> Enrichment:
    """Return what was said, from the texts of its columns."""
    return Enrichment(summary, tuple(questions.split("\n")) if questions else (), interface)


class EnrichmentStore(EntryReader):
    """What a store answers about what a model may be, or was, told."""

    def offered(self, selection: Selection) -> Iterator[EnrichmentInput]:
        """Yield the entries that meet ``selection`` as they are described, in order of number."""
        for number, entry, members in self._described(selection):
            said = described(entry, members)
            yield EnrichmentInput(number, digest_of(said), said)

    def known(self) -> frozenset[str]:
        """Return the digests of what a model has said something of."""
        return frozenset(row[0] for row in self.database.rows("SELECT digest FROM told"))

    def told(self, number: int, /) -> Enrichment:
        query = (
            "SELECT t.summary, t.questions, t.interface FROM told t "
            "JOIN entry_told e ON e.digest = t.digest WHERE e.entry = ?"
        )
        rows = self.database.rows(query, (number,))
        return _told(*rows[0]) if rows else NOTHING_TOLD

    def count_told(self) -> int:
        """Return of how many entries a model has said something."""
        return int(self.database.rows("SELECT count(*) FROM entry_told")[0][0])

    def _described(self, selection: Selection) -> Iterator[tuple[int, Entry, Sequence[str]]]:
        for some in self._numbered(selection):
            yield from self._described_of(some)

    def _numbered(self, selection: Selection) -> Iterator[Sequence[int]]:
        condition, values = where(selection)
        query = f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.file, e.id"
        numbers = [row[0] for row in self.database.rows(query, values)]
        for start in range(0, len(numbers), _AT_ONCE):
            yield numbers[start : start + _AT_ONCE]

    def _described_of(self, numbers: Sequence[int]) -> Iterator[tuple[int, Entry, Sequence[str]]]:
        """Yield those of the entries that are there, with the names that their views hold."""
        query = "SELECT id, file FROM entry WHERE id"
        rows = list(self.database.among(query, numbers, then="ORDER BY file, id"))
        found = self.entries([number for number, _ in rows])
        for (number, file), entry in zip(rows, found, strict=True):
            yield number, entry, members_of(entry, self._fields(file))

    def _fields(self, file: int) -> Members:
        """Return what gives the names of the properties that a declaration has in a file."""

        @cache
        def fields(key: str) -> Sequence[str]:
            query = (
                "SELECT g.blob FROM fragment g JOIN symbol s ON s.id = g.symbol "
                "WHERE s.key = ? AND g.file = ?"
            )
            blobs = self.database.rows(query, (key, file))
            return property_names(
                [one for (blob,) in blobs for one in decode_fragments(key, "", blob)]
            )

        return fields

    def tell(self, said: Mapping[str, Enrichment], model: str) -> int:
        """Write what ``model`` said, by digest, and index it; return of how many entries.

        The texts wait to be embedded.  Written are the entries that are described so now, whatever
        has been indexed since the model was asked.
        """
        written = 0
        if not said:
            return written
        for some in self._numbered(EVERYTHING):
            with self.database.transaction() as connection:
                for number, entry, members in self._described_of(some):
                    digest = digest_of(described(entry, members))
                    if digest in said:
                        _write(connection, digest, model, said[digest])
                        _index(connection, number, entry, members, digest, said[digest])
                        written += 1
        return written


# Writing ------------------------------------------------------------------------------------------


def _write(connection: Connection, digest: str, model: str, told: Enrichment) -> None:
    questions = "\n".join(" ".join(one.split()) for one in told.questions)
    connection.execute(
        "INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?, ?)",
        (digest, model, told.summary, questions, told.interface),
    )


def _index(
    connection: Connection,
    number: int,
    entry: Entry,
    members: Sequence[str],
    digest: str,
    told: Enrichment,
) -> None:
    fulltext.forget_entry(connection, number)
    fulltext.write(connection, [(number, *columns(views_of(entry, members, told)))])
    if entry.kind == "operation":
        views = columns(operation_views(entry, members, told))
        fulltext.write(connection, [(number, *views)], operations=True)
    link(connection, [(number, digest, told)])


def link(connection: Connection, rows: Sequence[tuple[int, str, Enrichment]]) -> None:
    """Note what was said of entries, and its texts, which wait to be embedded."""
    connection.executemany(
        "INSERT OR REPLACE INTO entry_told VALUES (?, ?)",
        [(number, one) for number, one, _ in rows],
    )
    numbers = [(number,) for number, _, _ in rows]
    connection.executemany("DELETE FROM told_vector WHERE entry = ?", numbers)
    vectors.write_told(
        connection, [(number, text) for number, _, told in rows for text in told.texts()]
    )
