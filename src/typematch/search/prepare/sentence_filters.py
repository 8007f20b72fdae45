"""Filter by what an English sentence says for sure; what it only seems to say steers the ranking.

A sentence is no signature: "takes a string" leaves open what else is taken.  So a type filters as
softly as it can: out is only what the index itself knows to be no answer, however much is forgiven
short of an argument that is not used.  A function of two steps may take the rest in the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from typematch.index.entries.selection import Between, Condition, OneOfTypes, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.ir.types import Object
from typematch.match.edit_kinds import TIER_CEILINGS
from typematch.query.model import Constraint, Flag, Range, TypeValue
from typematch.query.signature.type_expr import read_signature
from typematch.search.prepare.name_resolution import NameStore, resolve_signature

_TYPED = frozenset(("param", "returns"))
_TIERS = len(TIER_CEILINGS) - 1  # the last one lets through what misfits
_IN_TWO_STEPS = "(...) => (...) => _"
_MOST_KEPT = 200  # answers of one store


class SentenceFilterStore(NameStore, Protocol):
    """What hearing asks of a store."""

    def possible(self, asked: Object, tiers: int, /) -> frozenset[int]: ...

    def mark(self) -> tuple[int, int]: ...


_kept: WeakKeyDictionary[SentenceFilterStore, tuple[tuple[int, int], dict[str, frozenset[int]]]] = (
    WeakKeyDictionary()
)


def heard_conditions(heard: Sequence[Constraint], store: SentenceFilterStore) -> Selection:
    """Return the conditions that an answer must meet for all that a sentence says for sure.

    Args:
        heard: the sentence's facets, of the keys ``param returns arity is kind``.
    """
    conditions = [found for one in heard for found in _plain(one)]
    typed = [one for one in heard if one.key in _TYPED]
    if typed:
        texts = {
            key: [
                value.text
                for one in typed
                if one.key == key
                for value in one.values
                if isinstance(value, TypeValue)
            ]
            for key in _TYPED
        }
        taken = ", ".join([*texts["param"], "..."])
        numbers = _may_be(f"({taken}) => {''.join(texts['returns']) or '_'}", store)
        numbers |= _may_be(_IN_TWO_STEPS, store)
        conditions.append(Condition("entry", (OneOfTypes(tuple(sorted(numbers))),)))
    return tuple(conditions)


def _plain(one: Constraint) -> Selection:
    [value, *_] = one.values
    match one.key, value:
        case "arity", Range(_, high):
            # Fewer may be asked for at first: the others are taken in a second step.
            return () if high is None else (Condition("arity", (Between(0, high),)),)
        case "kind", Flag("function"):
            # Whoever says "function" means what can be called: methods and constants too.
            called = Condition("arity", (Between(0, None),))
            made = Condition("kind", (Pattern("constructor"),), negated=True)
            return (called, made)
        case "kind" | "is", Flag(name):
            return (Condition(one.key, (Pattern(name),), one.negated),)
        case _:
            return ()


def _may_be(signature: str, store: SentenceFilterStore) -> frozenset[int]:
    """Return the entries with an overload that may fit ``signature``."""
    mark = store.mark()
    kept = _kept.get(store)
    if kept is None or kept[0] != mark or len(kept[1]) > _MOST_KEPT:
        kept = _kept[store] = (mark, {})
    known = kept[1].get(signature)
    if known is None:
        read = read_signature(signature)
        resolved = resolve_signature(read.type, store, variables=read.variables)
        known = frozenset().union(
            *(
                store.possible(reading, _TIERS)
                for reading in resolved.readings
                if isinstance(reading, Object)
            )
        )
        kept[1][signature] = known
    return known
