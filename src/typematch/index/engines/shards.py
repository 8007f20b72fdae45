"""Shards of a catalog: copies with all declarations, and the functions of a part of its packages.

Every shard has every declaration, so that a query means the same everywhere.  The functions that
are compared are divided by a hash of the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from typematch.errors import UsageError
from typematch.index.engines.engine import SET_META, Database

# The row of ``meta`` with "1/4": only in a shard.
_SHARD = "shard"
# Entries that give a name its meaning are in every shard.
_DECLARING = (
    "kind IN ('interface', 'class', 'alias', 'enum', 'schema', 'service') "
    "OR (kind = 'const' AND signatures = 0)"
)


@dataclass(frozen=True, slots=True)
class Shard:
    """One of ``count`` shards; ``number`` counts from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``1/4``.

        Raises:
            UsageError: it is not a number up to the count of shards.
        """
        number, slash, count = text.partition("/")
        if slash and number.isascii() and number.isdigit() and count.isascii() and count.isdigit():
            shard = cls(int(number), int(count))
            if 1 <= shard.number <= shard.count:
                return shard
        raise UsageError(f"{text!r} is no shard", hint="Write 1/4 for the first of four.")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def holds(self, package: str) -> bool:
        digest = blake2b(package.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.count == self.number - 1

    def entry_condition(self, packages: Iterable[tuple[int, str]]) -> str:
        """Return the SQL condition of its entries.

        Args:
            packages: (number, name) of all.
        """
        numbers = ", ".join(str(number) for number, name in packages if self.holds(name))
        return f"({_DECLARING} OR package IN ({numbers or 'NULL'}))"


def mark_shard(database: Database, shard: Shard) -> None:
    """Note, in the caller's transaction, that a database is a shard."""
    database.connection.execute(SET_META, (_SHARD, str(shard)))


def check_is_whole(database: Database, hint: str) -> None:
    """Raise a ``UsageError`` with this hint if a database is a shard."""
    if rows := database.query("SELECT value FROM meta WHERE name = ?", (_SHARD,)):
        raise UsageError(f"this is shard {rows[0][0]} of a catalog", str(database.location), hint)
