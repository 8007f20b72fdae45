"""Say how a query or an id may go on, for whoever is typing it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from typematch.query.model import FACETS


class CompletionStore(Protocol):
    """What completing asks of a store."""

    def scope_values(self, facet: str, /) -> tuple[str, ...]: ...

    def ids_beginning(self, text: str, /, limit: int = 20) -> list[str]: ...


def query_completions(text: str, store: CompletionStore, *, limit: int = 50) -> tuple[str, ...]:
    """Return ``text`` with its last word completed in every way: a facet's key, or a value of it.

    Words that are looked for may go on in any way, so there is nothing to say of them.
    """
    word = text.rpartition(" ")[2]
    head = text[: len(text) - len(word)]
    sign = "-" if word.startswith("-") else ""
    key, colon, written = word.removeprefix(sign).partition(":")
    if not colon:
        return tuple(f"{head}{sign}{one}:" for one in FACETS if one.startswith(key))
    if key not in FACETS:
        return ()
    before, comma, value = written.rpartition(",")
    known = store.ids_beginning(value, limit) if key == "like" else _values(key, store)
    start = f"{head}{sign}{key}:{before}{comma}"
    return tuple(f"{start}{one}" for one in _matching(known, value))[:limit]


def _values(key: str, store: CompletionStore) -> tuple[str, ...]:
    return FACETS[key].flags or tuple(
        f'"{one}"' if " " in one else one for one in store.scope_values(key)
    )


def _matching(known: Iterable[str], value: str) -> Iterable[str]:
    return (one for one in known if one.startswith(value))
