"""Do the filters of the tiers drop nothing that the relation accepts, and do they drop enough?

For each query every distinct function type of the catalog is judged, whatever tier its filter put
it into.  A type accepted at a tier's price or less that came in a later tier was dropped by that
tier's filter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import percent, percentile
from typematch.index.store import Candidate, Store
from typematch.ir.types import Object
from typematch.match.edit_kinds import TIER_CEILINGS
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Undecided, Verdict
from typematch.search.prepare.prepared_query import read
from typematch.search.score.scoring import TypeScorers

Tiers: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class SampledQuery:
    """A query, ready to be judged.

    Attributes:
        types: the alternatives that its names leave, each a function type.
        tiers: for each alternative and tier the numbers of the types that the filter passes, those
            of lower tiers left out; then of those that pass none.
        judge: the soft relation: a type's number and an alternative give a verdict.
    """

    id: str
    text: str
    types: Sequence[Object]
    tiers: Sequence[Tiers]
    judge: Callable[[int, Object], Verdict]


def ask(id_: str, text: str, store: Store) -> SampledQuery:
    """Return the soft search for ``text`` over ``store``, ready to be judged."""
    request = read(text, store)
    judges = TypeScorers(store, Strictness.SOFT)
    ready = {one: judges.functions(one, request.variables) for one in request.signatures}
    return SampledQuery(
        id_,
        text,
        request.signatures,
        [_tiers(one, store) for one in request.signatures],
        lambda number, one: ready[one].verdict(store.type(number), None),
    )


def _tiers(asked: Object, store: Store) -> Tiers:
    """Return the types by tier, what passes no filter coming last.

    Receiver forms are types like others, and left out: their masks are no different.
    """
    last = len(TIER_CEILINGS) - 1
    tiers = [_numbers(store.candidates(asked, tier)) for tier in range(last + 1)]
    rest = set(_numbers(store.candidates(asked, last, misfits=True))) - set(tiers[last])
    return [*tiers, sorted(rest)]


def _numbers(candidates: Iterable[Candidate]) -> list[int]:
    return [candidate.type for candidate in candidates if not candidate.receiver]


def tier_of(verdict: Verdict) -> int | None:
    """Return the lowest tier whose price a verdict keeps to; None for a misfit or no verdict."""
    if not isinstance(verdict, Fit):
        return None
    for tier, ceiling in enumerate(TIER_CEILINGS):
        if ceiling is None or verdict.cost <= ceiling:
            return tier
    return None


def evaluate(queries: Iterable[SampledQuery], *, sample: int | None, seed: int) -> Row:
    """Judge the types of each query, or ``sample`` of them beside all those of tier 0.

    Only what comes behind the first tier can have been dropped by one, so that is what is judged.
    """
    rows = [_judge(query, sample=sample, seed=seed) for query in queries]
    widths = range(len(TIER_CEILINGS))
    shares = [
        [row["survivors"][tier] / row["types"] for row in rows if row["types"]] for tier in widths
    ]
    return {
        "queries": len(rows),
        "types": max((row["types"] for row in rows), default=0),
        "incomplete": [
            row["id"] for row in rows if row["types"] != max(other["types"] for other in rows)
        ],
        "judged": sum(row["judged"] for row in rows),
        "undecided": sum(row["undecided"] for row in rows),
        "dropped": [drop for row in rows for drop in row["dropped"]],
        "survivors": [
            {"median": percentile(share, 0.5), "p95": percentile(share, 0.95)} for share in shares
        ],
    }


def _judge(query: SampledQuery, *, sample: int | None, seed: int) -> Row:
    judged = undecided = 0
    dropped: list[Row] = []
    survivors = [0] * (len(TIER_CEILINGS) + 1)
    for asked, tiers in zip(query.types, query.tiers, strict=True):
        for tier in range(len(survivors)):
            survivors[tier] += sum(map(len, tiers[: tier + 1]))
        late = [(number, tier) for tier in range(1, len(tiers)) for number in tiers[tier]]
        if sample is not None and sample < len(late):
            late = random.Random(f"{seed} {query.id}").sample(late, sample)
        for number, came in late:
            verdict = query.judge(number, asked)
            judged += 1
            undecided += isinstance(verdict, Undecided)
            due = tier_of(verdict)
            if due is not None and due < came:
                dropped.append(
                    {
                        "query": query.id,
                        "text": query.text,
                        "type": number,
                        "cost": verdict.cost if isinstance(verdict, Fit) else None,
                        "due": due,
                        "came": came,
                    }
                )
    return {
        "id": query.id,
        "types": survivors[-1],
        "survivors": survivors,
        "judged": judged,
        "undecided": undecided,
        "dropped": dropped,
    }


def report(result: Mapping[str, Any], text_of: Callable[[int], str]) -> str:
    lines = [
        f"{result['queries']} queries over {result['types']} distinct function types, "
        f"{result['judged']} judged, {result['undecided']} of them undecided",
        f"dropped though accepted: {len(result['dropped'])}",
        f"\n{'share that survives':24}{'median':>10}{'p95':>10}",
    ]
    for tier, share in enumerate(result["survivors"]):
        ceiling = TIER_CEILINGS[tier]
        title = f"tier {tier}" + (f", up to {ceiling:g}" if ceiling is not None else "")
        lines.append(f"{title:24}{percent(share['median']):>10}{percent(share['p95']):>10}")
    if result["incomplete"]:
        lines.append(f"\nqueries that do not see every type: {', '.join(result['incomplete'])}")
    for drop in result["dropped"][:20]:
        lines.append(
            f"\n{drop['query']}  {drop['text']}\n  tier {drop['due']} dropped at cost "
            f"{drop['cost']:g}, tier {drop['came']} passed: {text_of(drop['type'])}"
        )
    return "\n".join(lines)
