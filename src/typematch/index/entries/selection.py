"""Conditions on entries, independent of the engine that evaluates them.

A selection is a sequence of conditions, all of which must hold.  The values of one condition are
alternatives; a negated condition holds if none of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

# ``is`` takes ``FLAGS``; ``entry`` takes entry numbers; ``lang`` and ``source`` the kind of source
# that the entry was read from.
ConditionKey: TypeAlias = OneOf[
    "kind",
    "name",
    "pkg",
    "path",
    "module",
    "lang",
    "source",
    "param",
    "returns",
    "mentions",
    "arity",
    "has",
    "http",
    "service",
    "tag",
    "is",
    "id",
    "type",
    "entry",
]

FLAGS = (
    "async",
    "exported",
    "generic",
    "deprecated",
    "overloaded",
    "static",
    "generator",
    "fluent",
    "inferred",
    "type-only",
)


@dataclass(frozen=True, slots=True)
class GlobCondition:
    """A glob: ``*`` matches any text, ``?`` one character; case is ignored.

    For ``path`` and ``module`` leading folders match too.  For ``mentions`` it is the key or name
    of a declaration, or a keyword such as ``string``.
    """

    pattern: str


@dataclass(frozen=True, slots=True)
class RangeCondition:
    """Numbers from ``low`` to ``high``, both included; None is unbounded."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class InNumbers:
    """Numbers of distinct types, as ``Store.types_at`` yields them; for ``entry``, of entries.

    ``name`` belongs to ``has``: the property's name.
    """

    numbers: tuple[int, ...]
    name: str = ""


ConditionValue: TypeAlias = GlobCondition | RangeCondition | InNumbers


@dataclass(frozen=True, slots=True)
class Condition:
    key: ConditionKey
    values: tuple[ConditionValue, ...]
    negated: bool = False


Selection: TypeAlias = Sequence[Condition]
EVERYTHING: Selection = ()


def listed_entries(selection: Selection) -> tuple[int, ...] | None:
    """Return the entry numbers if ``selection`` is one list of entries, else None."""
    match tuple(selection):
        case (Condition("entry", (InNumbers(numbers),), False),):
            return numbers
        case _:
            return None
