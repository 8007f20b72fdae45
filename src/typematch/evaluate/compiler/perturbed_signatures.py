"""Is a function still found when its signature is asked for a little differently?

A change is what a person gets wrong or does not know: the order of arguments, that the result is a
promise, that an array will be written to, an option, that a type is a variable.  Functions are
drawn at random until enough were found that the change applies to and whose own search has few
equals; all others are *refused*, and counted by reason.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from typematch.errors import TypematchError
from typematch.evaluate.compiler.self_retrieval import (
    Search,
    anonymous,
    cheapest_group,
    distinct_signatures,
    draw,
)
from typematch.evaluate.corpus import Functions, Row
from typematch.evaluate.metrics import percent, percentile
from typematch.ir.constructors import restore
from typematch.ir.entry import Entry
from typematch.ir.intern import InternedNode, rebuild, replaced
from typematch.ir.lift import standing_alone
from typematch.ir.render import render
from typematch.ir.types import (
    NUMBER,
    STRING,
    Array,
    Object,
    Reference,
    Signature,
    Type,
    Var,
)
from typematch.search.results import Hit

N = TypeVar("N", bound=InternedNode)
Change = Callable[[Signature, random.Random], "Signature | None"]

EQUALS = 5  # a function with more hits of lowest cost is no test of its rank
GOOD = 20  # a rank that a person still looks at
_PAGES = (60, 400)


def swapped(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with two arguments of different types in each other's place."""
    parameters = list(signature.parameters)
    pairs = [
        (i, j)
        for j, second in enumerate(parameters)
        for i, first in enumerate(parameters[:j])
        if first.type is not second.type and not any(p.optional or p.rest for p in (first, second))
    ]
    if not pairs or signature.predicate is not None:
        return None  # a predicate says something of one place
    i, j = chance.choice(pairs)
    parameters[i], parameters[j] = parameters[j], parameters[i]
    return replaced(signature, parameters=tuple(parameters))


def awaited(signature: Signature, _: random.Random) -> Signature | None:
    """Return the signature with what its promise resolves to as the result."""
    match signature.returns:
        case Reference("global#Promise", (inner,)):
            return replaced(signature, returns=inner)
        case _:
            return None


def read_only(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with a read-only array for one that it may write to."""
    parameters = list(signature.parameters)
    places = [
        place
        for place, one in enumerate(parameters)
        if isinstance(one.type, Array) and not one.type.readonly and not one.rest
    ]
    if not places:
        return None
    place = chance.choice(places)
    array = parameters[place].type
    assert isinstance(array, Array)
    parameters[place] = replaced(parameters[place], type=replaced(array, readonly=True))
    return replaced(signature, parameters=tuple(parameters))


def without_option(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature without one of its optional arguments."""
    places = [place for place, one in enumerate(signature.parameters) if one.optional]
    if not places or signature.predicate is not None:
        return None
    left_out = chance.choice(places)
    kept = [one for place, one in enumerate(signature.parameters) if place != left_out]
    return replaced(signature, parameters=tuple(kept))


def concrete(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with a concrete type for one of its variables without a constraint."""
    own = signature.type_parameters
    places = [place for place, one in enumerate(own) if one.constraint is None]
    if not places:
        return None
    place, value = chance.choice(places), chance.choice((STRING, NUMBER))
    # Rebuilt as if it were no binder: Var(0, i) inside it are its own.
    filled = rebuild(signature, lambda part, _: _filled(part, place, value, 0))
    kept = filled.type_parameters[:place] + filled.type_parameters[place + 1 :]
    return replaced(filled, type_parameters=kept)


def _filled(node: N, place: int, value: Type, depth: int) -> N:
    """Return ``node`` with ``value`` for one variable of a binder, which loses its place there."""
    if node.loose <= depth:
        return node
    if isinstance(node, Var):
        if node.depth != depth or node.index < place:
            return node
        return cast(N, value if node.index == place else Var(depth, node.index - 1))
    inner = rebuild(node, lambda part, over: _filled(part, place, value, depth + over))
    return cast(N, restore(inner))


CHANGES: Mapping[str, Change] = {
    "two arguments swapped": swapped,
    "promise removed": awaited,
    "readonly array for an array": read_only,
    "one optional argument left out": without_option,
    "concrete type for a variable": concrete,
}


def evaluate(functions: Functions, search: Search, *, number: int, seed: int) -> Row:
    """Draw ``number`` functions for each change and rank them; ``seed`` says which.

    Signatures that the compiler would accept for the changed query are as good an answer, and do
    not count: they are what ``is:assignable`` finds, whose agreement with the compiler is the
    business of ``evaluate queries``.
    """
    return {
        "seed": seed,
        "wanted": number,
        "changes": {
            name: _evaluate(change, functions, search, number=number, seed=seed)
            for name, change in CHANGES.items()
        },
    }


def _evaluate(
    change: Change, functions: Functions, search: Search, *, number: int, seed: int
) -> Row:
    refused: Counter[str] = Counter()
    rows: list[Row] = []
    chance = random.Random(seed)
    for entry in draw(functions, number=len(functions.entries), seed=seed):
        if len(rows) == number:
            break
        type_, _ = standing_alone(entry.signatures[0].type)
        changed = change(anonymous(type_.calls[0]), chance)
        if changed is None:
            refused["the change does not apply"] += 1
            continue
        try:
            _, equals = cheapest_group(_text(anonymous(type_.calls[0])), search)
        except TypematchError:
            refused["its own search fails"] += 1
            continue
        if not any(hit.entry.id == entry.id for hit in equals):
            refused["its own search does not find it first"] += 1
        elif len(equals) > EQUALS:
            refused[f"its own search has more than {EQUALS} equals"] += 1
        else:
            rows.append(_judge(entry, _text(changed), search))
    ranks = [float(row["rank"]) for row in rows if row["rank"] is not None]
    return {
        "drawn": len(rows),
        "good": sum(rank <= GOOD for rank in ranks),
        "found": len(ranks),
        "ranks": {f"p{int(q * 100)}": percentile(ranks, q) for q in (0.5, 0.9, 0.95)},
        "refused": dict(refused),
        "rows": rows,
    }


def _text(signature: Signature) -> str:
    return render(Object(calls=(signature,)))


def _judge(entry: Entry, query: str, search: Search) -> Row:
    """Return the rank of ``entry``; None where it is not among the first hits."""
    try:
        accepted = {hit.entry.id for hit in search(f"{query}  is:assignable", None)}
        hits: Sequence[Hit] = ()
        for page in _PAGES:
            hits = search(query, page).hits
            own = next((hit for hit in hits if hit.entry.id == entry.id), None)
            if own is not None:
                cheaper = _cheaper(hits, own, accepted)
                return _row(entry, query, 1 + distinct_signatures(cheaper), own.cost, cheaper)
    except TypematchError as problem:
        return {**_row(entry, query, None, None, ()), "error": str(problem)}
    return _row(entry, query, None, None, hits[:1])


def _cheaper(hits: Sequence[Hit], own: Hit, accepted: set[str]) -> list[Hit]:
    most = math.inf if own.cost is None else own.cost
    return [
        hit
        for hit in hits
        if hit.cost is not None and hit.cost < most and hit.entry.id not in accepted
    ]


def _row(
    entry: Entry, query: str, rank: int | None, cost: float | None, before: Sequence[Hit]
) -> Row:
    return {
        "id": entry.id,
        "query": query,
        "rank": rank,
        "cost": cost,
        "before": [(hit.entry.id, hit.cost) for hit in before[:3]],
        "error": "",
    }


def report(result: Mapping[str, Any], *, show: bool) -> str:
    """Return a line for each change; with ``show`` also what ranks badly."""
    lines = [
        f"functions of other signatures cheaper than the one meant (seed {result['seed']})",
        f"{'change':32}{'drawn':>6}{f'rank <= {GOOD}':>12}{'':>10}   rank p50, p90, p95",
    ]
    for name, row in result["changes"].items():
        ranks = ", ".join(f"{value:g}" for value in row["ranks"].values())
        share = percent(row["good"], row["drawn"])
        lines.append(f"{name:32}{row['drawn']:6}{row['good']:12}{share:>10}   {ranks}")
        reasons = ", ".join(f"{why} {count}" for why, count in row["refused"].items())
        lines.append(f"  refused: {reasons or 'none'}")
        if show:
            lines += _bad(row["rows"])
    return "\n".join(lines)


def _bad(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row["rank"] is None or row["rank"] > GOOD:
            place = f"rank {row['rank']}, cost {row['cost']}" if row["rank"] else "not found"
            before = ", ".join(f"{id_} {cost:g}" for id_, cost in row["before"] if cost is not None)
            yield f"  {row['id']}  {row['query']}"
            yield f"    {row['error'] or place}; before it {before}"
