"""Compute the masks that are missing: the last pass of a run.

Masks depend on declarations of any package, so they come when all are written.  A pass that is
killed leaves the masks it did not reach as they were made: they let everything through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from typematch.index.database import Connection, Database
from typematch.index.masks.bits import ALL_KINDS, EVERYTHING, NO_VOID, WORDS, words
from typematch.index.masks.memo import FOUNDATIONS
from typematch.index.masks.signature_columns import PLACES
from typematch.index.masks.sql_filters import filter_columns
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.writing import IndexWriter
from typematch.ir.codec import CodecError, decode_type
from typematch.ir.declaration import Declarations
from typematch.ir.types import ANY, Object, Reference, Type

_BATCH = 2_000  # types between commits
_MOST_PROPERTIES = 200
_SIDES = ("source_mask", "target_mask")
_NAMED = (
    "SELECT DISTINCT type FROM entry "
    "WHERE kind IN ('interface', 'class', 'alias', 'schema', 'service')"
)
_MASKS = tuple(f"{strictness}{word}" for strictness in ("strict", "soft") for word in range(WORDS))
_COLUMNS = ", ".join(f"{name} = ?" for name in _MASKS)


def forget_masks(database: Database) -> None:
    """Mark what hangs on pending declarations as missing; after that nothing is pending."""
    with database.transaction() as connection:
        query = "SELECT key FROM symbol JOIN pending ON symbol = id WHERE key LIKE 'global#%'"
        keys = {row[0] for row in connection.execute(query)}
        condition = (
            ""
            if keys & FOUNDATIONS
            else "AND type IN (SELECT d.type FROM type_dependency d JOIN pending USING (symbol))"
        )
        for table in _SIDES:
            _reset(connection, table, condition)
        connection.execute("DELETE FROM pending")


def _reset(connection: Connection, table: str, condition: str) -> None:
    bits = EVERYTHING if table == "source_mask" else 0
    connection.execute(
        f"UPDATE {table} SET state = 0, {_COLUMNS} WHERE state = 1 {condition}",
        (*words(bits), *words(bits)),
    )


def complete_masks(
    writer: IndexWriter, declarations: Declarations, progress: Callable[[int, int], None]
) -> int:
    """Compute every missing mask; return how many there were.

    ``progress`` is told (done, total).
    """
    connection = writer.database.connection
    todo = [
        row[0]
        for row in connection.execute(
            "SELECT type FROM source_mask WHERE state = 0 UNION "
            "SELECT type FROM target_mask WHERE state = 0"
        )
    ]
    facets = TypeMasks(declarations)
    numbers = iter(todo)
    done = 0
    while batch := list(islice(numbers, _BATCH)):
        with writer.database.transaction():
            _Batch(writer, batch).complete(facets)
            writer.flush()
        done += len(batch)
        progress(done, len(todo))
    _complete_filters(writer.database)
    return len(todo)


def _complete_filters(database: Database) -> None:
    """Put the masks of a function's types beside each other, where filters read them."""
    plain = {f"place{place}": f"c.place{place}" for place in range(PLACES)}
    # The receiver comes first, and moves the others on.
    called = {f"place{place}": f"c.place{place - 1}" for place in range(1, PLACES)}
    called["place0"] = "r.container"
    functions = "function c JOIN filter f ON f.function = c.type"
    methods = "receiver r JOIN function c ON c.type = r.method JOIN filter f ON f.function = -r.id"
    with database.transaction() as connection:
        connection.execute(_filling(functions, plain, "c.min_arity"))
        connection.execute(_filling(methods, called, "c.min_arity + 1"))


def _filling(functions: str, places: Mapping[str, str], fewest: str) -> str:
    """Return the statement that fills the masks of ``functions``.

    Args:
        places: the type of each place.
        fewest: how many arguments must be given, but for those that take ``void`` by an alias.
    """
    columns = {f"returns_{name}": f"v.{name}" for name in _MASKS}
    for place in places:
        columns.update({f"{place}_{name}": f"coalesce({place}.{name}, 0)" for name in _MASKS})
    joins = " ".join(
        f"LEFT JOIN target_mask {place} ON {place}.type = {type_}"
        for place, type_ in places.items()
    )
    masks = ", ".join(columns[name] for name in filter_columns())
    return (
        f"INSERT OR REPLACE INTO filter SELECT f.function, {_fewest(fewest)}, f.max_arity, "
        f"f.places, f.guard, f.bounded, {masks} FROM {functions} "
        f"JOIN source_mask v ON v.type = c.returns {joins}"
    )


def _fewest(required: str) -> str:
    """Return the expression of ``SignatureMasks.fewest``."""
    fewest = "0"
    cases = []
    for place in range(PLACES):
        needs = f"coalesce(place{place}.strict0, 0)"
        takes_void = f"{needs} & {ALL_KINDS} AND NOT {needs} & {NO_VOID}"
        fewest = f"CASE WHEN {takes_void} THEN {fewest} ELSE {place + 1} END"
        cases.append(f"WHEN {place + 1} THEN {fewest}")
    return f"CASE {required} {' '.join(cases)} ELSE {required} END"


class _Batch:
    """Types whose masks are missing, with what is asked of all of them at once."""

    def __init__(self, writer: IndexWriter, numbers: Sequence[int]) -> None:
        self._writer = writer
        self._numbers = numbers
        among = writer.database.among
        self._blobs = dict(among("SELECT id, blob FROM type WHERE id", numbers))
        self._tested = {
            table: {row[0] for row in among(f"SELECT type FROM {table} WHERE type", numbers)}
            for table in _SIDES
        }
        # Those that an entry names.
        self._named = {row[0] for row in among(f"{_NAMED} AND type", numbers)}

    def complete(self, facets: TypeMasks) -> None:
        """Write the masks, the properties, and what they hang on."""
        connection = self._writer.database.connection
        masks: dict[str, list[tuple[int, ...]]] = {table: [] for table in _SIDES}
        for table, gone in (("type_dependency", self._numbers), ("property", self._named)):
            connection.executemany(f"DELETE FROM {table} WHERE type = ?", [(n,) for n in gone])
        for number in self._numbers:
            t = decode_type(self._blobs[number])
            facets.dependencies()
            for table, work_out in (("source_mask", facets.has), ("target_mask", facets.needs)):
                if number in self._tested[table]:
                    found = work_out(t)
                    masks[table].append((*words(found.strict), *words(found.soft), number))
            if number in self._named:
                self._add_properties(facets, number, t)
            for key in facets.dependencies():
                self._writer.add("type_dependency", self._writer.symbol(key), number)
        for table, rows in masks.items():
            connection.executemany(f"UPDATE {table} SET state = 1, {_COLUMNS} WHERE type = ?", rows)

    def _add_properties(self, facets: TypeMasks, number: int, t: Type) -> None:
        if not isinstance(t, (Object, Reference)):
            return
        for one in islice(facets.properties(t), _MOST_PROPERTIES):
            stored = _stored(self._writer, one.type)
            self._writer.add("property", number, one.name, stored, one.optional)


def _stored(writer: IndexWriter, t: Type) -> int:
    """Return the number of a property's type; ``any`` where it hangs on a variable."""
    try:
        return writer.type(ANY if t.loose else t)
    except CodecError:
        return writer.type(ANY)
