"""The totals of an FTS5 table: rows, and words of each column, from which BM25 is computed.

FTS5 adds to them with every insert, but a delete from a ``contentless_delete`` table does not
subtract, so lengths and document frequencies would drift with every update.  The size of each row
is stored (``docsize``), so the totals are counted again.

FTS5 keeps them in one row of its ``data`` table: the number of rows, then the words of each column,
as big-endian varints of seven bits a byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from typematch.index.engines.engine import DriverConnection

_TOTALS_ROW = 1


def correct_totals(connection: DriverConnection, table: str, columns: int) -> bool:
    """Store the totals of the rows that ``table`` has; return whether they were others.

    Call it in a transaction that has written nothing to ``table``: FTS5 writes its own copy of the
    totals at the end of one that has.
    """
    counted = count_totals(connection, table, columns)
    # A table that never had a row stores no totals.
    if (stored_totals(connection, table) or [0] * len(counted)) == counted:
        return False
    connection.execute(
        f"UPDATE {table}_data SET block = ? WHERE id = {_TOTALS_ROW}",
        (b"".join(encode_varint(number) for number in counted),),
    )
    return True


def stored_totals(connection: DriverConnection, table: str) -> list[int]:
    """Return the number of rows and the words of each column, as FTS5 has them."""
    query = f"SELECT block FROM {table}_data WHERE id = {_TOTALS_ROW}"
    row = connection.execute(query).fetchone()
    return [] if row is None else list(decode_varints(row[0]))


def count_totals(connection: DriverConnection, table: str, columns: int) -> list[int]:
    """Return the number of rows and the words of each column, from the sizes of all rows."""
    totals = [0] * (columns + 1)
    sizes = f"SELECT sz FROM {table}_docsize WHERE length(sz)"
    # A row of one byte a column has no size above 127: all of these are summed at once.
    short = [row[0] for row in connection.execute(f"{sizes} = ?", (columns,))]
    long = [list(decode_varints(row[0])) for row in connection.execute(f"{sizes} > ?", (columns,))]
    totals[0] = len(short) + len(long)
    for rows in (short, long):
        _add(totals, rows)
    return totals


def _add(totals: list[int], rows: Iterable[Iterable[int]]) -> None:
    for column, numbers in enumerate(zip(*rows, strict=False), start=1):
        totals[column] += sum(numbers)


def decode_varints(block: bytes) -> Iterator[int]:
    """Yield the numbers of at most eight bytes: all that totals and sizes reach."""
    number = 0
    for byte in block:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            yield number
            number = 0


def encode_varint(number: int) -> bytes:
    """Encode a number below 2**56."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))
