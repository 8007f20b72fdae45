"""Find the entry that a user names by its id or a suffix of it."""

from __future__ import annotations

from typematch.errors import NoEntryError, UsageError
from typematch.index.store import Store
from typematch.ir.entry import Entry
from typematch.ir.literals import encodable

_MAX_LISTED = 20  # ids listed for an ambiguous suffix


def entry_id(id_or_suffix: str, store: Store) -> str:
    """Return the id, or the only id with that suffix.

    Raises:
        NoEntryError: there is none.
        UsageError: there are several, which the message lists; or nothing is given.
    """
    id_or_suffix = encodable(id_or_suffix)
    if not id_or_suffix:
        raise UsageError("the id is empty", hint="Give an id, or the end of one.")
    ids = store.find(id_or_suffix, limit=_MAX_LISTED + 1)
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise NoEntryError(id_or_suffix, store.similar_ids(id_or_suffix))
    listed = [f"  {name}" for name in ids[:_MAX_LISTED]]
    more = ["  ..."] if len(ids) > _MAX_LISTED else []
    raise UsageError(
        f"{id_or_suffix!r} is ambiguous; it matches:\n" + "\n".join([*listed, *more]),
        hint="Give a longer suffix of the id.",
    )


def find_entry(id_or_suffix: str, store: Store) -> Entry:
    """Return the entry of that id, or the only entry whose id has that suffix.

    Raises:
        NoEntryError: there is none.
        UsageError: there are several, or nothing is given; see ``entry_id``.
    """
    with store.snapshot():
        id_ = entry_id(id_or_suffix, store)
        return store.entries([store.entry_numbers([id_])[id_]])[0]
