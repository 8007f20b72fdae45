"""Row numbers and rows to insert, buffered.

Numbers are assigned here rather than by the database, so that rows are inserted in bulk as plain
tuples: five times as fast.
"""

from __future__ import annotations

from typing import Any

from typematch.index.compression import compress, digest_of
from typematch.index.engines.engine import Database, DriverConnection
from typematch.index.masks.function_arrays import UNBOUNDED_ARITY
from typematch.index.masks.mask_rows import initial_row
from typematch.index.masks.signature_columns import (
    SignatureColumns,
    mentioned_names,
    signature_columns,
)
from typematch.ir.codec import encode_type
from typematch.ir.fingerprint import exact_fingerprint
from typematch.ir.types import Object, Type

_TABLES_WITH_REPEATED_ROWS = frozenset(("pending", "source_mask", "target_mask"))


class RowBuffer:
    """Assigns numbers to symbols, types and functions, and collects the rows of new ones.

    After a failed transaction the buffer is invalid: it counts rolled-back rows as stored.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._texts: dict[str, dict[str, int]] = {}  # by table: numbers of unique texts
        self._was_empty: bool | None = None
        self._types: dict[Type, int] = {}
        self._digests: dict[bytes, int] = {}  # of encoded types
        self._masked_types: dict[str, set[int]] = {"source_mask": set(), "target_mask": set()}
        self._known_functions: set[int] = set()
        self._receivers: dict[tuple[int, int], int] = {}
        self._next_numbers: dict[str, int] = {}

    def next_number(self, table: str) -> int:
        """Return the next number of a table."""
        number = self._next_numbers.get(table)
        if number is None:
            query = f"SELECT coalesce(max(id), 0) FROM {table}"
            number = int(self._connection.execute(query).fetchone()[0]) + 1
        self._next_numbers[table] = number + 1
        return number

    @property
    def _connection(self) -> DriverConnection:
        return self.database.connection

    def symbol(self, key: str) -> int:
        """Return the number of a declaration's key; a row is added for a new one."""
        return self._number_of("symbol", "key", key)

    def property_name(self, name: str) -> int:
        """Return the number of a property's name; a row is added for a new one."""
        return self._number_of("property_name", "name", name)

    def _number_of(self, table: str, column: str, text: str) -> int:
        numbers = self._texts.get(table)
        if numbers is None:
            rows = self._connection.execute(f"SELECT {column}, id FROM {table}")
            numbers = self._texts[table] = dict(rows)
        number = numbers.get(text)
        if number is None:
            number = numbers[text] = self.next_number(table)
            self.add(table, number, text)
        return number

    def type(self, t: Type) -> int:
        """Return the number of a type; a row is added for a new one."""
        number = self._types.get(t)
        if number is None:
            number = self._types[t] = self.type_of_document(encode_type(t))
        return number

    def type_of_document(self, document: bytes) -> int:
        """Return the number of an encoded type; a row is added for a new one."""
        digest = digest_of(document)
        number = self._digests.get(digest)
        if number is None:
            row = self._stored("SELECT id FROM type WHERE digest = ?", (digest,))
            if row is None:
                number = self.next_number("type")
                self.add("type", number, digest, compress(document))
            else:
                number = int(row[0])
            self._digests[digest] = number
        return number

    def _stored(self, query: str, values: tuple[object, ...]) -> tuple[Any, ...] | None:
        """Return the first row of a query for something that has no number in this run yet."""
        if self._was_empty is None:
            query_any = "SELECT 1 FROM type LIMIT 1"
            self._was_empty = self._connection.execute(query_any).fetchone() is None
        if self._was_empty:
            return None  # every stored row was written by this run, and is in the caches
        row: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return row

    def masked_type(self, table: str, t: Type) -> int:
        """Return the number of a type, with a row in mask table ``table``, not computed yet."""
        number = self.type(t)
        if number not in self._masked_types[table]:
            self._masked_types[table].add(number)
            self.add(table, number, 0, *initial_row(table))
        return number

    def function(self, t: Type) -> int:
        """Return the number of a function type; rows are added for a new one."""
        number = self.type(t)
        if number not in self._known_functions:
            self._known_functions.add(number)
            if not self._is_known_function(number):
                self._add_function(number, t, signature_columns(t))
        return number

    def receiver_form(self, function: int, receiver: Type) -> int:
        """Return the negative number of a method's receiver form; a row is added for a new one."""
        container = self.masked_type("target_mask", receiver)
        number = self._receivers.get((function, container))
        if number is None:
            query = "SELECT id FROM receiver WHERE method = ? AND container = ?"
            row = self._stored(query, (function, container))
            if row is None:
                number = self.next_number("receiver")
                self.add("receiver", number, function, container)
            else:
                number = int(row[0])
            self._receivers[function, container] = number
        return -number

    def _is_known_function(self, number: int) -> bool:
        query = "SELECT 1 FROM function WHERE type = ?"
        return self._stored(query, (number,)) is not None

    def _add_function(self, number: int, t: Type, columns: SignatureColumns) -> None:
        positions = [
            None if target is None else self.masked_type("target_mask", target)
            for target in columns.positions
        ]
        returns = self.masked_type("source_mask", columns.returns)
        max_arity = UNBOUNDED_ARITY if columns.max_arity is None else columns.max_arity
        self.add(
            "function", number, returns, columns.min_arity, max_arity, columns.parameter_count,
            columns.guard, columns.bounded, columns.charges, exact_fingerprint(t), *positions,
        )  # fmt: skip
        for key in mentioned_names(t):
            self.add("mention", self.symbol(key), number)
        for position, (name, parameter_type, optional, rest) in enumerate(_parameters(t)):
            type_number = self.masked_type("target_mask", parameter_type)
            self.add("parameter", number, position, name, type_number, optional, rest)

    def add(self, table: str, *values: object) -> None:
        """Buffer a row; values are in the order of the table's columns."""
        self._rows.setdefault(table, []).append(values)

    def flush(self) -> None:
        """Insert the buffered rows, within the caller's transaction."""
        for table, rows in self._rows.items():
            repeated = table in _TABLES_WITH_REPEATED_ROWS
            self.database.insert_rows(table, rows, repeated=repeated)
        self._rows.clear()

    def clear_next_numbers(self) -> None:
        self._next_numbers.clear()

    def clear_numbers(self) -> None:
        """Drop the caches of numbers: rows may have been deleted."""
        self._texts.clear()
        self._was_empty = False
        self._types.clear()
        self._digests.clear()
        self._known_functions.clear()
        self._receivers.clear()
        for numbers in self._masked_types.values():
            numbers.clear()


def _parameters(t: Type) -> list[tuple[str, Type, bool, bool]]:
    if not isinstance(t, Object) or len(t.calls) != 1:
        return []
    return [
        (parameter.name, parameter.type, parameter.optional, parameter.rest)
        for parameter in t.calls[0].parameters
    ]
