"""Finds the stored types that may fit a query: the filters run in SQL, before decoding types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from typematch.index.database import Database
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.entries.selection import EVERYTHING, OneOfTypes, Selection
from typematch.index.entries.sql_conditions import MAX_INLINE_ENTRIES, where
from typematch.index.entries.type_store import TypeStore
from typematch.index.masks.bits import WORDS, words
from typematch.index.masks.query_masks import QueryMaskSet, query_masks
from typematch.index.masks.sql_filters import LAST_TIER, MISFITS, overload_condition, tier_condition
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.records import Candidate, TypePosition
from typematch.ir.fingerprint import exact_fingerprint, loose_fingerprints
from typematch.ir.types import Object, Type

_BATCH = 500  # types loaded together
# An outline shared by more functions is too common to be a near duplicate; tiers find those.
_MAX_OUTLINE_MATCHES = 24


class CandidateFinder:
    """The candidate queries of ``index.store.Store``; it documents the methods."""

    def __init__(
        self, database: Database, types: TypeStore, declarations: StoredDeclarations
    ) -> None:
        self._database = database
        self._types = types
        self._declarations = declarations
        self._last_masks: tuple[Object, StoredDeclarations, QueryMaskSet] | None = None

    def clear_cache(self) -> None:
        self._last_masks = None

    def candidates(
        self,
        query: Object,
        tier: int,
        selection: Selection = EVERYTHING,
        *,
        misfits: bool = False,
    ) -> list[Candidate]:
        masks = self._query_masks(query)
        condition = tier_condition(masks, tier)
        if misfits and tier >= LAST_TIER:
            condition = f"({condition}) OR ({tier_condition(masks, MISFITS)})"
        return [
            Candidate(type_id, tuple(entries), bool(receiver))
            for (type_id, receiver), entries in self._entries(condition, selection).items()
        ]

    def entries_passing_filter(self, query: Object, tiers: int, /) -> frozenset[int]:
        masks = self._query_masks(query)
        condition = " OR ".join(f"({tier_condition(masks, tier)})" for tier in range(tiers))
        # One row per passing signature, unordered: there may be tens of thousands.
        sql = (
            "SELECT s.entry FROM filter f CROSS JOIN signature s ON s.function = f.function "
            f"WHERE {condition}"
        )
        return frozenset(row[0] for row in self._database.query(sql))

    def near_duplicates(self, query: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        rows = self._database.query
        by_spelling = "SELECT type FROM function WHERE spelling = ?"
        type_ids = {row[0] for row in rows(by_spelling, (exact_fingerprint(query),))}
        by_outline = "SELECT function FROM outline WHERE hash = ?"
        outline_matches = {
            row[0]
            for fingerprint in loose_fingerprints(query)
            for row in rows(by_outline, (fingerprint,))
        }
        if len(outline_matches) <= _MAX_OUTLINE_MATCHES:
            type_ids |= outline_matches
        if not type_ids:
            return []
        condition = f"f.function IN ({','.join(map(str, sorted(type_ids)))})"
        return [
            Candidate(type_id, tuple(entries))
            for (type_id, receiver), entries in self._entries(condition, selection).items()
            if not receiver
        ]

    def candidate_wholes(self, query: Object, selection: Selection = EVERYTHING) -> list[Candidate]:
        masks = self._query_masks(query)
        single = f"e.signatures = 1 AND {tier_condition(masks, 0)}"
        candidates: dict[tuple[int, ...], list[tuple[int, int]]] = {
            (type_id,): entries
            for (type_id, _), entries in self._entries(single, selection).items()
        }
        several = f"e.signatures > 1 AND NOT s.receiver AND {overload_condition(masks)}"
        overloaded = {
            entry for entries in self._entries(several, selection).values() for entry, _ in entries
        }
        for entry, functions in self._overload_types(sorted(overloaded)):
            candidates.setdefault(functions, []).append((entry, 0))
        return list(self._by_container(candidates))

    def _by_container(
        self, candidates: Mapping[tuple[int, ...], Sequence[tuple[int, int]]]
    ) -> Iterator[Candidate]:
        """Yield one candidate per overload set, split by class if it mentions its parameters."""
        members = {
            functions: entries
            for functions, entries in candidates.items()
            if any(self._types.get(type_id).loose_depth for type_id in functions)
        }
        container_of = self._declarations_of(
            [entry for entries in members.values() for entry, _ in entries]
        )
        for functions, entries in candidates.items():
            grouped: dict[str, list[tuple[int, int]]] = {}
            for pair in entries:
                grouped.setdefault(container_of.get(pair[0], ""), []).append(pair)
            for container, pairs in grouped.items():
                overloads = functions if len(functions) > 1 else ()
                yield Candidate(functions[0], tuple(pairs), False, overloads, container)

    def _declarations_of(self, entries: Sequence[int]) -> dict[int, str]:
        """Return the declaration key of each entry."""
        return dict(self._database.select_in("SELECT id, declaration FROM entry WHERE id", entries))

    def candidate_types(self, target: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        mask = TypeMasks(self._declarations).target_mask(target).strict
        contains, mask_values = _contains_bits("m.strict", mask)
        condition, values = where(selection)
        sql = (
            "SELECT m.type, e.id FROM source_mask m CROSS JOIN entry e ON e.type = m.type "
            f"WHERE {contains} AND {condition} ORDER BY 1, 2"
        )
        grouped: dict[int, list[tuple[int, int]]] = {}
        with self._database.errors():
            rows = self._database.connection.execute(sql, [*mask_values, *values])
            for type_id, entry in rows:
                grouped.setdefault(type_id, []).append((entry, 0))
        return [Candidate(type_id, tuple(pairs)) for type_id, pairs in grouped.items()]

    def types_at(
        self, position: TypePosition, query: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        sql, values = _types_at_sql(position, name)
        if query is not None and position != "property":
            type_masks = TypeMasks(self._declarations)
            if position == "parameter":
                mask = type_masks.source_mask(query).strict
                condition, mask_values = _within_bits("m.strict", mask)
                sql += f" AND t IN (SELECT m.type FROM target_mask m WHERE {condition})"
            else:
                mask = type_masks.target_mask(query).strict
                condition, mask_values = _contains_bits("m.strict", mask)
                sql += f" AND t IN (SELECT m.type FROM source_mask m WHERE {condition})"
            values += mask_values
        with self._database.errors():
            rows = self._database.connection.execute(f"{sql} ORDER BY t", values).fetchall()
        type_ids = [row[0] for row in rows]
        for first in range(0, len(type_ids), _BATCH):
            batch = type_ids[first : first + _BATCH]
            self._types.prefetch(batch)
            for type_id in batch:
                yield type_id, self._types.get(type_id)

    def _query_masks(self, query: Object) -> QueryMaskSet:
        """Return the masks of a query; those of the last query are cached for its other tiers."""
        if self._last_masks is None or self._last_masks[:2] != (query, self._declarations):
            masks = query_masks(query, self._declarations)
            self._last_masks = (query, self._declarations, masks)
        return self._last_masks[2]

    def _entries(
        self, condition: str, selection: Selection
    ) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Return (entry, ordinal) pairs by (function, whether its receiver is an argument)."""
        selected, values = where(selection)
        if _lists_few_entries(selection):
            tables = (
                "entry e CROSS JOIN signature s ON s.entry = e.id "
                "CROSS JOIN filter f ON f.function = s.function"
            )
        else:
            tables = "filter f CROSS JOIN signature s ON s.function = f.function"
            if selection or "e." in condition:
                tables += " CROSS JOIN entry e ON e.id = s.entry"
        sql = (
            f"SELECT f.function, s.receiver, s.entry, s.ordinal FROM {tables} "
            f"WHERE ({condition}) AND {selected} ORDER BY 1, 2, 3, 4"
        )
        grouped: dict[tuple[int, int], list[tuple[int, int]]] = {}
        with self._database.errors():
            rows = self._database.connection.execute(sql, values)
            for function, receiver, entry_number, ordinal in rows:
                grouped.setdefault((function, receiver), []).append((entry_number, ordinal))
        return grouped

    def _overload_types(self, entries: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (entry, its function types in order)."""
        sql = "SELECT entry, function FROM signature WHERE NOT receiver AND entry"
        rows = self._database.select_in(sql, entries, suffix="ORDER BY entry, ordinal")
        for entry, group in groupby(rows, key=itemgetter(0)):
            yield entry, tuple(function for _, function in group)


def _lists_few_entries(selection: Selection) -> bool:
    """Whether a selection lists so few entries that the query should scan them first."""
    return any(
        condition.facet == "entry"
        and not condition.negated
        and all(
            isinstance(value, OneOfTypes) and len(value.numbers) <= MAX_INLINE_ENTRIES
            for value in condition.values
        )
        for condition in selection
    )


def _contains_bits(column: str, mask: int) -> tuple[str, list[object]]:
    """Return the test that a stored mask is a superset of ``mask``, and its parameters."""
    tests: list[str] = []
    values: list[object] = []
    for word_index, word in enumerate(words(mask)):
        if word:
            tests.append(f"{column}{word_index} & ? = ?")
            values += [word, word]
    return " AND ".join(tests) or "1", values


def _within_bits(column: str, mask: int) -> tuple[str, list[object]]:
    """Return the test that a stored mask is a subset of ``mask``, and its parameters."""
    tests = [f"{column}{word_index} & ? = 0" for word_index in range(WORDS)]
    return " AND ".join(tests), [~word for word in words(mask)]


def _types_at_sql(position: TypePosition, name: str) -> tuple[str, list[Any]]:
    match position:
        case "parameter":
            sql = "SELECT DISTINCT type AS t FROM parameter WHERE name = coalesce(?, name)"
        case "returns":
            sql = "SELECT DISTINCT returns AS t FROM function WHERE ? IS NULL"
        case "property":
            sql = "SELECT DISTINCT property_type AS t FROM property WHERE name = coalesce(?, name)"
        case _:
            sql = "SELECT DISTINCT type AS t FROM entry WHERE type IS NOT NULL AND ? IS NULL"
    return sql, [name or None]
