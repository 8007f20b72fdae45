"""Find who implements an interface: classes, interfaces, services, packages, method by method.

Types decide: a method is covered by a member whose type the relation accepts for it, at the price
that it says; names only choose among those that fit.  A type that many have says little: a method
that fits in every tenth container weighs less than one that fits in one of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from typematch.index.entries.containers import PACKAGE
from typematch.index.entries.selection import Condition
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.store import Store
from typematch.index.text.words import split_identifier
from typematch.ir.types import Object, Type
from typematch.match.edit_kinds import Edit
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit
from typematch.search.pipeline import told
from typematch.search.retrieve.structural import TypeMatch, find_functions
from typematch.search.score.required_interfaces import NeededMethod, RequiredInterface
from typematch.search.score.scoring import TypeScorer, TypeScorers

THRESHOLD = 0.5  # of what is needed, by weight; below it nothing is claimed
MOST_COST = 400  # edit units; a member that costs more does not cover a method
_HALF = 200  # edit units at which a covered method counts half
# Where the names have no word in common: the most that a member may cost, in edit units, and at
# which it counts half.
_MOST_OF_OTHERS = 40
_OTHER_NAME = 0.75  # what such a member counts
_OTHER_NAME_ALONE = 0.3  # what it counts among the functions of a package
_NAME_WORTH = 60  # edit units that it may cost more to be called the same
_ENOUGH = 400  # entries of which the containers are looked at, for each method
_LOOKED_AT = 40  # containers that are compared method by method
_TIERS = 2
_CALLED = Condition(
    "kind",
    tuple(Pattern(kind) for kind in ("method", "operation", "function", "const", "property")),
)


@dataclass(frozen=True, slots=True)
class MethodMatch:
    """A needed method and the member that does it: its name, its id, what it costs, and why."""

    method: str
    member: str
    id: str
    cost: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class MissingMethod:
    """A needed method that nothing covers; ``reason`` where a member of that name does not fit."""

    method: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Implementation:
    """What implements an interface, wholly or in part.

    Attributes:
        id: of the class, interface or service; the name of a package.
        kind: ``class``, ``interface``, ``service`` or ``package``.
        share: of what is needed, by weight and price, from 0.0 to 1.0; it orders implementations.
        cost: of the covered methods together, in edit units.
    """

    id: str
    kind: str
    path: str
    line: int
    share: float
    cost: int
    covered: tuple[MethodMatch, ...]
    missing: tuple[MissingMethod, ...]


@dataclass(frozen=True, slots=True)
class InterfaceMatches:
    """Who implements one needed interface, best first; ``nearest`` is a share below the threshold.

    ``looked_at``: how many containers were compared method by method.
    """

    needed: RequiredInterface
    found: tuple[Implementation, ...]
    nearest: float
    looked_at: int


def implementations(
    needed: RequiredInterface, store: Store, *, limit: int = 10
) -> InterfaceMatches:
    """Return at most ``limit`` containers that implement ``needed`` to a share of ``THRESHOLD``."""
    with TypeScorers(store, Strictness.SOFT) as judges:
        return _implementations(needed, store, judges, limit)


def _implementations(
    needed: RequiredInterface, store: Store, judges: TypeScorers, limit: int
) -> InterfaceMatches:
    fitting = [_containers_by_type(method, store, judges) for method in needed.methods]
    weights = [_weight(len(found)) for found in fitting]
    promise: dict[str, float] = {}
    for method, found, weight in zip(needed.methods, fitting, weights, strict=True):
        for container in found:
            promise[container] = promise.get(container, 0.0) + weight
        for container in _containers_by_name(method, store):
            promise[container] = promise.get(container, 0.0) + weight / 2
    chosen = sorted(promise, key=lambda one: (-promise[one], one))[:_LOOKED_AT]
    compared = [_compare(needed, container, weights, store, judges) for container in chosen]
    ordered = sorted(compared, key=lambda one: (-round(one.share, 6), one.cost, one.id))
    claimed = [one for one in ordered if one.share >= THRESHOLD]
    best = max((one.share for one in ordered if one.share < THRESHOLD), default=0.0)
    return InterfaceMatches(needed, tuple(claimed[:limit]), best, len(chosen))


def _weight(containers: int) -> float:
    """Return how telling it is to have a method that so many have; none at all is as one."""
    return 1.0 / math.log2(2 + max(containers, 1))


def _containers_by_type(method: NeededMethod, store: Store, judges: TypeScorers) -> frozenset[str]:
    findings = find_functions(
        [(method.type, judges.functions(method.type, method.variables))],
        store,
        selection=(_CALLED,),
        enough=_ENOUGH,
        tiers=_TIERS,
    )
    near = [number for number, one in findings.by_entry.items() if one.cost <= MOST_COST]
    return frozenset(store.containers(near).values())


def _containers_by_name(method: NeededMethod, store: Store) -> frozenset[str]:
    named = store.select((_CALLED, Condition("name", (Pattern(method.name),))), limit=_ENOUGH)
    return frozenset(store.containers(named).values())


def _compare(
    needed: RequiredInterface,
    container: str,
    weights: Sequence[float],
    store: Store,
    judges: TypeScorers,
) -> Implementation:
    members = store.members(container)
    fits: list[_Pair] = []
    named: dict[int, str] = {}
    for place, method in enumerate(needed.methods):
        judge = judges.functions(method.type, method.variables)
        for other, (number, name, type_) in enumerate(members):
            alike = _alike(method.name, name)
            most = MOST_COST if alike else _MOST_OF_OTHERS
            finding, why = _best_overload(number, type_, judge, most, explain=name == method.name)
            if finding is not None:
                fits.append(_Pair(place, other, alike, finding))
            elif why:
                named[place] = f"{name} is there, but {why}"
    covering: dict[int, _Pair] = {}
    taken: dict[int, str] = {}
    # The nearest pairs first: a member does for one method, all overloads of that among it.
    for pair in sorted(fits, key=_Pair.order):
        name = needed.methods[pair.method].name
        if pair.method not in covering and taken.get(pair.member, name) == name:
            covering[pair.method] = pair
            taken[pair.member] = name
    numbers = [covering[place].finding.entry for place in sorted(covering)]
    covered = [
        MethodMatch(
            needed.methods[place].text,
            entry.name,
            entry.id,
            int(covering[place].finding.cost),
            told(entry, covering[place].finding),
        )
        for place, entry in zip(sorted(covering), store.entries(numbers), strict=True)
    ]
    together = not container.startswith(PACKAGE)
    worth = math.fsum(
        weights[place] * _worth(pair, fits, together=together) for place, pair in covering.items()
    )
    missing = [
        MissingMethod(method.text, named.get(place, ""))
        for place, method in enumerate(needed.methods)
        if place not in covering
    ]
    return Implementation(
        *_told(container, store),
        share=worth / math.fsum(weights),
        cost=sum(one.cost for one in covered),
        covered=tuple(covered),
        missing=tuple(missing),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """A method and a member that fits it, by their places; ``alike`` are the two names."""

    method: int
    member: int
    alike: float
    finding: TypeMatch

    def order(self) -> tuple[float, int, int]:
        return self.finding.cost + _NAME_WORTH * (1.0 - self.alike), self.method, self.member


def _worth(pair: _Pair, fits: Sequence[_Pair], *, together: bool) -> float:
    """Return what a covered method counts, 1.0 at best.

    Where the names have nothing in common and several members would do, it may be chance that one
    does; among functions that are not even members of one thing (``together``) the more so.
    """
    if pair.alike:
        return _HALF / (_HALF + pair.finding.cost)
    others = sum(one.method == pair.method and not one.alike for one in fits)
    share = _OTHER_NAME if together else _OTHER_NAME_ALONE
    return share / others * _MOST_OF_OTHERS / (_MOST_OF_OTHERS + pair.finding.cost)


def _best_overload(
    number: int, type_: Type, judge: TypeScorer, most: int, *, explain: bool
) -> tuple[TypeMatch | None, str]:
    """Return the cheapest overload that fits, else why none does, if that is wanted."""
    best: TypeMatch | None = None
    why = ""
    calls = type_.calls if isinstance(type_, Object) else ()
    for overload, call in enumerate(calls):
        alone = Object(calls=(call,))
        if judge.bound(alone) is None and not explain:
            continue
        verdict = judge.verdict(alone, None if explain else most)
        if isinstance(verdict, Fit) and verdict.cost <= most:
            if best is None or verdict.cost < best.cost:
                best = TypeMatch(number, overload, verdict.cost, verdict.edits)
        elif isinstance(verdict, Misfit):
            why = why or verdict.reason
        else:
            why = why or "that costs too much"
    return best, why if explain else ""


def _alike(one: str, other: str) -> float:
    """Return what share of the words of two names they have in common."""
    left, right = set(split_identifier(one)), set(split_identifier(other))
    return len(left & right) / max(len(left | right), 1)


def _told(container: str, store: Store) -> tuple[str, str, str, int]:
    """Return id, kind, path and line of a container."""
    if container.startswith(PACKAGE):
        return container.removeprefix(PACKAGE), "package", "", 0
    numbers = store.declaring([container])
    if container not in numbers:
        return container, "", container.partition("#")[0], 0
    brief = store.briefs(numbers.values())[numbers[container]]
    return brief.id, brief.kind, brief.path, brief.line
