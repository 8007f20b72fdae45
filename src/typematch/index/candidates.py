"""Find the function types that may fit a query: masks first, then signatures.

For each query the distinct types are tested once and those that pass are noted, with a bit for
each way of passing; functions then only look up their few places.  ``index.filters`` says the same
for one pair, in plain words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from typematch.index.conditions import where
from typematch.index.database import Database
from typematch.index.facets import Asked, Facets, Masks, asked_masks
from typematch.index.features import WORDS, words
from typematch.index.filters import LAST_TIER, MOST_ARGUMENTS, required_arguments
from typematch.index.overlay import StoredDeclarations
from typematch.index.selection import EVERYTHING, Selection
from typematch.index.shapes import PLACES
from typematch.index.store import Candidate, Place
from typematch.index.types import Types
from typematch.ir.types import Object, Type

_STRICT, _SOFT = 1, 2  # bits of a result; shifted by two for the erased reading
_ERASED = 2
_AT_ONCE = 500


class Candidates:
    """What a store answers about types that may fit."""

    database: Database
    declarations: StoredDeclarations
    types: Types
    _noted: tuple[Object, int] | None = None

    def candidates(
        self, asked: Object, tier: int, selection: Selection = EVERYTHING
    ) -> list[Candidate]:
        with self.database.errors():
            self._note(asked)
            rows = self.database.connection.execute(
                _OF_THE_REST if tier >= LAST_TIER else _OF_A_TIER, (tier,)
            ).fetchall()
            return self._with_entries([row[0] for row in rows], "function", selection)

    def shaped(self, asked: Type, selection: Selection = EVERYTHING) -> list[Candidate]:
        needs = Facets(self.declarations).needs(asked).strict
        condition, values = _contains("m.strict", needs)
        query = (
            "SELECT m.type FROM source_mask m WHERE m.type IN "
            f"(SELECT type FROM entry WHERE type IS NOT NULL) AND {condition} ORDER BY 1"
        )
        with self.database.errors():
            rows = self.database.connection.execute(query, values).fetchall()
            return self._with_entries([row[0] for row in rows], "type", selection)

    def types_in(
        self, place: Place, asked: Type | None = None, *, name: str = ""
    ) -> Iterator[tuple[int, Type]]:
        query, values = _types_in(place, name)
        if asked is not None and place != "property":
            facets = Facets(self.declarations)
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

    def _with_entries(
        self, numbers: Sequence[int], via: str, selection: Selection
    ) -> list[Candidate]:
        """Put the entries that meet ``selection`` beside their types; types without any go."""
        condition, values = where(selection)
        connection = self.database.connection
        connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (type INTEGER PRIMARY KEY)")
        connection.execute("DELETE FROM wanted")
        connection.executemany("INSERT INTO wanted VALUES (?)", [(one,) for one in numbers])
        if via == "function":
            source = (
                "SELECT w.type, e.id, s.ordinal FROM wanted w CROSS JOIN signature s "
                "ON s.function = w.type JOIN entry e ON e.id = s.entry"
            )
        else:
            source = "SELECT w.type, e.id, 0 FROM wanted w CROSS JOIN entry e ON e.type = w.type"
        grouped: dict[int, list[tuple[int, int]]] = {}
        rows = connection.execute(f"{source} WHERE {condition} ORDER BY 1, 2, 3", values)
        for number, entry, ordinal in rows:
            grouped.setdefault(number, []).append((entry, ordinal))
        return [Candidate(number, tuple(pairs)) for number, pairs in grouped.items()]

    def _note(self, asked: Object) -> None:
        """Find the lowest tier of every function type, unless that was just done."""
        connection = self.database.connection
        changes = connection.execute("PRAGMA data_version").fetchone()[0]
        changes += connection.total_changes if self.database.writable else 0
        if self._noted == (asked, changes):
            return
        masks = asked_masks(asked, self.declarations)
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute("BEGIN")
        try:
            connection.execute(*_results(masks.rigid, masks.erased))
            connection.execute(*_arguments(masks.rigid, masks.erased))
            connection.execute(_functions(masks.rigid, asked))
        finally:
            connection.execute("COMMIT")
        changes = connection.execute("PRAGMA data_version").fetchone()[0]
        changes += connection.total_changes if self.database.writable else 0
        self._noted = (asked, changes)


_OF_A_TIER = "SELECT type FROM asked_function WHERE tier = ? ORDER BY type"
_OF_THE_REST = (
    "SELECT type FROM function WHERE type NOT IN (SELECT type FROM asked_function WHERE tier < ?) "
    "ORDER BY type"
)
_TABLES = (
    "CREATE TEMP TABLE IF NOT EXISTS asked_result (type INTEGER PRIMARY KEY, bits INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS asked_argument (type INTEGER PRIMARY KEY, bits INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS asked_function (type INTEGER PRIMARY KEY, tier INTEGER)",
    "DELETE FROM asked_result",
    "DELETE FROM asked_argument",
    "DELETE FROM asked_function",
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


def _sum_of_bits(tests: Iterable[tuple[int, tuple[str, list[object]]]]) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    for bit, (text, its_values) in tests:
        parts.append(f"({text}) * {bit}")
        values += its_values
    return " + ".join(parts) or "0", values


def _results(rigid: Asked, erased: Asked) -> tuple[str, list[object]]:
    tests = [
        (_STRICT, _contains("strict", rigid.needs.strict)),
        (_SOFT, _contains("soft", rigid.needs.soft)),
        (_STRICT << _ERASED, _contains("strict", erased.needs.strict)),
        (_SOFT << _ERASED, _contains("soft", erased.needs.soft)),
    ]
    bits, values = _sum_of_bits(tests)
    return (
        f"INSERT INTO asked_result SELECT type, bits FROM (SELECT type, {bits} AS bits "
        "FROM source_mask) WHERE bits",
        values,
    )


def _arguments(rigid: Asked, erased: Asked) -> tuple[str, list[object]]:
    tests: list[tuple[int, tuple[str, list[object]]]] = []
    for shift, asked in ((0, rigid), (2 * MOST_ARGUMENTS, erased)):
        for place, has in enumerate(asked.has[:MOST_ARGUMENTS]):
            tests.append((1 << shift + place, _is_within("strict", has.strict)))
            soft = 1 << shift + MOST_ARGUMENTS + place
            tests.append((soft, _is_within("soft", has.soft)))
    text, values = _any_within("soft", erased.spread)
    tests.append((1 << 4 * MOST_ARGUMENTS, (text, values)))
    bits, values = _sum_of_bits(tests)
    return (
        f"INSERT INTO asked_argument SELECT type, bits FROM (SELECT type, {bits} AS bits "
        "FROM target_mask) WHERE bits",
        values,
    )


def _any_within(column: str, several: Sequence[Masks]) -> tuple[str, list[object]]:
    tests = [_is_within(column, has.soft) for has in several]
    values = [value for _, its_values in tests for value in its_values]
    return " OR ".join(f"({text})" for text, _ in tests) or "0", values


def _functions(asked: Asked, signature: Object) -> str:
    """Return the statement that finds the lowest tier of each function type."""
    count = len(asked.has)
    erased = 2 * MOST_ARGUMENTS
    overloaded = (
        "EXISTS (SELECT 1 FROM signature s JOIN entry e ON e.id = s.entry "
        "WHERE s.function = f.type AND e.signatures > 1)"
    )
    receiver = (
        "EXISTS (SELECT 1 FROM signature s JOIN entry e ON e.id = s.entry "
        "WHERE s.function = f.type AND e.receiver)"
    )
    required = required_arguments(signature)

    def place(number: int, bits: int) -> str:
        return f"(f.place{number} IS NULL OR coalesce(a{number}.bits, 0) & {bits})"

    def strict(shift: int) -> str:
        tests = [place(n, 1 << shift + n) for n in range(min(count, PLACES, MOST_ARGUMENTS))]
        return " AND ".join(tests) or "1"

    def failing(bits: int) -> str:
        return " + ".join(f"(f.min_arity > {n} AND NOT {place(n, bits)})" for n in range(PLACES))

    few = "1" if asked.open_ended else f"f.min_arity <= {count}"
    if count > MOST_ARGUMENTS:
        some_soft = some_erased = -1  # too many to tell apart: every place is taken to be filled
        tier_one = tier_two = "0"
    else:
        some_soft = ((1 << count) - 1) << MOST_ARGUMENTS
        some_erased = some_soft << erased | 1 << 2 * erased
        tier_one, tier_two = failing(some_soft), failing(some_erased)
    erased_one = "0" if count > MOST_ARGUMENTS else failing(some_soft << erased)
    spread = max(0, len(asked.spread) - 1)
    few_two = "1" if asked.open_ended else f"f.min_arity <= {count + 1 + spread}"
    used = f"(f.max_arity IS NULL OR {required} <= f.max_arity)"
    used_receiver = f"({required} <= f.max_arity + 1 AND {receiver})"
    joins = " ".join(
        f"LEFT JOIN asked_argument a{n} ON a{n}.type = f.place{n}" for n in range(PLACES)
    )
    zero = (
        f"{few} AND ((r.bits & {_STRICT} AND {strict(0)}) OR "
        f"(r.bits & {_STRICT << _ERASED} AND {strict(erased)} AND {overloaded}))"
    )
    one = (
        f"{few} AND ({used} OR {used_receiver}) AND "
        f"((r.bits & {_SOFT} AND ({tier_one}) = 0) OR "
        f"(r.bits & {_SOFT << _ERASED} AND ({erased_one}) = 0 AND {overloaded}))"
    )
    two = f"{few_two} AND r.bits & {_SOFT << _ERASED} AND ({tier_two}) <= 1"
    return (
        "INSERT INTO asked_function SELECT * FROM (SELECT f.type, "
        f"CASE WHEN {zero} THEN 0 WHEN {one} THEN 1 WHEN {two} THEN 2 END AS tier "
        f"FROM function f LEFT JOIN asked_result r ON r.type = f.returns {joins}) "
        "WHERE tier IS NOT NULL"
    )


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
