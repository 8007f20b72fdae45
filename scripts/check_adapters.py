"""Asks the TypeScript compiler whether the adapters of hits compile.

    python scripts/check_adapters.py --data DATA --corpus compiler FOLDER DB --corpus wide FOLDER DB

``DATA/NAME/queries.jsonl.gz`` has the queries of a corpus, ``FOLDER`` its packages in
``node_modules``, ``DB`` the catalog of them.  Each query is searched; of the adapters of its hits
up to a cost, a sample is compiled with ``tsc --strict``: the imports, and a constant of the query's
type, or of what the edits make of that.  Values that the query does not give are parameters of the
types they need.  ``--made`` adds queries for the kinds of edit that are rare in hits: functions of
the catalog, changed by one edit.  Prints the share that is accepted by kind of edit and by cost,
and the messages of the compiler.  Exit code 1 if fewer than 98 % are accepted.  Needs node and npm;
TypeScript is installed once into the user's cache folder.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import typematch
from made_queries import made_hits
from typematch.adapt.snippet import snippet
from typematch.index.sql_store import open_store
from typematch.search.results import Hit

REQUIRED_SHARE = 0.98
TYPESCRIPT = "typescript@6.0.3"
COST_BANDS = (0, 20, 60, 100, 200, 300)
_WIDEST = 10**9
_QUOTED = re.compile("'.*?'")
_MAX_CAUSE = 100  # characters


@dataclass(frozen=True, slots=True)
class Case:
    """An adapter to compile; ``skipped`` says why it cannot be."""

    id: str
    corpus: str
    query: str
    entry: str
    cost: float
    kinds: tuple[str, ...]
    text: str
    skipped: str = ""


def compiler_folder() -> Path:
    """Return the folder in which TypeScript is installed; install it the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = cache / "typematch" / TYPESCRIPT
    if not (root / "node_modules" / "typescript").exists():
        root.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([*command, "--prefix", str(root), TYPESCRIPT], check=True)
    return root


def read_queries(file: Path) -> list[str]:
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    return [json.loads(line)["query"] for line in lines if line.strip()]


def cases_of(
    corpus: str, database: Path, queries: Iterable[str], *, limit: int, max_cost: int
) -> Iterator[Case]:
    """Yield the adapters of the hits of all queries."""
    with typematch.open(database, create=False) as catalog:
        for number, query in enumerate(queries):
            try:
                hits = catalog.search(query, limit=limit).hits
            except Exception as error:  # a fault of the search is not one of adapters
                print(f"{corpus}: no hits for {query}: {type(error).__name__}: {error}")
                continue
            for rank, hit in enumerate(hits):
                if hit.cost is not None and hit.cost <= max_cost:
                    yield case_of(f"{corpus}-{number}-{rank}", corpus, query, hit)


def made_cases(
    corpus: str, database: Path, choice: random.Random, *, count: int, max_cost: int
) -> list[Case]:
    """Return the adapters for queries that are made from functions of the catalog."""
    with (
        closing(open_store(database, create=False)) as declarations,
        typematch.open(database, create=False) as catalog,
    ):
        made = made_hits(catalog, declarations, choice, count=count, max_cost=max_cost)
        return [
            case_of(f"{corpus}-made-{number}", corpus, query, hit)
            for number, (query, hit) in enumerate(made)
        ]


def case_of(id_: str, corpus: str, query: str, hit: Hit) -> Case:
    kinds = tuple(dict.fromkeys(edit.kind.name for edit in hit.edits)) or ("no edit",)
    assert hit.cost is not None
    adapter = hit.adapter
    skipped = "no adapter"
    if adapter is not None:
        skipped = "not importable" if adapter.undeclared else ""
    text = "" if adapter is None else snippet(adapter)
    return Case(id_, corpus, query, hit.entry.id, hit.cost, kinds, text, skipped)


def compile_cases(cases: Sequence[Case], folder: Path) -> dict[str, list[str]]:
    """Return the messages of the compiler by case, none for what it accepts."""
    script = Path(__file__).with_suffix(".mjs")
    document = json.dumps([{"id": case.id, "text": case.text} for case in cases])
    command = [
        "node",
        "--max-old-space-size=6144",
        str(script),
        str(compiler_folder()),
        str(folder),
    ]
    printed = subprocess.run(
        command, input=document, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    found: dict[str, list[str]] = json.loads(printed)
    return found


def print_shares(title: str, outcomes: dict[str, list[bool]]) -> None:
    print(f"\n{title:<26}{'accepted':>10}{'of':>8}{'share':>9}")
    for name, accepted in outcomes.items():
        share = sum(accepted) / len(accepted)
        print(f"{name:<26}{sum(accepted):>10}{len(accepted):>8}{share:>9.1%}")


def band_of(cost: float) -> str:
    for low, high in zip(COST_BANDS, (*COST_BANDS[1:], _WIDEST), strict=True):
        if low <= cost < high:
            return f"{low} and more" if high == _WIDEST else f"{low} to {high - 1}"
    return "negative"


def print_report(cases: Sequence[Case], messages: dict[str, list[str]]) -> float:
    """Print the shares and causes; return the share that is accepted."""
    by_kind, by_band, by_corpus = (defaultdict[str, list[bool]](list) for _ in range(3))
    causes: Counter[str] = Counter()
    for case in cases:
        accepted = not messages[case.id]
        by_corpus[case.corpus].append(accepted)
        by_band[band_of(case.cost)].append(accepted)
        for kind in case.kinds:
            by_kind[kind].append(accepted)
        if not accepted:
            code, _, text = messages[case.id][0].partition(": ")
            cause = _QUOTED.sub("'...'", text)
            causes[f"{code} {cause[:_MAX_CAUSE]}"] += 1
    print_shares("kind of edit", dict(sorted(by_kind.items(), key=lambda item: -len(item[1]))))
    print_shares("cost", dict(sorted(by_band.items(), key=lambda item: int(item[0].split()[0]))))
    print_shares("corpus", dict(by_corpus))
    print("\ncauses of refusals")
    for cause, count in causes.most_common(20):
        print(f"{count:>6}  {cause}")
    accepted_count = sum(not messages[case.id] for case in cases)
    return accepted_count / max(1, len(cases))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--corpus", nargs=3, action="append", required=True, metavar=("NAME", "FOLDER", "DB")
    )
    parser.add_argument("--queries", type=int, help="of each corpus, the first (default: all)")
    parser.add_argument("--limit", type=int, default=20, help="hits of each query (default: 20)")
    parser.add_argument("--max-cost", type=int, default=300, help="of a hit (default: 300)")
    parser.add_argument(
        "--made", type=int, default=0, help="queries of each corpus for each rare kind of edit"
    )
    parser.add_argument("--sample", type=int, help="adapters per corpus (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failures", type=Path, help="write the refused adapters to this file")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, hits up to cost {arguments.max_cost}, {TYPESCRIPT}")
    choice = random.Random(arguments.seed)
    compiled: list[Case] = []
    messages: dict[str, list[str]] = {}
    for name, folder, database in arguments.corpus:
        queries = read_queries(arguments.data / name / "queries.jsonl.gz")[: arguments.queries]
        found = list(
            cases_of(
                name,
                Path(database),
                queries,
                limit=arguments.limit,
                max_cost=arguments.max_cost,
            )
        )
        found += made_cases(
            name,
            Path(database),
            choice,
            count=arguments.made,
            max_cost=arguments.max_cost,
        )
        skipped = Counter(case.skipped for case in found if case.skipped)
        print(f"{name}: {len(queries)} queries, {len(found)} hits; left out: {dict(skipped)}")
        cases = [case for case in found if not case.skipped]
        if arguments.sample is not None and arguments.sample < len(cases):
            cases = choice.sample(cases, arguments.sample)
        compiled += cases
        messages |= compile_cases(cases, Path(folder))
    share = print_report(compiled, messages)
    print(f"\n{len(compiled)} adapters, {share:.2%} accepted")
    if arguments.failures is not None:
        refused = [
            {**asdict(case), "messages": messages[case.id]}
            for case in compiled
            if messages[case.id]
        ]
        text = "".join(f"{json.dumps(row)}\n" for row in refused)
        arguments.failures.write_text(text, encoding="utf-8")
    return int(share < REQUIRED_SHARE)


if __name__ == "__main__":
    sys.exit(main())
