"""Turn the high-confidence constraints of an English sentence into filters.

The other constraints of the sentence only affect the ranking.  Types filter softly, because "takes
a string" leaves other parameters open: an entry is excluded if the lower bound of its cost is over
the ceiling of a search.  Curried functions pass, since their second call may take the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from typematch.index.entries.selection import (
    Condition,
    GlobCondition,
    InNumbers,
    RangeCondition,
    Selection,
)
from typematch.index.store import Store
from typematch.ir.types import Object
from typematch.match.edit_kinds import HIGHEST_COST
from typematch.query.model import Constraint, Flag, Range, TypeValue
from typematch.query.signature.type_expr import read_signature
from typematch.search.prepare.name_resolution import resolve_signature

_TYPE_FACETS = frozenset(("param", "returns"))
_CURRIED = "(...) => (...) => _"
_MAX_CACHED = 200  # signatures per store


# By store: its data version, and entries by signature text.
_cache: WeakKeyDictionary[Store, tuple[tuple[int, int], dict[str, frozenset[int]]]] = (
    WeakKeyDictionary()
)


def sentence_conditions(constraints: Sequence[Constraint], store: Store) -> Selection:
    """Return the conditions for a sentence's constraints.

    Args:
        constraints: with the keys ``param returns arity is kind``.
    """
    conditions = [
        condition for constraint in constraints for condition in _plain_conditions(constraint)
    ]
    if any(constraint.key in _TYPE_FACETS for constraint in constraints):
        parameters = ", ".join([*_type_texts(constraints, "param"), "..."])
        result = "".join(_type_texts(constraints, "returns")) or "_"
        entries = _possible_entries(f"({parameters}) => {result}", store)
        entries |= _possible_entries(_CURRIED, store)
        conditions.append(Condition("entry", (InNumbers(tuple(sorted(entries))),)))
    return tuple(conditions)


def _type_texts(constraints: Sequence[Constraint], key: str) -> list[str]:
    return [
        value.text
        for constraint in constraints
        if constraint.key == key
        for value in constraint.values
        if isinstance(value, TypeValue)
    ]


def _plain_conditions(constraint: Constraint) -> Selection:
    """Return the conditions for a constraint without types; none for a type."""
    [value, *_] = constraint.values
    match constraint.key, value:
        case "arity", Range(_, high):
            # No lower limit: a curried function takes the other parameters in its second call.
            return () if high is None else (Condition("arity", (RangeCondition(0, high),)),)
        case "kind", Flag("function"):
            # In English a function is anything callable: also methods and constants.
            is_callable = Condition("arity", (RangeCondition(0, None),))
            no_constructor = Condition("kind", (GlobCondition("constructor"),), negated=True)
            return (is_callable, no_constructor)
        case "kind" | "is", Flag(name):
            return (Condition(constraint.key, (GlobCondition(name),), constraint.negated),)
        case _:
            return ()


def _possible_entries(signature: str, store: Store) -> frozenset[int]:
    """Return the entries whose masks do not exclude ``signature``, cached per store."""
    version = store.data_version()
    cached = _cache.get(store)
    if cached is None or cached[0] != version or len(cached[1]) > _MAX_CACHED:
        cached = _cache[store] = (version, {})
    by_signature = cached[1]
    entries = by_signature.get(signature)
    if entries is None:
        parsed = read_signature(signature)
        resolved = resolve_signature(parsed.type, store, variables=parsed.variables)
        entries = frozenset().union(
            *(
                store.entries_within_bound(reading, HIGHEST_COST)
                for reading in resolved.readings
                if isinstance(reading, Object)
            )
        )
        by_signature[signature] = entries
    return entries
