"""Remember what searches found, so that their further pages go on where the first one ended.

An index run may change the file between two pages, and with it every ranking.  So the order is
that of the first page, whatever has been indexed since: nothing is shown twice, nothing is skipped.
What is remembered are ids; what a page says of its entries is how they are when it is asked for.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

MOST_IDS = 500  # of one search
_MOST_SEARCHES = 500  # some 20 MB with the longest of them


@dataclass(frozen=True, slots=True)
class CachedPage:
    """What a search found: how it was asked, and the ids of its hits, the best first."""

    query: str
    limit: int
    services: int | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The ids of one page, and the address of the next, empty where there is none."""

    found: CachedPage
    ids: Sequence[str]
    further: str


class Pages:
    """The latest searches that have more than one page."""

    def __init__(self, most: int = _MOST_SEARCHES) -> None:
        self._most = most
        self._kept: OrderedDict[str, CachedPage] = OrderedDict()

    def keep(self, found: CachedPage) -> str:
        """Return the address of the second page; empty where the first one is all."""
        if len(found.ids) <= found.limit:
            return ""
        key = secrets.token_urlsafe(9)
        self._kept[key] = found
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return _address(key, found.limit)

    def page(self, key: str, start: int) -> Page | None:
        """Return the page that begins at ``start``; None if it is not known any more."""
        found = self._kept.get(key)
        if found is None or not 0 <= start < len(found.ids):
            return None
        self._kept.move_to_end(key)
        end = start + found.limit
        further = _address(key, end) if end < len(found.ids) else ""
        return Page(found, found.ids[start:end], further)


def _address(key: str, start: int) -> str:
    return f"/api/pages/{key}/{start}"
