"""Answer for declarations: over the file, over a run that writes it, and with a record."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from typematch.index.database import Database
from typematch.index.entries.entry_codec import decode_fragments
from typematch.ir.declaration import Declaration, Declarations
from typematch.program.resolution.declaration_merging import Fragment, merge

_KEPT = 20_000  # declarations

_FRAGMENTS = (
    "SELECT f.name, g.blob FROM symbol s JOIN fragment g ON g.symbol = s.id "
    "JOIN file f ON f.id = g.file WHERE s.key = ?"
)


class Bound(Protocol):
    """A file whose fragments are known, by key."""

    fragments: dict[str, list[Fragment]]


class StoredDeclarations:
    """The declarations of a file, decoded when they are asked for; the latest are kept."""

    def __init__(self, database: Database, *, kept: int = _KEPT) -> None:
        self._database = database
        self._kept = kept
        self._known: OrderedDict[str, Declaration | None] = OrderedDict()

    def get(self, key: str, /) -> Declaration | None:
        try:
            self._known.move_to_end(key)
            return self._known[key]
        except KeyError:
            found = self._known[key] = merge(key, self.fragments(key))
            if len(self._known) > self._kept:
                self._known.popitem(last=False)
            return found

    def fragments(self, key: str, without: AbstractSet[str] = frozenset()) -> list[Fragment]:
        """Return what files contribute to ``key``, but for the files named."""
        with self._database.errors():
            rows = self._database.connection.execute(_FRAGMENTS, (key,)).fetchall()
        return [
            fragment
            for file, blob in rows
            if file not in without
            for fragment in decode_fragments(key, file, blob)
        ]

    def forget(self) -> None:
        self._known.clear()


class OverlayDeclarations:
    """The declarations there will be: those of ``files``, and stored ones not ``replaced``."""

    def __init__(
        self, database: Database, files: Mapping[str, Bound], replaced: AbstractSet[str]
    ) -> None:
        self._stored = StoredDeclarations(database)
        self._replaced = replaced
        self._new: dict[str, list[Fragment]] = {}
        self._known: dict[str, Declaration | None] = {}
        for name in replaced & files.keys():
            for key, fragments in files[name].fragments.items():
                self._new.setdefault(key, []).extend(fragments)

    def get(self, key: str, /) -> Declaration | None:
        if key not in self._known:
            stored = self._stored.fragments(key, self._replaced)
            self._known[key] = merge(key, [*stored, *self._new.get(key, ())])
        return self._known[key]


class RecordingDeclarations:
    """Declarations, with a record of the keys that were asked for, there or not."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self.keys: set[str] = set()

    def get(self, key: str, /) -> Declaration | None:
        self.keys.add(key)
        return self._declarations.get(key)
