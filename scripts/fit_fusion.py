"""Fits the weights of relevance (``search/score/weights.py``) and says whether they hold.

    python scripts/fit_fusion.py --data DIR COMPILER_DATABASE WIDE_DATABASE

Fitted on the labelled queries of ``DIR/intent`` over the catalog of ``DIR/compiler``, and on half
of ``DIR/wide/intent.jsonl``: those that functions of half of its packages answer.  The others are
held out.  A change of weights is worth making if it gains on both.  No weight knows a package.

It prints nDCG@10 by style under the present and the fitted weights, first of the replayed queries
(``evaluate.relevance.fusion_fit``), then of the whole search, and the table of both.
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
    as_table,
    fit,
    from_table,
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

    def searched(self, weights: Weights) -> Mapping[str, float]:
        """Return nDCG@10 of the whole search with ``weights``, by id of the query."""
        rank = intent.variant_ranker(self._store, Variant(weights), self._opened)
        result = intent.evaluate(self.rows, self._functions, {"": rank})
        return {row["id"]: row["ndcg@10"] for row in result["rows"][""]}


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
    table = fit([*compiler.queries, *known], as_table(WEIGHTS), _print_step)
    weights = from_table(table)
    searched = {**compiler.searched(weights), **wide.searched(weights)}

    groups = {"compiler, fitted": compiler.queries, "wide, fitted": known, "wide, held out": others}
    for title, queries in groups.items():
        present = {query.id: query.score(WEIGHTS) for query in queries}
        replayed = {query.id: query.score(weights) for query in queries}
        print(f"\nnDCG@10 of {title}: {len(queries)} queries")
        styles = [*dict.fromkeys(query.style for query in queries), "all"]
        print(f"{'':24}" + "".join(f"{style:>15}" for style in styles))
        for name, scores in (
            ("present weights", present),
            ("fitted, replayed", replayed),
            ("fitted, whole search", searched),
        ):
            print(f"{name:24}" + "".join(f"{value:>15.3f}" for value in _means(queries, scores)))
    print(f"\n{'weight':24}{'present':>10}{'fitted':>10}")
    for name, value in as_table(WEIGHTS).items():
        print(f"{name:24}{value:>10.3g}{table[name]:>10.3g}")
    print(f"{time.monotonic() - started:.0f} s")


def _print_step(name: str, value: float, score: float) -> None:
    print(f"  {name} = {value:.3g}: {score:.4f}")


def _means(queries: Sequence[LabelledQuery], scores: Mapping[str, float]) -> list[float]:
    """Return the mean score of each style, and of all queries."""
    styles = [*dict.fromkeys(query.style for query in queries), None]
    return [
        mean([scores[query.id] for query in queries if style in (query.style, None)])
        for style in styles
    ]


if __name__ == "__main__":
    main()
