"""The distinct types of a file by number: decoded on demand; those decoded last are cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from typematch.index.compression import decompress
from typematch.index.engines.engine import Database
from typematch.ir.codec import decode_type
from typematch.ir.types import Type

_CACHE_SIZE = 30_000  # types


class TypeStore:
    """The types of one file."""

    def __init__(self, database: Database, *, cache_size: int = _CACHE_SIZE) -> None:
        self._database = database
        self._cache_size = cache_size
        self._cache: OrderedDict[int, Type] = OrderedDict()
        self._prefetched: dict[int, bytes] = {}

    def get(self, number: int) -> Type:
        """Return the type of that number; KeyError if there is none."""
        t = self._cache.get(number)
        if t is None:
            blob = self._prefetched.pop(number, b"") or self._read(number)
            t = self._decode(number, blob)
        return t

    def _read(self, number: int) -> bytes:
        with self._database.errors():
            row = self._database.connection.execute(
                "SELECT blob FROM type WHERE id = ?", (number,)
            ).fetchone()
        if row is None:
            raise KeyError(number)
        return bytes(row[0])

    def prefetch(self, numbers: Iterable[int]) -> None:
        """Read the blobs of types that ``get`` may return next, in place of the last ones."""
        self._prefetched = dict(self._uncached(numbers))

    def load(self, numbers: Iterable[int]) -> None:
        """Read many types with few statements, to be fetched with ``get`` next."""
        for number, blob in self._uncached(numbers):
            self._decode(number, blob)

    def get_many(self, numbers: Iterable[int]) -> dict[int, Type]:
        """Return types by number without adding to the cache: they are shown once."""
        distinct = dict.fromkeys(numbers)
        decoded = {
            number: decode_type(decompress(blob)) for number, blob in self._uncached(distinct)
        }
        return {
            number: decoded[number] if number in decoded else self.get(number)
            for number in distinct
        }

    def _uncached(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        unknown = [number for number in numbers if number not in self._cache]
        return self._database.select_in("SELECT id, blob FROM type WHERE id", unknown)

    def clear_cache(self) -> None:
        self._cache.clear()
        self._prefetched.clear()

    def _decode(self, number: int, blob: bytes) -> Type:
        t = self._cache[number] = decode_type(decompress(blob))
        if len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)
        return t
