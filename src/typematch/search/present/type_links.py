"""The entries that declare the types named in signatures, for links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from typematch.index.store import Store
from typematch.ir.entry import Entry
from typematch.ir.render import plain_name
from typematch.ir.types import Reference, Type
from typematch.search.present.references import references_in, types_of, types_of_entry

_MAX_NAMES = 100  # of one entry


def type_ids(entries: Sequence[Entry], store: Store) -> list[Mapping[str, str]]:
    """Return for each entry the names of types in its signatures -> ids of entries they mean.

    A member of a namespace has its name with and without that.  A name without an entry is left
    out, and so are those of several declarations and of the entry itself.
    """
    keys = [_keys(types_of_entry(entry), entry) for entry in entries]
    return _ids(keys, store)


def declared_type_ids(entry: Entry, store: Store) -> Mapping[str, str]:
    """Return as ``type_ids``, for the whole declaration of one entry."""
    with store.snapshot():
        declaration = None if entry.signatures else store.get(entry.declaration)
        types = [*types_of_entry(entry), *(types_of(declaration) if declaration else ())]
        return _ids([_keys(types, entry)], store)[0]


def _keys(types: Iterable[Type], entry: Entry) -> dict[str, str]:
    """Return the names of types with the keys of their declarations."""
    keys: dict[str, set[str]] = {}
    for type_ in types:
        for reference in references_in(type_):
            if isinstance(reference, Reference) and reference.target != entry.declaration:
                name = plain_name(reference.target)
                for written in dict.fromkeys((name, name.rpartition(".")[2])):
                    keys.setdefault(written, set()).add(reference.target)
        if len(keys) > _MAX_NAMES:
            break
    return {name: targets.pop() for name, targets in keys.items() if len(targets) == 1}


def _ids(keys: Sequence[Mapping[str, str]], store: Store) -> list[Mapping[str, str]]:
    numbers = store.entries_declaring({key for names in keys for key in names.values()})
    summaries = store.summaries(numbers.values())
    return [
        {name: summaries[numbers[key]].id for name, key in names.items() if key in numbers}
        for names in keys
    ]
