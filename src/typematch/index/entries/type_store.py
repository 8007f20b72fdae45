"""Find the distinct types of a file by number; decoded when asked for, the latest kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from typematch.index.database import Database
from typematch.ir.codec import decode_type
from typematch.ir.types import Type

_KEPT = 30_000


class TypeStore:
    """The types of one file."""

    def __init__(self, database: Database, *, kept: int = _KEPT) -> None:
        self._database = database
        self._kept = kept
        self._known: OrderedDict[int, Type] = OrderedDict()

    def get(self, number: int) -> Type:
        """Return the type of that number; KeyError if there is none."""
        known = self._known.get(number)
        if known is None:
            with self._database.errors():
                row = self._database.connection.execute(
                    "SELECT blob FROM type WHERE id = ?", (number,)
                ).fetchone()
            if row is None:
                raise KeyError(number)
            known = self._remember(number, row[0])
        return known

    def load(self, numbers: Iterable[int]) -> None:
        """Read many at once: they are wanted next."""
        for number, blob in self._stored(numbers):
            self._remember(number, blob)

    def shown(self, numbers: Iterable[int]) -> dict[int, Type]:
        """Return types by number that are looked at once: what is not kept yet is not kept."""
        wanted = dict.fromkeys(numbers)
        found = {number: decode_type(blob) for number, blob in self._stored(wanted)}
        return {number: found[number] if number in found else self.get(number) for number in wanted}

    def _stored(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Return those that are not known, as they are stored."""
        unknown = [number for number in numbers if number not in self._known]
        return self._database.among("SELECT id, blob FROM type WHERE id", unknown)

    def forget(self) -> None:
        self._known.clear()

    def _remember(self, number: int, blob: bytes) -> Type:
        found = self._known[number] = decode_type(blob)
        if len(self._known) > self._kept:
            self._known.popitem(last=False)
        return found
