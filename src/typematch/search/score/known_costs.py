"""What earlier searches found out about the cost of function types.

The next page of a search, or the same signature with another filter, continues from it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TypeAlias
from weakref import WeakKeyDictionary

from typematch.index.store import Store
from typematch.match.verdict import Fit, Undecided

Match: TypeAlias = Fit | Undecided
_MAX_QUERIES = 50
_MAX_MATCHES = 2_000  # over all queries; about 2 kB each
_MAX_BOUNDS = 100_000  # over all queries; about 100 bytes each


class QueryCosts:
    """Costs against one query, by number of the function type and group of its entries.

    Attributes:
        bounds: lower bounds in edit units, ``NO_FIT_COST`` for what does not fit.
        matches: verdicts other than misfits.
    """

    def __init__(self) -> None:
        self.bounds: dict[tuple[int, int], int] = {}
        self.matches: dict[tuple[int, int], Match] = {}


class KnownCosts:
    """The costs of the last queries of one store, bounded in size.

    Args:
        version: the ``data_version`` of the store that the costs belong to.
    """

    def __init__(self, version: tuple[int, int]) -> None:
        self.version = version
        self._by_query: OrderedDict[Hashable, QueryCosts] = OrderedDict()

    def of(self, query: Hashable) -> QueryCosts:
        """Return the costs against ``query``, to which a search adds."""
        costs = self._by_query.setdefault(query, QueryCosts())
        self._by_query.move_to_end(query)
        while len(self._by_query) > 1 and self._is_too_large():
            self._by_query.popitem(last=False)
        return costs

    def _is_too_large(self) -> bool:
        kept = self._by_query.values()
        return (
            len(kept) > _MAX_QUERIES
            or sum(len(costs.bounds) for costs in kept) > _MAX_BOUNDS
            or sum(len(costs.matches) for costs in kept) > _MAX_MATCHES
        )


_known_costs: WeakKeyDictionary[Store, KnownCosts] = WeakKeyDictionary()


def known_costs(store: Store, query: tuple[Hashable, ...]) -> QueryCosts:
    """Return the costs against ``query`` in the current state of ``store``.

    Args:
        query: equal for searches that find equal costs; an empty value is equal to no other.
    """
    if not query:
        return QueryCosts()
    version = store.data_version()
    known = _known_costs.get(store)
    if known is None or known.version != version:
        known = _known_costs[store] = KnownCosts(version)
    return known.of(query)
