"""Declarations of a file, merged from the fragments of its source files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from typematch.index.engines.engine import Database
from typematch.index.entries.entry_codec import decode_fragments
from typematch.ir.declaration import Declaration
from typematch.program.resolution.declaration_merging import Fragment, merge_fragments

_CACHE_SIZE = 20_000  # declarations

_FRAGMENTS = (
    "SELECT f.name, g.blob FROM symbol s JOIN fragment g ON g.symbol = s.id "
    "JOIN file f ON f.id = g.file WHERE s.key = ? ORDER BY g.file"
)


class StoredDeclarations:
    """The stored declarations, decoded on demand; recently used ones are cached."""

    def __init__(self, database: Database, *, cache_size: int = _CACHE_SIZE) -> None:
        self._database = database
        self._cache_size = cache_size
        self._cache: OrderedDict[str, Declaration | None] = OrderedDict()

    def get(self, key: str, /) -> Declaration | None:
        try:
            self._cache.move_to_end(key)
            return self._cache[key]
        except KeyError:
            declaration = self._cache[key] = merge_fragments(key, self.fragments(key))
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
            return declaration

    def fragments(self, key: str, without: AbstractSet[str] = frozenset()) -> list[Fragment]:
        """Return what files contribute to ``key``, except the files ``without``."""
        with self._database.errors():
            rows = self._database.connection.execute(_FRAGMENTS, (key,)).fetchall()
        return [
            fragment
            for file, blob in rows
            if file not in without
            for fragment in decode_fragments(key, file, blob)
        ]

    def clear_cache(self) -> None:
        self._cache.clear()


class OverlayDeclarations:
    """The declarations as they will be after a run.

    Args:
        changed: new fragments of files, by name and key; they replace what is stored.
        removed: names of files that are gone.
    """

    def __init__(
        self,
        database: Database,
        changed: Mapping[str, Mapping[str, Sequence[Fragment]]],
        removed: AbstractSet[str],
    ) -> None:
        self._stored = StoredDeclarations(database)
        self._replaced = removed | changed.keys()
        self._new: dict[str, list[Fragment]] = {}
        self._cache: dict[str, Declaration | None] = {}
        for fragments_by_key in changed.values():
            for key, fragments in fragments_by_key.items():
                self._new.setdefault(key, []).extend(fragments)

    def get(self, key: str, /) -> Declaration | None:
        if key not in self._cache:
            stored = self._stored.fragments(key, self._replaced)
            self._cache[key] = merge_fragments(key, [*stored, *self._new.get(key, ())])
        return self._cache[key]
