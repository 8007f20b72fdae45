"""Compares the names of a catalog with what the compiler says that packages export.

Asked are the exports of every entry point of a package, and the callable members of exported
objects and namespaces.  A name counts as found if an entry of the package has it, as its name or as
an alias.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from typematch.evaluate.compiler.node_script import run_node_script
from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import percent
from typematch.ir.entry import Entry
from typematch.package_names import typed_name, typings_name

_EXAMPLES = 6


def ask_compiler(typescript: Path, corpus: Path, packages: Sequence[str]) -> list[Row]:
    """Return a row for each export, see ``exports.mjs``.

    Raises:
        OutsideError: node is not installed, or the script failed.
    """
    return run_node_script("exports.mjs", typescript, corpus, *packages)


class _Names:
    """Entries by package and name, aliases included, and by place."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self.by_name: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        self.by_place: dict[tuple[str, int], list[Entry]] = defaultdict(list)
        for entry in self.entries:
            for name in dict.fromkeys((entry.qualified_name, *entry.aliases)):
                self.by_name[entry.package, name].append(entry)
            self.by_place[entry.path, entry.line].append(entry)

    def of(self, row: Mapping[str, Any]) -> list[Entry]:
        """Return the entries that a row's name finds in its package."""
        return [
            entry
            for package in _packages(row["package"])
            for entry in self.by_name.get((package, row["name"]), ())
        ]


def _packages(package: str) -> tuple[str, ...]:
    """Return a package and the one with its typings."""
    return package, typed_name(package) or typings_name(package)


def evaluate(rows: Sequence[Row], entries: Iterable[Entry]) -> Row:
    """Return the measures; ``report`` renders them as text."""
    names = _Names(entries)
    counts: Counter[str] = Counter()
    groups: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.get("missing"):
            counts["unresolved"] += 1
            groups["the compiler resolves no module"].append(f"{row['package']} {row['subpath']}")
        elif "file" in row:
            _compare(row, names, counts, groups)
    ours = _exported(rows, names)
    for entry in _not_exported(rows, ours):
        groups[f"the compiler does not export this {entry.kind}"].append(_shown(entry))
        counts["too_much"] += 1
    return {
        "callables": counts["callables"],
        "found": counts["callables found"],
        "members": counts["members"],
        "members_found": counts["members found"],
        "members_renamed": counts["renamed"],
        "elsewhere": counts["elsewhere"],
        "differing": {key: counts[key] for key in ("not callable", "arity", "deprecated")},
        "others": counts["others"],
        "others_found": counts["others found"],
        "ours": len(ours),
        "too_much": counts["too_much"],
        "unresolved": counts["unresolved"],
        "groups": {title: examples for title, examples in groups.items() if examples},
    }


def _compare(
    row: Row, names: _Names, counts: Counter[str], groups: Mapping[str, list[str]]
) -> None:
    found = names.of(row)
    construct = f"{'member' if '.' in row['name'] else 'export'} ({row['kind']})"
    shown = f"{row['package']} {row['name']}  {row['file']}:{row['line']}"
    if not row["callable"]:
        counts["others"] += 1
        counts["others found"] += bool(found)
        if not found:
            groups[f"missing, not callable: {construct}"].append(shown)
        return
    group = "members" if "." in row["name"] else "callables"
    counts[group] += 1
    if not found:
        here = [entry for entry in names.by_place[row["file"], row["line"]] if entry.exported]
        # A package that is indexed itself names what it declares.
        if here and here[0].package not in _packages(row["package"]):
            counts[group] -= 1
            counts["elsewhere"] += 1
        elif group == "members" and here:
            # Such as ``validator.isURL`` for ``default.isURL``.
            counts["renamed"] += 1
        else:
            ours = ", ".join(entry.id for entry in here[:2])
            groups[f"missing: {construct}"].append(f"{shown}  ours: {ours or 'nothing'}")
        return
    counts[f"{group} found"] += 1
    callable_entry = next((entry for entry in found if entry.signatures), None)
    if callable_entry is None:
        difference = "not callable"
    elif len(callable_entry.signatures[0].parameters) != row["arity"]:
        difference = "arity"
    elif callable_entry.deprecated != row["deprecated"]:
        difference = "deprecated"
    else:
        return
    counts[difference] += 1
    groups[f"differing, {difference}: {construct}"].append(f"{shown}  ours: {found[0].id}")


def _exported(rows: Sequence[Row], names: _Names) -> list[Entry]:
    """Return our entries that are imported by a name of their own from the modules asked about."""
    modules = {
        (package, row["subpath"].removeprefix(".").removeprefix("/"))
        for row in rows
        for package in _packages(row["package"])
        if not row.get("missing")
    }
    return [
        entry
        for entry in names.entries
        if (entry.package, entry.qualified_name.rpartition(":")[0]) in modules
        and entry.import_statement.startswith("import {")
        and not set(entry.qualified_name.rpartition(":")[2]) & set(".#~")
    ]


def _not_exported(rows: Sequence[Row], ours: Iterable[Entry]) -> list[Entry]:
    """Return our exported entries with a name that the compiler does not export."""
    known = {(package, row.get("name")) for row in rows for package in _packages(row["package"])}
    return [entry for entry in ours if (entry.package, entry.qualified_name) not in known]


def _shown(entry: Entry) -> str:
    return f"{entry.id}  {entry.path}:{entry.line}"


def report(result: Mapping[str, Any], *, show: bool) -> str:
    callables, found = result["callables"], result["found"]
    lines = [
        f"exported callables       {callables}",
        f"found by their name      {found}  {percent(found, callables)}",
        f"callable members of them {result['members']}",
        f"found by their name      {result['members_found']}"
        f"  {percent(result['members_found'], result['members'])}",
        f"found by another name    {result['members_renamed']}"
        f"  {percent(result['members_renamed'], result['members'])}",
    ]
    for field, count in result["differing"].items():
        lines.append(f"  differing, {field:12} {count}")
    lines += [
        f"named by another package {result['elsewhere']}",
        f"other exports            {result['others']}",
        f"found by their name      {result['others_found']}"
        f"  {percent(result['others_found'], result['others'])}",
        f"exports of ours          {result['ours']}",
        f"not the compiler's       {result['too_much']}"
        f"  {percent(result['too_much'], result['ours'])}",
    ]
    groups = sorted(result["groups"].items(), key=lambda group: (-len(group[1]), group[0]))
    for title, examples in groups:
        lines.append(f"\n{title}: {len(examples)}")
        step = 1 if show else max(1, len(examples) // _EXAMPLES)
        shown = examples if show else examples[::step][:_EXAMPLES]
        lines += [f"  {example}" for example in shown]
    return "\n".join(lines)
