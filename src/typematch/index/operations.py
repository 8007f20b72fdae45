"""Know all operations at once: what ranking them for a request asks again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from typematch.index.database import Database


@dataclass(frozen=True, slots=True)
class Operations:
    """The operations of a file, by number of the entry.

    Attributes:
        methods: ``GET`` and so on; empty for one that is called otherwise.
        services: the key of the declaration that an operation is a member of.
        needs: nouns that it needs, ``givers`` by (service, noun) the operations that give it
            without needing it.
        titles: of the services.
        beside: whether the file holds code too, other than the language's own library.
    """

    methods: Mapping[int, str] = field(default_factory=dict)
    services: Mapping[int, str] = field(default_factory=dict)
    needs: Mapping[int, Sequence[str]] = field(default_factory=dict)
    givers: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    beside: bool = True

    def __len__(self) -> int:
        return len(self.methods)


def read_operations(database: Database) -> Operations:
    query = "SELECT id, http, declaration, service FROM entry WHERE kind = 'operation' ORDER BY id"
    rows = _fetched(database, query)
    services = {number: declaration for number, _, declaration, _ in rows}
    needs: dict[int, list[str]] = {}
    given: list[tuple[int, str]] = []
    query = "SELECT entry, given, noun FROM supply ORDER BY entry, noun"
    for number, is_given, noun in _fetched(database, query):
        if is_given:
            given.append((number, noun))
        else:
            needs.setdefault(number, []).append(noun)
    givers: dict[tuple[str, str], list[int]] = {}
    for number, noun in given:
        if noun not in needs.get(number, ()):
            givers.setdefault((services.get(number, ""), noun), []).append(number)
    methods = {number: http.partition(" ")[0] for number, http, _, _ in rows}
    titles = {declaration: service for _, _, declaration, service in rows}
    query = (
        "SELECT 1 FROM entry e JOIN package p ON p.id = e.package "
        "WHERE e.service = '' AND p.name <> 'lib' LIMIT 1"
    )
    beside = bool(rows) and bool(_fetched(database, query))
    return Operations(methods, services, needs, givers, titles, beside)


def _fetched(database: Database, query: str) -> list[Any]:
    with database.errors():
        return list(database.connection.execute(query))
