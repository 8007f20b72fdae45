"""Computes missing masks: the last pass of an indexing run.

Masks depend on declarations of any package, so they are computed once all are written.  If the
pass is killed, the remaining types keep their initial masks, which pass every filter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from typematch.child_processes import workers
from typematch.config import Location
from typematch.index.engines.engine import Database, DriverConnection
from typematch.index.engines.locations import open_for_reading
from typematch.index.entries.declaration_store import StoredDeclarations
from typematch.index.masks.computed_masks import ComputedMasks, MaskComputer, MaskTask
from typematch.index.masks.mask_rows import MASK_COLUMNS, initial_row
from typematch.index.masks.memo import FOUNDATIONS
from typematch.index.row_buffer import RowBuffer
from typematch.ir.declaration import Declarations

_BATCH = 1_000  # types between commits
_MIN_PER_PROCESS = 2_000  # types; for fewer, starting a process takes longer than it saves
_MASK_TABLES = ("source_mask", "target_mask")
_MISSING = " UNION ".join(f"SELECT type FROM {table} WHERE state = 0" for table in _MASK_TABLES)
_NAMED_TYPES = (
    "SELECT DISTINCT type FROM entry "
    "WHERE kind IN ('interface', 'class', 'alias', 'schema', 'service')"
)


def invalidate_masks(database: Database) -> bool:
    """Reset the masks that depend on pending declarations, then clear ``pending``.

    Returns False, and does nothing, if another run is to compute the masks.
    """
    with database.transaction() as connection:
        if not database.coordination.take_masks():
            return False
        reset_pending_masks(connection)
        # All at once: the rows are not indexed by type.
        connection.execute(f"DELETE FROM type_dependency WHERE type IN ({_MISSING})")
        database.coordination.end_pending()
    return True


def are_masks_missing(connection: DriverConnection) -> bool:
    """Return whether some mask was never computed, or reset and not computed again."""
    return any(
        connection.execute(f"SELECT 1 FROM {table} WHERE state = 0 LIMIT 1").fetchone()
        for table in _MASK_TABLES
    )


def reset_pending_masks(connection: DriverConnection) -> None:
    """Reset the masks that depend on pending declarations, so that they pass every filter."""
    query = "SELECT key FROM symbol JOIN pending ON symbol = id WHERE key LIKE 'global#%'"
    keys = {row[0] for row in connection.execute(query)}
    condition = (
        ""
        if keys & FOUNDATIONS
        else "AND type IN (SELECT d.type FROM type_dependency d JOIN pending USING (symbol))"
    )
    for table in _MASK_TABLES:
        _reset(connection, table, condition)


def _reset(connection: DriverConnection, table: str, condition: str) -> None:
    connection.execute(
        f"UPDATE {table} SET state = 0, {_assignments(table)} WHERE state = 1 {condition}",
        initial_row(table),
    )


def _assignments(table: str) -> str:
    return ", ".join(f"{column} = ?" for column in MASK_COLUMNS[table])


def complete_masks(
    rows: RowBuffer,
    declarations: Declarations,
    progress: Callable[[int, int], None],
    *,
    jobs: int = 1,
) -> list[str]:
    """Compute every missing mask; stop when another run takes over.

    Returns:
        The keys of declarations whose properties are not listed: they inherit from too many types.

    Args:
        progress: called with (done, total) after each batch.
        jobs: processes to compute in, at most; with one, nothing is started.  The rows are the same
            for any number.
    """
    database = rows.database
    missing = [row[0] for row in database.connection.execute(f"{_MISSING} ORDER BY 1")]
    large_heritage: list[str] = []
    done = 0
    batches = (_tasks(database, missing[at : at + _BATCH]) for at in range(0, len(missing), _BATCH))
    processes = min(jobs, len(missing) // _MIN_PER_PROCESS)
    for computed in _computed(database, declarations, batches, processes):
        with database.transaction():
            if not database.coordination.have_masks():
                break
            _write(rows, computed)
            rows.flush()
        large_heritage += [masks.large_heritage for masks in computed if masks.large_heritage]
        done += len(computed)
        progress(done, len(missing))
    return sorted(large_heritage)


def _computed(
    database: Database,
    declarations: Declarations,
    batches: Iterable[Sequence[MaskTask]],
    processes: int,
) -> Iterator[Sequence[ComputedMasks]]:
    """Yield the results of the batches, in their order."""
    if processes < 2:
        yield from map(MaskComputer(declarations).compute, batches)
        return
    with workers(processes, _mask_computer, database.location) as computers:
        yield from computers.map(batches)


def _mask_computer(location: Location) -> Callable[[Sequence[MaskTask]], list[ComputedMasks]]:
    """Return what computes the masks of a batch against the declarations in file ``location``."""
    return MaskComputer(StoredDeclarations(open_for_reading(location))).compute


def _tasks(database: Database, type_ids: Sequence[int]) -> list[MaskTask]:
    select_in = database.select_in
    blobs = dict(select_in("SELECT id, blob FROM type WHERE id", type_ids))
    with_mask = {
        table: {row[0] for row in select_in(f"SELECT type FROM {table} WHERE type", type_ids)}
        for table in _MASK_TABLES
    }
    # Types that an entry declares.
    named = {row[0] for row in select_in(f"{_NAMED_TYPES} AND type", type_ids)}
    return [
        MaskTask(
            type_id,
            blobs[type_id],
            [table for table in _MASK_TABLES if type_id in with_mask[table]],
            type_id in named,
        )
        for type_id in type_ids
    ]


def _write(rows: RowBuffer, computed: Sequence[ComputedMasks]) -> None:
    """Write masks, properties and dependencies, within the caller's transaction."""
    connection = rows.database.connection
    type_ids = [(masks.number,) for masks in computed]
    connection.executemany("DELETE FROM property WHERE type = ?", type_ids)
    for table in _MASK_TABLES:
        connection.executemany(
            f"UPDATE {table} SET state = 1, {_assignments(table)} WHERE type = ?",
            [(*masks.masks[table], masks.number) for masks in computed if table in masks.masks],
        )
    for masks in computed:
        for name, document, optional in masks.properties:
            rows.add(
                "property", masks.number, rows.property_name(name),
                rows.type_of_document(document), optional,
            )  # fmt: skip
        for key in masks.dependencies:
            rows.add("type_dependency", rows.symbol(key), masks.number)
