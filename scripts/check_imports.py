"""Asks the TypeScript compiler whether the import statements of entries compile.

    python scripts/check_imports.py --corpus FOLDER DB --corpus FOLDER DB [--seed 1] [--sample 500]

``FOLDER`` is a project with the packages in ``node_modules``, ``DB`` the catalog of it.  Of the
entries that can be imported a sample is drawn, the same one for the same seed; the statement of
each is compiled with ``tsc --strict`` in the project.  Prints the refused statements with the
messages of the compiler.  Exit code 1 if one is refused.  Needs node and npm; TypeScript is
installed once into the user's cache folder.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import typematch
from check_adapters import TYPESCRIPT, Case, compile_cases
from typematch.ir.entry import Entry


def import_cases(corpus: str, entries: Sequence[Entry]) -> list[Case]:
    """Return one module for each entry: its import statement."""
    return [
        Case(f"{corpus}-{entry.id}", corpus, "", entry.id, 0, (entry.kind,), entry.import_statement)
        for entry in entries
    ]


def drawn_entries(database: Path, *, seed: int, sample: int) -> tuple[int, list[Entry]]:
    """Return how many entries have an import statement, and a sample of them."""
    with typematch.open(database, create=False) as catalog:
        importable = [entry for entry in catalog.entries() if entry.import_statement]
    importable.sort(key=lambda entry: entry.id)
    chosen = random.Random(seed).sample(importable, min(sample, len(importable)))
    return len(importable), chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--corpus", nargs=2, action="append", required=True, metavar=("FOLDER", "DB")
    )
    parser.add_argument("--sample", type=int, default=500, help="of each corpus (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {TYPESCRIPT}")
    refused = 0
    for folder, database in arguments.corpus:
        total, entries = drawn_entries(Path(database), seed=arguments.seed, sample=arguments.sample)
        cases = import_cases(Path(folder).name, entries)
        messages = compile_cases(cases, Path(folder))
        wrong = [case for case in cases if messages[case.id]]
        refused += len(wrong)
        kinds = Counter(case.kinds[0] for case in cases)
        print(f"{folder}: {total} importable entries, {len(cases)} drawn, {len(wrong)} refused")
        print(f"  {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}")
        for case in wrong:
            print(f"  {case.entry}: {case.text}\n    {'; '.join(messages[case.id])}")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
