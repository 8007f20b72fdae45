"""Restrict a query to packages and services.

The choices are ordered by the hits of a first search; a model or the user chooses among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.store import Store
from typematch.query.model import Constraint, Glob
from typematch.search.llm_protocols import ScopeChoice
from typematch.search.prepare.prepared_query import PreparedQuery

_MAX_HITS = 100  # hits that order the choices
_TOP_ENTRIES = 4  # listed per choice
_MAX_CHOICES = 100_000
# Operations of a service are offered with the service, not with its package.
_NO_SERVICE = Condition("service", (GlobCondition("?*"),), negated=True)


def scope_choices(hits: Sequence[int], store: Store) -> list[ScopeChoice]:
    """Return all packages and services, in the order of a search's first hits.

    Args:
        hits: entry numbers, best first.
    """
    scores: dict[tuple[str, str], float] = {}
    top_entries: dict[tuple[str, str], list[str]] = {}
    for rank, entry in enumerate(store.entries(hits[:_MAX_HITS]), start=1):
        key = ("service", entry.service) if entry.service else ("pkg", entry.package)
        scores[key] = scores.get(key, 0.0) + 1 / rank
        summary = entry.doc.summary if entry.doc is not None else ""
        text = f"{entry.name}: {summary}" if summary else entry.name
        top_entries.setdefault(key, []).append(text)
    counts = {
        (facet, name): count
        for facet, selection in (("service", ()), ("pkg", (_NO_SERVICE,)))
        for name, count in store.facet_counts(facet, selection, limit=_MAX_CHOICES)
    }
    ordered = sorted(counts, key=lambda key: (-scores.get(key, 0.0), -counts[key], key))
    return [
        ScopeChoice(
            facet,
            name,
            counts[facet, name],
            tuple(top_entries.get((facet, name), ())[:_TOP_ENTRIES]),
        )
        for facet, name in ordered
    ]


def within_scopes(
    prepared: PreparedQuery, chosen: Sequence[ScopeChoice]
) -> tuple[PreparedQuery, ...]:
    """Return the query within the chosen packages and within the chosen services.

    Facets are conjunctive, so these are two queries.  Without a choice it is the query itself.
    """
    scoped = []
    for facet in ("pkg", "service"):
        names = tuple(Glob(choice.name) for choice in chosen if choice.facet == facet)
        if names:
            constraints = (*prepared.query.constraints, Constraint(facet, names))
            query = replace(prepared.query, constraints=constraints)
            scoped.append(replace(prepared, query=query))
    return tuple(scoped) or (prepared,)
