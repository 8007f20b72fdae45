"""Fits the weights of relevance to labelled queries.

Each query is searched once, and what its channels found is kept.  The order under other weights is
then computed from that, so that thousands of weights can be tried.  What is found hardly depends
on weights: they choose which entries found by words are compared by type and word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance.intent import DEPTH, ranked_functions, variant_ranker
from typematch.evaluate.relevance.ranking import mean, ndcg
from typematch.index.sql_store import SqlStore
from typematch.search.fuse.folding import Repetitions, fold_repetitions, read_repetitions
from typematch.search.fuse.fusion import fused_scores, with_structural
from typematch.search.fuse.merging import fuse_channels, order_type_matches
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.retrieved import Retrieved, RetrievedByType, RetrievedByWords
from typematch.search.retrieve.variant import Variant
from typematch.search.score.weights import WEIGHTS, Weights

_KEPT = 80  # best entries of each channel, and of all together
# Factors by which a channel's weight is changed, and the values of a prior.
_FACTORS = (0.5, 0.67, 0.8, 1.25, 1.5, 2.0)
_PRIORS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_MIN_GAIN = 0.0005  # of the objective; less is chance
_MAX_ROUNDS = 6
_FITTED_PRIORS = ("internal", "deprecated")
_TEXT_KINDS = ("words", "mention", "sentence")

# A weight by name, as a plain number.
Table = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RecordedQuery:
    """A labelled query and what was found for it.

    Attributes:
        ranking: ids of the entries, as the search ranked them.
        found: None if the order does not follow from it: a request for several things, whose
            rankings are merged, and one that nothing is close to.
        repetitions: of the entries found.
    """

    query: Row
    ranking: Sequence[str]
    found: Retrieved | None
    repetitions: Repetitions


def record(
    queries: Iterable[Row], store: SqlStore, open_embedder: OpenEmbedder
) -> list[RecordedQuery]:
    """Search every query, and keep what was found for it."""
    seen: list[Retrieved] = []
    rank = variant_ranker(store, Variant(observe=seen.append), open_embedder)
    recorded = []
    for query in queries:
        seen.clear()
        ranking = rank(query["query"])
        found = _kept(seen[-1]) if seen else None
        summaries = found.summaries.values() if isinstance(found, RetrievedByWords) else ()
        one = RecordedQuery(query, ranking, found, read_repetitions([*summaries], store))
        is_same = list(replayed(one, WEIGHTS)) == list(ranking)
        recorded.append(one if is_same else replace(one, found=None))
    return recorded


def _kept(found: Retrieved) -> Retrieved:
    """Return what was found without entries that are far from the first page."""
    if isinstance(found, RetrievedByType):
        return found
    channels = with_structural(found.scores, found.matches, WEIGHTS)
    fused = fused_scores(channels, WEIGHTS.channels[found.query_kind])
    kept: set[int] = set()
    for scores in (fused, *channels.values()):
        kept.update(sorted(scores, key=lambda entry: -scores[entry])[:_KEPT])
    return replace(
        found,
        scores={name: _only(scores, kept) for name, scores in found.scores.items()},
        channels={},
        matches={entry: match for entry, match in found.matches.items() if entry in kept},
        summaries={entry: summary for entry, summary in found.summaries.items() if entry in kept},
    )


def _only(scores: Mapping[int, float], kept: set[int]) -> dict[int, float]:
    return {entry: score for entry, score in scores.items() if entry in kept}


def replayed(recorded: RecordedQuery, weights: Weights) -> Sequence[str]:
    """Return the ids of entries, in their order under ``weights``."""
    found = recorded.found
    if found is None:
        return recorded.ranking
    if isinstance(found, RetrievedByType):
        ranked = order_type_matches(found, weights)
    else:
        ranked = fold_repetitions(fuse_channels(found, weights), recorded.repetitions)
    return [entry.summary.id for entry in ranked[:DEPTH]]


class Scores(NamedTuple):
    """nDCG@10 of the functions among the hits, and of all hits (``intent``)."""

    functions: float
    page: float


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A recorded query, with the functions of its catalog.

    Attributes:
        scores: by the weights that its order depends on.
    """

    recorded: RecordedQuery
    functions: JoinedFunctions
    scores: dict[object, Scores] = field(default_factory=dict)

    def score(self, weights: Weights) -> Scores:
        key = self._relevant(weights)
        if key not in self.scores:
            query, ids = self.recorded.query, replayed(self.recorded, weights)
            ranking = ranked_functions(ids, self.functions, query)
            page = ranked_functions(ids, self.functions, query, others=True)
            grades = query["relevant"]
            self.scores[key] = Scores(ndcg(ranking, grades), ndcg(page, grades))
        return self.scores[key]

    def _relevant(self, weights: Weights) -> object:
        """Return those of the weights that the order of this query depends on."""
        match self.recorded.found:
            case None:
                return None
            case RetrievedByType():
                return weights.half_cost, weights.similarity
            case RetrievedByWords(query_kind=query_kind, matches=matches):
                channels = tuple(weights.channels[query_kind].items())
                return channels, weights.priors, weights.half_cost if matches else None

    @property
    def id(self) -> str:
        return str(self.recorded.query["id"])

    @property
    def style(self) -> str:
        return str(self.recorded.query["style"])


# Weights as a table -------------------------------------------------------------------------------


def as_table(weights: Weights) -> Table:
    """Return the weights that are fitted, by name; that of full text is the unit.

    Those of ``dense``, ``terms`` and ``package`` are the same for words and sentences.  The weight
    of names is part of the lexical channel, which is kept as it was found.  Labels name exported
    functions of packages: they say nothing of the priors of types, fields and the library.
    """
    text, signature = weights.channels["words"], weights.channels["signature"]
    return {
        "dense": text["dense"],
        "terms": text["terms"],
        "package": text["package"],
        "structural, mention": weights.channels["mention"]["structural"],
        "structural, sentence": weights.channels["sentence"]["structural"],
        "structural, signature": signature["structural"],
        "dense, signature": signature["dense"],
        "half cost": weights.half_cost,
        "similarity": weights.similarity,
        **{name: getattr(weights.priors, name) for name in _FITTED_PRIORS},
    }


def from_table(table: Table) -> Weights:
    """Return the weights of a table; the inverse of ``as_table``."""
    text = {"lexical": 1.0, **{name: table[name] for name in ("dense", "terms", "package")}}
    channels: dict[str, Mapping[str, float]] = {"words": text}
    for kind in _TEXT_KINDS[1:]:
        channels[kind] = {"structural": table[f"structural, {kind}"], **text}
    channels["signature"] = {
        "structural": table["structural, signature"],
        "lexical": 1.0,
        "dense": table["dense, signature"],
    }
    priors = {name: table[name] for name in _FITTED_PRIORS}
    return replace(
        WEIGHTS,
        channels=channels,
        half_cost=table["half cost"],
        similarity=table["similarity"],
        priors=replace(WEIGHTS.priors, **priors),
    )


def neutral_table() -> Table:
    """Return weights that prefer nothing, to begin a fit with."""
    return {name: 100.0 if name == "half cost" else 1.0 for name in as_table(WEIGHTS)}


def _values(name: str, value: float) -> list[float]:
    if name in _FITTED_PRIORS:
        return [other for other in _PRIORS if other != value]
    return [value * factor for factor in _FACTORS]


# Fitting ------------------------------------------------------------------------------------------


def fit(
    queries: Sequence[LabelledQuery],
    start: Table,
    progress: Callable[[str, float, float], None] = lambda *_: None,
) -> Table:
    """Return the weights that one change at a time leads to, while ``objective`` rises.

    Each round tries other values of every weight, and keeps the best one if it gains enough.

    Args:
        progress: receives a name, its new value, and the objective.
    """
    table, best = dict(start), objective(queries, start)
    for _ in range(_MAX_ROUNDS):
        before = best
        for name in table:
            tried = [{**table, name: value} for value in _values(name, table[name])]
            score, chosen = max(
                ((objective(queries, other), other) for other in tried), key=lambda pair: pair[0]
            )
            if score > best + _MIN_GAIN:
                table, best = chosen, score
                progress(name, table[name], best)
        if best == before:
            break
    return table


def objective(queries: Sequence[LabelledQuery], table: Table) -> float:
    """Return the mean of both scores under a table of weights.

    The first leaves out what is not exported, so that the second alone tells of its prior.
    """
    weights = from_table(table)
    return mean([mean(query.score(weights)) for query in queries])
