"""Tables of entries, their texts, vectors and enrichments."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Computed, Integer, LargeBinary, MetaData, Table

from typematch.index.tables.columns import TEXT, flag, id_column, number, reference, text

# The id without its package, unless another name is stored.
_QUALIFIED_NAME = (
    "coalesce(other_name, "
    "substr(coalesce(raw_id, name_id), instr(coalesce(raw_id, name_id), '#') + 1))"
)


def define_tables(metadata: MetaData) -> None:
    Table(
        "entry",
        metadata,
        id_column(),
        text("name_id"),  # the id, unique in the database
        Column("raw_id", TEXT),  # the id before a clash was resolved; null without one
        reference("package"),
        reference("file"),
        number("position"),  # order in the file
        text("kind"),
        text("name"),
        # The qualified name where it is not the id without the package, else null.
        Column("other_name", TEXT),
        text("module"),
        number("line"),
        number("min_arity", nullable=True),
        number("max_arity", nullable=True),
        number("signatures"),
        Column("other_visibility", TEXT),  # null for "public"
        reference("symbol", "declaration"),
        number("type", nullable=True),
        text("http"),
        text("service"),
        Column("other_source", TEXT),  # null for "typescript"
        flag("exported"),
        flag("async"),
        flag("generator"),
        flag("fluent"),
        flag("generic"),
        flag("static"),
        flag("deprecated"),
        flag("inferred"),
        Column("qualified_name", TEXT, Computed(_QUALIFIED_NAME)),
        Column("visibility", TEXT, Computed("coalesce(other_visibility, 'public')")),
        Column("source", TEXT, Computed("coalesce(other_source, 'typescript')")),
        Column("blob", LargeBinary, nullable=False),
        comment=(
            "entries: functions, types, members, operations; `name_id` is the unique id, `raw_id` "
            "the id before a clash was resolved (null without one), `qualified_name` is computed: "
            "`other_name`, or if that is null the id without its package (`visibility` and "
            "`source` likewise, with the values of nearly all entries); `blob` has the rest"
        ),
    )
    Table(
        "signature",
        metadata,
        reference("entry", key=True),
        # Whether ``function`` is the receiver form.
        Column("receiver", Boolean, primary_key=True, nullable=False, default=False),
        number("ordinal", key=True),
        Column("function", Integer, nullable=False),
        sqlite_with_rowid=False,
        comment=(
            "the function types of an entry, in order of overloads; `receiver`: the receiver forms"
        ),
    )
    Table(
        "supply",
        metadata,
        reference("entry", key=True),
        Column("given", Boolean, primary_key=True, nullable=False),
        text("noun", key=True),
        sqlite_with_rowid=False,
        comment="nouns that an operation requires, or provides (`given`)",
    )
    Table(
        "doc",
        metadata,
        Column("entry", Integer, primary_key=True),
        text("summary"),
        flag("continues"),
        text("text"),
        comment=(
            "documentation of entries; `continues`: the prose is `summary` followed by `text`, "
            "else it is `text`"
        ),
    )
    Table(
        "alias",
        metadata,
        reference("entry", key=True),
        text("qualified_name", key=True),
        sqlite_with_rowid=False,
        comment="further names under which an entry is exported",
    )
    Table(
        "tag",
        metadata,
        reference("entry", key=True),
        text("tag", key=True),
        sqlite_with_rowid=False,
        comment="tags of entries: those of a documentation comment, or of an operation",
    )

    Table(
        "vector",
        metadata,
        id_column(),
        Column("digest", LargeBinary, nullable=False, unique=True),
        text("text"),
        Column("value", LargeBinary, nullable=True),
        comment=(
            "a distinct text to embed: `value` is its vector, one byte for each dimension; `text` "
            "is empty once it is embedded"
        ),
    )
    Table(
        "entry_vector",
        metadata,
        Column("entry", Integer, primary_key=True, autoincrement=False),
        reference("vector"),
        comment="the vector of an entry's own text; data properties have none",
    )

    Table(
        "package_vector",
        metadata,
        Column("package", Integer, primary_key=True, autoincrement=False),
        text("purpose"),
        reference("vector"),
        comment=(
            "what a package is for, by its package.json, and the vector of that with its name; "
            "services have none"
        ),
    )

    Table(
        "enrichment",
        metadata,
        text("digest", key=True),
        text("model"),
        text("summary"),
        text("questions"),  # one a line
        text("interface"),
        sqlite_with_rowid=False,
        comment=(
            "enrichments: texts that a language model wrote, by digest of the description "
            "it received"
        ),
    )
    Table(
        "entry_enrichment",
        metadata,
        Column("entry", Integer, primary_key=True, autoincrement=False),
        text("digest"),
        comment="the enrichment of an entry",
    )
    Table(
        "enrichment_vector",
        metadata,
        reference("entry", key=True),
        reference("vector", key=True),
        sqlite_with_rowid=False,
        comment="vectors of the enrichment texts of an entry",
    )
