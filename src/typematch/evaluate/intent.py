"""Does what developers type lead to the functions that a person would have named?

Rankings are of functions: hits that are none of the data's (types, properties, the library) are
left out, and so are the same function in another wrapping, which the data names.  Several wrappings
of one entry count once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from typematch.errors import TypematchError
from typematch.evaluate.corpus import Functions, Row
from typematch.evaluate.ranking import mean, ndcg, recall, reciprocal_rank

# Returns the ids of entries, best first.
Ranker = Callable[[str], Sequence[str]]

MEASURES = ("ndcg@10", "mrr@10", "recall@20")
DEPTH = 100  # hits asked for: what is left out is made up for by those behind it


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
