"""A connection to PostgreSQL that takes the shared SQL, with the methods of SQLite's drivers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from psycopg import Connection, RawCursor
from psycopg.pq import TransactionStatus

_PARTS = re.compile(r"'(?:[^']|'')*'|\?|\bGLOB \?|\bLIKE\b")


@lru_cache(maxsize=1_000)
def translated(statement: str) -> str:
    """Return a statement of the shared SQL as PostgreSQL has it.

    LIKE of SQLite ignores the case of ASCII letters, as ILIKE does under the collation C.
    """
    count = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count
        part = match[0]
        if part.startswith("'"):
            return part
        if part == "LIKE":
            return "ILIKE"
        count += 1
        return f"${count}" if part == "?" else f"LIKE glob_pattern(${count})"

    return _PARTS.sub(replaced, statement)


def storable(value: object) -> Any:
    """Return a value that PostgreSQL stores: its texts cannot hold the character 0."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


class QuietConnection(Connection[Any]):
    """A connection that closes itself without the warning, as those of SQLite do."""

    def __del__(self, *_: Any) -> None:
        self.close()


class PostgresConnection:
    """Wraps a connection in autocommit mode; results are read in binary."""

    def __init__(self, raw: Connection[Any]) -> None:
        self.raw = raw

    @property
    def in_transaction(self) -> bool:
        return self.raw.info.transaction_status != TransactionStatus.IDLE

    def execute(self, statement: str, values: Sequence[object] = ()) -> RawCursor[Any]:
        cursor = RawCursor(self.raw)
        parameters = [storable(value) for value in values] or None
        return cursor.execute(translated(statement).encode(), parameters, binary=True)

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        parameters = [[storable(value) for value in row] for row in rows]
        if parameters:
            with RawCursor(self.raw) as cursor:
                cursor.executemany(translated(statement).encode(), parameters)

    def close(self) -> None:
        self.raw.close()
