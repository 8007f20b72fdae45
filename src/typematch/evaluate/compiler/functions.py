"""Compares the front end with the compiler: functions found, their arity and async flag."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import percent
from typematch.ir.entry import Entry

_EXAMPLES = 5
_FIELDS = ("arity", "min_arity", "async")


def compare(entry: Entry, function: Mapping[str, Any]) -> dict[str, tuple[object, object]]:
    """Return (ours, the compiler's) for each field that differs."""
    if not entry.signatures:
        return {"signature": (None, function["signature"])}
    first = entry.signatures[0]
    ours = {
        "arity": len(first.parameters),
        "min_arity": first.min_arity,
        "async": entry.is_async,
    }
    return {f: (ours[f], function[f]) for f in _FIELDS if ours[f] != function[f]}


class EntryLookup:
    """Entries by location and by name, to explain why a function was not found."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.by_line: dict[tuple[str, int], list[Entry]] = defaultdict(list)
        self.by_name: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        self.files: set[str] = set()
        self.names: set[tuple[str, str]] = set()
        for entry in entries:
            self.by_line[entry.path, entry.line].append(entry)
            self.by_name[entry.package, entry.qualified_name].append(entry)
            self.files.add(entry.path)

    def miss_reason(self, function: Mapping[str, Any]) -> str:
        """Return the reason why no entry has the function's key."""
        name, package = function["name"], function["package"]
        same_line = self.by_line.get((function["file"], function["line"]), [])
        if any(name in entry.aliases and entry.package == package for entry in same_line):
            return "found under another name; this name is an alias"
        if any(entry.package == package for entry in same_line):
            return "an entry of another name on that line"
        if same_line:
            return "an entry of another package on that line"
        if (package, name) in self.by_name:
            same = self.by_name[package, name]
            if any(entry.path == function["file"] for entry in same):
                return "the same name on another line"
            return "the same name in another file"
        if function["file"] not in self.files:
            return "the file is not indexed"
        return "no entry on that line"

    def example(self, function: Mapping[str, Any]) -> str:
        """Return the function, and the entries that resemble it."""
        here = self.by_line.get((function["file"], function["line"]), [])
        same = self.by_name.get((function["package"], function["name"]), [])
        seen = ", ".join(f"{e.id} ({e.kind}, {e.path}:{e.line})" for e in [*here, *same][:3])
        return f"{function['id']} ({function['kind']}, {function['file']}:{function['line']})" + (
            f"  ours: {seen}" if seen else ""
        )


def evaluate(functions: JoinedFunctions, entries: Iterable[Entry]) -> Row:
    """Return the measures; ``report`` renders them as text."""
    entries = tuple(entries)
    lookup = EntryLookup(entries)
    causes: dict[str, list[str]] = defaultdict(list)
    fields: Counter[str] = Counter()
    differing: dict[str, list[str]] = defaultdict(list)
    agreeing = 0
    for function in functions.rows:
        entry = functions.entries.get(function["id"])
        if entry is None:
            causes[lookup.miss_reason(function)].append(lookup.example(function))
            continue
        differences = compare(entry, function)
        agreeing += not differences
        for field, (ours, theirs) in differences.items():
            fields[field] += 1
            shown = f"{function['id']}  ours {ours}, compiler {theirs}  {entry.signature[:100]}"
            differing[f"{field} of a {function['kind']}"].append(shown)
    found = len(functions.entries)
    return {
        "functions": len(functions.rows),
        "found": found,
        "found_with_aliases": found
        + len(causes["found under another name; this name is an alias"]),
        "agreeing": agreeing,
        "repeated": repeated_declarations(entries),
        "differing": dict(fields),
        "missing_causes": _grouped(causes),
        "differing_causes": _grouped(differing),
    }


def repeated_declarations(entries: Iterable[Entry]) -> int:
    """Return how many entries have the declaration (file, line, name) and kind of an earlier one.

    Two members of one name in object types on one line count as repeated.
    """
    places = [(entry.path, entry.line, entry.kind, entry.name) for entry in entries]
    return len(places) - len(set(places))


def _grouped(groups: Mapping[str, list[str]]) -> list[Row]:
    """Return the groups, largest first, each with a few examples at equal distances."""
    rows = []
    for cause, examples in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        if examples:
            step = max(1, len(examples) // _EXAMPLES)
            shown = examples[::step][:_EXAMPLES]
            rows.append({"cause": cause, "count": len(examples), "examples": shown})
    return rows


def report(result: Mapping[str, Any]) -> str:
    total, found = result["functions"], result["found"]
    with_aliases = percent(result["found_with_aliases"], total)
    lines = [
        f"functions                {total}",
        f"found                    {found}  {percent(found, total)}"
        f"  (counting alias names: {with_aliases})",
        f"agree on all three       {result['agreeing']}  {percent(result['agreeing'], found)}",
    ]
    for field in (*_FIELDS, "signature"):
        wrong = result["differing"].get(field, 0)
        lines.append(f"  {field:22} {found - wrong}  {percent(found - wrong, found)}")
    lines.append(f"entries of one declaration  {result['repeated']}")
    for title, key in (("not found", "missing_causes"), ("differing", "differing_causes")):
        for group in result[key]:
            lines.append(f"\n{title}: {group['cause']}: {group['count']}")
            lines += [f"  {example}" for example in group["examples"]]
    return "\n".join(lines)
