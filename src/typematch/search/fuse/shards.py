"""Merge the answers of the shards of a catalog to one query.

A shard has the declarations of the whole catalog and the functions of a part of its packages, so
each reads the query alike and compares functions alike.  Its page holds its cheapest functions, and
so the cheapest of all pages are the cheapest of the catalog.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from typematch.match.edit_kinds import HIGHEST_COST
from typematch.query.parse import parse
from typematch.search.results import Hit, SearchResult
from typematch.search.retrieve.type_search import MIN_MATCHES


def merge_results(results: Sequence[SearchResult], limit: int | None = 20) -> SearchResult:
    """Return the best ``limit`` hits of all shards; ``limit:`` in the query overrides it.

    With ``sort:cost`` in the query it is the page of the whole catalog: cheapest first, of equal
    cost in order of id.  Else hits are in order of their scores, which differ from those in the
    whole catalog: a shard weighs words by its own texts.  docs/scale.md has how much.

    Args:
        results: the answer of each shard to the same query, with ``limit`` hits each if there are
            so many.

    Raises:
        ValueError: there is no result.
    """
    if not results:
        raise ValueError("there are no results to merge")
    # A shard that has nothing of the facets or the name of a query answers without them.
    answers = [result for result in results if not result.left_out] or list(results)
    first = answers[0]
    query = parse(first.query)
    order = _cost_order if query.sort == "cost" else _score_order
    # Hits of equal score stay in the order of their pages, which also names decide.
    ranked = [(order(hit), rank, hit) for result in answers for rank, hit in enumerate(result.hits)]
    ranked.sort(key=lambda found: (*found[:2], found[2].entry.id))
    found: dict[str, Hit] = {}
    for _, _, hit in ranked:
        found.setdefault(hit.entry.id, hit)
    hits = list(found.values())
    relaxed = tuple(dict.fromkeys(what for result in answers for what in result.relaxed))
    if sum(map(_is_near, hits)) >= MIN_MATCHES:
        # What a shard lists because it has too few, the whole catalog does not.
        widened = {hit.entry.id for result in answers if result.relaxed for hit in result.hits}
        hits = [
            hit for hit in hits if _is_near(hit) or hit.undecided or hit.entry.id not in widened
        ]
        relaxed = ()
    return replace(
        first,
        hits=tuple(hits[: query.limit or limit]),
        total=max(len(hits), sum(result.total for result in answers)),
        at_least=len(answers) > 1 or first.at_least,
        relaxed=relaxed,
        notices=tuple(dict.fromkeys(notice for result in answers for notice in result.notices)),
        undecided=sum(result.undecided for result in answers),
        ids=tuple(hit.entry.id for hit in hits),
        facets=None,
    )


def _is_near(hit: Hit) -> bool:
    return hit.cost is not None and hit.cost <= HIGHEST_COST


def _cost_order(hit: Hit) -> tuple[float, str]:
    return math.inf if hit.cost is None else hit.cost, hit.entry.id


def _score_order(hit: Hit) -> tuple[float, str]:
    return -round(hit.score, 9), ""
