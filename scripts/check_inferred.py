"""Compares the types of functions without annotated results with what the compiler infers.

    python scripts/check_inferred.py [--packages NAME@VERSION ...] [--constants] [--count 200]

Installs npm packages that ship TypeScript sources, copies the sources into a project, and lets the
compiler list its exported functions and methods whose results are not annotated.  Of each package
the same number is drawn.  The project is indexed with ``--infer tsc`` and with ``--infer off``; the
compiler then decides whether our type of each drawn function is assignable to its own, and back.

With ``--constants`` it compares constants that a call initializes, ``const User = object({...})``.

``unknown``: a part of the result is ``unannotated``.  ``any``: so it is, and the compiler says
``any``.  ``not compared``: the compiler cannot read one of the two.  Prints a table, and what
differs.  Exit code 1 if a type differs, if one is unknown with the compiler, or if fewer than 60 %
are known without it.  Needs node and npm.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from typematch.catalog import Catalog
from typematch.index.sql_store import open_store
from typematch.ir.constructors import is_call_result, object_type
from typematch.ir.entry import Entry
from typematch.ir.intern import InternedNode, children, rebuild
from typematch.ir.render import render
from typematch.ir.types import (
    ANY,
    UNANNOTATED,
    UNREADABLE,
    Conditional,
    IndexedAccess,
    KeyOf,
    Mapped,
    Named,
    Reference,
    Type,
    TypeOf,
)
from typematch.match.assignability.relation import Relation
from typematch.program.reduction.reduce import Reducer

PACKAGES = ("mobx@7.1.3", "@trpc/server@11.25.2", "viem@2.57.20")
TYPESCRIPT = "typescript@5.6.3"
NEEDED = 0.6
_OWN = "inferred"
_COMPUTED = TypeOf | IndexedAccess | Conditional | KeyOf | Mapped
_SCRIPT = Path(__file__).with_suffix(".mjs")
_OPTIONS = {
    "strict": True, "target": "ES2022", "lib": ["ES2022", "DOM", "DOM.Iterable"],
    "module": "ESNext", "moduleResolution": "Bundler", "jsx": "react-jsx", "skipLibCheck": True,
    "noEmit": True, "esModuleInterop": True, "allowImportingTsExtensions": True,
}  # fmt: skip


def project(root: Path, packages: Sequence[str]) -> None:
    """Install packages, and copy their sources to ``root``/packages."""
    (root / "package.json").write_text(json.dumps({"name": _OWN, "private": True}))
    (root / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": _OPTIONS, "include": ["packages"]})
    )
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run([*command, "--legacy-peer-deps", *packages, TYPESCRIPT], cwd=root, check=True)
    for package in packages:
        name = package[: package.rindex("@")]
        installed = root / "node_modules" / name
        source = installed / "src" if (installed / "src").is_dir() else installed
        target = root / "packages" / name.strip("@").replace("/", "-")
        for path in source.rglob("*.ts*"):
            inside = path.relative_to(source)
            if path.suffix not in (".ts", ".tsx") or path.name.endswith(".d.ts"):
                continue
            if "node_modules" not in inside.parts:
                (target / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target / inside)


def compiler(*arguments: str) -> list[dict[str, Any]]:
    command = ["node", "--max-old-space-size=4096", str(_SCRIPT), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def draw(rows: Sequence[dict[str, Any]], count: int, seed: int) -> list[dict[str, Any]]:
    """Return ``count`` functions: of each package the same number, if it has so many."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["file"].split("/")[1]].append(row)
    drawn: list[dict[str, Any]] = []
    for index, name in enumerate(sorted(groups, key=lambda name: len(groups[name]))):
        share = (count - len(drawn)) // (len(groups) - index)
        drawn += random.Random(seed).sample(groups[name], min(share, len(groups[name])))
    return drawn


def is_known(entry: Entry) -> bool:
    results = [call for signature in entry.signatures for call in signature.type.calls]
    pending: list[InternedNode] = [call.returns for call in results]
    seen = set(pending)
    while pending:
        node = pending.pop()
        if node in (UNANNOTATED, UNREADABLE):
            return False
        new = [part for part in children(node) if part not in seen]
        seen.update(new)
        pending += new
    return bool(results)


def _written(node: InternedNode) -> InternedNode:
    """Return ``node`` with ``any`` for what has no type, and for names that nothing declares."""
    if node in (UNANNOTATED, UNREADABLE) or isinstance(node, Named):
        return ANY
    return rebuild(node, lambda part, _: _written(part))


def constants(root: Path, drawn: Sequence[dict[str, Any]], mode: str) -> list[dict[str, Any]]:
    """Return a row for each drawn constant, with ``known`` and the compiler's verdicts."""
    database = root / f"{mode}.db"
    with Catalog(database) as catalog:
        catalog.add(root, infer=mode, model=None)
    store = open_store(database, create=False)
    keys: dict[str, int] = {}

    def placeholder(key: str) -> str:
        return f"__typematch_key_{keys.setdefault(key, len(keys))}__"

    rows = []
    try:
        reducer = Relation(store).reducer
        for row in drawn:
            key = f"{_OWN}/{row['file']}#{row['name']}"
            type_ = _evaluated(reducer, TypeOf(Reference(key)))
            text = render(cast(Type, _written(type_)), display_name=placeholder)
            rows.append({**row, "known": type_ is not ANY, "text": text})
    finally:
        store.close()
    request = root / "request.json"
    request.write_text(json.dumps({"own": _OWN, "keys": list(keys), "functions": rows}))
    return compiler("judge", str(root), str(request))


def _evaluated(reducer: Reducer, node: Any) -> Any:
    """Return ``node`` with the types of calls, and those computed from them, reduced."""
    is_computed = isinstance(node, _COMPUTED) and not node.loose_depth
    if is_computed or is_call_result(node):
        reduced = reducer.with_own_budget(lambda: reducer.normal(node)) or ANY
        return reduced if reduced is node else _evaluated(reducer, reduced)
    return rebuild(node, lambda part, _: _evaluated(reducer, part))


def judged(root: Path, drawn: Sequence[dict[str, Any]], mode: str) -> list[dict[str, Any]]:
    """Return a row for each drawn function, with ``known`` and the compiler's verdicts."""
    entries: dict[tuple[str, str], Entry] = {}
    with Catalog(root / f"{mode}.db") as catalog:
        catalog.add(root, infer=mode, model=None)
        for entry in catalog.entries(_OWN):
            if entry.signatures:
                entries[entry.path, entry.qualified_name.rpartition(":")[2].replace("#", ".")] = (
                    entry
                )
                entries[entry.path, str(entry.line)] = entry
    keys: dict[str, int] = {}

    def placeholder(key: str) -> str:
        return f"__typematch_key_{keys.setdefault(key, len(keys))}__"

    rows, missing = [], []
    for row in drawn:
        path = f"{_OWN}/{row['file']}"
        found = entries.get((path, row["name"])) or entries.get((path, str(row["line"])))
        if found is None:
            missing.append({**row, "known": False, "problem": "there is no entry"})
            continue
        calls = [call for signature in found.signatures for call in signature.type.calls]
        text = render(cast(Type, _written(object_type((), calls))), display_name=placeholder)
        rows.append({**row, "known": is_known(found), "text": text})
    request = root / "request.json"
    request.write_text(json.dumps({"own": _OWN, "keys": list(keys), "functions": rows}))
    return [*compiler("judge", str(root), str(request)), *missing]


def outcome(row: dict[str, Any]) -> str:
    if not row["known"]:
        return "any" if row.get("compiler", "").endswith("=> any") else "unknown"
    if row.get("problem"):
        return "not compared"
    return "equal" if row["forward"] and row["back"] else "different"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", nargs="+", default=PACKAGES)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--modes", nargs="+", default=["tsc", "off"])
    parser.add_argument("--constants", action="store_true", help="constants, not functions")
    parser.add_argument("--show", action="store_true", help="print unknown ones too")
    parser.add_argument("--folder", type=Path, help="a folder to keep the project in")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = (arguments.folder or Path(temporary)).resolve()
        root.mkdir(parents=True, exist_ok=True)
        if not (root / "packages").is_dir():
            project(root, arguments.packages)
        listed = compiler("constants" if arguments.constants else "list", str(root))
        drawn = draw(listed, arguments.count, arguments.seed)
        listed_kind = "constants" if arguments.constants else "functions"
        print(
            f"seed {arguments.seed}: {len(drawn)} of {len(listed)} {listed_kind} without annotation"
        )
        failed = False
        for mode in arguments.modes:
            judge = constants if arguments.constants else judged
            rows = judge(root, drawn, mode)
            counts = Counter(map(outcome, rows))
            shown = "  ".join(f"{name} {number}" for name, number in sorted(counts.items()))
            print(f"--infer {mode:4} {shown}")
            for row in rows:
                kind = outcome(row)
                if kind in ("different", "not compared") or (arguments.show and kind == "unknown"):
                    place = f"{row['file']}:{row['line']} {row['name']}"
                    print(f"  {kind}: {place} {row.get('problem') or ''}")
                    print(f"    ours      {row.get('text', '')[:300]}")
                    print(f"    compiler  {row.get('compiler', '')[:300]}")
            failed |= counts["different"] > 0
            known = counts["equal"] + counts["any"] * (mode == "tsc")
            failed |= known < len(rows) * (NEEDED if mode == "off" else 1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
