"""All operations of a file as arrays, for ranking them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.index.engines.engine import Database
from typematch.index.text.words import singular, words_of
from typematch.package_names import LIBRARY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HTTP_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class ServiceSummary:
    """A service.

    Attributes:
        key: of the interface whose members are the operations.
        words: of the title and of the operations' tags, in the singular.
    """

    key: str
    title: str
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OperationTable:
    """The operations of a file; the arrays are parallel.

    Attributes:
        numbers: of the entries, ascending.
        method_indexes: into ``HTTP_METHODS``; -1 for another method or none.
        service_indexes: into ``services``, which are in order of key.
        requires: by entry number the nouns that the operation requires; most require none.
        providers: by (service index, noun) the entries that provide the noun without requiring it.
        has_code: whether the file holds entries of code besides the standard library.
    """

    numbers: NDArray[np.int64]
    method_indexes: NDArray[np.int64]
    service_indexes: NDArray[np.int64]
    services: Sequence[ServiceSummary]
    requires: Mapping[int, Sequence[str]]
    providers: Mapping[tuple[int, str], Sequence[int]]
    has_code: bool

    def __len__(self) -> int:
        return len(self.numbers)


def read_operations(database: Database) -> OperationTable:
    import numpy as np

    query = (
        "SELECT e.id, e.http, y.key, e.service FROM entry e JOIN symbol y ON y.id = e.declaration "
        "WHERE e.kind = 'operation' ORDER BY e.id"
    )
    rows = database.query(query)
    titles = {declaration: service for _, _, declaration, service in rows}
    query = (
        "SELECT DISTINCT y.key, t.tag FROM tag t JOIN entry e ON e.id = t.entry "
        "JOIN symbol y ON y.id = e.declaration WHERE e.kind = 'operation'"
    )
    words = {key: list(words_of(title)) for key, title in titles.items()}
    for key, tag in database.query(query):
        words[key] += words_of(tag)
    services = [
        ServiceSummary(key, titles[key], frozenset(map(singular, words[key])))
        for key in sorted(titles)
    ]
    service_indexes = {service.key: index for index, service in enumerate(services)}
    service_of = {number: service_indexes[declaration] for number, _, declaration, _ in rows}
    method_indexes = {method: index for index, method in enumerate(HTTP_METHODS)}
    requires: dict[int, list[str]] = {}
    provided: list[tuple[int, str]] = []
    query = "SELECT entry, given, noun FROM supply ORDER BY entry, noun"
    for number, is_provided, noun in database.query(query):
        if is_provided:
            provided.append((number, noun))
        else:
            requires.setdefault(number, []).append(noun)
    providers: dict[tuple[int, str], list[int]] = {}
    for number, noun in provided:
        if noun not in requires.get(number, ()):
            providers.setdefault((service_of[number], noun), []).append(number)
    query = (
        "SELECT 1 FROM entry e JOIN package p ON p.id = e.package "
        f"WHERE e.service = '' AND p.name <> '{LIBRARY}' LIMIT 1"
    )
    methods = [row[1].partition(" ")[0].upper() for row in rows]
    return OperationTable(
        numbers=np.array([row[0] for row in rows], np.int64),
        method_indexes=np.array([method_indexes.get(method, -1) for method in methods], np.int64),
        service_indexes=np.array([service_indexes[row[2]] for row in rows], np.int64),
        services=services,
        requires=requires,
        providers=providers,
        has_code=bool(rows) and bool(database.query(query)),
    )
