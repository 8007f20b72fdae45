"""Cache of search results for their further pages.

Indexing may change the ranking between two pages.  Further pages keep the order of the first one,
so that no hit is repeated or skipped; their entries are read anew from the database.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

MAX_IDS = 500  # of one search
_MAX_SEARCHES = 500  # about 20 MB if all of them have MAX_IDS


@dataclass(frozen=True, slots=True)
class CachedResult:
    """A query with its options, and the ids of its hits, best first."""

    query: str
    limit: int
    services: int | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The ids of one page, which begins at index ``start`` of the result."""

    key: str
    start: int
    result: CachedResult
    ids: Sequence[str]

    def next_url(self, used: int) -> str:
        """Return the address of the page after ``used`` of the ids; empty for the last page."""
        end = self.start + used
        return _url(self.key, end) if end < len(self.result.ids) else ""


class PageCache:
    """The most recently used searches that have more than one page."""

    def __init__(self, max_searches: int = _MAX_SEARCHES) -> None:
        self._max_searches = max_searches
        self._results: OrderedDict[str, CachedResult] = OrderedDict()

    def add(self, result: CachedResult) -> str:
        """Return the address of the second page; empty if there is only one."""
        if len(result.ids) <= result.limit:
            return ""
        key = secrets.token_urlsafe(9)
        self._results[key] = result
        while len(self._results) > self._max_searches:
            self._results.popitem(last=False)
        return _url(key, result.limit)

    def page(self, key: str, start: int) -> Page | None:
        """Return the page that begins at index ``start``; None if it is not in the cache."""
        result = self._results.get(key)
        if result is None or not 0 <= start < len(result.ids):
            return None
        self._results.move_to_end(key)
        return Page(key, start, result, result.ids[start : start + result.limit])


def _url(key: str, start: int) -> str:
    return f"/api/pages/{key}/{start}"
