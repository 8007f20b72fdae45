"""Name every difference that search forgives, with its price and its sentence, side by side.

A search asks more softly than the compiler: a found function may take its arguments in another
order, or give a promise of what was asked for.  Each such difference is an edit; the cost of a
hit is the sum of its edits' prices, and its explanation is their sentences.  Prices are in edit
units: 0 is what the query asked for, and what the compiler would accept costs a few units at most
unless it says little (``any``, a query argument that is ignored).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typematch.ir.render import render
from typematch.ir.types import Type


@dataclass(frozen=True, slots=True)
class EditKind:
    """One sort of edit.

    Attributes:
        price: what the first one costs, in edit units.
        step: what each further unit of ``Edit.extra`` adds (an extra property, say).
        sentence: how a person reads it; ``{path}``, ``{a}`` and ``{b}`` are filled in.
    """

    name: str
    price: int
    sentence: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit at one place of the found signature: ``$.parameters[1]``, ``$.returns``.

    ``a`` and ``b`` are the texts or types that the sentence speaks of; types are rendered only when
    somebody reads it, because a search makes far more edits than it shows.
    """

    kind: EditKind
    path: str = "$"
    a: str | Type = ""
    b: str | Type = ""
    extra: int = 0

    @property
    def price(self) -> int:
        return self.kind.price + self.kind.step * self.extra

    @property
    def sentence(self) -> str:
        return self.describe()

    def describe(self, type_parameters: Sequence[str] = ()) -> str:
        """Return the sentence, with the found signature's own names for its type parameters."""
        a, b = (_shown(part, type_parameters) for part in (self.a, self.b))
        return self.kind.sentence.format(path=self.path, a=a, b=b)


def _shown(part: str | Type, names: Sequence[str]) -> str:
    return part if isinstance(part, str) else render(part, names=(names,))


# Starting points are Hoogle's and Inkuire's orders of preference; order matters more than size.
RENAMED = EditKind("renamed", 0, "{a} = {b}")
OPTIONAL_LEFT_OUT = EditKind("optional-left-out", 0, "{a} left out")
ALIAS_FOLLOWED = EditKind("alias-followed", 2, "{a} is {b}")
INSTANTIATED = EditKind("instantiated", 2, "{a} = {b}", step=3)
WIDER_PARAMETER = EditKind("wider-parameter", 4, "{a} takes more: {b}", step=1)
NARROWER_RESULT = EditKind("narrower-result", 4, "returns more precisely {b}", step=1)
OPTIONAL_GIVEN = EditKind("optional-given", 3, "{a} may be left out")
MORE_SPECIFIC = EditKind("more-specific", 4, "has more than was asked for", step=1)
CONTAINER_INSTANTIATED = EditKind("container-instantiated", 20, "{a} = {b} in its class", step=3)
RECEIVER_FIRST = EditKind("receiver-first", 20, "called on {a}")
NARROWED = EditKind("narrowed", 20, "only for {a} that is {b}")
READONLY_COPIED = EditKind("readonly-copied", 20, "copy {a}, which is readonly")
VAGUE = EditKind("vague", 25, "{a} takes any type")
OPTIONAL_SKIPPED = EditKind("optional-skipped", 30, "undefined must be given for {a}")
ORDER_CHANGED = EditKind("order-changed", 30, "arguments in the order {a}")
CURRIED = EditKind("curried", 40, "called in two steps, {a}")
ITERABLE_COLLECTED = EditKind("iterable-collected", 40, "collect {a} into an array")
UNION_MEMBER = EditKind("union-member", 50, "{a} only as {b}")
NOT_EMPTY = EditKind("not-empty", 50, "{a} must not be empty")
OPTIONAL_FILLED = EditKind("optional-filled", 50, "{a} must always be given")
AWAITED = EditKind("awaited", 60, "await {a}")
WRAPPED = EditKind("wrapped", 60, "wrap {a} in a promise")
UNDEFINED_CHECKED = EditKind("undefined-checked", 60, "check {a} for {b}")
DEFERRED = EditKind("deferred", 60, "give {a} as a function that returns it")
UNFOUNDED = EditKind("unfounded", 60, "{a} = {b}, which no argument says", step=3)
ANYTHING_INSIDE = EditKind("anything-inside", 100, "{a} holds any")
SPECIALISED = EditKind("specialised", 200, "only for {a} = {b}")
ARGUMENT_SUPPLIED = EditKind("argument-supplied", 300, "{a} must be supplied", step=300)
UNANNOTATED_PLACE = EditKind("unannotated", 400, "{a} has no type written")
GATHERED = EditKind("gathered", 420, "{a} given as part of {b}", step=20)
SPREAD = EditKind("spread", 420, "{a} given one by one")
ARGUMENT_UNUSED = EditKind("argument-unused", 1000, "{a} is not used")
MISFITTING = EditKind("misfitting", 2000, "{a} does not fit: {b}")
ANYTHING = EditKind("anything", 5000, "{a} takes or gives anything")

PRICES: tuple[EditKind, ...] = (
    RENAMED,
    OPTIONAL_LEFT_OUT,
    ALIAS_FOLLOWED,
    INSTANTIATED,
    OPTIONAL_GIVEN,
    WIDER_PARAMETER,
    NARROWER_RESULT,
    MORE_SPECIFIC,
    CONTAINER_INSTANTIATED,
    RECEIVER_FIRST,
    NARROWED,
    READONLY_COPIED,
    VAGUE,
    OPTIONAL_SKIPPED,
    ORDER_CHANGED,
    CURRIED,
    ITERABLE_COLLECTED,
    UNION_MEMBER,
    NOT_EMPTY,
    OPTIONAL_FILLED,
    AWAITED,
    WRAPPED,
    UNDEFINED_CHECKED,
    DEFERRED,
    UNFOUNDED,
    ANYTHING_INSIDE,
    SPECIALISED,
    ARGUMENT_SUPPLIED,
    UNANNOTATED_PLACE,
    GATHERED,
    SPREAD,
    ARGUMENT_UNUSED,
    MISFITTING,
    ANYTHING,
)

# What a search tier's filter must let through: everything that costs at most this many edit
# units. Tier 0 filters by what strict assignability needs.  Its ceiling lies just under the
# cheapest edit that the compiler would refuse, so whatever costs no more is assignable.
REFUSED_BY_THE_COMPILER = (
    CONTAINER_INSTANTIATED,
    RECEIVER_FIRST,
    NARROWED,
    READONLY_COPIED,
    ORDER_CHANGED,
    ITERABLE_COLLECTED,
    UNION_MEMBER,
    NOT_EMPTY,
    OPTIONAL_FILLED,
    AWAITED,
    WRAPPED,
    UNDEFINED_CHECKED,
    DEFERRED,
)
TIER_CEILINGS: tuple[int | None, ...] = (
    min(kind.price for kind in REFUSED_BY_THE_COMPILER) - 1,
    max(kind.price for kind in REFUSED_BY_THE_COMPILER),
    400,
    None,
)
