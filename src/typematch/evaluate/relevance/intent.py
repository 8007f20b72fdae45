"""Measures the relevance of hits for labelled queries: nDCG@10, MRR@10, recall@20, page@10.

Rankings are of functions: hits that are not functions of the data (types, properties, the library)
are left out, and so are duplicates of a function that the labels name.  ``page@10`` is nDCG@10 of
the page as it is listed: there the other hits count as wrong ones, but for those of the ECMAScript
library, which no label names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from typing import TYPE_CHECKING

from typematch.catalog import Catalog
from typematch.errors import TypematchError
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import ranks
from typematch.evaluate.relevance.ranking import (
    mean,
    ndcg,
    recall,
    reciprocal_rank,
    reciprocal_rank_fusion,
)
from typematch.index.sql_store import SqlStore
from typematch.index.text.full_text import full_text_query
from typematch.index.vectors.embedding import ModelIdentity
from typematch.index.vectors.open_embedders import OpenEmbedders
from typematch.package_names import LIBRARY
from typematch.search.pipeline import search
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.variant import Variant
from typematch.search.score.limit_errors import limits_as_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Returns the ids of entries, best first.
Ranker = Callable[[str], Sequence[str]]

MEASURES = ("ndcg@10", "mrr@10", "recall@20", "page@10")
CHANNEL_DEPTH = 200  # entries of each channel of the plain fusion
_SECONDS = 60.0
DEPTH = 40  # hits requested, more than measured, because some are left out


def rankers(catalog: Catalog, store: SqlStore) -> Mapping[str, Ranker]:
    """Return the rankers: search, full text alone, and plain rank fusion with the vectors.

    ``store`` reads the catalog's file.
    """

    def product(text: str) -> Sequence[str]:
        return [hit.entry.id for hit in catalog.search(text, limit=DEPTH)]

    def named(numbers: Sequence[int]) -> list[str]:
        briefs = store.summaries(numbers)
        return [briefs[number].id for number in numbers]

    def full_text(text: str) -> list[int]:
        return [number for number, _ in store.lexical(full_text_query(text), limit=CHANNEL_DEPTH)]

    def fusion(text: str) -> Sequence[str]:
        model = store.model()
        lexical = full_text(text)
        near = [] if model is None else store.dense(embedder(model)(text), limit=CHANNEL_DEPTH)
        channels = {"lexical": ranks(lexical), "dense": ranks([number for number, _ in near])}
        scores = reciprocal_rank_fusion(channels, {"lexical": 1.0, "dense": 1.0}, k=20)
        return named(sorted(scores, key=lambda number: (-scores[number], number)))

    @cache
    def embedder(model: ModelIdentity) -> Callable[[str], NDArray[np.float32]]:
        return OpenEmbedders().stored(model).embed_query

    return {"bm25": lambda text: named(full_text(text)), "fusion": fusion, "search": product}


def variant_ranker(store: SqlStore, variant: Variant, open_embedder: OpenEmbedder | None) -> Ranker:
    """Return the search that a measurement changed.

    It has a minute for each query: rows that are compared must not depend on the load of a machine.
    """

    def rank(text: str) -> Sequence[str]:
        with limits_as_errors(), store.snapshot():
            found = search(
                text,
                store,
                limit=DEPTH,
                open_embedder=open_embedder,
                seconds=_SECONDS,
                variant=variant,
            )
        return [hit.entry.id for hit in found]

    return rank


def evaluate(
    queries: Iterable[Row],
    functions: JoinedFunctions,
    rankers: Mapping[str, Ranker],
    *,
    unseen: Set[str] = frozenset(),
) -> Row:
    """Return the measures of each ranker, by style and by query.

    Args:
        unseen: ids of the queries that were held out when weights were fitted (``halves``); if
            there are any, the measures of both halves are returned, too.
    """
    query_rows = list(queries)
    rows = {
        name: [_evaluate_query(query, functions, rank) for query in query_rows]
        for name, rank in rankers.items()
    }
    return {
        "queries": len(query_rows),
        "systems": {name: _by_style(judged) for name, judged in rows.items()},
        "halves": {
            half: {
                name: _by_style([row for row in judged if (row["id"] in unseen) == is_unseen])
                for name, judged in rows.items()
            }
            for half, is_unseen in (("fitted", False), ("held out", True))
            if unseen
        },
        "held_out": sum(row["id"] in unseen for row in query_rows),
        "rows": rows,
    }


def _evaluate_query(query: Row, functions: JoinedFunctions, rank: Ranker) -> Row:
    error, ranking, page = "", list[str](), list[str]()
    try:
        entries = rank(query["query"])
        ranking = ranked_functions(entries, functions, query)
        page = ranked_functions(entries, functions, query, others=True)
    except TypematchError as problem:
        error = str(problem)
    grades = query["relevant"]
    return {
        "id": query["id"],
        "query": query["query"],
        "style": query["style"],
        "error": error,
        "ndcg@10": ndcg(ranking, grades),
        "mrr@10": reciprocal_rank(ranking, grades.keys()),
        "recall@20": recall(ranking, grades.keys(), 20),
        "page@10": ndcg(page, grades),
        "ranking": ranking[:10],
        "missing": [function_id for function_id in grades if function_id not in ranking[:10]],
    }


def ranked_functions(
    entries: Sequence[str], functions: JoinedFunctions, query: Row, *, others: bool = False
) -> list[str]:
    """Return function ids in the order of entries; of several for one entry, the labelled one.

    Args:
        others: keep the ids of entries that are not functions of the data, but of packages.
    """
    ignored = frozenset(query.get("ignore", ()))
    ranking: list[str] = []
    for entry in entries:
        known = functions.ids.get(entry, frozenset())
        if others and not known and not entry.startswith(f"{LIBRARY}#"):
            ranking.append(entry)
        same = sorted(known - ignored)
        same.sort(key=lambda function_id: -query["relevant"].get(function_id, 0))
        ranking += same[:1]
    return list(dict.fromkeys(ranking))


def _by_style(rows: Sequence[Row]) -> Row:
    styles = [*dict.fromkeys(row["style"] for row in rows), "all"]
    return {
        style: {
            measure: mean([row[measure] for row in rows if style in (row["style"], "all")])
            for measure in MEASURES
        }
        for style in styles
    }


def report(result: Row, *, show: bool = False) -> str:
    lines = []
    for measure in MEASURES:
        lines += [*table(measure, measure, result["systems"]), ""]
    for half, systems in result.get("halves", {}).items():
        lines += [*table(half, MEASURES[0], systems), ""]
    if show:
        for name, rows in result["rows"].items():
            for row in sorted(rows, key=lambda row: row["ndcg@10"]):
                lines.append(f"{name} {row['ndcg@10']:.2f} {row['style']}: {row['query']}")
                lines += [f"     {function_id}" for function_id in row["ranking"][:5]]
                lines.append(
                    f"   missing {', '.join(row['missing'][:6])}" if row["missing"] else ""
                )
    failed = [row["query"] for rows in result["rows"].values() for row in rows if row["error"]]
    unseen = f", {result['held_out']} held out" if result.get("held_out") else ""
    lines.append(f"{result['queries']} queries{unseen}, {len(failed)} failed")
    return "\n".join(lines)


def table(title: str, measure: str, systems: Mapping[str, Row]) -> list[str]:
    """Return the table of one measure: a line for each system, a column for each style."""
    styles = list(next(iter(systems.values())))
    width = max(12, *(len(name) + 2 for name in (title, *systems)))
    lines = [f"{title:{width}}" + "".join(f"{style:>15}" for style in styles)]
    for name, by_style in systems.items():
        values = "".join(f"{by_style[style][measure]:>15.3f}" for style in styles)
        lines.append(f"{name:{width}}{values}")
    return lines
