"""Know all operations at once: what ranking them for a request asks again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.index.database import Database
from typematch.index.text.words import singular, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class ServiceSummary:
    """A service.

    Attributes:
        key: of the interface whose members are its operations.
        words: of the title and of the operations' tags, in the singular.
    """

    key: str
    title: str
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OperationTable:
    """The operations of a file, in order of their entries' numbers; arrays have a place for each.

    Attributes:
        numbers: of the entries, ascending.
        methods: places in ``METHODS``; -1 for another, and for what is not called over HTTP.
        services: places in ``offered``, the services in order of key.
        needs: by number of the entry the nouns that it needs; most need none.
        givers: by (place of the service, noun) the entries that give it without needing it.
        beside: whether the file holds code too, other than the language's own library.
    """

    numbers: NDArray[np.int64]
    methods: NDArray[np.int64]
    services: NDArray[np.int64]
    offered: Sequence[ServiceSummary]
    needs: Mapping[int, Sequence[str]]
    givers: Mapping[tuple[int, str], Sequence[int]]
    beside: bool

    def __len__(self) -> int:
        return len(self.numbers)


def read_operations(database: Database) -> OperationTable:
    import numpy as np

    query = "SELECT id, http, declaration, service FROM entry WHERE kind = 'operation' ORDER BY id"
    rows = database.rows(query)
    titles = {declaration: service for _, _, declaration, service in rows}
    query = (
        "SELECT DISTINCT e.declaration, t.tag FROM tag t JOIN entry e ON e.id = t.entry "
        "WHERE e.kind = 'operation'"
    )
    said = {key: list(words_of(title)) for key, title in titles.items()}
    for key, tag in database.rows(query):
        said[key] += words_of(tag)
    offered = [
        ServiceSummary(key, titles[key], frozenset(map(singular, said[key])))
        for key in sorted(titles)
    ]
    places = {service.key: place for place, service in enumerate(offered)}
    service_of = {number: places[declaration] for number, _, declaration, _ in rows}
    method_of = {method: place for place, method in enumerate(METHODS)}
    needs: dict[int, list[str]] = {}
    given: list[tuple[int, str]] = []
    query = "SELECT entry, given, noun FROM supply ORDER BY entry, noun"
    for number, is_given, noun in database.rows(query):
        if is_given:
            given.append((number, noun))
        else:
            needs.setdefault(number, []).append(noun)
    givers: dict[tuple[int, str], list[int]] = {}
    for number, noun in given:
        if noun not in needs.get(number, ()):
            givers.setdefault((service_of[number], noun), []).append(number)
    query = (
        "SELECT 1 FROM entry e JOIN package p ON p.id = e.package "
        "WHERE e.service = '' AND p.name <> 'lib' LIMIT 1"
    )
    return OperationTable(
        np.array([row[0] for row in rows], np.int64),
        np.array([method_of.get(row[1].partition(" ")[0].upper(), -1) for row in rows], np.int64),
        np.array([places[row[2]] for row in rows], np.int64),
        offered,
        needs,
        givers,
        bool(rows) and bool(database.rows(query)),
    )
