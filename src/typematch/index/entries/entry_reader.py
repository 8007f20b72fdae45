"""Read entries, and count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from typematch.index.database import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.entry_codec import decode_entry
from typematch.index.entries.receivers import receiver_form
from typematch.index.entries.selection import EVERYTHING, FLAGS, Selection
from typematch.index.entries.sql_conditions import of_signature, signature_meets, where
from typematch.index.entries.type_store import TypeStore
from typematch.index.store import EntrySummary, Stats
from typematch.ir.entry import Entry
from typematch.ir.types import Type

_AT_ONCE = 500  # entries read together

_COLUMNS = (
    "e.id, e.name_id, e.kind, e.name, e.qualified_name, p.name, f.name, e.line, e.min_arity, "
    "e.max_arity, e.exported, e.async, e.generator, e.static, e.visibility, e.inferred, "
    "e.declaration, e.http, e.service, e.source, e.type, e.blob, d.summary, d.text"
)
_FROM = (
    "FROM entry e JOIN package p ON p.id = e.package JOIN file f ON f.id = e.file "
    "LEFT JOIN doc d ON d.entry = e.id"
)
_FIELDS = (
    "id", "kind", "name", "qualified_name", "package", "path", "line", "min_arity", "max_arity",
    "exported", "is_async", "is_generator", "static", "visibility", "inferred", "declaration",
    "http", "service", "source",
)  # fmt: skip
_FLAG_FIELDS = ("exported", "is_async", "is_generator", "static", "inferred")
_COUNTED = {
    "kind": "e.kind",
    "pkg": "(SELECT name FROM package WHERE id = e.package)",
    # As one asks for it: of those with a rest parameter, how many arguments they need.
    "arity": "CASE WHEN e.max_arity IS NULL THEN '>=' || e.min_arity ELSE e.max_arity END",
    "service": "nullif(e.service, '')",
    "module": "e.module",
    "visibility": "e.visibility",
}


class EntryReader:
    """What a store answers about entries."""

    database: Database
    types: TypeStore
    declarations: StoredDeclarations
    _receiver_forms: dict[int, Type]

    def type(self, number: int, /) -> Any:
        return self.types.get(number) if number > 0 else self._receiver_form(-number)

    def _receiver_form(self, number: int) -> Type:
        known = self._receiver_forms.get(number)
        if known is None:
            rows = self.database.rows(
                "SELECT method, container FROM receiver WHERE id = ?", (number,)
            )
            if not rows:
                raise KeyError(-number)
            method, container = rows[0]
            known = self._receiver_forms[number] = receiver_form(
                self.types.get(method), self.types.get(container), self.declarations
            )
        return known

    def text(self, number: int, /) -> str:
        from typematch.ir.render import render

        return render(self.type(number))

    def briefs(self, numbers: Iterable[int]) -> dict[int, EntrySummary]:
        query = (
            "SELECT e.id, e.name_id, e.name, p.name, f.name, e.line, e.kind, e.exported, "
            "e.deprecated FROM entry e JOIN package p ON p.id = e.package "
            "JOIN file f ON f.id = e.file WHERE e.id"
        )
        return {row[0]: EntrySummary(*row) for row in self.database.among(query, numbers)}

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        among = self.database.among
        rows = list(among(f"SELECT {_COLUMNS} {_FROM} WHERE e.id", numbers))
        functions: dict[int, list[int]] = {}
        query = "SELECT entry, function FROM signature WHERE NOT receiver AND entry"
        for entry, function in among(query, numbers, then="ORDER BY entry, ordinal"):
            functions.setdefault(entry, []).append(function)
        aliases: dict[int, list[str]] = {}
        for entry, name in among("SELECT entry, qualified_name FROM alias WHERE entry", numbers):
            aliases.setdefault(entry, []).append(name)
        named = (row[20] for row in rows if row[20] is not None)
        types = self.types.shown([*named, *chain.from_iterable(functions.values())])
        found: dict[int, Entry] = {}
        for row in rows:
            calls = [types[number] for number in functions.get(row[0], ())]
            type_ = None if row[20] is None else types[row[20]]
            found[row[0]] = _entry(row, calls, type_, aliases.get(row[0], ()))
        return [found[number] for number in numbers if number in found]

    def select(self, selection: Selection, *, limit: int | None = None) -> list[int]:
        condition, values = where(selection)
        query = f"SELECT e.id FROM entry e WHERE {condition} ORDER BY e.name_id LIMIT ?"
        rows = self.database.rows(query, (*values, -1 if limit is None else limit))
        return [row[0] for row in rows]

    def overloads(self, numbers: Sequence[int], selection: Selection) -> dict[int, int]:
        wanted = [condition for condition in selection if of_signature(condition)]
        if not wanted:
            return {}
        condition, values = signature_meets(wanted)
        query = (
            "SELECT s.entry, min(s.ordinal) FROM signature s JOIN function f "
            f"ON f.type = s.function WHERE NOT s.receiver AND {condition} AND s.entry"
        )
        return dict(self.database.among(query, numbers, then="GROUP BY s.entry", values=values))

    def count(self, selection: Selection = EVERYTHING) -> int:
        condition, values = where(selection)
        return int(
            self.database.rows(f"SELECT count(*) FROM entry e WHERE {condition}", values)[0][0]
        )

    def all_entries(self, package: str | None = None) -> Iterator[Entry]:
        query = "SELECT e.id FROM entry e JOIN package p ON p.id = e.package"
        chosen = "" if package is None else " WHERE p.name = ?"
        rows = self.database.rows(
            f"{query}{chosen} ORDER BY e.name_id", () if package is None else (package,)
        )
        for some in _chunks(row[0] for row in rows):
            yield from self.entries(some)

    def numbered_entries(self) -> Iterator[tuple[int, Entry]]:
        """Yield (number, entry) for every entry, in order of number."""
        for some in _chunks(
            row[0] for row in self.database.rows("SELECT id FROM entry ORDER BY id")
        ):
            yield from zip(some, self.entries(some), strict=True)

    def signatures_of(self, number: int, /) -> tuple[int, ...]:
        query = "SELECT function FROM signature WHERE entry = ? AND NOT receiver ORDER BY ordinal"
        return tuple(row[0] for row in self.database.rows(query, (number,)))

    def facet_counts(
        self, facet: str, /, selection: Selection = EVERYTHING, *, limit: int = 20
    ) -> list[tuple[str, int]]:
        condition, values = where(selection)
        if facet == "is":
            return self._flag_counts(condition, values)
        if facet == "tag":
            query = "SELECT t.tag, count(*) AS n FROM entry e JOIN tag t ON t.entry = e.id"
        elif facet in _COUNTED:
            query = f"SELECT {_COUNTED[facet]} AS v, count(*) AS n FROM entry e"
            condition += " AND v IS NOT NULL"
        else:
            return []
        query += f" WHERE {condition} GROUP BY 1 ORDER BY n DESC, 1 LIMIT ?"
        return [(str(value), count) for value, count in self.database.rows(query, (*values, limit))]

    def result_counts(self, selection: Selection = EVERYTHING) -> list[tuple[int, int]]:
        condition, values = where(selection)
        query = (
            "SELECT f.returns, count(DISTINCT s.entry) FROM entry e JOIN signature s "
            "ON s.entry = e.id AND NOT s.receiver JOIN function f ON f.type = s.function "
            f"WHERE {condition} GROUP BY 1 ORDER BY 1"
        )
        return [(int(number), int(count)) for number, count in self.database.rows(query, values)]

    def _flag_counts(self, condition: str, values: Sequence[object]) -> list[tuple[str, int]]:
        from typematch.index.entries.sql_conditions import FLAG_COLUMNS

        sums = ", ".join(f"coalesce(sum({FLAG_COLUMNS[flag]}), 0)" for flag in FLAGS)
        row = self.database.rows(f"SELECT {sums} FROM entry e WHERE {condition}", values)[0]
        counted = [(flag, int(count)) for flag, count in zip(FLAGS, row, strict=True) if count]
        return sorted(counted, key=lambda item: (-item[1], item[0]))

    def count_all(self) -> Stats:
        def number(query: str) -> int:
            return int(self.database.rows(query)[0][0])

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
            size_bytes=number(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ),
            kinds=dict(
                self.database.rows(
                    "SELECT kind, count(*) FROM entry GROUP BY kind ORDER BY 2 DESC, 1"
                )
            ),
            by_package=[
                tuple(row)
                for row in self.database.rows(
                    "SELECT p.name, p.version, (SELECT count(*) FROM file WHERE package = p.id), "
                    "(SELECT count(*) FROM entry WHERE package = p.id) FROM package p ORDER BY 1"
                )
            ],
            documents=[
                tuple(row)
                for row in self.database.rows(
                    "SELECT f.name, d.tokens, d.kept FROM document d JOIN file f ON f.id = d.file "
                    "ORDER BY d.tokens DESC, f.name"
                )
            ],
            removed=[
                tuple(row)
                for row in self.database.rows(
                    "SELECT sort, sum(times), sum(characters) FROM removed GROUP BY 1 "
                    "ORDER BY 3 DESC, 1"
                )
            ],
            unresolved=[
                tuple(row)
                for row in self.database.rows(
                    "SELECT specifier, count(*) FROM unresolved GROUP BY 1 ORDER BY 2 DESC, 1"
                )
            ],
            skipped=[
                tuple(row)
                for row in self.database.rows(
                    "SELECT reason, sum(files) FROM skipped GROUP BY 1 ORDER BY 2 DESC, 1"
                )
            ],
        )


def _entry(
    row: Sequence[Any], signatures: Sequence[Type], type_: Type | None, aliases: Sequence[str]
) -> Entry:
    columns = dict(zip(_FIELDS, row[1:20], strict=True))
    for flag in _FLAG_FIELDS:
        columns[flag] = bool(columns[flag])
    doc = None if row[22] is None else (row[22], row[23])
    return decode_entry(row[21], columns, signatures, type_=type_, doc=doc, aliases=aliases)


def _chunks(numbers: Iterable[int]) -> Iterator[list[int]]:
    waiting = iter(numbers)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some
