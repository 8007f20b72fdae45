"""Has the compiler check that a rendered signature is mutually assignable with ``typeof`` it."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typematch.evaluate.compiler.node_script import run_node_script
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import percent
from typematch.ir.constructors import object_type
from typematch.ir.entry import Entry
from typematch.ir.render import render

_IMPORT = re.compile(r'^import (?:\{ (.+) \}|\S+) from "([^"]+)"$')
_EXAMPLES = 12


def draw(functions: JoinedFunctions, *, number: int, seed: int) -> list[tuple[str, Entry]]:
    """Return functions that ``typeof`` can name: not the members of instances."""
    reachable = [
        (row["id"], entry)
        for row in functions.rows
        if (entry := functions.entries.get(row["id"])) is not None
        and entry.signatures
        and "#" not in entry.qualified_name
        and not entry.outer
        and entry.exported
    ]
    return random.Random(seed).sample(reachable, min(number, len(reachable)))


def compiler_request(drawn: Sequence[tuple[str, Entry]], corpus: Path) -> Row:
    """Return the input of ``render_roundtrip.mjs``.

    ``functions`` have the ``module`` (empty for a global), ``path`` and ``text`` of each;
    ``__typematch_key_N__`` in a text stands for the declaration ``keys[N]``.
    """
    keys: dict[str, int] = {}

    def placeholder(key: str) -> str:
        return f"__typematch_key_{keys.setdefault(key, len(keys))}__"

    rows = []
    for name, entry in drawn:
        calls = [call for signature in entry.signatures for call in signature.type.calls]
        module, path = import_path(entry)
        rows.append(
            {
                "id": name,
                "module": module,
                "path": path,
                "text": render(object_type((), calls), display_name=placeholder),
            }
        )
    return {"corpus": str(corpus.resolve()), "keys": list(keys), "functions": rows}


def import_path(entry: Entry) -> tuple[str, str]:
    """Return the module to import an entry from, and its path there; "" for a global."""
    found = _IMPORT.search(entry.import_statement)
    if found is None:
        return "", entry.qualified_name
    path = entry.qualified_name.rpartition(":")[2]
    head, _, rest = path.partition(".")
    # Members of `export = _` are imported by name, the whole by any name.
    exported = head == "default" or head in (found[1] or "").split()
    return found[2], path if exported else rest


def ask_compiler(typescript: Path, request: Row) -> list[Row]:
    """Return the compiler's rows: ``forward`` is ours to theirs, ``back`` theirs to ours.

    Raises:
        OutsideError: node is not installed, or the script failed.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(request, file)
        file.flush()
        return run_node_script("render_roundtrip.mjs", typescript, file.name)


def evaluate(rows: Sequence[Row]) -> Row:
    """Return the number of equal types, and the others by verdict."""
    judged = [(row, verdict(row)) for row in rows]
    return {
        "drawn": len(rows),
        "counts": dict(Counter(found for _, found in judged)),
        "differing": [{**row, "verdict": found} for row, found in judged if found != "equal"],
    }


def verdict(row: Mapping[str, Any]) -> str:
    """Return ``equal``, or how the two types differ."""
    if row.get("unknown"):
        return "typeof does not reach it"
    if row.get("unreadable"):
        return "the compiler cannot read ours"
    both = bool(row.get("forward")), bool(row.get("back"))
    return {
        (True, True): "equal",
        (True, False): "ours is narrower",
        (False, True): "ours is wider",
    }.get(both, "unrelated")


def report(result: Mapping[str, Any], *, show: bool) -> str:
    counts, drawn = result["counts"], result["drawn"]
    unreached = counts.get("typeof does not reach it", 0)
    equal = counts.get("equal", 0)
    share = percent(equal, drawn - unreached)
    lines = [f"rendered signatures      {drawn}", f"  the very type          {equal}  {share}"]
    lines += [f"  {title:22} {n}" for title, n in sorted(counts.items()) if title != "equal"]
    shown = result["differing"] if show else result["differing"][:_EXAMPLES]
    for row in shown:
        why = row.get("unknown") or row.get("unreadable") or ""
        lines += ["", f"{row['id']}: {row['verdict']} {why}", f"  ours      {row['text'][:400]}"]
        lines += [f"  compiler  {row.get('compiler', '')[:400]}"]
    return "\n".join(lines)
