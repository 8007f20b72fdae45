"""Draw a match: which argument of a query goes to which place of what was found, and what of it.

A drawing has a line for every place on either side.  Most lines join two places; an argument that
is not used has no place to go to, and a parameter that must be supplied none that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Literal, TypeAlias

from typematch.ir.entry import EntrySignature
from typematch.ir.types import FURTHER, Object
from typematch.match.edit_kinds import (
    ANYTHING,
    ARGUMENT_SUPPLIED,
    ARGUMENT_UNUSED,
    AWAITED,
    CURRIED,
    DEFERRED,
    GATHERED,
    MISFITTING,
    OPTIONAL_LEFT_OUT,
    OPTIONAL_SKIPPED,
    ORDER_CHANGED,
    RECEIVER_FIRST,
    SPREAD,
    TIER_CEILINGS,
    UNDEFINED_CHECKED,
    WRAPPED,
    Edit,
    EditKind,
)
from typematch.match.edits.argument_assignment import LEFT_OUT, SUPPLIED

Mark: TypeAlias = Literal[
    "fits",  # as it is
    "assignable",  # not the same, but the compiler accepts it
    "changed",  # at the price of its edits
    "anything",  # it says nothing: any, unknown
    "swapped",  # it stands elsewhere among the arguments
    "receiver",  # the function is called on it
    "second-call",  # it goes into a second call
    "awaited",
    "wrapped",  # in a promise
    "deferred",  # given as a function that returns it
    "gathered",  # into an object
    "spread",  # given in its parts
    "checked",  # for undefined
    "supplied",  # the query has nothing for it
    "left-out",  # it may be left out, and is
    "dropped",  # nothing takes it
    "misfits",
]

RESULT = "$.returns"
THIS = "$.this"
_SECOND_CALL = "$.returns.parameters[0]"

_MARKS: Mapping[EditKind, Mark] = {
    ANYTHING: "anything",
    ARGUMENT_SUPPLIED: "supplied",
    AWAITED: "awaited",
    DEFERRED: "deferred",
    GATHERED: "gathered",
    MISFITTING: "misfits",
    OPTIONAL_LEFT_OUT: "left-out",
    OPTIONAL_SKIPPED: "left-out",
    RECEIVER_FIRST: "receiver",
    UNDEFINED_CHECKED: "checked",
    WRAPPED: "wrapped",
}


@dataclass(frozen=True, slots=True)
class AlignmentEdge:
    """What becomes of one place.

    Attributes:
        asked: the place in the query, ``$.parameters[1]`` or ``$.returns``; empty where the query
            has none for it.
        found: the place in the found signature, written the same way; empty where there is none.
            Arguments go from ``asked`` to ``found``, a result comes back.
        marks: what is to be said of it, each once; ``fits`` stands alone.
        edits: those of the hit that speak of it, by their index.
    """

    asked: str
    found: str
    marks: tuple[Mark, ...]
    edits: tuple[int, ...] = ()


def lines(
    asked: EntrySignature, found: EntrySignature, way: Sequence[int], edits: Sequence[Edit]
) -> tuple[AlignmentEdge, ...]:
    """Return the lines in the order of the found signature, then what nothing takes, the result.

    Args:
        way: how the arguments were handed over (``match.verdict.Fit.way``); empty where signatures
            were compared as wholes, so that each argument goes where it stands.
        edits: of the hit, their paths counting a receiver that was put first as a parameter.
    """
    kinds = {edit.kind for edit in edits}
    given = _handed_over(asked, edits)
    pairs = _paired(len(given), found, way)
    crossing = _crossing(pairs) if ORDER_CHANGED in kinds else frozenset()
    told = _by_place(edits)
    drawn = [AlignmentEdge("", THIS, ("supplied",), told[THIS])] if THIS in told else []
    for place, source in pairs:
        there = _place(place, found, called_on=RECEIVER_FIRST in kinds)
        if not there:
            continue
        speaking = told.get(f"$.parameters[{place}]", ())
        if source >= 0:
            moved: tuple[Mark, ...] = ("swapped",) if source in crossing else ()
            marks = _once((*moved, *given[source].marks, *_marks(speaking, edits)))
            first, *others = given[source].places
            drawn.append(AlignmentEdge(first, there, marks, speaking))
            drawn += [AlignmentEdge(other, there, marks) for other in others]
        elif source == SUPPLIED and not speaking and _further(asked):
            drawn.append(AlignmentEdge(_further(asked), there, ("fits",)))
        else:
            mark: Mark = "supplied" if source == SUPPLIED else "left-out"
            drawn.append(AlignmentEdge("", there, (mark,), speaking))
    if CURRIED in kinds:
        drawn.append(
            AlignmentEdge(_parameter(_arguments(asked)[0]), _SECOND_CALL, ("second-call",))
        )
    drawn += _dropped(given, {source for _, source in pairs}, edits)
    speaking = tuple(one for path in told if path.startswith(RESULT) for one in told[path])
    return (*drawn, AlignmentEdge(RESULT, RESULT, _once(_marks(speaking, edits)), speaking))


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument as it is handed over, and the places of the query that it is made of."""

    name: str
    places: tuple[str, ...]
    marks: tuple[Mark, ...] = ()


def _handed_over(asked: EntrySignature, edits: Sequence[Edit]) -> list[_Argument]:
    """Return the arguments of the call that was judged: a query may be called in another way.

    In two steps the first argument goes last; an object may be given in its parts, and arguments as
    parts of an object.
    """
    given: list[_Argument] = []
    named = {edit.kind: str(edit.a) for edit in edits if edit.kind in (CURRIED, SPREAD, GATHERED)}
    for i in _arguments(asked):
        one = asked.parameters[i]
        if named.get(SPREAD) == one.name and isinstance(one.resolved, Object):
            for part in one.resolved.properties:
                given.append(_Argument(part.name, (_parameter(i),), ("spread",)))
        else:
            given.append(_Argument(one.name, (_parameter(i),)))
    if CURRIED in named:
        given = given[1:]
    inside = named.get(GATHERED, "").split(", ")
    parts = [i for i, one in enumerate(given) if one.name and one.name in inside]
    if parts:
        places = tuple(place for i in parts for place in given[i].places)
        kept = [one for i, one in enumerate(given) if i not in parts]
        given = [*kept[: parts[0]], _Argument("", places, ("gathered",)), *kept[parts[0] :]]
    return given


def _paired(count: int, found: EntrySignature, way: Sequence[int]) -> list[tuple[int, int]]:
    """Return (place, argument or what stands for none) for each place of a call with ``count``."""
    if way:
        return list(enumerate(way))
    places = len(found.parameters)
    if places and found.parameters[-1].rest:
        places = max(places, count)
    return [(i, i if i < count else LEFT_OUT) for i in range(places)]


def _place(place: int, found: EntrySignature, *, called_on: bool) -> str:
    """Return where a place of the call is; empty where the signature shows none.

    A rest parameter is as many places as the call needs.
    """
    if called_on and place == 0:
        return THIS
    index = place - called_on
    last = len(found.parameters) - 1
    if index > last and last >= 0 and found.parameters[last].rest:
        index = last
    return _parameter(index) if index <= last else ""


def _parameter(index: int) -> str:
    return f"$.parameters[{index}]"


def _arguments(asked: EntrySignature) -> list[int]:
    """Return which of the query's parameters are arguments that it hands over: not ``...``."""
    return [i for i, one in enumerate(asked.parameters) if one.resolved is not FURTHER]


def _further(asked: EntrySignature) -> str:
    """Return where the query says that there may be any further parameters; empty for nowhere."""
    for i, one in enumerate(asked.parameters):
        if one.resolved is FURTHER:
            return _parameter(i)
    return ""


def _crossing(pairs: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Return the arguments that another one has to pass on its way."""
    given = [(place, source) for place, source in pairs if source >= 0]
    passed = [
        (one[1], other[1])
        for one, other in combinations(given, 2)
        if (one[0] - other[0]) * (one[1] - other[1]) < 0
    ]
    return frozenset(source for both in passed for source in both)


def _by_place(edits: Sequence[Edit]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for i, edit in enumerate(edits):
        places[edit.path] = (*places.get(edit.path, ()), i)
    return places


def _marks(speaking: Sequence[int], edits: Sequence[Edit]) -> tuple[Mark, ...]:
    return tuple(_mark(edits[i].kind) for i in speaking if edits[i].price)


def _mark(kind: EditKind) -> Mark:
    cheap = kind.price <= (TIER_CEILINGS[0] or 0)
    return _MARKS.get(kind, "assignable" if cheap else "changed")


def _once(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(dict.fromkeys(marks)) or ("fits",)


def _dropped(
    given: Sequence[_Argument], used: AbstractSet[int], edits: Sequence[Edit]
) -> Iterator[AlignmentEdge]:
    """Yield a line for each argument that nothing takes; their edits come in the same order.

    An object of which something is taken is none of them.
    """
    charged = [i for i, edit in enumerate(edits) if edit.kind is ARGUMENT_UNUSED]
    taken = {place for i in used if i >= 0 for place in given[i].places}
    unused = [one for i, one in enumerate(given) if i not in used]
    for argument, edit in zip_longest(unused, charged[: len(unused)]):
        for place in argument.places:
            if place not in taken:
                yield AlignmentEdge(place, "", ("dropped",), () if edit is None else (edit,))
