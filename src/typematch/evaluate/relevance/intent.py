"""Does what developers type lead to the functions that a person would have named?

Rankings are of functions: hits that are none of the data's (types, properties, the library) are
left out, and so are the same function in another wrapping, which the data names.  Several wrappings
of one entry count once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from typematch.catalog import Catalog
from typematch.errors import TypematchError
from typematch.evaluate.corpus import Functions, Row
from typematch.evaluate.relevance.ranking import mean, ndcg, recall, reciprocal_rank
from typematch.index.sqlite import SqliteStore
from typematch.index.text.full_text import asked_of
from typematch.index.vectors.embedding import open_embedder
from typematch.search.fuse.fusion import ranks, reciprocal_rank_fusion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Returns the ids of entries, best first.
Ranker = Callable[[str], Sequence[str]]

MEASURES = ("ndcg@10", "mrr@10", "recall@20")
DEEP = 200  # entries of each channel of the plain fusion
DEPTH = 40  # hits asked for: what is left out is made up for by those behind it


def rankers(catalog: Catalog, store: SqliteStore) -> Mapping[str, Ranker]:
    """Return search as it is; beside it full text alone, and its plain fusion with the vectors.

    ``store`` is the catalog's file, opened once more.
    """

    def search(text: str) -> Sequence[str]:
        return [hit.entry.id for hit in catalog.search(text, limit=DEPTH)]

    def named(numbers: Sequence[int]) -> list[str]:
        briefs = store.briefs(numbers)
        return [briefs[number].id for number in numbers]

    def full_text(text: str) -> list[int]:
        return [number for number, _ in store.lexical(asked_of(text), limit=DEEP)]

    def fusion(text: str) -> Sequence[str]:
        model = store.model()
        lexical = full_text(text)
        near = [] if model is None else store.dense(embedder(model.name)(text), limit=DEEP)
        channels = {"lexical": ranks(lexical), "dense": ranks([number for number, _ in near])}
        scores = reciprocal_rank_fusion(channels, {"lexical": 1.0, "dense": 1.0})
        return named(sorted(scores, key=lambda one: (-scores[one], one)))

    @cache
    def embedder(name: str) -> Callable[[str], NDArray[np.float32]]:
        return open_embedder(name).embed_query

    return {"bm25": lambda text: named(full_text(text)), "fusion": fusion, "search": search}


def evaluate(queries: Iterable[Row], functions: Functions, rankers: Mapping[str, Ranker]) -> Row:
    """Return for each ranker the measures by style, and each query's."""
    asked = list(queries)
    rows = {name: [_judge(one, functions, rank) for one in asked] for name, rank in rankers.items()}
    return {
        "queries": len(asked),
        "systems": {name: _by_style(judged) for name, judged in rows.items()},
        "rows": rows,
    }


def _judge(query: Row, functions: Functions, rank: Ranker) -> Row:
    error, ranking = "", list[str]()
    try:
        ranking = ranked_functions(rank(query["query"]), functions, query)
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
        "ranking": ranking[:10],
        "missing": [one for one in grades if one not in ranking[:10]],
    }


def ranked_functions(entries: Sequence[str], functions: Functions, query: Row) -> list[str]:
    """Return function ids in order of their entries; of several for one entry the one labelled."""
    ignored = frozenset(query.get("ignore", ()))
    ranking: list[str] = []
    for entry in entries:
        same = sorted(functions.ids.get(entry, frozenset()) - ignored)
        same.sort(key=lambda one: -query["relevant"].get(one, 0))
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
        styles = list(next(iter(result["systems"].values())))
        lines.append(f"{measure:12}" + "".join(f"{style:>15}" for style in styles))
        for name, by_style in result["systems"].items():
            values = "".join(f"{by_style[style][measure]:>15.3f}" for style in styles)
            lines.append(f"{name:12}{values}")
        lines.append("")
    if show:
        for name, rows in result["rows"].items():
            for row in sorted(rows, key=lambda row: row["ndcg@10"]):
                lines.append(f"{name} {row['ndcg@10']:.2f} {row['style']}: {row['query']}")
                lines += [f"     {one}" for one in row["ranking"][:5]]
                lines.append(
                    f"   missing {', '.join(row['missing'][:6])}" if row["missing"] else ""
                )
    failed = [row["query"] for rows in result["rows"].values() for row in rows if row["error"]]
    lines.append(f"{result['queries']} queries, {len(failed)} failed")
    return "\n".join(lines)
