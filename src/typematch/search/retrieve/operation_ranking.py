"""Rank entries for a request in prose: clause by clause, each entry by the clause it serves best.

Of every clause and every entry it is asked how well words and meaning agree, and whether the clause
begins with what the operation does (to delete, to list).  Within a clause that gives each entry a
share of a whole: a clause that one entry answers clearly spends nothing on the others.  An entry is
then worth its largest share over the clauses.

An operation that is wanted needs its arguments: what gives them, in the same service, is worth part
of what the operation is.  So "add a song to my playlist" also finds the list of my playlists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from typematch.index.entries.operations import METHODS, OperationTable
from typematch.index.entries.selection import Selection
from typematch.index.text.full_text import STOP_WORDS, FullTextQuery, asked_of
from typematch.index.text.words import singular, words_of
from typematch.search.prepare.clauses import Clause, split_needs
from typematch.search.retrieve.dense import OpenEmbedder, VectorSearch, query_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What a cosine of 1 is worth, beside 1.0 for the text that answers the words best.  All numbers
# here were chosen on instance 1 of SOCBench-D, and lie on a plateau: half and double lose .005.
_MEANING = 1.5
_AGREES = 0.2  # that the method does what the clause begins with
_SERVICE = 0.25  # how much it counts how well the best operations of the service do
_TITLE = 0.1  # for choosing services: that all words of title and tags are in the request
_SERVICE_BEST = 3  # of them
_SHARPNESS = 0.2  # a score lower by this much has 1/e of the share
_SUPPLIES = 0.35  # of an operation's worth, what gives it an argument has
_WORDED = 400  # operations that words name for one clause
_LEAST = 1e-4  # of the best entry's share: what has less is not shown
_LIKELY = 0.01  # of a clause's best entry: what has less needs nothing

# What calling a method does, as the action that a clause begins with.
_ACTIONS: Mapping[str, str] = {
    "GET": """
        access analyse analyze assess browse check compare determine discover display download
        estimate evaluate examine explore export fetch find forecast get give identify inspect
        list locate look measure monitor obtain offer predict provide query read receive
        recommend retrieve review search see show summarise summarize tell track view watch
    """,
    "POST": """
        add analyse analyze append apply assign authenticate begin book build calculate compare
        compute configure create enable enroll execute generate import initiate insert install
        invite invoke issue join launch log make order pay perform place post process propose
        publish purchase record register report request reserve run schedule send set simulate
        skip start submit subscribe test trigger upload validate verify
    """,
    "PUT": """
        activate adjust approve assign change configure deactivate disable edit enable follow
        increase lower make mark modify mute optimise optimize pause play put reduce refine
        rename replace reschedule resume save set switch turn update upgrade
    """,
    "PATCH": """
        activate adjust approve change configure deactivate disable edit enable increase mark
        modify refine rename reschedule set update upgrade
    """,
    "DELETE": """
        cancel clear delete discard drop erase leave remove revoke terminate unblock unfollow
        unregister unsubscribe withdraw
    """,
}
_METHODS = {method: frozenset(actions.split()) for method, actions in _ACTIONS.items()}


class OperationStore(VectorSearch, Protocol):
    """What this retriever asks of a store."""

    def cosines(
        self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], /
    ) -> NDArray[np.float32]: ...

    def lexical(
        self,
        asked: FullTextQuery,
        selection: Selection = ...,
        *,
        limit: int,
        operations: bool = ...,
    ) -> list[tuple[int, float]]: ...

    def select(self, selection: Selection, *, limit: int | None = ...) -> list[int]: ...

    def operations(self) -> OperationTable: ...


@dataclass(frozen=True, slots=True)
class RankedOperation:
    """An entry, and the clause that it serves best.

    Attributes:
        share: what orders entries, above 0.0; 1.0 is the best entry's.
        clause: its place among the clauses.
        supplies: the operation that it gives an argument to, where that is why it is here; else 0.
        channels: its rank, from 1, for that clause by words and by meaning.
    """

    entry: int
    share: float
    clause: int
    supplies: int
    channels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OperationRanking:
    """Entries best first, of ``total``; ``services`` by how well they do, as titles."""

    clauses: tuple[str, ...]
    served: tuple[RankedOperation, ...] = ()
    total: int = 0
    services: tuple[str, ...] = ()
    problem: str = ""


def serve_request(
    text: str,
    store: OperationStore,
    selection: Selection,
    open_embedder: OpenEmbedder | None,
    *,
    limit: int | None = None,
    services: int | None = None,
) -> OperationRanking:
    """Return the operations that serve ``text`` among those that meet ``selection``.

    Args:
        open_embedder: opens the model of the vectors; without it only words are compared.
        limit: how many; None for all that have some share.
        services: keep the operations of so many services, those that do best.
    """
    import numpy as np

    needs = split_needs(text) or (Clause(text, ""),)
    clauses = tuple(need.text for need in needs)
    operations = store.operations()
    chosen = np.arange(len(operations))
    if selection:
        chosen = np.flatnonzero(np.isin(operations.numbers, store.select(selection)))
    if not len(chosen):
        return OperationRanking(clauses)
    request = _Request(needs, store, operations, chosen, selection, open_embedder)
    ranked = request.services(text)
    kept = ranked if services is None else ranked[:services]
    served = request.served(None if services is None else kept, limit)
    titles = tuple(dict.fromkeys(operations.offered[one].title for one in kept))
    return OperationRanking(clauses, *served, titles, request.problem)


class _Request:
    """What every operation scores for every clause, as a table of clauses by operations.

    ``chosen`` are the places of the operations that may answer; a row of the table has one for
    each.

    Attributes:
        problem: why meaning was not compared, in a sentence, or empty.
    """

    def __init__(
        self,
        needs: Sequence[Clause],
        store: OperationStore,
        operations: OperationTable,
        chosen: NDArray[np.int64],
        selection: Selection,
        open_embedder: OpenEmbedder | None,
    ) -> None:
        import numpy as np

        self._operations = operations
        self._numbers = operations.numbers[chosen]
        self._service = operations.services[chosen]
        self.problem = ""
        shape = (len(needs), len(chosen))
        self._cosines = np.zeros(shape, np.float32)
        self._words = np.zeros(shape, np.float32)
        for row, need in zip(self._words, needs, strict=True):
            self._compare_words(row, need.text, store, selection)
        if open_embedder is not None:
            asked = query_vectors([need.text for need in needs], store, open_embedder)
            self.problem = asked.problem
            if asked.vectors is not None:
                self._cosines = store.cosines(asked.vectors, self._numbers)
        self._scores = self._words + _MEANING * self._cosines
        methods = operations.methods[chosen]
        for row, need in zip(self._scores, needs, strict=True):
            row += _AGREES * _does(need.action)[methods]
        self._worth = self._worth_of_services()
        self._scores += _SERVICE * (self._worth - self._worth.max())[self._service]
        top = self._scores.max(axis=1, keepdims=True)
        self._parts = np.exp((self._scores - top) / _SHARPNESS)
        self._whole = self._parts.sum(axis=1, keepdims=True)

    def _compare_words(
        self, row: NDArray[np.float32], clause: str, store: OperationStore, selection: Selection
    ) -> None:
        import numpy as np

        asked = asked_of(clause)
        found = store.lexical(asked, selection, limit=_WORDED, operations=True) if asked else []
        if found:
            places = np.searchsorted(self._numbers, [number for number, _ in found])
            row[places] = [score for _, score in found]
            row /= max(float(row.max()), 1e-9)

    def _worth_of_services(self) -> NDArray[np.float32]:
        """Return by place of the service how well its best operations do, over the clauses."""
        import numpy as np

        size = len(self._operations.offered)
        worth = np.zeros(size, np.float32)
        starts = np.concatenate(([0], np.cumsum(np.bincount(self._service, minlength=size))))
        for row in self._scores:
            order = np.lexsort((-row, self._service))
            group = self._service[order]
            best = order[np.arange(len(order)) - starts[group] < _SERVICE_BEST]
            worth += np.bincount(self._service[best], row[best], size).astype(np.float32)
        worth /= _SERVICE_BEST * len(self._scores)
        worth[np.diff(starts) == 0] = -np.inf
        return worth

    def services(self, text: str) -> list[int]:
        """Return the places of the services that have operations here, the best first.

        Beside their best operations it counts which words of title and tags the request has.
        """
        import numpy as np

        asked = frozenset(map(singular, words_of(text))) - STOP_WORDS
        named = [
            len(asked & one.words) / max(len(one.words), 1) for one in self._operations.offered
        ]
        # A service is worth what it does for each clause, not what it is like on the whole.
        best = np.zeros((len(self._parts), len(named)), np.float32)
        for row, shares in zip(best, self._parts / self._whole, strict=True):
            np.maximum.at(row, self._service, shares)
        worth = best.mean(axis=0) + _TITLE * np.array(named, np.float32)
        order = sorted(range(len(worth)), key=lambda one: (-float(worth[one]), one))
        return [one for one in order if self._worth[one] > float("-inf")]

    def served(
        self, services: Sequence[int] | None, limit: int | None
    ) -> tuple[tuple[RankedOperation, ...], int]:
        """Return the best ``limit``, of those services only, and how many there are in all."""
        import numpy as np

        parts = self._parts.copy()
        lenders = [self._lend(row) for row in parts]
        shares = parts / self._whole
        clause_of = shares.argmax(axis=0)
        best = shares.max(axis=0)
        if services is not None:
            best[~np.isin(self._service, services)] = 0.0
        best /= max(float(best.max()), 1e-12)
        order = np.lexsort((self._numbers, -np.round(best, 9)))
        order = order[best[order] > _LEAST]
        by_words, by_meaning = _ranks(self._words), _ranks(self._cosines)
        served = []
        for place in order[:limit].tolist():
            clause, number = int(clause_of[place]), int(self._numbers[place])
            channels = {}
            if self._words[clause, place]:
                channels["lexical"] = int(by_words[clause, place])
            if self._cosines[clause, place]:
                channels["dense"] = int(by_meaning[clause, place])
            lender = lenders[clause].get(place, 0)
            served.append(RankedOperation(number, float(best[place]), clause, lender, channels))
        return tuple(served), len(order)

    def _lend(self, parts: NDArray[np.float32]) -> dict[int, int]:
        """Give what supplies a likely operation with an argument a part of that one's part.

        Returns by place of a supplier the number of the operation that it is there for.
        """
        import numpy as np

        lenders: dict[int, int] = {}
        likely = np.flatnonzero(parts > _LIKELY).tolist()
        for part, lender in [(_SUPPLIES * float(parts[place]), place) for place in likely]:
            number, service = int(self._numbers[lender]), int(self._service[lender])
            for noun in self._operations.needs.get(number, ()):
                for giver in self._operations.givers.get((service, noun), ()):
                    place = int(np.searchsorted(self._numbers, giver))
                    here = place < len(self._numbers) and self._numbers[place] == giver
                    if here and place != lender and part > parts[place]:
                        parts[place] = part
                        lenders[place] = number
        return lenders


def _ranks(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rank of every place within its row, from 1."""
    import numpy as np

    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return ranks


def _does(action: str) -> NDArray[np.float32]:
    """Return by place in ``METHODS`` 1.0 where the method does it; the last is for no method."""
    import numpy as np

    does = [action in _METHODS.get(method, ()) for method in METHODS]
    return np.array([*does, False], np.float32)
