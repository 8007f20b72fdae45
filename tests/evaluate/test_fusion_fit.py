"""The fit of the weights of relevance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance.fusion_fit import (
    LabelledQuery,
    as_table,
    fit,
    from_table,
    objective,
    record,
    replayed,
)
from typematch.evaluate.relevance.intent import variant_ranker
from typematch.index.sql_store import SqlStore, open_store
from typematch.index.vectors.open_embedders import OpenEmbedders
from typematch.search.retrieve.variant import Variant
from typematch.search.score.weights import WEIGHTS, Weights

TEXTS = (
    "a user name",
    "sort items, returns an array",
    "sort :: (items: T[]) => T[]",
    "(items: T[], key: string) => T[]",
    "(values: number[]) => string",
)
# Weights under which other entries come first.
OTHER = from_table({**as_table(WEIGHTS), "half cost": 200.0, "structural, sentence": 1.0})


@pytest.fixture
def store(tiny: Path) -> Iterator[SqlStore]:
    opened = open_store(tiny, create=False)
    yield opened
    opened.close()


def rows(store: SqlStore) -> list[Row]:
    """Label each query with what is first under ``OTHER``."""
    rank = variant_ranker(store, Variant(OTHER), OpenEmbedders().stored)
    return [
        {"id": text, "query": text, "style": "meaning", "relevant": {rank(text)[0]: 2}}
        for text in TEXTS
    ]


def test_a_table_of_weights_is_those_weights() -> None:
    assert from_table(as_table(WEIGHTS)) == WEIGHTS
    changed = {name: value / 2 for name, value in as_table(WEIGHTS).items()}
    assert as_table(from_table(changed)) == changed


@pytest.mark.parametrize("weights", [WEIGHTS, OTHER], ids=["present", "other"])
def test_replayed_queries_are_ranked_as_the_search_ranks_them(
    store: SqlStore, weights: Weights
) -> None:
    opened = OpenEmbedders().stored
    rank = variant_ranker(store, Variant(weights), opened)
    for recorded in record(rows(store), store, opened):
        assert recorded.found is not None
        assert list(replayed(recorded, weights))[:5] == list(rank(recorded.query["query"]))[:5]


def test_fitting_finds_weights_under_which_labels_come_first(store: SqlStore) -> None:
    ids = [summary.id for summary in store.summaries(store.select(())).values()]
    functions = JoinedFunctions((), {id_: frozenset((id_,)) for id_ in ids}, {}, frozenset())
    recorded = record(rows(store), store, OpenEmbedders().stored)
    queries = [LabelledQuery(query, functions) for query in recorded]
    before = objective(queries, as_table(WEIGHTS))
    steps: list[str] = []
    table = fit(queries, as_table(WEIGHTS), lambda name, *_: steps.append(name))
    assert objective(queries, table) > before
    assert steps
    assert {name for name, value in as_table(WEIGHTS).items() if table[name] != value} <= set(steps)
