"""Measures the operations found for requests: SOCBench-D and RestBench, by their protocols.

The retrieved set is the "VERB /path" of the first k hits; recall and precision against the expected
set are averaged over the requests.  The documents are written to a folder and indexed like any
others.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from typematch.catalog import Catalog
from typematch.errors import SourceError, UsageError
from typematch.evaluate.corpus import Row, read_lines
from typematch.evaluate.metrics import percentile
from typematch.evaluate.relevance.baselines import Ranker, rankers
from typematch.evaluate.relevance.ranking import mean
from typematch.index.text.text_fields import Enrichment

CUTS = (5, 10, 20)

# Published recall and precision at 5, 10 and 20.
_SOCBENCH = {
    "ceiling": ((0.927, 0.998, 0.998), (0.799, 0.451, 0.226)),
    "bge-small, published": ((0.498, 0.652, 0.837), (0.396, 0.272, 0.185)),
    "3-large and summaries, published": ((0.509, 0.664, 0.837), (0.406, 0.281, 0.186)),
    "NV-Embed-v2 7B, published best": ((0.553, 0.735, 0.899), (0.447, 0.315, 0.203)),
}
_RESTBENCH = {
    "ceiling": ((1.0, 1.0, 1.0), (0.473, 0.236, 0.118)),
    "bge-small, published": ((0.411, 0.619, 0.804), (0.182, 0.139, 0.093)),
    "3-large and summaries, published": ((0.544, 0.748, 0.869), (0.247, 0.174, 0.101)),
    "NV-Embed-v2 7B, published best": ((0.582, 0.735, 0.877), (0.259, 0.168, 0.103)),
}
PUBLISHED: Mapping[str, Mapping[str, tuple[Sequence[float], Sequence[float]]]] = {
    "socbench": _SOCBENCH,
    "restbench": _RESTBENCH,
}


@dataclass(frozen=True, slots=True)
class Task:
    """Documents that are searched together, and their requests.

    Attributes:
        name: of its table: ``instance 1, by domain``.
        documents: (name, OpenAPI document) pairs.
        requests: each with ``query`` and ``expected``.
    """

    name: str
    documents: tuple[tuple[str, Row], ...]
    requests: tuple[Row, ...]


def socbench(data: Path) -> Iterator[Task]:
    """Yield a task for each domain of each instance, and one for all domains of an instance.

    Raises:
        SourceError: ``data`` has no instances.
    """
    files = sorted(data.glob("*.jsonl.gz"))
    if not files:
        raise SourceError("there are no instances (1.jsonl.gz, ...) here", str(data))
    for file in files:
        instance = file.name.partition(".")[0]
        domains = list(read_lines(file))
        for domain in domains:
            documents = tuple(_documents(domain))
            yield Task(f"instance {instance}, by domain", documents, tuple(domain["queries"]))
        yield Task(
            f"instance {instance}, all at once",
            tuple(document for domain in domains for document in _documents(domain)),
            tuple(request for domain in domains for request in domain["queries"]),
        )


def restbench(data: Path) -> Iterator[Task]:
    """Yield a task with all documents for the requests of each document.

    Raises:
        SourceError: ``data`` has no documents.
    """
    files = sorted(data.glob("*.json.gz"))
    if not files:
        raise SourceError("there are no documents (spotify.json.gz, ...) here", str(data))
    read = [_read(file) for file in files]
    documents = tuple(document for domain in read for document in _documents(domain))
    for domain in read:
        if domain.get("queries"):
            yield Task(f"{domain['domain']}, both documents", documents, tuple(domain["queries"]))


def _read(file: Path) -> Row:
    try:
        row: Row = json.loads(gzip.decompress(file.read_bytes()))
    except (OSError, ValueError) as error:
        raise SourceError("this data file is damaged", str(file), str(error)) from error
    return row


def _documents(domain: Row) -> Iterator[tuple[str, Row]]:
    for place, spec in enumerate(domain["specs"]):
        yield f"{domain['domain']}-{place}", spec["openapi"]


def write_documents(task: Task, folder: Path) -> Path:
    """Write the documents of a task into a subfolder; return its path."""
    specs = folder / "specs"
    specs.mkdir(parents=True)
    for name, document in task.documents:
        (specs / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return specs


def indexed_catalog(task: Task, folder: Path, *, model: str | None = "") -> Catalog:
    """Write the documents into ``folder`` and index them there; the caller closes the catalog."""
    specs = write_documents(task, folder)
    catalog = Catalog(folder / "services.db")
    catalog.add(specs, model=model)
    return catalog


def search_ranker(catalog: Catalog, *, services: int | None = None) -> Ranker:
    """Return a ranker by ``Catalog.search`` with as many hits as the protocol measures."""

    def rank(request: str) -> Sequence[str]:
        result = catalog.search(request, limit=max(CUTS), services=services)
        return [hit.entry.http for hit in result]

    return rank


# Searches that are measured beside the baselines, with their ``services`` argument.
_SEARCHES: Mapping[str, int | None] = {"default": None, "three services first": 3}


def evaluate(
    tasks: Sequence[Task],
    strategies: Sequence[str] | None = None,
    enrichments: Mapping[str, Enrichment] | None = None,
) -> Row:
    """Return strategy -> task name -> summary, and rows by request.

    Raises:
        UsageError: there is no such strategy, or it needs ``enrichments``.
    """
    rows: dict[str, dict[str, list[Row]]] = {}
    for task in tasks:
        with (
            tempfile.TemporaryDirectory() as folder,
            indexed_catalog(task, Path(folder)) as catalog,
        ):
            rankers_by_name = {
                **{name: search_ranker(catalog, services=kept) for name, kept in _SEARCHES.items()},
                **rankers(catalog, enrichments or {}),
            }
            for name in strategies or rankers_by_name:
                if name not in rankers_by_name:
                    known = ", ".join(rankers_by_name)
                    raise UsageError(f"there is no strategy {name!r}", hint=f"There are: {known}")
                judged = measure_requests(task.requests, rankers_by_name[name])
                rows.setdefault(name, {}).setdefault(task.name, []).extend(judged)
    return {
        name: {
            task: {"summary": summary(judged), "rows": judged} for task, judged in by_task.items()
        }
        for name, by_task in rows.items()
    }


def read_enrichments(file: Path) -> dict[str, Enrichment]:
    """Return enrichments from JSON lines with ``http``, ``summary`` and ``questions``."""
    return {
        row["http"]: Enrichment(row.get("summary", ""), tuple(row.get("questions", ())))
        for row in read_lines(file)
    }


def measure_requests(requests: Iterable[Row], rank: Ranker) -> list[Row]:
    """Return recall and precision of each request at every cut, and its CPU seconds."""
    return [_measure_request(request, rank) for request in requests]


def _measure_request(request: Row, rank: Ranker) -> Row:
    expected = {
        f"{operation['verb'].upper()} {operation['path']}" for operation in request["expected"]
    }
    start = time.process_time()
    ranking = rank(request["query"])
    seconds = time.process_time() - start
    row: Row = {"query": request["query"], "seconds": seconds}
    for cut in CUTS:
        retrieved = {
            retrieved_operation for retrieved_operation in ranking[:cut] if retrieved_operation
        }
        hits = len(retrieved & expected)
        row[f"recall@{cut}"] = hits / len(expected) if expected else 1.0
        row[f"precision@{cut}"] = hits / len(retrieved) if retrieved else 0.0
    row["missing"] = sorted(expected.difference(ranking))
    return row


def summary(rows: Sequence[Row]) -> Row:
    """Return the means over requests, and the median of their CPU time in milliseconds."""
    measures = [f"{measure}@{cut}" for measure in ("recall", "precision") for cut in CUTS]
    found: Row = {measure: mean([row[measure] for row in rows]) for measure in measures}
    found["requests"] = len(rows)
    found["milliseconds"] = 1_000 * percentile([row["seconds"] for row in rows], 0.5)
    return found


def report(benchmark: str, systems: Mapping[str, Mapping[str, Row]], *, show: bool = False) -> str:
    """Return a table for each task name; ``systems``: strategy -> task -> summary and rows."""
    heads = "".join(f"{f'@{cut}':>14}" for cut in CUTS)
    lines = []
    for task in dict.fromkeys(task for by_task in systems.values() for task in by_task):
        lines.append(f"{task + ': recall/precision':48}{heads}{'ms':>8}")
        for name, (recalls, precisions) in PUBLISHED[benchmark].items():
            lines.append(f"  {name:46}{_pairs(recalls, precisions)}")
        for name, by_task in systems.items():
            if task in by_task:
                found = by_task[task]["summary"]
                recalls = [found[f"recall@{cut}"] for cut in CUTS]
                precisions = [found[f"precision@{cut}"] for cut in CUTS]
                pairs = _pairs(recalls, precisions)
                lines.append(f"  {name:46}{pairs}{found['milliseconds']:>8.1f}")
        lines.append("")
    if show:
        for name, by_task in systems.items():
            for task, result in by_task.items():
                for row in result["rows"]:
                    if row["missing"]:
                        lines.append(f"{name}, {task}: {row['query']}")
                        lines.append(f"    missing {', '.join(row['missing'])}")
    return "\n".join(lines)


def _pairs(recalls: Sequence[float], precisions: Sequence[float]) -> str:
    pairs = zip(recalls, precisions, strict=True)
    return "".join(f"{f'{left:.3f}/{other:.3f}':>14}" for left, other in pairs)
