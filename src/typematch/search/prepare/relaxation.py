"""Relax a query without hits: give up facets and the name, in a fixed order.

Each of these is first left out alone, then the first two together, and so on:

    arity, has, tag, mentions, param, returns, is, kind, the name

Filters that an English sentence implies are given up in the same order, before any typed facet, as
soon as there are few hits; they still affect the ranking.

A query is not relaxed to one that selects nothing but a scope: that would list everything.

Never given up: the scope (``pkg path module lang source service http``), ``name:``, negated facets,
``like``, a ``tag`` that no entry has, the strictness, and the signature itself, whose misfits are
edits with a cost, with its ``new`` and its result ``this``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from typematch.query.model import Constraint, Query
from typematch.query.read_as import constraint_text

_SCOPES = frozenset(("pkg", "path", "module", "lang", "source", "service", "http"))
ORDER = ("arity", "has", "tag", "mentions", "param", "returns", "is", "kind", "name")


@dataclass(frozen=True, slots=True)
class RelaxedQuery:
    """A query without some of its parts.

    Attributes:
        left_out: these parts, as they are written in a query.
    """

    query: Query
    left_out: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(f"no hits with {part}, so it was left out" for part in self.left_out)


def query_relaxations(query: Query) -> Iterator[RelaxedQuery]:
    """Yield the relaxed queries to try, in order; none for ``strict:yes``."""
    if query.strict:
        return
    keys = [key for key in ORDER if _has(query, key)]
    given_up = [*((key,) for key in keys), *(keys[:count] for count in range(2, len(keys) + 1))]
    for relaxed in (_without(query, left_out) for left_out in given_up):
        if _selects(relaxed.query):
            yield relaxed


def _selects(query: Query) -> bool:
    """Whether a query asks for more than everything in a scope."""
    return bool(query.words or query.name or query.signature or query.type) or any(
        not constraint.negated and constraint.key not in _SCOPES for constraint in query.constraints
    )


def _has(query: Query, key: str) -> bool:
    if key == "name":
        # Without a signature or type the name is the whole query.
        return bool(query.name) and (query.signature is not None or query.type is not None)
    return any(_is_of(constraint, key) for constraint in query.constraints)


def _is_of(constraint: Constraint, key: str) -> bool:
    """Whether a facet is one of those that are given up under ``key``."""
    # The key "name" stands for the name before ``::``; the facet ``name:`` is never given up.
    given_up = constraint.key == key and key != "name"
    return given_up and not (constraint.negated or constraint.required)


def _without(query: Query, keys: Sequence[str]) -> RelaxedQuery:
    left_out = [
        constraint for key in keys for constraint in query.constraints if _is_of(constraint, key)
    ]
    constraints = tuple(item for item in query.constraints if item not in left_out)
    texts = tuple(constraint_text(constraint) for constraint in left_out)
    if "name" not in keys:
        return RelaxedQuery(replace(query, constraints=constraints), texts)
    relaxed = replace(query, constraints=constraints, name="")
    return RelaxedQuery(relaxed, (*texts, f"{query.name} ::"))


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
