"""Soundness and selectivity of the search tiers' filters, measured on a catalog.

For each query, all distinct function types of the catalog are matched, whichever tier selected
them.  A fit within a tier's ceiling that a later tier selected was dropped by the earlier filter.
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
from typematch.match.verdict import Fit, Undecided, Verdict
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.score.scoring import TypeScorers

Tiers: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class SampledQuery:
    """A query and the stored function types by tier.

    Attributes:
        types: the query's function type for each resolution of its names.
        tiers: for each of these and each tier, the ids of the types that it is the first to select;
            then those that no tier selects.
        match: soft matching of the type with an id against one of ``types``.
    """

    id: str
    text: str
    types: Sequence[Object]
    tiers: Sequence[Tiers]
    match: Callable[[int, Object], Verdict]


def sample_query(query_id: str, text: str, store: Store) -> SampledQuery:
    """Prepare the soft search for ``text`` over ``store``."""
    prepared = prepare_query(text, store)
    scorers = TypeScorers(store)
    scorer_by_signature = {
        signature: scorers.function_scorer(signature, prepared.variables)
        for signature in prepared.signatures
    }
    return SampledQuery(
        query_id,
        text,
        prepared.signatures,
        [_types_by_tier(signature, store) for signature in prepared.signatures],
        lambda type_id, signature: scorer_by_signature[signature].verdict(
            store.type(type_id), None
        ),
    )


def _types_by_tier(query: Object, store: Store) -> Tiers:
    """Return the ids of types by tier, those that no tier selects last.

    Methods with their receiver as first argument are left out: their masks are computed alike.
    """
    last = len(TIER_CEILINGS) - 1
    tiers = [_type_ids(store.candidates(query, tier)) for tier in range(last + 1)]
    rest = set(_type_ids(store.candidates(query, last, misfits=True))) - set(tiers[last])
    return [*tiers, sorted(rest)]


def _type_ids(candidates: Iterable[Candidate]) -> list[int]:
    return [candidate.type for candidate in candidates if not candidate.receiver]


def tier_of(verdict: Verdict) -> int | None:
    """Return the first tier whose ceiling admits the verdict; None if it is no fit."""
    if not isinstance(verdict, Fit):
        return None
    for tier, ceiling in enumerate(TIER_CEILINGS):
        if ceiling is None or verdict.cost <= ceiling:
            return tier
    return None


def evaluate(queries: Iterable[SampledQuery], *, sample: int | None, seed: int) -> Row:
    """Match the types of each query that tier 0 did not select; only these can be dropped.

    Args:
        sample: number of types matched per query; None for all.
        seed: of the sample.
    """
    rows = [_evaluate_query(query, sample=sample, seed=seed) for query in queries]
    tiers = range(len(TIER_CEILINGS))
    shares = [
        [row["survivors"][tier] / row["types"] for row in rows if row["types"]] for tier in tiers
    ]
    largest = max((row["types"] for row in rows), default=0)
    return {
        "queries": len(rows),
        "types": largest,
        "incomplete": [row["id"] for row in rows if row["types"] != largest],
        "matched": sum(row["matched"] for row in rows),
        "undecided": sum(row["undecided"] for row in rows),
        "dropped": [match for row in rows for match in row["dropped"]],
        "survivors": [
            {"median": percentile(share, 0.5), "p95": percentile(share, 0.95)} for share in shares
        ],
    }


def _evaluate_query(query: SampledQuery, *, sample: int | None, seed: int) -> Row:
    matched = undecided = 0
    dropped: list[Row] = []
    survivors = [0] * (len(TIER_CEILINGS) + 1)
    for query_type, tiers in zip(query.types, query.tiers, strict=True):
        for tier in range(len(survivors)):
            survivors[tier] += sum(map(len, tiers[: tier + 1]))
        later = [(type_id, tier) for tier in range(1, len(tiers)) for type_id in tiers[tier]]
        if sample is not None and sample < len(later):
            later = random.Random(f"{seed} {query.id}").sample(later, sample)
        for type_id, found_tier in later:
            verdict = query.match(type_id, query_type)
            matched += 1
            undecided += isinstance(verdict, Undecided)
            expected_tier = tier_of(verdict)
            if expected_tier is not None and expected_tier < found_tier:
                dropped.append(
                    {
                        "query": query.id,
                        "text": query.text,
                        "type": type_id,
                        "cost": verdict.cost if isinstance(verdict, Fit) else None,
                        "expected_tier": expected_tier,
                        "found_tier": found_tier,
                    }
                )
    return {
        "id": query.id,
        "types": survivors[-1],
        "survivors": survivors,
        "matched": matched,
        "undecided": undecided,
        "dropped": dropped,
    }


def report(result: Mapping[str, Any], text_of: Callable[[int], str]) -> str:
    lines = [
        f"{result['queries']} queries over {result['types']} distinct function types, "
        f"{result['matched']} matched, {result['undecided']} of them undecided",
        f"fits dropped by a filter: {len(result['dropped'])}",
        f"\n{'share that survives':24}{'median':>10}{'p95':>10}",
    ]
    for tier, share in enumerate(result["survivors"]):
        ceiling = TIER_CEILINGS[tier]
        title = f"tier {tier}" + (f", up to {ceiling:g}" if ceiling is not None else "")
        lines.append(f"{title:24}{percent(share['median']):>10}{percent(share['p95']):>10}")
    if result["incomplete"]:
        lines.append(f"\nqueries with fewer types than others: {', '.join(result['incomplete'])}")
    for match in result["dropped"][:20]:
        lines.append(
            f"\n{match['query']}  {match['text']}\n  tier {match['expected_tier']} dropped at cost "
            f"{match['cost']:g}, tier {match['found_tier']} selected: {text_of(match['type'])}"
        )
    return "\n".join(lines)
