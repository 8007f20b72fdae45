"""``python -m typematch.evaluate BENCHMARK --data DIR``: runs a benchmark and prints its table."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typematch.errors import TypematchError
from typematch.evaluate import corpus
from typematch.evaluate.corpus import Row
from typematch.gc_tuning import relaxed_gc

if TYPE_CHECKING:
    from typematch.evaluate.relevance import services

Result = tuple[Row, str]


def run_functions(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import functions

    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        joined = corpus.load_functions(options.data, catalog)
        result = functions.evaluate(joined, catalog.entries())
    text = functions.report(result)
    if options.rendered:
        from typematch.evaluate.compiler import render_roundtrip as rendered

        drawn = rendered.draw(joined, number=options.rendered, seed=options.seed)
        folder = corpus.corpus_folder(options.data, options.corpus)
        rows = rendered.ask_compiler(options.typescript, rendered.compiler_request(drawn, folder))
        result["rendered"] = rendered.evaluate(rows)
        text += f"\n\n{rendered.report(result['rendered'], show=options.show)}"
    return result, text


def run_exports(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import exports

    folder = corpus.corpus_folder(options.data, options.corpus)
    packages = [
        path.relative_to(folder / "node_modules").as_posix()
        for path in corpus.package_folders(folder)
    ]
    rows = exports.ask_compiler(options.typescript, folder, packages[: options.limit])
    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        result = exports.evaluate(rows, catalog.entries())
    return result, exports.report(result, show=options.show)


def run_pairs(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import pairs
    from typematch.type_api import relate

    rows = list(corpus.read_lines(options.data / "pairs.jsonl"))
    if options.category:
        rows = [row for row in rows if row["category"] in options.category]
    result = pairs.evaluate(rows[: options.limit], relate)
    return result, pairs.report(result, show=options.show)


def run_queries(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import queries

    rows = list(corpus.read_lines(options.data / "queries.jsonl.gz"))[: options.limit]
    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        joined = corpus.load_functions(options.data, catalog)
        result = queries.evaluate(rows, joined, lambda text: catalog.search(text, limit=None))
    return result, queries.report(result, show=options.show)


def run_own(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import perturbed_signatures as changed
    from typematch.evaluate.compiler import self_retrieval as own

    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        joined = corpus.load_functions(options.data, catalog)
        if options.changed:
            result = changed.evaluate(
                joined,
                lambda text, limit: catalog.search(text, limit=limit),
                number=options.limit or 300,
                seed=options.seed,
            )
            return result, changed.report(result, show=options.show)
        entries = own.draw(joined, number=options.limit or 500, seed=options.seed)
        result = own.evaluate(
            entries,
            lambda text, limit: catalog.search(text, limit=limit),
            seed=options.seed,
        )
    return result, own.report(result, show=options.show)


def run_page(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import page_optimality
    from typematch.index.sql_store import open_store

    rows = list(corpus.read_lines(options.data / "queries.jsonl.gz"))[: options.limit]
    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        path = catalog.path
    store = open_store(path, create=False)
    try:
        with store.snapshot(), relaxed_gc():
            result = page_optimality.evaluate(
                page_optimality.compare_page(row["id"], row["query"], store) for row in rows
            )
        return result, page_optimality.report(result)
    finally:
        store.close()


def run_limits(options: argparse.Namespace) -> Result:
    from typematch.evaluate.compiler import limit_independence

    rows = list(corpus.read_lines(options.data / "queries.jsonl.gz"))[: options.limit]
    with corpus.open_catalog(options.data, options.corpus, options.db) as catalog:
        result = limit_independence.evaluate(
            rows, lambda text, limit: catalog.search(text, limit=limit)
        )
    return result, limit_independence.report(result)


def run_constraints(options: argparse.Namespace) -> Result:
    from typematch.evaluate.relevance import constraints
    from typematch.query.parse import parse

    rows = list(corpus.read_lines(options.data / "queries.jsonl"))[: options.limit]
    if options.sentences:
        rows += constraints.labelled_sentences(options.sentences.read_text(encoding="utf-8"))
    result = constraints.evaluate(
        rows, lambda row: parse(row["query"], constraints.KnownTypes(row.get("knows", ())))
    )
    return result, constraints.report(result, show=options.show)


def run_jsdoc(options: argparse.Namespace) -> Result:
    import tempfile

    from typematch.evaluate.relevance import jsdoc
    from typematch.index.sql_store import open_store
    from typematch.index.vectors.embedding import open_embedder

    documents, questions = jsdoc.read_benchmark(_file(options.data, "jsdoc", "benchmark.json.gz"))
    embedder = open_embedder(options.model)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "jsdoc.db")
        try:
            jsdoc.write_documents(store, documents, embedder)
            rank = jsdoc.rankers(store, embedder)
            result = jsdoc.evaluate(questions[: options.limit], rank)
        finally:
            store.close()
    return result, jsdoc.report(result)


def run_intent(options: argparse.Namespace) -> Result:
    from typematch.evaluate.relevance import ablations, intent
    from typematch.evaluate.relevance.halves import held_out
    from typematch.index.sql_store import open_store

    file = _labelled_queries(options.data)
    rows = list(corpus.read_lines(file))
    # Those of the intent task are fitted as a whole.
    unseen = held_out(rows) if file.parent == options.data else frozenset()
    rows = rows[: options.limit]
    compiler = _file(options.data, "compiler", "functions.jsonl.gz").parent
    with corpus.open_catalog(compiler, options.corpus, options.db) as catalog:
        joined = corpus.load_functions(compiler, catalog)
        store = open_store(catalog.path, create=False)
        try:
            if options.ablations:
                result = ablations.evaluate(rows, joined, store, unseen=unseen)
                return result, ablations.report(result)
            rankers = intent.rankers(catalog, store)
            result = intent.evaluate(rows, joined, rankers, unseen=unseen)
        finally:
            store.close()
    return result, intent.report(result, show=options.show)


def run_rerank(options: argparse.Namespace) -> Result:
    import os

    from typematch.evaluate.relevance import reranking
    from typematch.llm.settings import read_settings

    rows = list(corpus.read_lines(_labelled_queries(options.data)))
    compiler = _file(options.data, "compiler", "functions.jsonl.gz").parent
    with corpus.open_catalog(compiler, options.corpus, options.db) as catalog:
        joined = corpus.load_functions(compiler, catalog)
        candidates = read_settings(os.environ, Path.cwd()).candidates
        result = reranking.evaluate(catalog, rows[: options.limit], joined, candidates=candidates)
    text = reranking.report(result, show=options.show)
    if options.report:
        options.report.write_text(text + "\n", encoding="utf-8")
    return result, text


def run_socbench(options: argparse.Namespace) -> Result:
    from typematch.evaluate.relevance import services

    return _run_services("socbench", services.socbench(options.data), options)


def run_restbench(options: argparse.Namespace) -> Result:
    from typematch.evaluate.relevance import services

    return _run_services("restbench", services.restbench(options.data), options)


def _run_services(
    benchmark: str, tasks: Iterable[services.Task], options: argparse.Namespace
) -> Result:
    from typematch.evaluate.relevance import services

    told = services.read_enrichments(options.told) if options.told else None
    result = services.evaluate(list(tasks)[: options.limit], options.strategy, told)
    return result, services.report(benchmark, result, show=options.show)


def _labelled_queries(data: Path) -> Path:
    """Return the file of labelled queries: that of the corpus in ``data``, or the intent task's."""
    own = data / "intent.jsonl"
    return own if own.is_file() else _file(data, "intent", "queries.jsonl")


def _file(data: Path, folder: str, name: str) -> Path:
    """Return where a benchmark's file is: in ``data``, or in a folder below or beside it."""
    places = [data / name, data / folder / name, data.parent / folder / name]
    return next((place for place in places if place.is_file()), places[0])


BENCHMARKS: Mapping[str, tuple[Callable[[argparse.Namespace], Result], str]] = {
    "functions": (run_functions, "functions found, with the compiler's arity and async flag"),
    "exports": (run_exports, "names that packages export, against the compiler's"),
    "pairs": (run_pairs, "agreement of the relation with the compiler's verdicts"),
    "queries": (run_queries, "recall and precision of is:assignable against the compiler"),
    "own": (run_own, "functions found by their own signature"),
    "constraints": (run_constraints, "type constraints extracted from query texts"),
    "jsdoc": (run_jsdoc, "functions found by the first sentence of their documentation"),
    "intent": (run_intent, "relevance of the hits of labelled queries"),
    "rerank": (run_rerank, "relevance after reranking by Claude (sends requests; costs money)"),
    "socbench": (run_socbench, "operations found for requests of SOCBench-D"),
    "restbench": (run_restbench, "operations found for requests of RestBench"),
    "limits": (run_limits, "whether the first hits depend on how many are asked for"),
    "page": (run_page, "whether first pages are the best pages, and lower bounds hold"),
}


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m typematch.evaluate", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, (_, summary) in BENCHMARKS.items():
        verb = verbs.add_parser(name, help=summary, description=summary)
        verb.add_argument("--data", type=Path, required=True, help="folder of the compiler's data")
        verb.add_argument("--json", action="store_true", help="everything, as one JSON document")
        verb.add_argument("--limit", type=int, help="only the first so many")
        verb.add_argument("--show", action="store_true", help="list every disagreement")
        verb.add_argument("--seed", type=int, default=1, help="for what is drawn at random")
        if name == "pairs":
            verb.add_argument("--category", action="append", help="only this one; may be repeated")
        else:
            verb.add_argument("--corpus", type=Path, help="folder with the installed node_modules")
            verb.add_argument("--db", type=Path, help="catalog file, used as it is if it exists")
        if name == "functions":
            help_text = "compare the signatures of so many with the compiler's types"
            verb.add_argument("--rendered", type=int, default=0, metavar="N", help=help_text)
        if name in ("functions", "exports"):
            verb.add_argument(
                "--typescript", type=Path, default=Path("node_modules/typescript"),
                help="folder of the installed typescript that decides",
            )  # fmt: skip
        if name == "own":
            help_text = "ask for the signature a little differently, and look at the rank"
            verb.add_argument("--changed", action="store_true", help=help_text)
        if name in ("socbench", "restbench"):
            verb.add_argument(
                "--strategy", action="append", metavar="NAME",
                help="only this one; may be repeated (default: all)",
            )  # fmt: skip
            verb.add_argument(
                "--told", type=Path, metavar="FILE",
                help="what a model said of operations: lines of http, summary, questions",
            )  # fmt: skip
        if name == "intent":
            help_text = "the search without each of its parts, instead of beside baselines"
            verb.add_argument("--ablations", action="store_true", help=help_text)
        if name == "rerank":
            verb.add_argument("--report", type=Path, help="write the table and the cost here too")
        if name == "jsdoc":
            verb.add_argument("--model", default="", help="embeds the texts; else the bundled one")
        if name == "constraints":
            verb.add_argument("--sentences", type=Path, help="a file of labelled sentences, too")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; return the exit code."""
    options = parser().parse_args(arguments)
    evaluate, _ = BENCHMARKS[options.verb]
    try:
        result, text = evaluate(options)
    except TypematchError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(json.dumps(result, default=_plain, indent=1) if options.json else text)
    return 0


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
