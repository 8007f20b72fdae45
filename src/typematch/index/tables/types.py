"""Tables of distinct types, their masks, and function types taken apart."""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, UniqueConstraint

from typematch.index.tables.columns import flag, id_column, mask_word, number, reference, text

_MASK_TABLES = {
    "source_mask": (
        "masks of a type as a source: properties of its values; `state` 0: not computed yet; "
        "`converted`: those of the types that it may be converted to, `step` the cheapest "
        "conversion's cost in edit units, 0 without one"
    ),
    "target_mask": (
        "masks of a type as a target: properties required of a value; `state` 0: not computed yet; "
        "`converted` and `step`: of values that may be converted; `names`: property names of a "
        "weak type, 0 of other types"
    ),
}
_EXTRA_COLUMNS = {"source_mask": (), "target_mask": ("names1", "names2")}


def define_tables(metadata: MetaData) -> None:
    Table(
        "type",
        metadata,
        id_column(),
        Column("digest", LargeBinary, nullable=False, unique=True),
        Column("blob", LargeBinary, nullable=False),
        comment="every distinct type, encoded; equal types are one row",
    )
    Table(
        "type_dependency",
        metadata,
        reference("symbol", key=True),
        reference("type", key=True),
        sqlite_with_rowid=False,
        comment="declarations that the masks of a type were computed from",
    )
    for table, comment in _MASK_TABLES.items():
        Table(
            table,
            metadata,
            Column("type", Integer, primary_key=True, autoincrement=False),
            number("state"),
            *(mask_word(f"{name}{word}") for name in ("strict", "converted") for word in range(3)),
            number("step"),
            *map(mask_word, _EXTRA_COLUMNS[table]),
            comment=comment,
        )
    Table(
        "property_name",
        metadata,
        id_column(),
        text("name", unique=True),
        comment="the distinct names of properties",
    )
    Table(
        "property",
        metadata,
        reference("type", key=True),
        reference("property_name", "name", key=True),
        reference("type", "property_type"),
        flag("optional"),
        sqlite_with_rowid=False,
        comment="properties of the types that entries name",
    )

    Table(
        "function",
        metadata,
        Column("type", Integer, primary_key=True, autoincrement=False),
        reference("type", "returns"),
        number("min_arity"),
        number("max_arity"),
        number("positions"),
        flag("guard"),
        number("bounded"),
        number("charges"),
        mask_word("spelling"),
        # The types of the first four parameters; null accepts every argument.
        *(number(f"position{position}", nullable=True) for position in range(4)),
        comment=(
            "distinct function types; `type` is the number of the type, `spelling` its exact "
            "fingerprint, `position0` to `position3` the types of its first parameters (null "
            "accepts every argument), `bounded` and `charges` as in `index.masks.signature_columns`"
        ),
    )
    Table(
        "receiver",
        metadata,
        id_column(),
        reference("type", "method"),
        reference("type", "container"),
        UniqueConstraint("method", "container"),
        comment=(
            "receiver forms: a method as a function of its receiver; its function number is the "
            "negated `id`"
        ),
    )
    Table(
        "parameter",
        metadata,
        Column("function", Integer, primary_key=True, autoincrement=False),
        number("position", key=True),
        text("name"),
        reference("type"),
        flag("optional"),
        flag("rest"),
        sqlite_with_rowid=False,
        comment="parameters of function types",
    )
    Table(
        "mention",
        metadata,
        reference("symbol", key=True),
        Column("function", Integer, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
        comment="declarations that a function type mentions",
    )
