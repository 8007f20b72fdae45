"""The tables, in SQLAlchemy Core: what is stored, in an order one can read from top to bottom.

A *package* has *files*; a file declares *symbols* (its *fragments* of their declarations, as blobs)
and holds *entries*, which have *signatures*, each of a distinct *function type*.  Every distinct
type is one row, and masks stand beside the types that searches test.  What was computed from other
declarations is recorded with them (``file_dependency``, ``type_dependency``), and ``pending`` names
the symbols that changed while their dependants have not been seen to yet.

Only writing needs this module, so only writing pays for importing SQLAlchemy.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from typematch.index.file_format import SCHEMA_VERSION
from typematch.index.masks.sql_filters import filter_columns

__all__ = ["SCHEMA_VERSION", "metadata"]

metadata = MetaData()


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _of(table: str, name: str = "", *, key: bool = False) -> Column[int]:
    return Column(
        name or table, Integer, ForeignKey(f"{table}.id"), primary_key=key, nullable=False
    )


def _text(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=False)


def _number(name: str, *, key: bool = False, missing: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=missing, autoincrement=False)


def _word(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, default=False)


Table("meta", metadata, _text("name", key=True), _text("value"), sqlite_with_rowid=False)

Table(
    "package",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    _text("version"),
)

Table(
    "file",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    _of("package"),
    Column("content", LargeBinary, nullable=False),  # digest of the bytes
    Column("bindings", LargeBinary, nullable=False),  # digest of what its names resolved to
    Column("placing", LargeBinary, nullable=False),  # digest of where its names are exported
    _text("skeleton"),
    _text("specifiers"),  # those of the skeleton, one on a line
    _number("errors"),
    _text("unreadable"),
    _flag("stale"),
)

# What is found from where: a file is kept as long as one root reaches it.
Table("reach", metadata, _text("root", key=True), _of("file", key=True), sqlite_with_rowid=False)
# What was asked for, as a digest, and the roots that it led to.
Table("request", metadata, _text("request", key=True), _text("root", key=True))
Table(
    "skipped",
    metadata,
    _text("request", key=True),
    _text("path", key=True),
    _text("reason", key=True),
    _number("files"),
)
Table(
    "unresolved",
    metadata,
    _of("file", key=True),
    _text("specifier", key=True),
    sqlite_with_rowid=False,
)

Table(
    "problem",
    metadata,
    _of("file", key=True),
    _number("position", key=True),
    _text("text"),
    sqlite_with_rowid=False,
)

# Of a document, how many words and signs it has, and how many of them are indexed.
Table(
    "document",
    metadata,
    Column("file", Integer, primary_key=True, autoincrement=False),
    _number("tokens"),
    _number("kept"),
)
Table(
    "removed",
    metadata,
    _of("file", key=True),
    _text("sort", key=True),
    _number("times"),
    _number("characters"),
    sqlite_with_rowid=False,
)

Table("symbol", metadata, _id(), Column("key", Text, nullable=False, unique=True))
Table(
    "fragment",
    metadata,
    _of("symbol", key=True),
    _of("file", key=True),
    Column("blob", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
Table(
    "file_dependency",
    metadata,
    _of("symbol", key=True),
    _of("file", key=True),
    sqlite_with_rowid=False,
)
Table("pending", metadata, Column("symbol", Integer, primary_key=True, autoincrement=False))

Table(
    "type",
    metadata,
    _id(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("blob", LargeBinary, nullable=False),
)
Table(
    "type_dependency",
    metadata,
    _of("symbol", key=True),
    _of("type", key=True),
    sqlite_with_rowid=False,
)
# As a source: what its values have.  As a target: what a value must have.  ``index.facets``.
for _side in ("source_mask", "target_mask"):
    Table(
        _side,
        metadata,
        Column("type", Integer, primary_key=True, autoincrement=False),
        _number("state"),
        *(_word(f"{strictness}{word}") for strictness in ("strict", "soft") for word in range(3)),
    )
Table(
    "property",
    metadata,
    _of("type", key=True),
    _text("name", key=True),
    _of("type", "property_type"),
    _flag("optional"),
    sqlite_with_rowid=False,
)

# A distinct function type taken apart; its number is its type's.
Table(
    "function",
    metadata,
    Column("type", Integer, primary_key=True, autoincrement=False),
    _of("type", "returns"),
    _number("min_arity"),
    _number("max_arity", missing=True),
    _number("places"),
    _number("spelling"),  # a hash of the type as one writes it: ``ir.outline.spelling``
    # Of the first four places: the target that an argument there must fit; null takes anything.
    *(_number(f"place{place}", missing=True) for place in range(4)),
)
# Functions that differ in little have a hash in common: ``ir.outline.outlines``.
Table(
    "outline",
    metadata,
    _number("hash", key=True),
    Column("function", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
# A method as a function of its receiver: its number among functions is the negative of ``id``.
Table(
    "receiver",
    metadata,
    _id(),
    _of("type", "method"),
    _of("type", "container"),
    UniqueConstraint("method", "container"),
)
# What the tiers' filters test, all in one row: ``index.tiers``.
Table(
    "filter",
    metadata,
    Column("function", Integer, primary_key=True, autoincrement=False),
    _number("min_arity"),
    _number("max_arity"),
    _number("places"),
    _flag("guard"),
    _number("bounded"),
    *(_word(column) for column in filter_columns()),
)
Table(
    "parameter",
    metadata,
    Column("function", Integer, primary_key=True, autoincrement=False),
    _number("position", key=True),
    _text("name"),
    _of("type"),
    _flag("optional"),
    _flag("rest"),
    sqlite_with_rowid=False,
)
Table(
    "mention",
    metadata,
    _of("symbol", key=True),
    Column("function", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

Table(
    "entry",
    metadata,
    _id(),
    _text("name_id"),  # the id, unique in the file
    _text("raw_id"),  # the id before clashes were told apart
    _of("package"),
    _of("file"),
    _number("position"),  # order in the file
    _text("kind"),
    _text("name"),
    _text("qualified_name"),
    _text("module"),
    _number("line"),
    _number("min_arity", missing=True),
    _number("max_arity", missing=True),
    _number("signatures"),
    _text("visibility"),
    _text("declaration"),
    _number("type", missing=True),
    _text("http"),
    _text("service"),
    _text("source"),
    _flag("exported"),
    _flag("async"),
    _flag("generator"),
    _flag("generic"),
    _flag("static"),
    _flag("deprecated"),
    _flag("inferred"),
    Column("blob", LargeBinary, nullable=False),
)
Table(
    "signature",
    metadata,
    _of("entry", key=True),
    # The same function called with its receiver as the first argument.
    Column("receiver", Boolean, primary_key=True, nullable=False, default=False),
    _number("ordinal", key=True),
    Column("function", Integer, nullable=False),
    sqlite_with_rowid=False,
)
# The things that an operation needs, or gives where ``given``: ``index.supplies``.
Table(
    "supply",
    metadata,
    _of("entry", key=True),
    Column("given", Boolean, primary_key=True, nullable=False),
    _text("noun", key=True),
    sqlite_with_rowid=False,
)
Table("doc", metadata, Column("entry", Integer, primary_key=True), _text("summary"), _text("text"))
Table(
    "alias",
    metadata,
    _of("entry", key=True),
    _text("qualified_name", key=True),
    sqlite_with_rowid=False,
)
Table("tag", metadata, _of("entry", key=True), _text("tag", key=True), sqlite_with_rowid=False)

# The vector of a distinct text, a byte for each dimension; ``text`` waits there to be embedded.
Table(
    "vector",
    metadata,
    _id(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    _text("text"),
    Column("value", LargeBinary, nullable=True),
)
Table(
    "entry_vector",
    metadata,
    Column("entry", Integer, primary_key=True, autoincrement=False),
    _of("vector"),
)

# What a model said of everything that is described so: ``index.telling``.
Table(
    "told",
    metadata,
    _text("digest", key=True),
    _text("model"),
    _text("summary"),
    _text("questions"),  # one on a line
    _text("interface"),
    sqlite_with_rowid=False,
)
Table(
    "entry_told",
    metadata,
    Column("entry", Integer, primary_key=True, autoincrement=False),
    _text("digest"),
)
# Beside the vector of its own text: those of what was said of it.
Table(
    "told_vector",
    metadata,
    _of("entry", key=True),
    _of("vector", key=True),
    sqlite_with_rowid=False,
)

# Made after the first load: building them at once is several times cheaper than keeping them.
_t = metadata.tables
INDEXES = (
    Index("entry_by_id", _t["entry"].c.name_id, unique=True),
    Index("entry_by_name", _t["entry"].c.name),
    Index("entry_by_package", _t["entry"].c.package),
    Index("entry_by_file", _t["entry"].c.file),
    Index("entry_by_type", _t["entry"].c.type),
    Index("signature_by_function", _t["signature"].c.function),
    Index("function_by_returns", _t["function"].c.returns),
    Index("function_by_spelling", _t["function"].c.spelling),
    Index("parameter_by_type", _t["parameter"].c.type),
    Index("fragment_by_file", _t["fragment"].c.file),
    Index("dependency_by_file", _t["file_dependency"].c.file),
    Index("dependency_by_type", _t["type_dependency"].c.type),
    Index("outline_by_function", _t["outline"].c.function),
    Index("mention_by_function", _t["mention"].c.function),
    Index("property_by_name", _t["property"].c.name),
    Index("entry_by_vector", _t["entry_vector"].c.vector),
    Index("vector_waiting", _t["vector"].c.id, sqlite_where=_t["vector"].c.value.is_(None)),
    Index("file_by_package", _t["file"].c.package),
    Index("reach_by_file", _t["reach"].c.file),
)
