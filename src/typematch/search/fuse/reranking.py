"""Reorder hits by a model's relevance judgments, within the limits of types.

No hit is lost or added.  Hits that do not fit the query's type stay after all that fit.  A hit
without a judgment keeps its position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from typematch.match.edit_kinds import MISMATCHED
from typematch.search.llm_protocols import RelevanceJudgment
from typematch.search.results import Hit


def reranked(
    hits: Sequence[Hit], judgments: Mapping[str, RelevanceJudgment], *, typed: bool
) -> list[Hit]:
    """Return ``hits`` in the new order, with their judgments.

    The scores are reassigned so that they descend.  Hits of equal judgment keep their order.

    Args:
        judgments: by entry id.
        typed: whether the query has a type, which a hit may not fit.
    """
    judged = [replace(hit, judgment=judgments.get(hit.entry.id)) for hit in hits]
    fitting = [hit for hit in judged if not (typed and does_not_fit(hit))]
    others = [hit for hit in judged if typed and does_not_fit(hit)]
    ordered = [*_by_judgment(fitting), *_by_judgment(others)]
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [replace(hit, score=score) for hit, score in zip(ordered, scores, strict=True)]


def does_not_fit(hit: Hit) -> bool:
    """Return whether a hit does not fit the query's type, or is undecided."""
    return hit.cost is None or any(edit.kind is MISMATCHED for edit in hit.edits)


def _by_judgment(hits: Sequence[Hit]) -> list[Hit]:
    judged = [hit for hit in hits if hit.judgment is not None]
    ordered = iter(sorted(judged, key=lambda hit: -(hit.judgment.score if hit.judgment else 0.0)))
    return [hit if hit.judgment is None else next(ordered) for hit in hits]
