"""Measures the intent task without reranking, with Claude's, and with an ideal reranker.

The ceiling is the ideal order, by label, of the hits that are offered to the reranker.  This sends
requests to the real model and costs money.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from typematch.catalog import Catalog
from typematch.errors import ClaudeError
from typematch.evaluate.corpus import JoinedFunctions, Row
from typematch.evaluate.relevance import intent
from typematch.search.llm_protocols import StageReport


def evaluate(
    catalog: Catalog, queries: Iterable[Row], functions: JoinedFunctions, *, candidates: int
) -> Row:
    """Return the measures of ``intent.evaluate`` for the three orders, and the total cost.

    Args:
        candidates: number of hits that are reranked, from the settings.

    Raises:
        ClaudeError: the first request failed.
    """
    query_rows = list(queries)
    by_text = {query["query"]: query for query in query_rows}
    reports: list[StageReport] = []

    def plain(text: str) -> Sequence[str]:
        return [hit.entry.id for hit in catalog.search(text, limit=intent.DEPTH)]

    def reranked(text: str) -> Sequence[str]:
        result = catalog.search(text, limit=intent.DEPTH, rerank=True)
        if not reports and result.stages and result.stages[0].skipped:
            raise ClaudeError(f"the hits were not reranked: {result.stages[0].skipped}")
        reports.extend(result.stages)
        return [hit.entry.id for hit in result]

    def ceiling(text: str) -> Sequence[str]:
        ids = plain(text)
        offered = ideal_order(ids[:candidates], functions, by_text[text])
        return [*offered, *ids[candidates:]]

    if query_rows:
        reranked(query_rows[0]["query"])  # an error of the first request ends the benchmark
        reports.clear()
    rankers = {"search": plain, "reranked": reranked, "ceiling": ceiling}
    return {**intent.evaluate(query_rows, functions, rankers), "cost": total_cost(reports)}


def ideal_order(entries: Sequence[str], functions: JoinedFunctions, query: Row) -> list[str]:
    """Return entries sorted by label, best first; the order within a label stays."""

    def grade(entry: str) -> int:
        same = functions.ids.get(entry, frozenset()) - frozenset(query.get("ignore", ()))
        return max((query["relevant"].get(function_id, 0) for function_id in same), default=0)

    return sorted(entries, key=lambda entry: -grade(entry))


def total_cost(reports: Sequence[StageReport]) -> Mapping[str, float]:
    return {
        "requests": sum(report.requests for report in reports),
        "kept": sum(report.cached for report in reports),
        "tokens_in": sum(report.tokens_in for report in reports),
        "tokens_out": sum(report.tokens_out for report in reports),
        "dollars": sum(report.dollars for report in reports),
        "skipped": sum(bool(report.skipped) for report in reports),
    }


def report(result: Row, *, show: bool = False) -> str:
    cost = result["cost"]
    return "\n".join(
        (
            intent.report(result, show=show),
            f"{cost['requests']:,} requests, {cost['kept']:,} cached answers, "
            f"{cost['tokens_in']:,} tokens in, {cost['tokens_out']:,} out, "
            f"${cost['dollars']:.4f}; {cost['skipped']} queries were not reranked",
        )
    )
