"""Fits the weights of relevance (``search/score/weights.py``) and says whether they hold.

    python scripts/fit_fusion.py --data DIR COMPILER_DATABASE WIDE_DATABASE

Fitted on the labelled queries of ``DIR/intent`` over the catalog of ``DIR/compiler``, and on half
of ``DIR/wide/intent.jsonl``: those that functions of half of its packages answer.  The others are
held out.  A change of weights is worth making if it gains on both.  No weight knows a package.

The fit begins with the present weights, and once more with weights that prefer nothing; the better
one counts.  It prints nDCG@10 by style under the present and the fitted weights, of the replayed
queries (``evaluate.relevance.fusion_fit``) and of the whole search, and the table of both.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from measuring import machine
from typematch.catalog import Catalog
from typematch.evaluate.corpus import load_functions, read_lines
from typematch.evaluate.relevance import intent
from typematch.evaluate.relevance.fusion_fit import (
    LabelledQuery,
    Scores,
    as_table,
    fit,
    from_table,
    neutral_table,
    objective,
    record,
)
from typematch.evaluate.relevance.halves import held_out, held_out_packages
from typematch.evaluate.relevance.ranking import mean
from typematch.index.sql_store import open_store
from typematch.index.vectors.open_embedders import OpenEmbedders
from typematch.search.retrieve.variant import Variant
from typematch.search.score.weights import WEIGHTS, Weights


class Corpus:
    """A catalog, its functions and its labelled queries, which are recorded."""

    def __init__(self, data: Path, database: Path, queries: Path) -> None:
        with Catalog(database, create=False) as catalog:
            self._functions = load_functions(data, catalog)
        self._store = open_store(database, create=False)
        self._opened = OpenEmbedders().stored
        self.rows = list(read_lines(queries))
        recorded = record(self.rows, self._store, self._opened)
        replayable = sum(query.found is not None for query in recorded)
        print(f"{queries}: {len(recorded)} queries; weights order {replayable} of them")
        self.queries = [LabelledQuery(query, self._functions) for query in recorded]

    def searched(self, weights: Weights) -> Mapping[str, Scores]:
        """Return the scores of the whole search with ``weights``, by id of the query."""
        rank = intent.variant_ranker(self._store, Variant(weights), self._opened)
        result = intent.evaluate(self.rows, self._functions, {"": rank})
        return {row["id"]: Scores(row["ndcg@10"], row["page@10"]) for row in result["rows"][""]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the labelled queries")
    parser.add_argument("compiler", type=Path, help="catalog of the corpus of DATA/compiler")
    parser.add_argument("wide", type=Path, help="catalog of the corpus of DATA/wide")
    options = parser.parse_args()
    data: Path = options.data
    print(machine())
    started = time.monotonic()
    compiler = Corpus(data / "compiler", options.compiler, data / "intent" / "queries.jsonl")
    wide = Corpus(data / "wide", options.wide, data / "wide" / "intent.jsonl")
    unseen = held_out(wide.rows)
    print(f"held out: {', '.join(sorted(held_out_packages(wide.rows)))}")
    known = [query for query in wide.queries if query.id not in unseen]
    others = [query for query in wide.queries if query.id in unseen]
    fitted_on = [*compiler.queries, *known]
    tables = {}
    for start, table in (("the present weights", as_table(WEIGHTS)), ("none", neutral_table())):
        print(f"from {start}")
        tables[start] = fit(fitted_on, table, _print_step)
    table = max(tables.values(), key=lambda table: objective(fitted_on, table))
    weights = from_table(table)
    searched = {**compiler.searched(weights), **wide.searched(weights)}

    groups = {"compiler, fitted": compiler.queries, "wide, fitted": known, "wide, held out": others}
    for title, queries in groups.items():
        systems = {
            "present weights": {query.id: query.score(WEIGHTS) for query in queries},
            "fitted, replayed": {query.id: query.score(weights) for query in queries},
            "fitted, whole search": searched,
        }
        styles = [*dict.fromkeys(query.style for query in queries), "all"]
        for measure in Scores._fields:
            print(f"\n{title}: nDCG@10 of {measure}, {len(queries)} queries")
            print(f"{'':24}" + "".join(f"{style:>15}" for style in styles))
            for name, scores in systems.items():
                means = [_mean(queries, scores, measure, style) for style in styles]
                print(f"{name:24}" + "".join(f"{value:>15.3f}" for value in means))
    print(f"\n{'weight':24}{'present':>10}{'fitted':>10}")
    for name, value in as_table(WEIGHTS).items():
        print(f"{name:24}{value:>10.3g}{table[name]:>10.3g}")
    print(f"{time.monotonic() - started:.0f} s")


def _print_step(name: str, value: float, score: float) -> None:
    print(f"  {name} = {value:.3g}: {score:.4f}")


def _mean(
    queries: Sequence[LabelledQuery], scores: Mapping[str, Scores], measure: str, style: str
) -> float:
    return mean(
        [getattr(scores[query.id], measure) for query in queries if style in (query.style, "all")]
    )


if __name__ == "__main__":
    main()
