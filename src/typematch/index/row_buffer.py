"""Give numbers to what is stored, and gather its rows.

Numbers are given out here, so that rows can be written in bulk as plain tuples: that is five times
as fast as asking the database for them.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from typematch.index.database import Connection, Database
from typematch.index.masks.signature_columns import RESULT, SignatureColumns, mentioned, shape_of
from typematch.index.masks.sql_filters import NO_END, filter_columns
from typematch.ir.codec import encode_type
from typematch.ir.fingerprint import outlines, spelling
from typematch.ir.types import Object, Type

ALL_BITS = (1 << 63) - 1
_LETTING_ALL_THROUGH = tuple(
    ALL_BITS if column.startswith("returns") else 0 for column in filter_columns()
)
_DIGEST_BYTES = 16
_MAY_BE_THERE = frozenset(("pending", "source_mask", "target_mask"))


class RowBuffer:
    """Knows what has a number already; what is new gets one, and rows that wait to be written.

    A transaction that fails takes the rows with it, so these are of no use afterwards.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._symbols: dict[str, int] | None = None
        self._is_first: bool | None = None
        self._types: dict[Type, int] = {}
        self._masked: dict[str, set[int]] = {"source_mask": set(), "target_mask": set()}
        self._functions: set[int] = set()
        self._receivers: dict[tuple[int, int], int] = {}
        self._next: dict[str, int] = {}

    def new(self, table: str) -> int:
        """Return the next number of a table."""
        number = self._next.get(table)
        if number is None:
            query = f"SELECT coalesce(max(id), 0) FROM {table}"
            number = int(self._connection.execute(query).fetchone()[0]) + 1
        self._next[table] = number + 1
        return number

    @property
    def _connection(self) -> Connection:
        return self.database.connection

    def symbol(self, key: str) -> int:
        """Return the number of a declaration's key, new where it has none."""
        if self._symbols is None:
            self._symbols = dict(self._connection.execute("SELECT key, id FROM symbol"))
        number = self._symbols.get(key)
        if number is None:
            number = self._symbols[key] = self.new("symbol")
            self.add("symbol", number, key)
        return number

    def type(self, t: Type) -> int:
        """Return the number of a type, new where it has none."""
        number = self._types.get(t)
        if number is None:
            blob = encode_type(t)
            digest = blake2b(blob, digest_size=_DIGEST_BYTES).digest()
            row = self._stored("SELECT id FROM type WHERE digest = ?", (digest,))
            if row is None:
                number = self.new("type")
                self.add("type", number, digest, blob)
            else:
                number = int(row[0])
            self._types[t] = number
        return number

    def _stored(self, query: str, values: tuple[object, ...]) -> tuple[Any, ...] | None:
        """Return what is stored of something that has no number in this run yet."""
        if self._is_first is None:
            query_any = "SELECT 1 FROM type LIMIT 1"
            self._is_first = self._connection.execute(query_any).fetchone() is None
        if self._is_first:
            return None  # what there is has been written by this run, and has its number
        row: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return row

    def side(self, table: str, t: Type) -> int:
        """Return the number of a type that searches test; its mask lets all through so far."""
        number = self.type(t)
        if number not in self._masked[table]:
            self._masked[table].add(number)
            bits = ALL_BITS if table == "source_mask" else 0
            self.add(table, number, 0, *[bits] * 6)
        return number

    def function(self, t: Type) -> int:
        """Return the number of a function type, its rows gathered where it is new."""
        number = self.type(t)
        if number not in self._functions:
            self._functions.add(number)
            if not self._is_known_function(number):
                self._add_function(number, t, shape_of(t))
        return number

    def receiver_form(self, function: int, receiver: Type, method: Type) -> int:
        """Return the number of a method's receiver form, new where it has none."""
        container = self.side("target_mask", receiver)
        number = self._receivers.get((function, container))
        if number is None:
            query = "SELECT id FROM receiver WHERE method = ? AND container = ?"
            row = self._stored(query, (function, container))
            if row is None:
                number = self.new("receiver")
                self.add("receiver", number, function, container)
                self._add_filter(-number, shape_of(method), more=1)
            else:
                number = int(row[0])
            self._receivers[function, container] = number
        return -number

    def _add_filter(self, number: int, shape: SignatureColumns, more: int = 0) -> None:
        """Add the row that filters read; its masks let all through so far."""
        most = NO_END if shape.max_arity is None else shape.max_arity + more
        fewest, places = shape.min_arity + more, shape.count + more
        bounded = shape.bounded & RESULT | (shape.bounded & ~RESULT) << more
        self.add(
            "filter", number, fewest, most, places, shape.guard, bounded, *_LETTING_ALL_THROUGH
        )

    def _is_known_function(self, number: int) -> bool:
        query = "SELECT 1 FROM function WHERE type = ?"
        return self._stored(query, (number,)) is not None

    def _add_function(self, number: int, t: Type, shape: SignatureColumns) -> None:
        places = [None if one is None else self.side("target_mask", one) for one in shape.places]
        returns = self.side("source_mask", shape.returns)
        self.add(
            "function", number, returns, shape.min_arity, shape.max_arity, shape.count,
            spelling(t), *places,
        )  # fmt: skip
        self._add_filter(number, shape)
        for outline in outlines(t):
            self.add("outline", outline, number)
        for key in mentioned(t):
            self.add("mention", self.symbol(key), number)
        for position, one in enumerate(_parameters(t)):
            name, type_, optional, rest = one
            numbered = self.side("target_mask", type_)
            self.add("parameter", number, position, name, numbered, optional, rest)

    def add(self, table: str, *values: object) -> None:
        """Gather a row, its values in the order of the table's columns."""
        self._rows.setdefault(table, []).append(values)

    def flush(self) -> None:
        """Write the rows gathered; within a transaction."""
        for table, rows in self._rows.items():
            marks = ",".join("?" * len(rows[0]))
            verb = "INSERT OR IGNORE" if table in _MAY_BE_THERE else "INSERT"
            self._connection.executemany(f"{verb} INTO {table} VALUES ({marks})", rows)
        self._rows.clear()

    def forget(self) -> None:
        """Forget which numbers are taken: some of what had one may be gone."""
        self._symbols = None
        self._is_first = False
        self._types.clear()
        self._functions.clear()
        self._receivers.clear()
        for masked in self._masked.values():
            masked.clear()


def _parameters(t: Type) -> list[tuple[str, Type, bool, bool]]:
    if not isinstance(t, Object) or len(t.calls) != 1:
        return []
    return [(one.name, one.type, one.optional, one.rest) for one in t.calls[0].parameters]
