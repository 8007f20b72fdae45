"""Asks the TypeScript compiler whether the pipelines for a list of queries compile.

    python scripts/check_pipelines.py QUERIES.txt FOLDER DB

``QUERIES.txt`` has a signature in each line, ``FOLDER`` is what was indexed as ``DB``: the folder
with ``node_modules``, or that of the package whose sources are imported.  The pipelines are
compiled with ``tsc --strict``.  API documents are no modules: declarations of their services are
written beside the code.  Prints the pipelines with their ranks and costs, what the compiler says,
and the time of each search.  Exit code 1 if a pipeline is refused.  Needs node and npm; TypeScript
is installed once into the user's cache folder.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import typematch
from check_adapters import Case, compile_cases
from typematch.adapt.snippet import snippet
from typematch.compose.model import Pipeline

_DOCUMENT_IMPORT = re.compile(r'from "(?:\./)?([^"]+\.(?:ya?ml|json|md))"')


def service_module(catalog: typematch.Catalog, path: str) -> str:
    """Return a module that declares the services of an API document and their schemas.

    Args:
        path: of the document, in the folder of its package or in the catalog.
    """
    entries = [entry for entry in catalog.entries() if f"/{entry.path}".endswith(f"/{path}")]
    lines = []
    for service in (entry for entry in entries if entry.kind == "service"):
        name = service.name
        schemas = [
            f"  export {catalog.declaration(entry)};"
            for entry in entries
            if entry.kind == "schema" and entry.container == name
        ]
        members = [
            f"    {_property_name(entry.name)}: {entry.signature};"
            for entry in entries
            if entry.kind == "operation" and entry.container == name
        ]
        lines += [
            f"export declare namespace {name} {{",
            *schemas,
            "  export interface Operations {",
            *members,
            "  }",
            "}",
            f"export interface {name} extends {name}.Operations {{}}",
        ]
    return "\n".join([*lines, ""])


def _property_name(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def pipeline_cases(
    number: int, query: str, pipelines: Sequence[Pipeline], modules: set[str]
) -> list[Case]:
    """Return the code of pipelines; the API documents that it imports are added to ``modules``."""
    cases = []
    for rank, pipeline in enumerate(pipelines):
        text = snippet(pipeline.adapter)
        modules.update(_DOCUMENT_IMPORT.findall(text))
        text = _DOCUMENT_IMPORT.sub(r'from "./\1.services"', text)
        entries = " | ".join(step.entry.id for step in pipeline.steps)
        cases.append(Case(f"{number}-{rank}", "", query, entries, pipeline.cost, (), text))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("queries", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("database", type=Path)
    parser.add_argument("--limit", type=int, default=5, help="pipelines of each query (default: 5)")
    arguments = parser.parse_args()
    queries = [line for line in arguments.queries.read_text().splitlines() if line.strip()]
    cases: list[Case] = []
    modules: set[str] = set()
    seconds = []
    with (
        typematch.open(arguments.database, create=False) as catalog,
        tempfile.TemporaryDirectory() as made,
    ):
        for number, query in enumerate(queries):
            start = time.process_time()
            found = catalog.compose(query, limit=arguments.limit)
            seconds.append(time.process_time() - start)
            cases += pipeline_cases(number, query, found.pipelines, modules)
        folder = Path(made)
        for item in arguments.folder.iterdir():
            (folder / item.name).symlink_to(item.resolve())
        written = {module: service_module(catalog, module) for module in modules}
        for module, text in written.items():
            target = folder / f"{module}.services.ts"
            if target.parent.is_symlink():
                target.parent.unlink()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        messages = compile_cases(cases, folder)
    for case in cases:
        print(f"{case.id:>6} {case.cost:>5} {case.entry}")
        for message in messages[case.id]:
            print(f"       {message}\n{case.text}")
    refused = sum(bool(messages[case.id]) for case in cases)
    print(f"{len(queries)} queries, {len(cases)} pipelines, {refused} refused")
    print(f"CPU seconds: median {statistics.median(seconds):.2f}, most {max(seconds):.2f}")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
