"""Rank service operations for a request in prose, clause by clause.

Each operation is scored against each clause: full text, cosine of the vectors, and whether its
HTTP method agrees with the clause's verb.  A softmax over the operations turns the scores of a
clause into shares, so that a clause with one clear answer gives little to the others.  The score of
an operation is its largest share over the clauses.

Operations that provide an argument of a likely operation, in the same service, get part of its
score: "add a song to my playlist" also finds the operation that lists playlists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typematch.index.entries.operations import HTTP_METHODS, OperationTable
from typematch.index.entries.selection import Selection
from typematch.index.store import Store
from typematch.index.text.full_text import STOP_WORDS, full_text_query
from typematch.index.text.verbs import METHOD_VERBS
from typematch.index.text.words import singular, words_of
from typematch.search.prepare.clauses import Clause, split_request
from typematch.search.retrieve.dense import OpenEmbedder, query_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Weights relative to the full-text score, whose best is 1.0 per clause.  All constants were chosen
# on instance 1 of SOCBench-D; half or double of each loses .005.
_COSINE_WEIGHT = 1.5
_METHOD_WEIGHT = 0.2  # of agreement between HTTP method and verb
_SERVICE_WEIGHT = 0.25  # of the quality of the operation's service
_TITLE_WEIGHT = 0.1  # for ranking services: of the words of title and tags that the request has
_SERVICE_BEST = 3  # operations that determine the quality of a service
_TEMPERATURE = 0.2  # of the softmax: a score lower by this has 1/e of the share
_PROVIDER_SHARE = 0.35  # of an operation's share, for the operations that provide its arguments
_LEXICAL_LIMIT = 400  # operations found by words, per clause
_MIN_SCORE = 1e-4  # relative to the best operation; others are not listed
_LIKELY = 0.01  # relative to a clause's best operation; others lend nothing to their providers


@dataclass(frozen=True, slots=True)
class RankedOperation:
    """An operation and the clause that it serves best.

    Attributes:
        entry: the number of its entry.
        score: greater than 0.0; 1.0 for the best operation.
        clause: the index of the clause.
        provides_for: the entry of the operation that it provides an argument for, if that is why
            it is listed; else 0.
        channels: its rank, from 1, for that clause by words and by vectors.
    """

    entry: int
    score: float
    clause: int
    provides_for: int
    channels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OperationRanking:
    """The operations for a request.

    Attributes:
        clauses: the texts of the request's clauses.
        operations: best first.
        total: how many operations have a score, listed or not.
        services: titles of the services, best first.
        problem: why vectors were not compared, or empty.
    """

    clauses: tuple[str, ...]
    operations: tuple[RankedOperation, ...] = ()
    total: int = 0
    services: tuple[str, ...] = ()
    problem: str = ""


def rank_operations(
    text: str,
    store: Store,
    selection: Selection,
    open_embedder: OpenEmbedder | None,
    *,
    limit: int | None = None,
    services: int | None = None,
) -> OperationRanking:
    """Return the operations for ``text`` among those that meet ``selection``.

    Args:
        open_embedder: opens the model of the vectors; without it only words are compared.
        limit: how many; None for all that have a score.
        services: only operations of the best so many services.
    """
    import numpy as np

    clauses = split_request(text) or (Clause(text, ""),)
    texts = tuple(clause.text for clause in clauses)
    operations = store.operations()
    chosen = np.arange(len(operations))
    if selection:
        chosen = np.flatnonzero(np.isin(operations.numbers, store.select(selection)))
    if not len(chosen):
        return OperationRanking(texts)
    table = _ScoreTable(clauses, store, operations, chosen, selection, open_embedder)
    ranked = table.rank_services(text)
    kept = ranked if services is None else ranked[:services]
    listed, total = table.rank(None if services is None else kept, limit)
    titles = tuple(dict.fromkeys(operations.services[index].title for index in kept))
    return OperationRanking(texts, listed, total, titles, table.problem)


class _ScoreTable:
    """The scores of operations (columns) for clauses (rows).

    Attributes:
        problem: why vectors were not compared, or empty.
    """

    def __init__(
        self,
        clauses: Sequence[Clause],
        store: Store,
        operations: OperationTable,
        chosen: NDArray[np.int64],
        selection: Selection,
        open_embedder: OpenEmbedder | None,
    ) -> None:
        """Score the operations with the indexes ``chosen``, ascending."""
        import numpy as np

        self._operations = operations
        self._numbers = operations.numbers[chosen]
        self._services = operations.service_indexes[chosen]
        self.problem = ""
        shape = (len(clauses), len(chosen))
        self._cosines = np.zeros(shape, np.float32)
        self._words = np.zeros(shape, np.float32)
        for row, clause in zip(self._words, clauses, strict=True):
            self._score_words(row, clause.text, store, selection)
        if open_embedder is not None:
            query = query_vectors([clause.text for clause in clauses], store, open_embedder)
            self.problem = query.problem
            if query.vectors is not None:
                self._cosines = store.cosines(query.vectors, self._numbers)
        self._scores = self._words + _COSINE_WEIGHT * self._cosines
        methods = operations.method_indexes[chosen]
        for row, clause in zip(self._scores, clauses, strict=True):
            row += _METHOD_WEIGHT * _agreeing_methods(clause.action)[methods]
        self._quality = self._service_quality()
        self._scores += _SERVICE_WEIGHT * (self._quality - self._quality.max())[self._services]
        top = self._scores.max(axis=1, keepdims=True)
        self._parts = np.exp((self._scores - top) / _TEMPERATURE)
        self._sums = self._parts.sum(axis=1, keepdims=True)

    def _score_words(
        self, row: NDArray[np.float32], clause: str, store: Store, selection: Selection
    ) -> None:
        """Fill a row with full-text scores, scaled so that the best is 1.0."""
        import numpy as np

        query = full_text_query(clause)
        if not query:
            return
        hits = store.lexical(query, selection, limit=_LEXICAL_LIMIT, operations=True)
        if hits:
            columns = np.searchsorted(self._numbers, [number for number, _ in hits])
            row[columns] = [score for _, score in hits]
            row /= max(float(row.max()), 1e-9)

    def _service_quality(self) -> NDArray[np.float32]:
        """Return per service the mean score of its best operations, over the clauses.

        -inf for services without operations in this table.
        """
        import numpy as np

        size = len(self._operations.services)
        quality = np.zeros(size, np.float32)
        starts = np.concatenate(([0], np.cumsum(np.bincount(self._services, minlength=size))))
        for row in self._scores:
            order = np.lexsort((-row, self._services))
            group = self._services[order]
            best = order[np.arange(len(order)) - starts[group] < _SERVICE_BEST]
            quality += np.bincount(self._services[best], row[best], size).astype(np.float32)
        quality /= _SERVICE_BEST * len(self._scores)
        quality[np.diff(starts) == 0] = -np.inf
        return quality

    def rank_services(self, text: str) -> list[int]:
        """Return the indexes of the services that have operations here, best first.

        A service counts the largest share of its operations per clause, and the words of its
        title and tags that the request has.
        """
        import numpy as np

        words = frozenset(map(singular, words_of(text))) - STOP_WORDS
        named = [
            len(words & service.words) / max(len(service.words), 1)
            for service in self._operations.services
        ]
        best = np.zeros((len(self._parts), len(named)), np.float32)
        for row, shares in zip(best, self._parts / self._sums, strict=True):
            np.maximum.at(row, self._services, shares)
        scores = best.mean(axis=0) + _TITLE_WEIGHT * np.array(named, np.float32)
        order = sorted(range(len(scores)), key=lambda index: (-float(scores[index]), index))
        return [index for index in order if self._quality[index] > float("-inf")]

    def rank(
        self, services: Sequence[int] | None, limit: int | None
    ) -> tuple[tuple[RankedOperation, ...], int]:
        """Return the best ``limit`` operations of ``services`` (None: of all) and their total."""
        import numpy as np

        parts = self._parts.copy()
        providers = [self._lend_to_providers(row) for row in parts]
        shares = parts / self._sums
        clause_of = shares.argmax(axis=0)
        best = shares.max(axis=0)
        if services is not None:
            best[~np.isin(self._services, services)] = 0.0
        best /= max(float(best.max()), 1e-12)
        order = np.lexsort((self._numbers, -np.round(best, 9)))
        order = order[best[order] > _MIN_SCORE]
        word_ranks, vector_ranks = _row_ranks(self._words), _row_ranks(self._cosines)
        ranked = []
        for column in order[:limit].tolist():
            clause, number = int(clause_of[column]), int(self._numbers[column])
            channels = {}
            if self._words[clause, column]:
                channels["lexical"] = int(word_ranks[clause, column])
            if self._cosines[clause, column]:
                channels["dense"] = int(vector_ranks[clause, column])
            provides_for = providers[clause].get(column, 0)
            score = float(best[column])
            ranked.append(RankedOperation(number, score, clause, provides_for, channels))
        return tuple(ranked), len(order)

    def _lend_to_providers(self, parts: NDArray[np.float32]) -> dict[int, int]:
        """Raise in a row the providers of likely operations' arguments.

        Returns:
            for each raised column the entry of the operation that it provides for.
        """
        import numpy as np

        provides_for: dict[int, int] = {}
        likely = np.flatnonzero(parts > _LIKELY).tolist()
        for part, user in [(_PROVIDER_SHARE * float(parts[user]), user) for user in likely]:
            number, service = int(self._numbers[user]), int(self._services[user])
            for noun in self._operations.requires.get(number, ()):
                for provider in self._operations.providers.get((service, noun), ()):
                    column = int(np.searchsorted(self._numbers, provider))
                    is_here = column < len(self._numbers) and self._numbers[column] == provider
                    if is_here and column != user and part > parts[column]:
                        parts[column] = part
                        provides_for[column] = number
        return provides_for


def _row_ranks(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rank of every column within its row, from 1."""
    import numpy as np

    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return ranks


def _agreeing_methods(action: str) -> NDArray[np.float32]:
    """Return 1.0 at the index in ``HTTP_METHODS`` of each method that agrees with the verb.

    The last element is for operations without a method.
    """
    import numpy as np

    agrees = [action in METHOD_VERBS.get(method, ()) for method in HTTP_METHODS]
    return np.array([*agrees, False], np.float32)
