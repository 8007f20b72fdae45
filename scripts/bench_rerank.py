"""Measures reranking with simulated models over the intent data.

    python scripts/bench_rerank.py --data DIR --corpus node_modules --db FILE

A local server stands for the service, so nothing is sent anywhere and nothing is claimed of any
real model.  The *oracle* scores by the labels: it must reach the ceiling of what was offered.  The
*random* model shows what a bad one costs, and that no hit is lost.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakes.messages_api import Behaviour, Body, MessagesApi, Reply
from fakes.models import data_items, grade, random_model, user_message
from measuring import machine
from typematch.catalog import Catalog
from typematch.config import Location
from typematch.evaluate import corpus
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance import reranking


def oracle(rows: list[Row], functions: JoinedFunctions) -> Behaviour:
    """Return the score by label: 10 for grade 2, 5 for grade 1."""
    grades: dict[str, Mapping[tuple[str, str], int]] = {}
    for row in rows:
        named = {id_: functions.entries[id_] for id_ in row["relevant"] if id_ in functions.entries}
        grades[row["query"]] = {
            (entry.package, entry.qualified_name): row["relevant"][id_]
            for id_, entry in named.items()
        }

    def answer(body: Body) -> Reply:
        text = user_message(body)
        known = grades[asked_in(text)]
        return Reply(
            {
                "verdicts": [
                    grade(
                        candidate,
                        5.0 * known.get((candidate.get("of", ""), candidate.get("name", "")), 0),
                    )
                    for candidate in data_items(body)
                ]
            }
        )

    return answer


def asked_in(text: str) -> str:
    return str(json.loads(text.split("\n", 1)[0])["request"])


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--data", type=Path, required=True)
    made.add_argument("--corpus", type=Path)
    made.add_argument("--db", type=Path)
    made.add_argument("--limit", type=int)
    options = made.parse_args()
    rows = list(corpus.read_lines(options.data / "intent" / "queries.jsonl"))[: options.limit]
    compiler = options.data / "compiler"
    with corpus.open_catalog(compiler, options.corpus, options.db) as catalog:
        functions = corpus.load_functions(compiler, catalog)
        path = catalog.path
    print(machine())
    print(f"{'model':10}{'search':>10}{'reranked':>10}{'ceiling':>10}{'characters':>12}{'most':>8}")
    for name, behaviour in (("oracle", oracle(rows, functions)), ("random", random_model(1))):
        result, sizes = measured(path, behaviour, rows, functions)
        scores = [result["systems"][system]["all"]["ndcg@10"] for system in result["systems"]]
        print(
            f"{name:10}" + "".join(f"{score:>10.3f}" for score in scores)
            + f"{statistics.median(sizes):>12,.0f}{max(sizes):>8,}"
        )  # fmt: skip
    print(f"nDCG@10 over {len(rows)} queries; characters of all prompts of a query")


def measured(
    path: Location, behaviour: Behaviour, rows: list[Row], functions: JoinedFunctions
) -> tuple[Row, list[int]]:
    """Return the result, and the total characters of each query's prompts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MessagesApi(behaviour) as api,
        Catalog(path, create=False, cache=Path(folder) / "claude.db") as catalog,
    ):
        os.environ.update(ANTHROPIC_API_KEY=api.key, ANTHROPIC_BASE_URL=api.url)
        os.chdir(folder)  # no settings of the user's
        result = reranking.evaluate(catalog, rows, functions, candidates=30)
        by_query: dict[str, int] = {}
        for body in api.bodies:
            text = user_message(body)
            size = len(text) + sum(len(block["text"]) for block in body["system"])
            by_query[asked_in(text)] = by_query.get(asked_in(text), 0) + size
        return result, list(by_query.values())


if __name__ == "__main__":
    main()
