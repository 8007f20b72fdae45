"""Put hits in the order that a model's scores give, as far as types allow it.

Three things hold whatever the model said.  No hit is lost or added.  What misfits the asked type
comes after all that fits.  And a hit that was not judged keeps its place: the others are put in
order around it, those with one score as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from typematch.match.edit_kinds import MISFITTING
from typematch.search.llm_protocols import Judged
from typematch.search.results import Hit


def reranked(hits: Sequence[Hit], judged: Mapping[str, Judged], *, typed: bool) -> list[Hit]:
    """Return ``hits`` in a new order, each with what was said of it.

    The scores that order an answer stay where they were: the first hit has the highest.

    Args:
        judged: by the id of the entry.
        typed: whether a type was asked for, which an entry can misfit.
    """
    told = [replace(hit, judged=judged.get(hit.entry.id)) for hit in hits]
    fitting = [hit for hit in told if not (typed and misfits(hit))]
    others = [hit for hit in told if typed and misfits(hit)]
    ordered = [*_by_score(fitting), *_by_score(others)]
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [replace(hit, score=score) for hit, score in zip(ordered, scores, strict=True)]


def misfits(hit: Hit) -> bool:
    """Whether the relation says that a hit does not fit the asked type, or cannot say."""
    return hit.cost is None or any(edit.kind is MISFITTING for edit in hit.edits)


def _by_score(hits: Sequence[Hit]) -> list[Hit]:
    judged = [hit for hit in hits if hit.judged is not None]
    ordered = iter(sorted(judged, key=lambda hit: -(hit.judged.score if hit.judged else 0.0)))
    return [hit if hit.judged is None else next(ordered) for hit in hits]
