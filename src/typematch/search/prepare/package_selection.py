"""Search only the packages and services that are worth it.

Which ones there are to choose among is found without a model: first those in which the request
finds most, then the others.  Where nobody chooses, nothing is narrowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.index.entries.selection import Condition
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.store import Store
from typematch.query.model import Constraint, Glob
from typematch.search.fuse.ranked import RankedEntries, by_best_rank
from typematch.search.llm_protocols import Choice
from typematch.search.prepare.prepared_query import PreparedQuery
from typematch.search.prepare.query_expansion import Ask

_LOOKED_AT = 100  # hits that say where the request finds something
_SHOWN = 4  # of one choice
_MOST = 100_000  # packages
# What belongs to a service is offered by that, not by its package.
_OF_NO_SERVICE = Condition("service", (Pattern("?*"),), negated=True)


def choices(answer: RankedEntries, store: Store) -> list[Choice]:
    """Return every package and service, those first in which ``answer`` has its first hits."""
    first = [one.brief for one in answer.found[:_LOOKED_AT]]
    entries = store.entries([one.number for one in first])
    worth: dict[tuple[str, str], float] = {}
    shown: dict[tuple[str, str], list[str]] = {}
    for rank, entry in enumerate(entries, start=1):
        key = ("service", entry.service) if entry.service else ("pkg", entry.package)
        worth[key] = worth.get(key, 0.0) + 1 / rank
        said = entry.doc.summary if entry.doc is not None else ""
        shown.setdefault(key, []).append(f"{entry.name}: {said}" if said else entry.name)
    counts = {
        (facet, name): count
        for facet, among in (("service", ()), ("pkg", (_OF_NO_SERVICE,)))
        for name, count in store.facet_counts(facet, among, limit=_MOST)
    }
    ordered = sorted(counts, key=lambda key: (-worth.get(key, 0.0), -counts[key], key))
    return [
        Choice(facet, name, counts[facet, name], tuple(shown.get((facet, name), ())[:_SHOWN]))
        for facet, name in ordered
    ]


def within(chosen: Sequence[Choice], ask: Ask) -> Ask:
    """Return what asks within the chosen packages and services, or everywhere where none are."""
    if not chosen:
        return ask

    def asked(request: PreparedQuery) -> RankedEntries:
        answers = [ask(one) for one in _narrowed(request, chosen)]
        if len(answers) == 1:
            return answers[0]
        found = [one for _, one in by_best_rank([each.found for each in answers])]
        complete = all(one.complete for one in answers)
        return replace(answers[0], found=found, complete=complete)

    return asked


def _narrowed(request: PreparedQuery, chosen: Sequence[Choice]) -> list[PreparedQuery]:
    """Return what to ask instead of ``request``: within the packages, and within the services."""
    asked = []
    for facet in ("pkg", "service"):
        names = tuple(Glob(one.name) for one in chosen if one.facet == facet)
        if names:
            constraints = (*request.query.constraints, Constraint(facet, names))
            query = replace(request.query, constraints=constraints)
            asked.append(replace(request, query=query))
    return asked
