"""The tables, in SQLAlchemy Core, to be read from top to bottom.

A *package* has *files*; a file contributes *fragments* (blobs) to the declarations of *symbols*
and holds *entries*, which have *signatures*, each of a distinct *function type*.  Every distinct
type is one row; masks are stored for the types that filters test.  Dependencies on declarations are
recorded (``file_dependency``, ``type_dependency``); ``pending`` holds the symbols that changed and
whose dependents are not updated yet.

Only writing imports this module, because importing SQLAlchemy is slow.
"""

from __future__ import annotations

from sqlalchemy import Index, MetaData, Table

from typematch.index.tables import entries, sources, types
from typematch.ir.entry import MEMBER_KINDS

metadata = MetaData()
sources.define_tables(metadata)
types.define_tables(metadata)
entries.define_tables(metadata)


def stored_columns(table: Table) -> list[str]:
    """Return the columns that are written: all but computed ones."""
    return [column.name for column in table.columns if column.computed is None]


# Created after the first load: that is several times cheaper than updating them row by row.
_t = metadata.tables
_WAITING = _t["vector"].c.value.is_(None)
_CALLABLE = _t["entry"].c.min_arity.is_not(None)
_IS_MEMBER = _t["entry"].c.kind.in_(MEMBER_KINDS)
INDEXES = (
    Index("entry_by_id", _t["entry"].c.name_id, unique=True),
    Index("entry_by_name", _t["entry"].c.name),
    Index("entry_by_package", _t["entry"].c.package),
    Index("entry_by_file", _t["entry"].c.file),
    Index("entry_by_type", _t["entry"].c.type),
    # What a sentence asks for: a function, of so many parameters.
    Index(
        "entry_by_arity",
        *(_t["entry"].c[name] for name in ("min_arity", "max_arity", "kind")),
        sqlite_where=_CALLABLE,
        postgresql_where=_CALLABLE,
    ),
    # The entries that declare a type or a value; the declaration of a member is its container's.
    Index(
        "entry_by_declaration",
        _t["entry"].c.declaration,
        sqlite_where=~_IS_MEMBER,
        postgresql_where=~_IS_MEMBER,
    ),
    Index("signature_by_function", _t["signature"].c.function),
    Index("function_by_returns", _t["function"].c.returns),
    Index("function_by_spelling", _t["function"].c.spelling),
    Index("parameter_by_type", _t["parameter"].c.type),
    Index("fragment_by_file", _t["fragment"].c.file),
    Index("dependency_by_file", _t["file_dependency"].c.file),
    Index("property_by_name", _t["property"].c.name),
    Index("entry_by_vector", _t["entry_vector"].c.vector),
    Index("vector_waiting", _t["vector"].c.id, sqlite_where=_WAITING, postgresql_where=_WAITING),
    Index("file_by_package", _t["file"].c.package),
    Index("reach_by_file", _t["reach"].c.file),
)
