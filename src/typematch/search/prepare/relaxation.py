"""Give up part of a query that nothing answers, in a published order, and say what was given up.

Search is soft about types anyway: a signature that fits badly costs more.  Facets and names are
hard, until nothing is left; then the first of these is tried without, then the next one, and at
last all of them together:

    arity, has, tag, mentions, param, returns, is, kind, the name

What an English sentence says for sure filters too, and is given up in the same order before any
facet that was typed, as soon as hardly anything answers; it goes on to order the hits.

Never given up: where to look (``pkg path module lang source service http``), what was taken away
with ``-``, ``like``, how strictly types must fit, and the signature itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from typematch.query.model import Constraint, Query
from typematch.query.read_as import constraint_text

ORDER = ("arity", "has", "tag", "mentions", "param", "returns", "is", "kind", "name")


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A query that asks for less, and one sentence for each thing that it no longer asks for."""

    query: Query
    sentences: tuple[str, ...]


def relaxations(query: Query) -> Iterator[Relaxed]:
    """Yield what to try in turn; nothing where there is nothing to give up."""
    usable = [key for key in ORDER if _has(query, key)]
    for key in usable:
        yield _without(query, (key,))
    for count in range(2, len(usable) + 1):
        yield _without(query, usable[:count])


def _has(query: Query, key: str) -> bool:
    if key == "name":
        # A name is all there is to go by, unless a type stands beside it.
        return bool(query.name) and (query.signature is not None or query.type is not None)
    return any(one.key == key and not one.negated for one in query.constraints)


def _without(query: Query, keys: tuple[str, ...] | list[str]) -> Relaxed:
    kept = tuple(one for one in query.constraints if one.negated or one.key not in keys)
    name = "" if "name" in keys else query.name
    sentences = tuple(
        f"nothing answers with the name {query.name!r}, so any name will do"
        if key == "name"
        else f"nothing answers with {key}: as asked, so it was left out"
        for key in keys
    )
    return Relaxed(replace(query, constraints=kept, name=name), sentences)


@dataclass(frozen=True, slots=True)
class Released:
    """What still filters of what a sentence says, and a sentence for each thing given up."""

    heard: tuple[Constraint, ...]
    sentences: tuple[str, ...]


def releases(heard: Sequence[Constraint]) -> Iterator[Released]:
    """Yield what is left of a sentence's own filters, giving up one more each time."""
    left, sentences = tuple(heard), tuple[str, ...]()
    for key in ORDER:
        gone = [one for one in left if one.key == key]
        if gone:
            said = " ".join(constraint_text(one) for one in gone)
            sentences = (*sentences, f"hardly anything answers with {said}, so it orders only")
            left = tuple(one for one in left if one.key != key)
            yield Released(left, sentences)
