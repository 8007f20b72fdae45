"""Say which entries are wanted: the conditions that a store turns into its own language.

A selection is a sequence of conditions, all of which must hold.  The values of one condition are
alternatives, and a negated one holds where none of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

# ``is`` takes the flags async, exported, generic, deprecated, overloaded, static, generator,
# inferred; ``lang`` the language read (``typescript``), ``source`` what kind of source it was.
Facet: TypeAlias = OneOf[
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
    "visibility",
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
    "inferred",
)


@dataclass(frozen=True, slots=True)
class TextCondition:
    """A glob: ``*`` any text, ``?`` one character; letter case does not count.

    Of ``path`` and ``module`` it may also be a leading part that ends at a slash.  Of ``mentions``
    it is a declaration's key, its name, or a keyword such as ``string``.
    """

    pattern: str


@dataclass(frozen=True, slots=True)
class Between:
    """Numbers from ``low`` to ``high``, both included; None is open."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class OneOfTypes:
    """Numbers of distinct types, as ``Store.types_in`` gave them; of ``entry``, entries' numbers.

    ``name`` belongs to ``has`` (the property's name) and ``param`` (the parameter's, or empty).
    """

    numbers: tuple[int, ...]
    name: str = ""


Value: TypeAlias = TextCondition | Between | OneOfTypes


@dataclass(frozen=True, slots=True)
class Condition:
    facet: Facet
    values: tuple[Value, ...]
    negated: bool = False


Selection: TypeAlias = Sequence[Condition]
EVERYTHING: Selection = ()


def listed(selection: Selection) -> tuple[int, ...] | None:
    """Return the numbers of the entries that ``selection`` is a list of; None if it is none."""
    match tuple(selection):
        case (Condition("entry", (OneOfTypes(numbers),), False),):
            return numbers
        case _:
            return None
