"""Relax a query without hits: give up facets and the name, in a fixed order.

Each of these is first left out alone, then the first two together, and so on:

    arity, has, tag, mentions, param, returns, is, kind, the name

Filters that an English sentence implies are given up in the same order, before any typed facet, as
soon as there are few hits; they still affect the ranking.

Never given up: the scope (``pkg path module lang source service http``), negated facets, ``like``,
the strictness, and the signature itself, whose misfits are edits with a cost, with its ``new`` and
its result ``this``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from typematch.query.model import Constraint, Query
from typematch.query.read_as import constraint_text

ORDER = ("arity", "has", "tag", "mentions", "param", "returns", "is", "kind", "name")


@dataclass(frozen=True, slots=True)
class RelaxedQuery:
    """A query without some of its parts, and a sentence for each of these."""

    query: Query
    sentences: tuple[str, ...]


def query_relaxations(query: Query) -> Iterator[RelaxedQuery]:
    """Yield the relaxed queries to try, in order."""
    keys = [key for key in ORDER if _has(query, key)]
    for key in keys:
        yield _without(query, (key,))
    for count in range(2, len(keys) + 1):
        yield _without(query, keys[:count])


def _has(query: Query, key: str) -> bool:
    if key == "name":
        # Without a signature or type the name is the whole query.
        return bool(query.name) and (query.signature is not None or query.type is not None)
    return any(
        constraint.key == key and not (constraint.negated or constraint.required)
        for constraint in query.constraints
    )


def _without(query: Query, keys: Sequence[str]) -> RelaxedQuery:
    constraints = tuple(
        constraint
        for constraint in query.constraints
        if constraint.negated or constraint.required or constraint.key not in keys
    )
    name = "" if "name" in keys else query.name
    sentences = tuple(
        f"no hits with the name {query.name!r}, so it was left out"
        if key == "name"
        else f"no hits with {key}:, so it was left out"
        for key in keys
    )
    return RelaxedQuery(replace(query, constraints=constraints, name=name), sentences)


@dataclass(frozen=True, slots=True)
class RelaxedFilters:
    """The remaining filters of a sentence, and a sentence for each one given up."""

    constraints: tuple[Constraint, ...]
    sentences: tuple[str, ...]


def filter_relaxations(filters: Sequence[Constraint]) -> Iterator[RelaxedFilters]:
    """Yield a sentence's filters without one key more each time."""
    remaining, sentences = tuple(filters), tuple[str, ...]()
    for key in ORDER:
        removed = [constraint for constraint in remaining if constraint.key == key]
        if removed:
            text = " ".join(constraint_text(constraint) for constraint in removed)
            sentences = (*sentences, f"few hits with {text}, so it only affects the order")
            remaining = tuple(constraint for constraint in remaining if constraint.key != key)
            yield RelaxedFilters(remaining, sentences)
