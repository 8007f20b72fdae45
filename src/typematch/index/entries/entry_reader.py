"""Entries read by number, filtered and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from typematch.index.engines.engine import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.entry_codec import decode_entry
from typematch.index.entries.receivers import receiver_form
from typematch.index.entries.selection import EVERYTHING, FLAGS, Selection
from typematch.index.entries.sql_conditions import (
    is_signature_condition,
    signature_condition,
    where,
)
from typematch.index.entries.type_store import TypeStore
from typematch.index.records import EntrySummary, RepetitionKey, Stats
from typematch.ir.entry import Entry
from typematch.ir.types import Type

_BATCH = 500  # entries
_NO_LIMIT = 2**63 - 1  # rows

# The whole prose of ``doc d``.
_PROSE = "CASE WHEN d.continues THEN d.summary || d.text ELSE d.text END"
_COLUMNS = (
    "e.id, e.name_id, e.kind, e.name, e.qualified_name, p.name, f.name, e.line, e.min_arity, "
    "e.max_arity, e.exported, e.async, e.generator, e.fluent, e.static, e.visibility, e.inferred, "
    f"y.key, e.http, e.service, e.source, e.type, e.blob, d.summary, {_PROSE}"
)
_FROM = (
    "FROM entry e JOIN package p ON p.id = e.package JOIN file f ON f.id = e.file "
    "JOIN symbol y ON y.id = e.declaration LEFT JOIN doc d ON d.entry = e.id"
)
_FIELDS = (
    "id", "kind", "name", "qualified_name", "package", "path", "line", "min_arity", "max_arity",
    "exported", "is_async", "is_generator", "is_fluent", "static", "visibility", "inferred",
    "declaration", "http", "service", "source",
)  # fmt: skip
_FLAG_FIELDS = ("exported", "is_async", "is_generator", "is_fluent", "static", "inferred")
_FACET_COLUMNS = {
    "kind": "e.kind",
    "pkg": "(SELECT name FROM package WHERE id = e.package)",
    # In the syntax of ``arity:``; with a rest parameter the required arguments count.
    "arity": "CASE WHEN e.max_arity IS NULL THEN '>=' || e.min_arity ELSE '' || e.max_arity END",
    "service": "nullif(e.service, '')",
}


class EntryReader:
    """The entries of one file, and the types of their signatures."""

    def __init__(
        self, database: Database, types: TypeStore, declarations: StoredDeclarations
    ) -> None:
        self._database = database
        self._types = types
        self._declarations = declarations
        self._receiver_forms: dict[int, Type] = {}
        self._receivers: dict[int, tuple[int, int]] = {}  # of ``prefetch_types``

    def clear_cache(self) -> None:
        self._receiver_forms.clear()
        self._receivers.clear()

    def type(self, number: int, /) -> Any:
        """Return a stored type, or for a negative number a receiver form."""
        return self._types.get(number) if number > 0 else self._receiver_form(-number)

    def prefetch_types(self, numbers: Sequence[int], /) -> None:
        """Read with few statements what ``type`` may be called for next."""
        wanted = [-number for number in numbers if number < 0]
        self._receivers = self._read_receivers(
            [number for number in wanted if number not in self._receiver_forms]
        )
        parts = [number for pair in self._receivers.values() for number in pair]
        self._types.prefetch([*(number for number in numbers if number > 0), *parts])

    def _read_receivers(self, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return (method, container) of receiver forms by number."""
        query = "SELECT id, method, container FROM receiver WHERE id"
        rows = self._database.select_in(query, numbers)
        return {number: (method, container) for number, method, container in rows}

    def _receiver_form(self, number: int) -> Type:
        form = self._receiver_forms.get(number)
        if form is None:
            pair = self._receivers.get(number) or self._read_receivers([number]).get(number)
            if pair is None:
                raise KeyError(-number)
            method, container = pair
            form = self._receiver_forms[number] = receiver_form(
                self._types.get(method), self._types.get(container), self._declarations
            )
        return form

    def type_text(self, number: int, /) -> str:
        from typematch.ir.render import render

        return render(self.type(number))

    def summaries(self, numbers: Iterable[int]) -> dict[int, EntrySummary]:
        query = (
            "SELECT e.id, e.name_id, e.name, p.name, f.name, e.line, e.kind, e.exported, "
            "e.deprecated, e.signatures > 0 FROM entry e JOIN package p ON p.id = e.package "
            "JOIN file f ON f.id = e.file WHERE e.id"
        )
        rows = self._database.select_in(query, numbers)
        return {row[0]: EntrySummary._make(row) for row in rows}

    def repetition_keys(self, numbers: Iterable[int]) -> dict[int, RepetitionKey]:
        query = (
            "SELECT e.id, e.kind, e.name, e.type, d.summary FROM entry e "
            "LEFT JOIN doc d ON d.entry = e.id WHERE e.id"
        )
        rows = list(self._database.select_in(query, numbers))
        functions = self._functions([row[0] for row in rows])
        return {
            number: RepetitionKey(kind, name, type_, summary, tuple(functions.get(number, ())))
            for number, kind, name, type_, summary in rows
        }

    def _functions(self, numbers: Sequence[int]) -> dict[int, list[int]]:
        """Return by entry the numbers of the types of its overloads, in order."""
        functions: dict[int, list[int]] = {}
        query = "SELECT entry, function FROM signature WHERE NOT receiver AND entry"
        for entry, function in self._database.select_in(
            query, numbers, suffix="ORDER BY entry, ordinal"
        ):
            functions.setdefault(entry, []).append(function)
        return functions

    def docs(self, numbers: Iterable[int], *, characters: int) -> dict[int, str]:
        query = f"SELECT entry, substr({_PROSE}, 1, {int(characters)}) FROM doc d WHERE entry"
        return dict(self._database.select_in(query, numbers))

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        select_in = self._database.select_in
        rows = list(select_in(f"SELECT {_COLUMNS} {_FROM} WHERE e.id", numbers))
        functions = self._functions(numbers)
        aliases: dict[int, list[str]] = {}
        for entry, name in select_in(
            "SELECT entry, qualified_name FROM alias WHERE entry",
            numbers,
            suffix="ORDER BY entry, qualified_name",
        ):
            aliases.setdefault(entry, []).append(name)
        entry_types = (row[-4] for row in rows if row[-4] is not None)
        types = self._types.get_many([*entry_types, *chain.from_iterable(functions.values())])
        entries: dict[int, Entry] = {}
        for row in rows:
            calls = [types[number] for number in functions.get(row[0], ())]
            type_ = None if row[-4] is None else types[row[-4]]
            entries[row[0]] = _entry(row, calls, type_, aliases.get(row[0], ()))
        return [entries[number] for number in numbers if number in entries]

    def select(self, selection: Selection, *, limit: int | None = None) -> list[int]:
        condition, values = where(selection)
        query = f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.name_id LIMIT ?"
        rows = self._database.query(query, (*values, _NO_LIMIT if limit is None else limit))
        return [row[0] for row in rows]

    def overloads(self, numbers: Sequence[int], selection: Selection) -> dict[int, int]:
        on_signatures = [condition for condition in selection if is_signature_condition(condition)]
        if not on_signatures:
            return {}
        condition, values = signature_condition(on_signatures)
        query = (
            "SELECT s.entry, min(s.ordinal) FROM signature s JOIN function f "
            f"ON f.type = s.function WHERE NOT s.receiver AND {condition} AND s.entry"
        )
        return dict(
            self._database.select_in(query, numbers, suffix="GROUP BY s.entry", parameters=values)
        )

    def count(self, selection: Selection = EVERYTHING) -> int:
        condition, values = where(selection)
        return int(
            self._database.query(f"SELECT count(*) FROM entry e WHERE {condition}", values)[0][0]
        )

    def all_entries(self, package: str | None = None) -> Iterator[Entry]:
        query = "SELECT e.id FROM entry e JOIN package p ON p.id = e.package"
        condition = "" if package is None else " WHERE p.name = ?"
        rows = self._database.query(
            f"{query}{condition} ORDER BY e.name_id", () if package is None else (package,)
        )
        for batch in _batches(row[0] for row in rows):
            yield from self.entries(batch)

    def numbered_entries(self) -> Iterator[tuple[int, Entry]]:
        """Yield (number, entry) for every entry, in order of number."""
        for batch in _batches(
            row[0] for row in self._database.query("SELECT id FROM entry ORDER BY id")
        ):
            yield from zip(batch, self.entries(batch), strict=True)

    def signatures_of(self, number: int, /) -> tuple[int, ...]:
        query = "SELECT function FROM signature WHERE entry = ? AND NOT receiver ORDER BY ordinal"
        return tuple(row[0] for row in self._database.query(query, (number,)))

    def facet_counts(
        self, facet: str, /, selection: Selection = EVERYTHING, *, limit: int = 20
    ) -> list[tuple[str, int]]:
        condition, values = where(selection)
        if facet == "is":
            return self._flag_counts(condition, values)
        if facet == "tag":
            query = "SELECT t.tag, count(*) AS n FROM entry e JOIN tag t ON t.entry = e.id"
        elif facet in _FACET_COLUMNS:
            column = _FACET_COLUMNS[facet]
            query = f"SELECT {column} AS v, count(*) AS n FROM entry e"
            condition += f" AND {column} IS NOT NULL"
        else:
            return []
        # Numbers in order of size, before the others.
        order = "min(e.max_arity) IS NULL, min(e.max_arity), 1" if facet == "arity" else "1"
        query += f" WHERE {condition} GROUP BY 1 ORDER BY n DESC, {order} LIMIT ?"
        return [
            (str(value), count) for value, count in self._database.query(query, (*values, limit))
        ]

    def result_counts(self, selection: Selection = EVERYTHING) -> list[tuple[int, int]]:
        condition, values = where(selection)
        query = (
            "SELECT f.returns, count(DISTINCT s.entry) FROM entry e JOIN signature s "
            "ON s.entry = e.id AND NOT s.receiver JOIN function f ON f.type = s.function "
            f"WHERE {condition} GROUP BY 1 ORDER BY 1"
        )
        return [(int(number), int(count)) for number, count in self._database.query(query, values)]

    def _flag_counts(self, condition: str, values: Sequence[object]) -> list[tuple[str, int]]:
        from typematch.index.entries.sql_conditions import FLAG_COLUMNS

        sums = ", ".join(f"count(CASE WHEN {FLAG_COLUMNS[flag]} THEN 1 END)" for flag in FLAGS)
        row = self._database.query(f"SELECT {sums} FROM entry e WHERE {condition}", values)[0]
        counted = [(flag, int(count)) for flag, count in zip(FLAGS, row, strict=True) if count]
        return sorted(counted, key=lambda item: (-item[1], item[0]))

    def statistics(self) -> Stats:
        """Return the counts of all tables; vectors and enrichments are not counted here."""

        def number(query: str) -> int:
            return int(self._database.query(query)[0][0])

        return Stats(
            packages=number("SELECT count(*) FROM package"),
            files=number("SELECT count(*) FROM file"),
            files_with_errors=number("SELECT count(*) FROM file WHERE errors > 0"),
            entries=number("SELECT count(*) FROM entry"),
            signatures=number("SELECT count(*) FROM signature WHERE NOT receiver"),
            types=number("SELECT count(*) FROM type"),
            declarations=number("SELECT count(DISTINCT symbol) FROM fragment"),
            irreducible=number(
                "SELECT count(*) FROM source_mask WHERE strict0 = 9223372036854775807"
            ),
            size_bytes=self._database.size_bytes(),
            kinds=dict(
                self._database.query(
                    "SELECT kind, count(*) FROM entry GROUP BY kind ORDER BY 2 DESC, 1"
                )
            ),
            package_counts=[
                tuple(row)
                for row in self._database.query(
                    "SELECT p.name, p.version, (SELECT count(*) FROM file WHERE package = p.id), "
                    "(SELECT count(*) FROM entry WHERE package = p.id) FROM package p ORDER BY 1"
                )
            ],
            documents=[
                tuple(row)
                for row in self._database.query(
                    "SELECT f.name, d.tokens, d.kept FROM document d JOIN file f ON f.id = d.file "
                    "ORDER BY d.tokens DESC, f.name"
                )
            ],
            removed=[
                tuple(row)
                for row in self._database.query(
                    "SELECT sort, sum(times), sum(characters) FROM removed GROUP BY 1 "
                    "ORDER BY 3 DESC, 1"
                )
            ],
            unresolved=[
                tuple(row)
                for row in self._database.query(
                    "SELECT specifier, count(*) FROM unresolved GROUP BY 1 ORDER BY 2 DESC, 1"
                )
            ],
            skipped=[
                tuple(row)
                for row in self._database.query(
                    "SELECT reason, sum(files) FROM skipped GROUP BY 1 ORDER BY 2 DESC, 1"
                )
            ],
        )


def _entry(
    row: Sequence[Any], signatures: Sequence[Type], type_: Type | None, aliases: Sequence[str]
) -> Entry:
    columns = dict(zip(_FIELDS, row[1:-4], strict=True))
    for flag in _FLAG_FIELDS:
        columns[flag] = bool(columns[flag])
    doc = None if row[-2] is None else (row[-2], row[-1])
    return decode_entry(row[-3], columns, signatures, type_=type_, doc=doc, aliases=aliases)


def _batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    remaining = iter(numbers)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
