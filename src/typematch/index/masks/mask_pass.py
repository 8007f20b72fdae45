"""Computes missing masks: the last pass of an indexing run.

Masks depend on declarations of any package, so they are computed once all are written.  If the
pass is killed, the remaining types keep their initial masks, which pass every filter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from typematch.index.compression import decompress
from typematch.index.database import Database, DriverConnection
from typematch.index.masks.mask_rows import MASK_COLUMNS, initial_row, mask_row
from typematch.index.masks.memo import FOUNDATIONS
from typematch.index.masks.type_masks import TypeMasks
from typematch.index.row_buffer import RowBuffer
from typematch.ir.codec import CodecError, decode_type
from typematch.ir.declaration import Declarations
from typematch.ir.types import ANY, Object, Reference, Type

_BATCH = 2_000  # types between commits
_MAX_PROPERTIES = 200
_MASK_TABLES = ("source_mask", "target_mask")
_NAMED_TYPES = (
    "SELECT DISTINCT type FROM entry "
    "WHERE kind IN ('interface', 'class', 'alias', 'schema', 'service')"
)


def invalidate_masks(database: Database) -> None:
    """Reset the masks that depend on pending declarations, then clear ``pending``."""
    with database.transaction() as connection:
        query = "SELECT key FROM symbol JOIN pending ON symbol = id WHERE key LIKE 'global#%'"
        keys = {row[0] for row in connection.execute(query)}
        condition = (
            ""
            if keys & FOUNDATIONS
            else "AND type IN (SELECT d.type FROM type_dependency d JOIN pending USING (symbol))"
        )
        for table in _MASK_TABLES:
            _reset(connection, table, condition)
        connection.execute("DELETE FROM pending")


def _reset(connection: DriverConnection, table: str, condition: str) -> None:
    connection.execute(
        f"UPDATE {table} SET state = 0, {_assignments(table)} WHERE state = 1 {condition}",
        initial_row(table),
    )


def _assignments(table: str) -> str:
    return ", ".join(f"{column} = ?" for column in MASK_COLUMNS[table])


def complete_masks(
    rows: RowBuffer, declarations: Declarations, progress: Callable[[int, int], None]
) -> list[str]:
    """Compute every missing mask.

    Returns:
        The keys of declarations whose properties are not listed: they inherit from too many types.

    Args:
        progress: called with (done, total) after each batch.
    """
    connection = rows.database.connection
    missing = [
        row[0]
        for row in connection.execute(
            "SELECT type FROM source_mask WHERE state = 0 UNION "
            "SELECT type FROM target_mask WHERE state = 0"
        )
    ]
    type_masks = TypeMasks(declarations)
    type_ids = iter(missing)
    done = 0
    while batch := list(islice(type_ids, _BATCH)):
        with rows.database.transaction():
            _Batch(rows, batch).complete(type_masks)
            rows.flush()
        done += len(batch)
        progress(done, len(missing))
    return sorted(t.target for t in type_masks.large_heritage if isinstance(t, Reference))


class _Batch:
    """A batch of types whose masks are missing."""

    def __init__(self, rows: RowBuffer, type_ids: Sequence[int]) -> None:
        self._rows = rows
        self._type_ids = type_ids
        select_in = rows.database.select_in
        self._blobs = dict(select_in("SELECT id, blob FROM type WHERE id", type_ids))
        self._with_mask = {
            table: {row[0] for row in select_in(f"SELECT type FROM {table} WHERE type", type_ids)}
            for table in _MASK_TABLES
        }
        # Types that an entry declares.
        self._named = {row[0] for row in select_in(f"{_NAMED_TYPES} AND type", type_ids)}

    def complete(self, type_masks: TypeMasks) -> None:
        """Write the masks, the properties and their dependencies."""
        connection = self._rows.database.connection
        mask_rows: dict[str, list[tuple[int, ...]]] = {table: [] for table in _MASK_TABLES}
        for table, type_ids in (("type_dependency", self._type_ids), ("property", self._named)):
            connection.executemany(
                f"DELETE FROM {table} WHERE type = ?", [(type_id,) for type_id in type_ids]
            )
        for type_id in self._type_ids:
            t = decode_type(decompress(self._blobs[type_id]))
            type_masks.dependencies()
            for table, compute in (
                ("source_mask", type_masks.source_mask),
                ("target_mask", type_masks.target_mask),
            ):
                if type_id in self._with_mask[table]:
                    mask_rows[table].append((*mask_row(table, compute(t)), type_id))
            if type_id in self._named:
                self._add_properties(type_masks, type_id, t)
            for key in type_masks.dependencies():
                self._rows.add("type_dependency", self._rows.symbol(key), type_id)
        for table, rows in mask_rows.items():
            connection.executemany(
                f"UPDATE {table} SET state = 1, {_assignments(table)} WHERE type = ?", rows
            )

    def _add_properties(self, type_masks: TypeMasks, type_id: int, t: Type) -> None:
        if not isinstance(t, (Object, Reference)):
            return
        for property_ in islice(type_masks.properties(t), _MAX_PROPERTIES):
            property_type_id = _stored_type_id(self._rows, property_.type)
            self._rows.add(
                "property", type_id, property_.name, property_type_id, property_.optional
            )


def _stored_type_id(rows: RowBuffer, t: Type) -> int:
    """Return the id of a property's type, ``any`` for a type with unbound variables."""
    try:
        return rows.type(ANY if t.loose_depth else t)
    except CodecError:
        return rows.type(ANY)
