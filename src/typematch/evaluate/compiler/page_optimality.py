"""Whether the first page of a search is the best page, and whether the lower bounds hold.

For each query every distinct function type of the catalog is matched, without regard to bounds.
The page of the default search is the best one if its costs are the lowest of these.  A bound above
the cost of a fit is a violation: it may lose a hit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import count_of, percentile
from typematch.index.entries.selection import EVERYTHING
from typematch.index.store import Store
from typematch.ir.types import Type
from typematch.match.edit_kinds import HIGHEST_COST, RECEIVER_FIRST
from typematch.match.verdict import NO_FIT_COST, Fit, Misfit, lower_bound
from typematch.search.prepare.prepared_query import prepare_query
from typematch.search.retrieve.structural import Alternative, FunctionSearch, find_functions
from typematch.search.retrieve.type_search import alternatives_of
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.type_scorer import TypeScorer

PAGE = 20


@dataclass(slots=True)
class QueryPage:
    """The page of one query beside the best one.

    Attributes:
        costs, best: of the page that was found, and of the best one, ascending.
        fits: number of function types that fit.
        refined, matched: candidates whose bound was refined, and that were matched.
        seconds, exhaustive_seconds: CPU time of the search, and of matching everything.
        violations: function types with a bound above their cost: (text, stage, bound, cost).  The
            stages are the bound of the arrays, the refined one, and that of the verdict under a
            ceiling below the cost.
    """

    id: str
    text: str
    costs: list[float] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    fits: int = 0
    refined: int = 0
    matched: int = 0
    seconds: float = 0.0
    exhaustive_seconds: float = 0.0
    violations: list[tuple[str, str, int, int]] = field(default_factory=list)


def compare_page(query_id: str, text: str, store: Store) -> QueryPage:
    """Search for a signature, match all function types, and compare the first page."""
    result = QueryPage(query_id, text)
    prepared = prepare_query(text, store)
    start = time.process_time()
    with TypeScorers(store) as scorers:
        alternatives = alternatives_of(prepared, scorers)
        counted = [
            replace(alternative, scorer=_counting(alternative.scorer, result))
            for alternative in alternatives
        ]
        search = FunctionSearch(counted, EVERYTHING, HIGHEST_COST)
        found = find_functions(search, store, limit=PAGE)
        decided = [match.cost for match in found.by_entry.values() if not match.undecided]
        result.costs = sorted(decided)[:PAGE]
    result.seconds = time.process_time() - start
    start = time.process_time()
    costs: dict[int, int] = {}
    with TypeScorers(store) as scorers:
        for alternative in alternatives_of(prepared, scorers):
            _match_everything(alternative, store, costs, result)
    result.best = sorted(costs.values())[:PAGE]
    result.exhaustive_seconds = time.process_time() - start
    return result


def _counting(scorer: TypeScorer, result: QueryPage) -> TypeScorer:
    """Return the scorer; it counts its calls in ``result``."""

    def counted(attribute: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            setattr(result, attribute, getattr(result, attribute) + 1)
            return call(*arguments)

        return run

    return TypeScorer(
        counted("matched", scorer.verdict),
        counted("refined", scorer.lower_bound),
        scorer.minimum_cost,
        scorer.member_type,
        scorer_of_members=lambda outer: _counting(scorer.for_members(outer), result),
    )


def _match_everything(
    alternative: Alternative, store: Store, costs: dict[int, int], result: QueryPage
) -> None:
    """Add the cost of every entry that fits to ``costs``, and the violations to ``result``."""
    functions = alternative.bounds(store)
    pairs = zip(functions.numbers.tolist(), functions.bounds.tolist(), strict=True)
    groups = ((*pair, group) for pair in pairs for group in store.member_groups(pair[0]))
    for number, bound, group in groups:
        type_ = store.type(number)
        scorer = alternative.scorer.for_members(group.outer_parameters)
        receiver_cost = RECEIVER_FIRST.cost if number < 0 else 0
        verdict = scorer.verdict(type_, HIGHEST_COST - receiver_cost)
        if not isinstance(verdict, Fit):
            continue
        result.fits += 1
        bounds = {
            "array": bound + scorer.minimum_cost,
            "refined": scorer.lower_bound(type_, None),
            "ceiling": _bound_under_ceiling(type_, scorer, verdict.cost - 1),
        }
        for stage, stage_bound in bounds.items():
            if stage_bound is None or stage_bound > verdict.cost:
                shown = -1 if stage_bound is None else stage_bound
                result.violations.append((store.type_text(number), stage, shown, verdict.cost))
        for entry, _ in store.candidate(number).entries:
            if group.entries is not None and entry not in group.entries:
                continue
            cost = verdict.cost + receiver_cost
            costs[entry] = min(cost, costs.get(entry, cost))


def _bound_under_ceiling(type_: Type, scorer: TypeScorer, ceiling: int) -> int | None:
    """Return the bound that a misfit under a ceiling holds; None if it says that nothing fits."""
    if ceiling < 0:
        return 0
    verdict = scorer.verdict(type_, ceiling)
    bound = lower_bound(verdict) if isinstance(verdict, Misfit) else 0
    return bound if bound < NO_FIT_COST else None


def evaluate(pages: Iterable[QueryPage]) -> Row:
    """Summarize the pages of several queries."""
    rows = list(pages)
    return {
        "queries": len(rows),
        "equal": sum(row.costs == row.best for row in rows),
        "first": sum(row.costs[:1] == row.best[:1] for row in rows),
        "fits": sum(row.fits for row in rows),
        "differing": [
            {"query": row.id, "text": row.text, "costs": row.costs, "best": row.best}
            for row in rows
            if row.costs != row.best
        ],
        "violations": [
            {"query": row.id, "type": text, "stage": stage, "bound": bound, "cost": cost}
            for row in rows
            for text, stage, bound, cost in row.violations
        ],
        **{
            name: {
                "median": percentile([getattr(row, name) for row in rows], 0.5),
                "p95": percentile([getattr(row, name) for row in rows], 0.95),
            }
            for name in ("refined", "matched", "seconds", "exhaustive_seconds")
        },
    }


def report(result: Mapping[str, Any]) -> str:
    queries = result["queries"]
    lines = [
        f"{queries} queries, {result['fits']} fits of function types up to cost {HIGHEST_COST}",
        f"pages of {PAGE} with the lowest costs: {count_of(result['equal'], queries)}",
        f"first hits of the lowest cost: {count_of(result['first'], queries)}",
        f"bounds above the cost of a fit: {len(result['violations'])}",
        f"\n{'':24}{'median':>10}{'p95':>10}",
    ]
    for title, name in (("bounds refined", "refined"), ("candidates matched", "matched")):
        values = result[name]
        lines.append(f"{title:24}{values['median']:>10.0f}{values['p95']:>10.0f}")
    for title, name in (("CPU ms", "seconds"), ("CPU ms, everything", "exhaustive_seconds")):
        values = result[name]
        lines.append(f"{title:24}{values['median'] * 1e3:>10.0f}{values['p95'] * 1e3:>10.0f}")
    for row in result["differing"][:20]:
        lines.append(
            f"\n{row['query']}  {row['text']}\n  costs {row['costs']}\n  best  {row['best']}"
        )
    for row in result["violations"][:20]:
        lines.append(
            f"\n{row['query']}  {row['stage']} bound {row['bound']}, cost {row['cost']}: "
            f"{row['type']}"
        )
    return "\n".join(lines)
