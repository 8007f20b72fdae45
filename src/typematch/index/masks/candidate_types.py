"""Find the types that may fit a query: masks in SQL, and only what passes reaches Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from typematch.index.database import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.selection import EVERYTHING, OneOfTypes, Selection
from typematch.index.entries.sql_conditions import MANY, where
from typematch.index.entries.type_store import TypeStore
from typematch.index.masks.bits import WORDS, words
from typematch.index.masks.filter_reference import LAST_TIER, MISFITS
from typematch.index.masks.query_masks import QueryMaskSet, asked_masks
from typematch.index.masks.sql_filters import of_overloads, of_tier
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.store import Candidate, Place
from typematch.ir.fingerprint import outlines, spelling
from typematch.ir.types import Object, Type

_AT_ONCE = 500  # types loaded together
_FEW_ALIKE = 24  # more functions of one outline have a common shape, and are found by it


class CandidateFinder:
    """What a store answers about types that may fit."""

    database: Database
    declarations: StoredDeclarations
    types: TypeStore
    _ready: tuple[Object, StoredDeclarations, QueryMaskSet] | None = None

    def candidates(
        self,
        asked: Object,
        tier: int,
        selection: Selection = EVERYTHING,
        *,
        misfits: bool = False,
    ) -> list[Candidate]:
        masks = self._masks(asked)
        condition = of_tier(masks, tier)
        if misfits and tier >= LAST_TIER:
            condition = f"({condition}) OR ({of_tier(masks, MISFITS)})"
        return [
            Candidate(number, tuple(entries), bool(receiver))
            for (number, receiver), entries in self._entries(condition, selection).items()
        ]

    def possible(self, asked: Object, tiers: int, /) -> frozenset[int]:
        masks = self._masks(asked)
        condition = " OR ".join(f"({of_tier(masks, tier)})" for tier in range(tiers))
        # One row for each signature that passes, in no order: there may be tens of thousands.
        query = (
            "SELECT s.entry FROM filter f CROSS JOIN signature s ON s.function = f.function "
            f"WHERE {condition}"
        )
        return frozenset(row[0] for row in self.database.rows(query))

    def alike(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        rows = self.database.rows
        spelled = "SELECT type FROM function WHERE spelling = ?"
        found = {row[0] for row in rows(spelled, (spelling(asked),))}
        outlined = "SELECT function FROM outline WHERE hash = ?"
        near = {row[0] for outline in outlines(asked) for row in rows(outlined, (outline,))}
        if len(near) <= _FEW_ALIKE:
            found |= near
        if not found:
            return []
        condition = f"f.function IN ({','.join(map(str, sorted(found)))})"
        return [
            Candidate(number, tuple(entries))
            for (number, receiver), entries in self._entries(condition, selection).items()
            if not receiver
        ]

    def assignable(self, asked: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        masks = self._masks(asked)
        alone = f"e.signatures = 1 AND {of_tier(masks, 0)}"
        found: dict[tuple[int, ...], list[tuple[int, int]]] = {
            (number,): entries for (number, _), entries in self._entries(alone, selection).items()
        }
        several = f"e.signatures > 1 AND NOT s.receiver AND {of_overloads(masks)}"
        overloaded = {
            entry for entries in self._entries(several, selection).values() for entry, _ in entries
        }
        for entry, functions in self._overloads(sorted(overloaded)):
            found.setdefault(functions, []).append((entry, 0))
        return list(self._by_container(found))

    def _by_container(
        self, found: Mapping[tuple[int, ...], Sequence[tuple[int, int]]]
    ) -> Iterator[Candidate]:
        """Yield candidates as wholes; what mentions type parameters around it, for each class."""
        members = {
            functions: entries
            for functions, entries in found.items()
            if any(self.types.get(number).loose for number in functions)
        }
        keys = self._declarations_of(
            [entry for entries in members.values() for entry, _ in entries]
        )
        for functions, entries in found.items():
            grouped: dict[str, list[tuple[int, int]]] = {}
            for one in entries:
                grouped.setdefault(keys.get(one[0], ""), []).append(one)
            for container, some in grouped.items():
                overloads = functions if len(functions) > 1 else ()
                yield Candidate(functions[0], tuple(some), False, overloads, container)

    def _declarations_of(self, entries: Sequence[int]) -> dict[int, str]:
        """Return the key of the declaration that each entry belongs to."""
        return dict(self.database.among("SELECT id, declaration FROM entry WHERE id", entries))

    def shaped(self, asked: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        needs = TypeMasks(self.declarations).needs(asked).strict
        fits, masks = _contains("m.strict", needs)
        condition, values = where(selection)
        query = (
            "SELECT m.type, e.id FROM source_mask m CROSS JOIN entry e ON e.type = m.type "
            f"WHERE {fits} AND {condition} ORDER BY 1, 2"
        )
        grouped: dict[int, list[tuple[int, int]]] = {}
        with self.database.errors():
            for number, entry in self.database.connection.execute(query, [*masks, *values]):
                grouped.setdefault(number, []).append((entry, 0))
        return [Candidate(number, tuple(pairs)) for number, pairs in grouped.items()]

    def types_in(
        self, place: Place, asked: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        query, values = _types_in(place, name)
        if asked is not None and place != "property":
            facets = TypeMasks(self.declarations)
            if place == "parameter":
                condition, masks = _is_within("m.strict", facets.has(asked).strict)
                query += f" AND t IN (SELECT m.type FROM target_mask m WHERE {condition})"
            else:
                condition, masks = _contains("m.strict", facets.needs(asked).strict)
                query += f" AND t IN (SELECT m.type FROM source_mask m WHERE {condition})"
            values += masks
        with self.database.errors():
            rows = self.database.connection.execute(f"{query} ORDER BY t", values).fetchall()
        numbers = [row[0] for row in rows]
        for first in range(0, len(numbers), _AT_ONCE):
            some = numbers[first : first + _AT_ONCE]
            self.types.load(some)
            for number in some:
                yield number, self.types.get(number)

    def _masks(self, asked: Object) -> QueryMaskSet:
        """Return the masks of a query, those of the last one being kept for its other tiers."""
        if self._ready is None or self._ready[:2] != (asked, self.declarations):
            found = asked_masks(asked, self.declarations)
            self._ready = (asked, self.declarations, found)
        return self._ready[2]

    def _entries(
        self, condition: str, selection: Selection
    ) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Return (entry, ordinal) pairs by (function, whether in its receiver form)."""
        chosen, values = where(selection)
        if _names_few(selection):
            tables = (
                "entry e CROSS JOIN signature s ON s.entry = e.id "
                "CROSS JOIN filter f ON f.function = s.function"
            )
        else:
            tables = "filter f CROSS JOIN signature s ON s.function = f.function"
            if selection or "e." in condition:
                tables += " CROSS JOIN entry e ON e.id = s.entry"
        query = (
            f"SELECT f.function, s.receiver, s.entry, s.ordinal FROM {tables} "
            f"WHERE ({condition}) AND {chosen} ORDER BY 1, 2, 3, 4"
        )
        grouped: dict[tuple[int, int], list[tuple[int, int]]] = {}
        with self.database.errors():
            rows = self.database.connection.execute(query, values)
            for function, receiver, entry_number, ordinal in rows:
                grouped.setdefault((function, receiver), []).append((entry_number, ordinal))
        return grouped

    def _overloads(self, entries: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (entry, its function types in order)."""
        query = "SELECT entry, function FROM signature WHERE NOT receiver AND entry"
        rows = self.database.among(query, entries, then="ORDER BY entry, ordinal")
        for entry, some in groupby(rows, key=itemgetter(0)):
            yield entry, tuple(function for _, function in some)


def _names_few(selection: Selection) -> bool:
    """Whether a selection lists so few entries that it is best to begin with them."""
    return any(
        one.facet == "entry"
        and not one.negated
        and all(
            isinstance(value, OneOfTypes) and len(value.numbers) <= MANY for value in one.values
        )
        for one in selection
    )


def _contains(column: str, bits: int) -> tuple[str, list[object]]:
    """Whether a stored mask holds all of ``bits``."""
    tests: list[str] = []
    values: list[object] = []
    for place, word in enumerate(words(bits)):
        if word:
            tests.append(f"{column}{place} & ? = ?")
            values += [word, word]
    return " AND ".join(tests) or "1", values


def _is_within(column: str, bits: int) -> tuple[str, list[object]]:
    """Whether ``bits`` hold all of a stored mask."""
    tests = [f"{column}{place} & ? = 0" for place in range(WORDS)]
    return " AND ".join(tests), [~word for word in words(bits)]


def _types_in(place: Place, name: str) -> tuple[str, list[Any]]:
    match place:
        case "parameter":
            query = "SELECT DISTINCT type AS t FROM parameter WHERE name = coalesce(?, name)"
        case "returns":
            query = "SELECT DISTINCT returns AS t FROM function WHERE ? IS NULL"
        case "property":
            query = (
                "SELECT DISTINCT property_type AS t FROM property WHERE name = coalesce(?, name)"
            )
        case _:
            query = "SELECT DISTINCT type AS t FROM entry WHERE type IS NOT NULL AND ? IS NULL"
    return query, [name or None]
