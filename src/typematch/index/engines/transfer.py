"""Copies a catalog, or a shard of it, from one engine to another: rows as they are.

Full text is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from typematch.config import Location, ServerUrl
from typematch.errors import UsageError
from typematch.index.deletion import delete_unreferenced
from typematch.index.engines import locations
from typematch.index.engines.engine import Database
from typematch.index.engines.shards import Shard, check_is_whole, mark_shard
from typematch.index.engines.sqlite import (
    COMPACTED,
    SqliteDatabase,
    open_for_writing,
)
from typematch.index.engines.sqlite_files import check_folder

_ROWS_PER_BATCH = 5_000
# Rows of ``meta`` that are about the tables, not their contents.
_OWN_META = ("schema", "stamp", "indexed", COMPACTED)


def export(source: Database, target: Location, shard: Shard | None = None) -> int:
    """Write a copy of a database, or of a shard of it; return its size in bytes.

    Raises:
        UsageError: there is something at ``target`` already, or the database is a shard itself.
    """
    if shard is not None:
        check_is_whole(source, "Export the whole one.")
    if isinstance(target, ServerUrl):
        return _export_to_server(source, target, shard)
    if target.exists():
        raise UsageError(
            "the file exists already", str(target), "Choose another name, or delete it."
        )
    check_folder(target)
    if isinstance(source, SqliteDatabase) and shard is None:
        source.write_copy(target)
    else:
        _export_to_file(source, target, shard)
    return target.stat().st_size


def _export_to_file(source: Database, target: Path, shard: Shard | None) -> None:
    """Copy into a temporary file beside the target, so that a killed export leaves no half file."""
    with TemporaryDirectory(prefix=".typematch-", dir=target.absolute().parent) as name:
        folder = Path(name)
        made = open_for_writing(folder / "copy.db")
        try:
            copy_contents(source, made, shard)
            made.write_copy(folder / "compact.db")
        finally:
            made.close()
        (folder / "compact.db").replace(target)


def _export_to_server(source: Database, target: ServerUrl, shard: Shard | None) -> int:
    made = locations.open_for_writing(target)
    try:
        if made.query("SELECT 1 FROM package LIMIT 1"):
            raise UsageError(
                "there is a catalog already",
                str(target),
                "Name another schema: ?schema=NAME, or drop this one.",
            )
        copy_contents(source, made, shard)
        return made.size_bytes()
    finally:
        made.close()


def copy_contents(source: Database, target: Database, shard: Shard | None = None) -> None:
    """Copy one state of everything, in one transaction, into a database without contents."""
    from typematch.index.enrichment import EnrichmentStore
    from typematch.index.entries.declaration_store import StoredDeclarations
    from typematch.index.entries.entry_reader import EntryReader
    from typematch.index.entries.type_store import TypeStore

    with source.errors():
        source.begin_snapshot()
    try:
        with source.errors(), target.writing((), lambda what, seconds: None):  # noqa: ARG005
            with target.transaction():
                for table, columns in _tables():
                    condition = _condition(source, table, columns, shard)
                    for rows in _rows(source, table, columns, condition):
                        target.insert_rows(table, rows)
                reader = EntryReader(target, TypeStore(target), StoredDeclarations(target))
                EnrichmentStore(target, reader).write_texts()
                if shard is not None:
                    delete_unreferenced(target)
                    mark_shard(target, shard)
            target.create_indexes()
            target.checkpoint()
    finally:
        source.end_snapshot()


def _tables() -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the shared tables with the columns that are stored."""
    from typematch.index.schema import metadata, stored_columns

    for table in metadata.sorted_tables:
        yield table.name, stored_columns(table)


def _condition(source: Database, table: str, columns: Sequence[str], shard: Shard | None) -> str:
    """Return the SQL condition of the rows to copy."""
    if table == "meta":
        omitted = ", ".join(f"'{name}'" for name in _OWN_META)
        return f"name NOT IN ({omitted})"
    if shard is None or not (table == "entry" or "entry" in columns):
        return "TRUE"
    entries = shard.entry_condition(source.query("SELECT id, name FROM package"))
    return entries if table == "entry" else f"entry IN (SELECT id FROM entry WHERE {entries})"


def _rows(
    source: Database, table: str, columns: Sequence[str], condition: str
) -> Iterator[Sequence[tuple[object, ...]]]:
    quoted = ", ".join(f'"{name}"' for name in columns)
    cursor = source.connection.execute(f"SELECT {quoted} FROM {table} WHERE {condition}")
    while rows := cursor.fetchmany(_ROWS_PER_BATCH):
        yield rows
