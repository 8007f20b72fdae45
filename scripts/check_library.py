"""Compares our declarations of the ECMAScript globals with TypeScript's own.

    python scripts/check_library.py [--typescript FOLDER] [--members]

Two questions: does ``tsc --noLib --strict`` accept our files alone, and is each global mutually
assignable with TypeScript's own of the same name for es2022, types and values?  ``--members`` also
prints every member that is written differently (order of overloads, optional), which is stricter.
Exit code 1 if something differs that is not among ``EXCEPTIONS``.  Needs node and npm; TypeScript
is fetched once into the user's cache folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "src" / "typematch" / "sources" / "library"
VERSION = "6.0.3"

EXCEPTIONS = {
    "SymbolConstructor": "unique symbols are nominal; the names of the members are the same",
}
INTRINSIC = "the compiler defines it by its name; ours is declared `= intrinsic` likewise"


def typescript() -> Path:
    """Return the folder of TypeScript ``VERSION``; install it with npm if it is missing."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = cache / "typematch" / f"typescript-{VERSION}"
    folder = root / "node_modules" / "typescript"
    if not folder.exists():
        root.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([*command, "--prefix", str(root), f"typescript@{VERSION}"], check=True)
    return folder


def compare(folder: Path) -> dict[str, Any]:
    """Return the findings of ``check_library.mjs``."""
    script = Path(__file__).with_suffix(".mjs")
    command = ["node", str(script), str(folder), str(LIBRARY)]
    result: dict[str, Any] = json.loads(
        subprocess.run(command, check=True, capture_output=True, text=True).stdout
    )
    return result


def only_symbols_differ(row: dict[str, Any]) -> bool:
    """Whether all members exist and differ only in the identity of unique symbols."""
    return all(
        member["theirs"] == f"typeof Symbol.{member['member']}" and member["ours"] is not None
        for member in row["differing"]
    )


def verdict(row: dict[str, Any]) -> str:
    if row["forward"] and row["back"]:
        return "equal"
    if row["name"] in EXCEPTIONS and only_symbols_differ(row):
        return "exception"
    return "ours is narrower" if row["forward"] else "ours is wider" if row["back"] else "unrelated"


def report(found: dict[str, Any], *, members: bool) -> int:
    """Print the table; return the number of findings that are neither equal nor excepted."""
    print(f"tsc --noLib --strict on our files alone: {len(found['alone'])} errors")
    verdicts = [(row, verdict(row)) for row in found["rows"]]
    print(f"\n{'':24}{'types':>8}{'values':>8}")
    for kind in ("equal", "exception", "ours is narrower", "ours is wider", "unrelated"):
        count = {
            side: sum(v == kind and row["side"] == side for row, v in verdicts)
            for side in ("type", "value")
        }
        print(f"{kind:24}{count['type']:8}{count['value']:8}")
    for title in ("missing", "extra"):
        print(f"{title:24}{len(found[title]):8}  {', '.join(found[title])}".rstrip())
    print("\nexceptions")
    for name, reason in EXCEPTIONS.items():
        print(f"  {name}: {reason}")
    print(f"  {', '.join(found['intrinsic'])}: {INTRINSIC}")
    bad = [(row, v) for row, v in verdicts if v not in ("equal", "exception")]
    for row, v in bad:
        print(f"\n{row['name']} ({row['side']}): {v}")
        _members(row)
    if members:
        print("\nwritten differently")
        for row, _ in verdicts:
            if row["name"] not in EXCEPTIONS and row["differing"]:
                print(f" {row['name']}")
                _members(row)
    problems = [*found["alone"], *found["diagnostics"]]
    for problem in problems:
        print(f"error: {problem}")
    return len(problems) + len(bad) + len(found["missing"]) + len(found["extra"])


def _members(row: dict[str, Any]) -> None:
    for member in row["differing"]:
        print(f"  {member['member']}\n    ours    {member['ours']}\n    theirs  {member['theirs']}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--typescript", type=Path, help="folder of an installed typescript package")
    parser.add_argument("--members", action="store_true", help="also what is written differently")
    options = parser.parse_args(arguments)
    found = compare(options.typescript or typescript())
    return 1 if report(found, members=options.members) else 0


if __name__ == "__main__":
    sys.exit(main())
