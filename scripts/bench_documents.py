"""Measures indexing of API documents, without vectors.

    python scripts/bench_documents.py --data DATA

DATA has ``socbench/``.  Its documents are written into a folder and indexed from nothing, with
nothing changed, and with one document changed.  CPU seconds, user and system.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from pathlib import Path

from measuring import Cost, machine, measure, mebibytes, typematch


def written(data: Path, folder: Path) -> list[Path]:
    """Write every document of SOCBench-D into ``folder``, a folder for each domain."""
    files: list[Path] = []
    for source in sorted((data / "socbench").glob("*.jsonl.gz")):
        with gzip.open(source) as lines:
            domains = [json.loads(line) for line in lines]
        for domain in domains:
            inside = folder / source.name.partition(".")[0] / domain["domain"]
            inside.mkdir(parents=True, exist_ok=True)
            for number, spec in enumerate(domain["specs"]):
                files.append(inside / f"{number}.json")
                files[-1].write_text(json.dumps(spec["openapi"], indent=1))
    return files


def row(title: str, cost: Cost) -> str:
    return f"{title:24}{cost.cpu:8.2f} s{cost.wall:8.2f} s{mebibytes(cost.peak):>12}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "specs")
        files = written(arguments.data, folder)
        database = str(Path(temporary, "bench.db"))
        index = typematch("index", str(folder), "--db", database, "--no-vectors")
        print(f"{len(files)} documents, {mebibytes(sum(f.stat().st_size for f in files))}")
        print(machine())
        print(f"{'':24}{'cpu':>10}{'wall':>10}{'largest':>12}")
        first = measure(index)
        print(row("from nothing", first), flush=True)
        print(row("nothing changed", measure(index)), flush=True)
        files[0].write_text(files[0].read_text().replace('"summary": "', '"summary": "Also '))
        print(row("one document changed", measure(index)), flush=True)
        size = Path(database).stat().st_size
        print(f"\nthe file: {mebibytes(size)}\n{first.output.splitlines()[0].partition(': ')[2]}")
    return first.exit_code


if __name__ == "__main__":
    sys.exit(main())
