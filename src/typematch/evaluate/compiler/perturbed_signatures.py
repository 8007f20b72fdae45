"""Searches functions by slightly changed signatures, and measures their rank.

A perturbation is a typical error of a user: the order of arguments, a missing promise,
``readonly``, a missing option, a concrete type for a variable.  Functions are sampled until enough
are found that the perturbation applies to and whose own signature has few equals; the others are
*refused*, and counted by reason.
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
    cheapest_group,
    distinct_signatures,
    draw,
    with_positional_names,
)
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.metrics import percent, percentile
from typematch.ir.constructors import renormalize
from typematch.ir.entry import Entry
from typematch.ir.intern import InternedNode, rebuild, replace_fields
from typematch.ir.lift import close_over_container
from typematch.ir.render import render
from typematch.ir.type_parts import Signature
from typematch.ir.types import NUMBER, STRING, Array, Object, Reference, Type, Var
from typematch.search.results import Hit

N = TypeVar("N", bound=InternedNode)
Perturbation = Callable[[Signature, random.Random], "Signature | None"]

MAX_EQUALS = 5  # hits of lowest cost; with more, the rank of one function means little
GOOD_RANK = 20  # last rank of a page
_PAGES = (60, 400)


def swap_parameters(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with two parameters of different types swapped."""
    parameters = list(signature.parameters)
    pairs = [
        (i, j)
        for j, second in enumerate(parameters)
        for i, first in enumerate(parameters[:j])
        if first.type is not second.type and not any(p.optional or p.rest for p in (first, second))
    ]
    if not pairs or signature.predicate is not None:
        return None  # a type predicate refers to a parameter by position
    i, j = chance.choice(pairs)
    parameters[i], parameters[j] = parameters[j], parameters[i]
    return replace_fields(signature, parameters=tuple(parameters))


def unwrap_promise(signature: Signature, _: random.Random) -> Signature | None:
    """Return the signature with its promise's value type as the result."""
    match signature.returns:
        case Reference("global#Promise", (inner,)):
            return replace_fields(signature, returns=inner)
        case _:
            return None


def make_readonly(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with a readonly array for a mutable one."""
    parameters = list(signature.parameters)
    places = [
        place
        for place, parameter in enumerate(parameters)
        if isinstance(parameter.type, Array) and not parameter.type.readonly and not parameter.rest
    ]
    if not places:
        return None
    place = chance.choice(places)
    array = parameters[place].type
    assert isinstance(array, Array)
    parameters[place] = replace_fields(parameters[place], type=replace_fields(array, readonly=True))
    return replace_fields(signature, parameters=tuple(parameters))


def drop_optional(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature without one of its optional parameters."""
    places = [place for place, parameter in enumerate(signature.parameters) if parameter.optional]
    if not places or signature.predicate is not None:
        return None
    left_out = chance.choice(places)
    kept = [parameter for place, parameter in enumerate(signature.parameters) if place != left_out]
    return replace_fields(signature, parameters=tuple(kept))


def substitute_variable(signature: Signature, chance: random.Random) -> Signature | None:
    """Return the signature with a concrete type for one of its unconstrained type parameters."""
    own = signature.type_parameters
    places = [
        place for place, type_parameter in enumerate(own) if type_parameter.constraint is None
    ]
    if not places:
        return None
    place, value = chance.choice(places), chance.choice((STRING, NUMBER))
    # Rebuilt from inside the binder: Var(0, i) are its own type parameters.
    filled = rebuild(signature, lambda part, _: _substitute(part, place, value, 0))
    kept = filled.type_parameters[:place] + filled.type_parameters[place + 1 :]
    return replace_fields(filled, type_parameters=kept)


def _substitute(node: N, place: int, value: Type, depth: int) -> N:
    """Return ``node`` with ``value`` for one variable of a binder; later indices move down."""
    if node.loose_depth <= depth:
        return node
    if isinstance(node, Var):
        if node.depth != depth or node.index < place:
            return node
        return cast(N, value if node.index == place else Var(depth, node.index - 1))
    inner = rebuild(node, lambda part, over: _substitute(part, place, value, depth + over))
    return cast(N, renormalize(inner))


PERTURBATIONS: Mapping[str, Perturbation] = {
    "two arguments swapped": swap_parameters,
    "promise removed": unwrap_promise,
    "readonly array for an array": make_readonly,
    "one optional argument left out": drop_optional,
    "concrete type for a variable": substitute_variable,
}


def evaluate(functions: JoinedFunctions, search: Search, *, number: int, seed: int) -> Row:
    """Sample ``number`` functions for each perturbation and rank them.

    Functions that are assignable to the perturbed query are correct answers and do not count
    against the rank; ``evaluate queries`` measures them.
    """
    return {
        "seed": seed,
        "wanted": number,
        "changes": {
            name: _evaluate(change, functions, search, number=number, seed=seed)
            for name, change in PERTURBATIONS.items()
        },
    }


def _evaluate(
    change: Perturbation, functions: JoinedFunctions, search: Search, *, number: int, seed: int
) -> Row:
    refused: Counter[str] = Counter()
    rows: list[Row] = []
    chance = random.Random(seed)
    for entry in draw(functions, number=len(functions.entries), seed=seed):
        if len(rows) == number:
            break
        type_, _ = close_over_container(entry.signatures[0].type)
        changed = change(with_positional_names(type_.calls[0]), chance)
        if changed is None:
            refused["the perturbation does not apply"] += 1
            continue
        try:
            _, equals = cheapest_group(_text(with_positional_names(type_.calls[0])), search)
        except TypematchError:
            refused["its own search fails"] += 1
            continue
        if not any(hit.entry.id == entry.id for hit in equals):
            refused["its own search does not find it first"] += 1
        elif len(equals) > MAX_EQUALS:
            refused[f"its own search has more than {MAX_EQUALS} equals"] += 1
        else:
            rows.append(_evaluate_entry(entry, _text(changed), search))
    ranks = [float(row["rank"]) for row in rows if row["rank"] is not None]
    return {
        "drawn": len(rows),
        "good": sum(rank <= GOOD_RANK for rank in ranks),
        "found": len(ranks),
        "ranks": {f"p{int(q * 100)}": percentile(ranks, q) for q in (0.5, 0.9, 0.95)},
        "refused": dict(refused),
        "rows": rows,
    }


def _text(signature: Signature) -> str:
    return render(Object(calls=(signature,)))


def _evaluate_entry(entry: Entry, query: str, search: Search) -> Row:
    """Return the rank of ``entry``; None if it is not among the first hits."""
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
        f"{'change':32}{'drawn':>6}{f'rank <= {GOOD_RANK}':>12}{'':>10}   rank p50, p90, p95",
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
        if row["rank"] is None or row["rank"] > GOOD_RANK:
            place = f"rank {row['rank']}, cost {row['cost']}" if row["rank"] else "not found"
            before = ", ".join(f"{id_} {cost:g}" for id_, cost in row["before"] if cost is not None)
            yield f"  {row['id']}  {row['query']}"
            yield f"    {row['error'] or place}; before it {before}"
