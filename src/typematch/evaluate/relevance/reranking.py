"""What is Claude's judgement worth?  The intent task without it, with it, and with a perfect one.

The ceiling is what a reranker could reach that knew every label: the best order of what it was
offered.  This asks the real model and costs money; nobody's figure stands here until they ran it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from typematch.catalog import Catalog
from typematch.errors import ClaudeError
from typematch.evaluate.corpus import Functions, Row
from typematch.evaluate.relevance import intent
from typematch.search.llm_protocols import StageReport


def evaluate(
    catalog: Catalog, queries: Iterable[Row], functions: Functions, *, candidates: int
) -> Row:
    """Return what ``intent.evaluate`` does, for the three orders, and what they did cost.

    ``candidates``: how many hits are offered, by the settings.

    Raises:
        ClaudeError: the first query could not be asked.
    """
    asked = list(queries)
    by_text = {one["query"]: one for one in asked}
    reports: list[StageReport] = []

    def plain(text: str) -> Sequence[str]:
        return [hit.entry.id for hit in catalog.search(text, limit=intent.DEPTH)]

    def judged(text: str) -> Sequence[str]:
        result = catalog.search(text, limit=intent.DEPTH, rerank=True)
        if not reports and result.stages and result.stages[0].skipped:
            raise ClaudeError(f"Claude was not asked: {result.stages[0].skipped}")
        reports.extend(result.stages)
        return [hit.entry.id for hit in result]

    def ceiling(text: str) -> Sequence[str]:
        ids = plain(text)
        offered = best_order(ids[:candidates], functions, by_text[text])
        return [*offered, *ids[candidates:]]

    if asked:
        judged(asked[0]["query"])  # what fails at once fails the whole
        reports.clear()
    rankers = {"search": plain, "reranked": judged, "ceiling": ceiling}
    return {**intent.evaluate(asked, functions, rankers), "cost": cost_of(reports)}


def best_order(offered: Sequence[str], functions: Functions, query: Row) -> list[str]:
    """Return entries in the order of their labels, those of one label as they were."""

    def grade(entry: str) -> int:
        same = functions.ids.get(entry, frozenset()) - frozenset(query.get("ignore", ()))
        return max((query["relevant"].get(one, 0) for one in same), default=0)

    return sorted(offered, key=lambda entry: -grade(entry))


def cost_of(reports: Sequence[StageReport]) -> Mapping[str, float]:
    return {
        "requests": sum(one.requests for one in reports),
        "kept": sum(one.kept for one in reports),
        "tokens_in": sum(one.tokens_in for one in reports),
        "tokens_out": sum(one.tokens_out for one in reports),
        "dollars": sum(one.dollars for one in reports),
        "skipped": sum(bool(one.skipped) for one in reports),
    }


def report(result: Row, *, show: bool = False) -> str:
    cost = result["cost"]
    return "\n".join(
        (
            intent.report(result, show=show),
            f"{cost['requests']:,} requests and {cost['kept']:,} kept answers, "
            f"{cost['tokens_in']:,} tokens in, {cost['tokens_out']:,} out, "
            f"${cost['dollars']:.4f}; {cost['skipped']} queries were not reranked",
        )
    )
