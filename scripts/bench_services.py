"""Measures indexing hundreds of service documents, and requests in prose over their operations.

    python scripts/bench_services.py --data SOCBENCH

``SOCBENCH`` is the folder with the benchmark's instances.  Prints CPU seconds of indexing all their
documents, without vectors and with them, and milliseconds of their requests, warm.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from bench_meaning import timed
from typematch.catalog import Catalog
from typematch.evaluate.metrics import percentile
from typematch.evaluate.relevance.services import Task, socbench, write_documents

_LIMIT = 20


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--data", type=Path, required=True, metavar="SOCBENCH")
    tasks = [task for task in socbench(options.parse_args().data) if "all at once" in task.name]
    documents = tuple(
        (f"{place}-{name}", text)
        for place, task in enumerate(tasks)
        for name, text in task.documents
    )
    everything = Task(
        "all", documents, tuple(request for task in tasks for request in task.requests)
    )
    with tempfile.TemporaryDirectory() as folder:
        specs = write_documents(everything, Path(folder))
        with Catalog(Path(folder) / "services.db") as catalog:
            start = time.process_time()
            report = catalog.add(specs, model=None)
            plain = time.process_time() - start
            catalog.add(specs)
            both = time.process_time() - start
            operations = sum(entry.kind == "operation" for entry in catalog.entries())
            print(f"{report.files} files, {operations:,} operations: indexed in {plain:.1f} CPU s")
            print(f"and with vectors in {both:.1f} CPU s")
            queries = [str(request["query"]) for request in everything.requests]
            measured = timed(lambda text: catalog.search(text, limit=_LIMIT), queries)
    lengths = [float(len(query.split())) for query in queries]
    for clock in ("cpu", "wall"):
        median, late = (percentile(measured[clock], share) for share in (0.5, 0.95))
        print(f"a request, {clock}: median {median:.1f} ms, 95 % within {late:.1f} ms")
    print(f"{len(queries)} requests of {percentile(lengths, 0.5):.0f} words at the median")


if __name__ == "__main__":
    main()
