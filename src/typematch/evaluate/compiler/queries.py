"""Compares ``is:assignable QUERY`` with the set of functions the compiler can assign to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

from typematch.errors import TypematchError
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import ConfusionCounts, count, macro, micro, percent, percentile
from typematch.search.results import SearchResult

Search = Callable[[str], SearchResult]

_WORST = 10
_EXAMPLES = 6


def evaluate(queries: Iterable[Row], functions: JoinedFunctions, search: Search) -> Row:
    """Return recall and precision of each query, and the averages.

    Hits that are not functions of the data (constructors, the library, ...) are counted apart.
    """
    rows = [_evaluate_query(query, functions, search) for query in queries]
    return {
        "queries": len(rows),
        "failed": [row["id"] for row in rows if row["error"]],
        "core": _averages([row["core"] for row in rows]),
        "all": _averages([row["all"] for row in rows]),
        "other_hits": sum(row["other_hits"] for row in rows),
        "undecided": sum(row["undecided"] for row in rows),
        "missed_without_entry": sum(row["missed_without_entry"] for row in rows),
        "found_by_alias": len(functions.by_alias),
        "often_missed": _most_frequent(rows, "missed"),
        "often_too_much": _most_frequent(rows, "too_much"),
        "seconds": {
            "median": percentile([row["seconds"] for row in rows], 0.5),
            "p95": percentile([row["seconds"] for row in rows], 0.95),
            "max": percentile([row["seconds"] for row in rows], 1.0),
        },
        "rows": rows,
    }


def _evaluate_query(query: Row, functions: JoinedFunctions, search: Search) -> Row:
    error, result = "", SearchResult("", "")
    start = perf_counter()
    try:
        result = search(f"{query['query']}  is:assignable")
    except TypematchError as problem:
        error = str(problem)
    seconds = perf_counter() - start
    # The hits of a relaxed query answer another query.
    hits = () if result.relaxed else result.hits
    certain = [hit.entry.id for hit in hits if not hit.undecided]
    found = {function_id for hit in certain for function_id in functions.ids.get(hit, ())}
    expected = set(query["matches"])
    core_expected, core_found = expected - functions.universal, found - functions.universal
    missed, too_much = sorted(core_expected - core_found), sorted(core_found - core_expected)
    return {
        "id": query["id"],
        "query": query["query"],
        "origin": query["origin"],
        "error": error,
        "seconds": seconds,
        "undecided": sum(bool(hit.undecided) for hit in hits),
        "other_hits": sum(hit not in functions.ids for hit in certain),
        "core": count(core_expected, core_found),
        "all": count(expected, found),
        "missed": missed,
        "missed_without_entry": sum(
            function_id not in functions.entries and function_id not in functions.by_alias
            for function_id in missed
        ),
        "too_much": too_much,
        "read_as": result.read_as,
        "notices": list(result.notices),
    }


def _averages(counts: list[ConfusionCounts]) -> Row:
    result: Row = {"macro": macro(counts), "micro": micro(counts)}
    result["under_90"] = sum(min(count.recall, count.precision) < 0.9 for count in counts)
    return result


def _most_frequent(rows: list[Row], key: str) -> list[tuple[str, int]]:
    """Return the functions that are wrong in the most queries, with counts."""
    wrong = Counter(function_id for row in rows for function_id in row[key])
    return sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:_WORST]


def report(result: Mapping[str, Any], *, show: bool) -> str:
    """Return the averages and the ten worst queries; with ``show`` every imperfect query."""
    lines = [f"{result['queries']} queries, {len(result['failed'])} could not be read"]
    lines.append(f"{'':28}{'recall':>10}{'precision':>12}")
    for title, key in (("without universal ones", "core"), ("with universal ones", "all")):
        for mean in ("macro", "micro"):
            recall, precision = result[key][mean]
            lines.append(f"{title + ', ' + mean:28}{percent(recall):>10}{percent(precision):>12}")
    lines.append(f"queries under 90 % in either: {result['core']['under_90']}")
    lines.append(
        f"missed because there is no entry: {result['missed_without_entry']}; undecided hits: "
        f"{result['undecided']}; hits that are no function of the data: {result['other_hits']}; "
        f"functions whose name is an alias of their entry: {result['found_by_alias']}"
    )
    times = result["seconds"]
    lines.append(
        f"seconds a query: median {times['median']:.3f}, p95 {times['p95']:.3f}, "
        f"max {times['max']:.3f}"
    )
    for title, key in (("missed", "often_missed"), ("too much", "often_too_much")):
        names = ", ".join(f"{name} ({times})" for name, times in result[key])
        lines.append(f"most often {title}: {names}")
    wrong = [row for row in result["rows"] if row["missed"] or row["too_much"] or row["error"]]
    wrong.sort(key=lambda row: (_quality(row["core"]), row["id"]))
    for row in wrong if show else wrong[:_WORST]:
        lines += ["", *_row_lines(row)]
    return "\n".join(lines)


def _quality(counts: ConfusionCounts) -> float:
    return min(counts.recall, counts.precision)


def _row_lines(row: Row) -> list[str]:
    counts: ConfusionCounts = row["core"]
    lines = [
        f"{row['id']} ({row['origin']})  {row['query']}",
        f"  recall {percent(counts.recall)} of {counts.expected}, "
        f"precision {percent(counts.precision)} of {counts.found}",
    ]
    lines += [f"  error: {row['error']}"] if row["error"] else []
    lines += [f"  read as: {row['read_as']}"] if row["read_as"] else []
    lines += [f"  notice: {notice}" for notice in row["notices"]]
    for title, key in (("missed", "missed"), ("too much", "too_much")):
        if row[key]:
            shown = ", ".join(row[key][:_EXAMPLES])
            lines.append(f"  {title} {len(row[key])}: {shown}")
    return lines
