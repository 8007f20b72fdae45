"""Searches functions by their own signatures: each should be in the small group of lowest cost."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typematch.errors import TypematchError
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import percent, percentile
from typematch.ir.constructors import without_parameter_names
from typematch.ir.entry import Entry
from typematch.ir.intern import replace_fields
from typematch.ir.lift import close_over_container
from typematch.ir.render import render
from typematch.ir.type_parts import Parameter, Signature
from typematch.ir.types import Object
from typematch.search.results import Hit, SearchResult

Search = Callable[[str, int | None], SearchResult]

_PAGE = 40
SMALL_GROUP = 20  # distinct signatures; a page that a person reads


def query_text(entry: Entry) -> str:
    """Return the entry's first signature as a query, with resolved names.

    The source text may use names that exist in its file only (``R.Reader`` after
    ``import * as R``); resolved, they are the declarations' names.  Parameters get other names.
    """
    type_, _ = close_over_container(entry.signatures[0].type)
    return render(Object(calls=tuple(map(with_positional_names, type_.calls))))


def with_positional_names(signature: Signature) -> Signature:
    """Return the signature with its parameters named by position."""
    parameters = tuple(
        Parameter(f"p{position}", p.type, p.optional, p.rest)
        for position, p in enumerate(signature.parameters)
    )
    return replace_fields(signature, parameters=parameters)


def draw(functions: JoinedFunctions, *, number: int, seed: int) -> list[Entry]:
    """Return a random sample of the joined entries that have signatures."""
    known = {entry.id: entry for entry in functions.entries.values() if entry.signatures}
    ids = sorted(known)
    return [known[id_] for id_ in random.Random(seed).sample(ids, min(number, len(ids)))]


def cheapest_group(query: str, search: Search) -> tuple[SearchResult, list[Hit]]:
    """Return the result of ``query`` and its hits of lowest cost."""
    result = search(query, _PAGE)
    group = _cheapest(result)
    if len(group) == len(result) and result.at_least | (result.total > len(group)):
        result = search(query, None)
        group = _cheapest(result)
    return result, group


def _cheapest(result: SearchResult) -> list[Hit]:
    least = min((math.inf if hit.cost is None else hit.cost for hit in result), default=math.inf)
    return [hit for hit in result if hit.cost == least]


def distinct_signatures(group: Sequence[Hit]) -> int:
    """Return the number of distinct signatures; parameter names do not count."""
    return len(
        {
            hit.signature
            if hit.overload is None
            else without_parameter_names(hit.entry.signatures[hit.overload].type)
            for hit in group
        }
    )


def evaluate(entries: Sequence[Entry], search: Search, *, seed: int) -> Row:
    rows = [_evaluate_entry(entry, search) for entry in entries]
    found = [row for row in rows if row["found"]]
    sizes = [float(row["group"]) for row in found]
    return {
        "seed": seed,
        "drawn": len(rows),
        "found": len(found),
        "small_groups": sum(row["group"] <= SMALL_GROUP for row in found),
        "costs": _histogram([row["cost"] for row in found]),
        "sizes": {f"p{int(q * 100)}": percentile(sizes, q) for q in (0.5, 0.75, 0.9, 0.95, 1.0)},
        "rows": rows,
    }


def _histogram(costs: Sequence[float | None]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for cost in sorted(-1.0 if cost is None else cost for cost in costs):
        key = "none" if cost < 0 else f"{cost:g}"
        counted[key] = counted.get(key, 0) + 1
    return counted


def _evaluate_entry(entry: Entry, search: Search) -> Row:
    query, error = query_text(entry), ""
    result, group = SearchResult("", ""), list[Hit]()
    try:
        result, group = cheapest_group(query, search)
    except TypematchError as problem:
        error = str(problem)
    ids = [hit.entry.id for hit in result.hits]
    rank = ids.index(entry.id) if entry.id in ids else None
    least = group[0].cost if group else None
    return {
        "id": entry.id,
        "query": query,
        "error": error,
        "found": any(hit.entry.id == entry.id for hit in group),
        "rank": None if rank is None else rank + 1,
        "group": distinct_signatures(group),
        "cost": least,
        "own_cost": None if rank is None else result.hits[rank].cost,
        "read_as": result.read_as,
        "notices": list(result.notices),
    }


def report(result: Mapping[str, Any], *, show: bool) -> str:
    """Return shares and sizes; with ``show`` every function that was not found."""
    drawn, found = result["drawn"], result["found"]
    sizes = ", ".join(f"{name} {size:g}" for name, size in result["sizes"].items())
    small = result["small_groups"]
    costs = ", ".join(f"{cost}: {number}" for cost, number in result["costs"].items())
    lines = [
        f"functions drawn (seed {result['seed']})             {drawn}",
        f"found among the hits of lowest cost    {found}  {percent(found, drawn)}",
        f"groups of at most {SMALL_GROUP} signatures        {small}  {percent(small, found)}",
        f"distinct signatures in a group         {sizes}",
        f"cost of the group                      {costs}",
    ]
    lost = [row for row in result["rows"] if not row["found"]]
    for row in lost if show else lost[:10]:
        why = row["error"] or (
            f"rank {row['rank']}, cost {row['own_cost']} against {row['cost']}"
            if row["rank"]
            else f"not on the page; the first costs {row['cost']}"
        )
        lines += ["", f"{row['id']}  {row['query']}", f"  {why}", f"  read as: {row['read_as']}"]
        lines += [f"  notice: {notice}" for notice in row["notices"]]
    wide = sorted((row for row in result["rows"] if row["group"] > SMALL_GROUP), key=_by_group)
    for row in wide if show else wide[:5]:
        lines += ["", f"group of {row['group']}: {row['id']}  {row['query']}"]
    return "\n".join(lines)


def _by_group(row: Row) -> tuple[int, str]:
    return -row["group"], row["id"]
