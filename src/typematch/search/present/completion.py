"""Completions of the last word of a query: facet keys and facet values."""

from __future__ import annotations

from collections.abc import Iterable

from typematch.index.store import Store
from typematch.query.model import FACETS


def query_completions(text: str, store: Store, *, limit: int = 50) -> tuple[str, ...]:
    """Return ``text`` with its last word completed to a facet key, or to a value of a facet.

    Free words have no completions.
    """
    word = text.rpartition(" ")[2]
    prefix = text[: len(text) - len(word)]
    sign = "-" if word.startswith("-") else ""
    key, colon, values = word.removeprefix(sign).partition(":")
    if not colon:
        return tuple(f"{prefix}{sign}{facet}:" for facet in FACETS if facet.startswith(key))
    if key not in FACETS:
        return ()
    earlier, comma, value = values.rpartition(",")
    known = store.ids_beginning(value, limit) if key == "like" else _values(key, store)
    start = f"{prefix}{sign}{key}:{earlier}{comma}"
    return tuple(f"{start}{completion}" for completion in _starting(known, value))[:limit]


def _values(key: str, store: Store) -> tuple[str, ...]:
    return FACETS[key].flags or tuple(
        f'"{value}"' if " " in value else value for value in store.scope_values(key)
    )


def _starting(values: Iterable[str], prefix: str) -> Iterable[str]:
    return (value for value in values if value.startswith(prefix))
