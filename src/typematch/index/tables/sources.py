"""Tables of packages, source files and the declarations in them."""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table

from typematch.index.tables.columns import flag, id_column, number, reference, text


def define_tables(metadata: MetaData) -> None:
    Table(
        "meta",
        metadata,
        text("name", key=True),
        text("value"),
        sqlite_with_rowid=False,
        comment=(
            "settings: the schema version, whether the indexes exist, the pages after the file was "
            "last compacted, the embedding model, the digest of the inputs of each completed "
            "request, and whether a `sweep` is due"
        ),
    )

    Table(
        "package",
        metadata,
        id_column(),
        text("name", unique=True),
        text("version"),
        comment="packages, and the titles of services",
    )

    Table(
        "file",
        metadata,
        id_column(),
        text("name", unique=True),
        reference("package"),
        Column("content", LargeBinary, nullable=False),
        Column("resolution_digest", LargeBinary, nullable=False),
        Column("export_digest", LargeBinary, nullable=False),
        Column("summary", LargeBinary, nullable=False),  # a compressed ``ModuleSummary``
        text("specifiers"),  # module specifiers, one a line
        number("errors"),
        text("unreadable"),
        flag("stale"),
        comment=(
            "source files, with digests of their content, of what their names resolve to "
            "(`resolution_digest`) and of their export paths (`export_digest`)"
        ),
    )

    Table(
        "reach",
        metadata,
        text("root", key=True),
        reference("file", key=True),
        sqlite_with_rowid=False,
        comment="the files that each root reaches; a file is kept as long as one root reaches it",
    )
    Table(
        "request",
        metadata,
        text("request", key=True),
        text("root", key=True),
        comment="the roots of each request; a request is the digest of the paths to index",
    )
    Table(
        "skipped",
        metadata,
        text("request", key=True),
        text("path", key=True),
        text("reason", key=True),
        number("files"),
        comment="files that a request left out, with the reason",
    )
    Table(
        "unresolved",
        metadata,
        reference("file", key=True),
        text("specifier", key=True),
        sqlite_with_rowid=False,
        comment="module specifiers that resolve to no file",
    )

    Table(
        "problem",
        metadata,
        reference("file", key=True),
        number("position", key=True),
        text("text"),
        sqlite_with_rowid=False,
        comment="parts of documents that could not be read",
    )

    Table(
        "document",
        metadata,
        Column("file", Integer, primary_key=True, autoincrement=False),
        number("tokens"),
        number("kept"),
        comment="tokens of an API document before and after cleaning",
    )
    Table(
        "removed",
        metadata,
        reference("file", key=True),
        text("sort", key=True),
        number("times"),
        number("characters"),
        sqlite_with_rowid=False,
        comment="what cleaning removed from a document, by sort",
    )

    Table(
        "symbol",
        metadata,
        id_column(),
        text("key", unique=True),
        comment="keys of declarations: `file#name`",
    )
    Table(
        "fragment",
        metadata,
        reference("symbol", key=True),
        reference("file", key=True),
        Column("blob", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
        comment=(
            "what a file contributes to a declaration, encoded; all fragments of a symbol merged "
            "are its declaration"
        ),
    )
    Table(
        "file_dependency",
        metadata,
        reference("symbol", key=True),
        reference("file", key=True),
        sqlite_with_rowid=False,
        comment="declarations that the entries of a file were computed from, existing or not",
    )
    Table(
        "pending",
        metadata,
        Column("symbol", Integer, primary_key=True, autoincrement=False),
        comment=(
            "declarations that changed and whose dependents are not updated yet; empty after a "
            "complete run"
        ),
    )
