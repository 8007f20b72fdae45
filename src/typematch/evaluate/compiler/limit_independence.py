"""Whether the first hits depend on how many are asked for, and whether ``total`` is true.

Each query is asked with several limits and without one.  The hits of a smaller limit must be the
beginning of those of a larger one; ``total`` must be the number of all hits, or at most that where
the answer says ``at_least``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from typematch.evaluate.corpus import Row
from typematch.evaluate.metrics import count_of
from typematch.search.present.notices import SEARCH_ENDED
from typematch.search.results import SearchResult

LIMITS: tuple[int | None, ...] = (3, 20, 50, None)
_COMPARED = 50  # hits


def evaluate(rows: Iterable[Row], search: Callable[[str, int | None], SearchResult]) -> Row:
    """Ask each query with every limit.

    Args:
        search: from the text of a query and a limit, None for all hits.
    """
    queries = ended_early = same = totals = 0
    differing: list[Row] = []
    for row in rows:
        queries += 1
        answers = [search(row["query"], limit) for limit in LIMITS]
        if any(notice.startswith(SEARCH_ENDED) for answer in answers for notice in answer.notices):
            ended_early += 1
            continue
        names = [[hit.entry.id for hit in answer.hits[:_COMPARED]] for answer in answers]
        is_same = all(longer[: len(shorter)] == shorter for shorter, longer in pairwise(names))
        is_true = all(_is_true_total(answer, answers[-1]) for answer in answers)
        same += is_same
        totals += is_true
        if not (is_same and is_true):
            differing.append(
                {
                    "query": row["id"],
                    "text": row["query"],
                    "first": [beginning[:5] for beginning in names],
                    "totals": [(answer.total, answer.at_least) for answer in answers],
                }
            )
    return {
        "queries": queries,
        "ended_early": ended_early,
        "same": same,
        "totals": totals,
        "differing": differing,
    }


def _is_true_total(answer: SearchResult, everything: SearchResult) -> bool:
    if answer.at_least:
        return answer.total <= everything.total
    return answer.total == everything.total


def report(result: Mapping[str, Any]) -> str:
    whole = result["queries"] - result["ended_early"]
    limits = ", ".join("all" if limit is None else str(limit) for limit in LIMITS)
    lines = [
        f"{result['queries']} queries at the limits {limits}; "
        f"{result['ended_early']} ended at the time limit and say so",
        f"the same first hits: {count_of(result['same'], whole)}",
        f"true totals: {count_of(result['totals'], whole)}",
    ]
    for row in result["differing"][:20]:
        lines.append(f"\n{row['query']}  {row['text']}\n  totals {row['totals']}")
        lines += [f"  {' '.join(names)}" for names in row["first"]]
    return "\n".join(lines)
