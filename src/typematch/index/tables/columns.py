"""Column definitions that the tables share."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, Text

# PostgreSQL: compared byte by byte, as SQLite does; only ASCII letters have a case.
TEXT = Text().with_variant(Text(collation="C"), "postgresql")


def id_column() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=False)


def reference(table: str, name: str = "", *, key: bool = False) -> Column[int]:
    return Column(
        name or table, Integer, ForeignKey(f"{table}.id"), primary_key=key, nullable=False
    )


def text(name: str, *, key: bool = False, unique: bool = False) -> Column[str]:
    return Column(name, TEXT, primary_key=key, nullable=False, unique=unique)


def number(name: str, *, key: bool = False, nullable: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=nullable, autoincrement=False)


def mask_word(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


def flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, default=False)
