"""Creates the tables of a catalog in a schema of PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, MetaData, Table, insert
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from typematch.index.schema import INDEXES, metadata, stored_columns
from typematch.index.tables.columns import text

_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]

# Statements that create the functions of SQLite which the shared SQL uses.
FUNCTIONS = (
    "CREATE FUNCTION instr(whole text, part text) RETURNS integer LANGUAGE sql IMMUTABLE "
    "PARALLEL SAFE AS 'SELECT strpos(whole, part)'",
    "CREATE FUNCTION hex(value bytea) RETURNS text LANGUAGE sql IMMUTABLE "
    "PARALLEL SAFE AS 'SELECT coalesce(upper(encode(value, ''hex'')), '''')'",
    # The pattern of LIKE for a glob.
    "CREATE FUNCTION glob_pattern(glob text) RETURNS text LANGUAGE sql IMMUTABLE "
    r"PARALLEL SAFE AS $$SELECT translate(replace(replace(replace(glob, '\', '\\'), '%', '\%'), "
    r"'_', '\_'), '*?', '%_')$$",
)

# What PostgreSQL has beside the shared tables.
_own = MetaData()
_posting = Table(
    "posting",
    _own,
    Column("operations", Boolean, primary_key=True),
    text("term", key=True),
    Column("segment", Integer, primary_key=True, autoincrement=False),
    Column("occurrences", LargeBinary, nullable=False),
)
Table(
    "text_size",
    _own,
    Column("operations", Boolean, primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("segment", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("sizes", LargeBinary, nullable=False),
)
# One row.
_change = Table(
    "change",
    _own,
    Column("number", Integer, nullable=False),  # of the last transaction
    Column("runs", Integer, nullable=False),  # the number of the last run
    Column("masks", Integer, nullable=False),  # the transaction in which a run took over the masks
)
# The pending declarations that a run changes.
Table(
    "claim",
    _own,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("symbol", Integer, primary_key=True, autoincrement=False),
)
_own_indexes = (
    Index("posting_by_segment", _posting.c.segment),
    Index("size_by_segment", _own.tables["text_size"].c.segment),
    Index("size_by_entry", _own.tables["text_size"].c.entry),
)


def statements() -> Iterator[str]:
    """Yield the statements that create functions and tables, in the current schema."""
    yield from FUNCTIONS
    shared = MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(shared)
    for tables in (shared, _own):
        for table in tables.sorted_tables:
            for column in table.columns:
                if column.computed is not None:
                    # Others are computed when they are read, which forbids our functions.
                    column.computed.persisted = True
            # References are for readers: rows are deleted in bulk, in an order of its own.
            create = CreateTable(table, include_foreign_key_constraints=[])
            yield str(create.compile(dialect=_DIALECT))
    for index in _own_indexes:
        yield str(CreateIndex(index).compile(dialect=_DIALECT))
    yield str(
        insert(_change)
        .values(number=0, runs=0, masks=0)
        .compile(dialect=_DIALECT, compile_kwargs={"literal_binds": True})
    )


def index_statements() -> Iterator[str]:
    """Yield the statements that create the indexes."""
    for index in INDEXES:
        yield str(CreateIndex(index, if_not_exists=True).compile(dialect=_DIALECT))


def columns_by_table() -> Mapping[str, Sequence[str]]:
    """Return the columns that are written, of the shared tables and those of this engine."""
    tables = (*metadata.tables.values(), *_own.tables.values())
    return {table.name: stored_columns(table) for table in tables}
