"""Measures indexing: from nothing, with nothing changed, with one file changed.

    python scripts/bench_index.py PATH [--keep FILE]

PATH is a project or a folder of packages, such as the corpus of the compiler's data, installed.
The changed file is put back afterwards.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from measuring import Cost, machine, measure, mebibytes, typematch


def declaration_files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.d.ts") if path.is_file())


@contextmanager
def changed(file: Path) -> Iterator[None]:
    """Add an exported function to a file inside the context."""
    before = file.read_bytes()
    try:
        added = b"\nexport declare function benchAdded(a: string, b?: number): Promise<string[]>;\n"
        file.write_bytes(before + added)
        yield
    finally:
        file.write_bytes(before)


def row(title: str, cost: Cost) -> str:
    return (
        f"{title:28}{cost.cpu:8.2f} s{cost.wall:8.2f} s{mebibytes(cost.peak):>12}"
        f"{mebibytes(cost.peak_together):>12}"
    )


def indexed(root: Path, database: Path) -> Cost:
    cost = measure(typematch("index", str(root), "--db", str(database)))
    if cost.exit_code:
        raise SystemExit(f"index gave exit code {cost.exit_code}:\n{cost.output}")
    return cost


def bench(root: Path, database: Path, middle: Path) -> None:
    first = indexed(root, database)
    print(first.output.rstrip())
    print(f"\n{machine()}")
    print(f"{'':28}{'cpu':>10}{'wall':>10}{'largest':>12}{'together':>12}")
    print(row("from nothing", first), flush=True)
    print(row("nothing changed", indexed(root, database)), flush=True)
    with changed(middle):
        print(row("one file changed", indexed(root, database)), flush=True)
    print(row("changed back", indexed(root, database)))
    size = sum(f.stat().st_size for f in database.parent.glob(f"{database.name}*"))
    print(f"\nthe file: {mebibytes(size)}; changed: {middle.relative_to(root)}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--change", type=Path, help="the file to change; else one in the middle")
    parser.add_argument("--keep", type=Path, help="keep the catalog in this new file")
    options = parser.parse_args(arguments)
    root = options.path.resolve()
    files = declaration_files(root)
    if not files:
        raise SystemExit(f"there are no declaration files in {root}")
    middle = (options.change or files[len(files) // 2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        database = options.keep or Path(folder) / "bench.db"
        if database.exists():
            raise SystemExit(f"{database} exists; name a new file")
        bench(root, database, middle)
    return 0


if __name__ == "__main__":
    sys.exit(main())
