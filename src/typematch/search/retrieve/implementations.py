"""Find implementations of an interface: classes, interfaces, services and packages, by method.

A member covers a method if its type fits, at the cost of its edits; names choose among the members
that fit.  Where a type carries little information, such as one string in and nothing out, the
names must have a word in common.  A method that few containers cover has more weight than one that
many cover.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from typematch.index.entries.containers import PACKAGE_PREFIX
from typematch.index.entries.selection import Condition, GlobCondition
from typematch.index.store import Store
from typematch.index.text.words import split_identifier
from typematch.ir.constructors import promise_value_type
from typematch.ir.types import Intrinsic, Object, Type
from typematch.match.edit_kinds import Edit
from typematch.match.verdict import Fit, Misfit
from typematch.search.retrieve.structural import Alternative, FunctionSearch, find_functions
from typematch.search.score.edit_text import rendered_edits
from typematch.search.score.required_interfaces import RequiredInterface, RequiredMethod
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.type_match import TypeMatch
from typematch.search.score.type_scorer import TypeScorer

THRESHOLD = 0.5  # share of an interface; containers below it are not listed
MAX_COST = 400  # edit units; a dearer member does not cover a method
_HALF_COST = 200  # edit units at which a covered method counts half
# For members whose name has no word of the method's: their maximum cost, and their weights.
_MAX_COST_OTHER_NAME = 40  # edit units; also the cost at which such a member counts half
_OTHER_NAME_WEIGHT = 0.75
_OTHER_NAME_WEIGHT_IN_PACKAGE = 0.3
_SAYS_LITTLE = 1  # primitive types in a signature; with so few any member might fit by chance
_NAME_COST = 60  # edit units that equal names are worth
# A container is compared if a member costs at most this; one conversion or another order.
_MAX_PRESELECTION_COST = 60
_MAX_ENTRIES = 400  # per method, whose containers are counted
_MAX_CONTAINERS = 40  # compared method by method
_CALLABLE_KINDS = Condition(
    "kind",
    tuple(GlobCondition(kind) for kind in ("method", "operation", "function", "const", "property")),
)


@dataclass(frozen=True, slots=True)
class MethodMatch:
    """A required method and the member that covers it.

    Attributes:
        method: the signature of the method, with its name.
        member, id: the name and the id of the member.
        cost: in edit units.
    """

    method: str
    member: str
    id: str
    cost: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class MissingMethod:
    """A method that no member covers; ``reason``: why a member of that name does not fit."""

    method: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Implementation:
    """A container that implements an interface, wholly or in part.

    Attributes:
        id: of the class, interface or service; the name of a package.
        kind: ``class``, ``interface``, ``service`` or ``package``.
        share: of the interface, by weight and cost, from 0.0 to 1.0; the order of implementations.
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
    """The implementations of one interface, best first.

    Attributes:
        best_share: the largest share below ``THRESHOLD``.
        compared: how many containers were compared method by method.
    """

    required: RequiredInterface
    implementations: tuple[Implementation, ...]
    best_share: float
    compared: int


def find_implementations(
    required: RequiredInterface, store: Store, *, limit: int = 10
) -> InterfaceMatches:
    """Return at most ``limit`` implementations with a share of at least ``THRESHOLD``."""
    with TypeScorers(store) as scorers:
        methods = required.methods
        fitting = [_containers_by_type(method, store, scorers) for method in methods]
        weights = [_weight(len(containers)) for containers in fitting]
        scores: dict[str, float] = {}
        for method, containers, weight in zip(methods, fitting, weights, strict=True):
            for container in containers:
                scores[container] = scores.get(container, 0.0) + weight
            for container in _containers_by_name(method, store):
                scores[container] = scores.get(container, 0.0) + weight / 2
        chosen = sorted(scores, key=lambda container: (-scores[container], container))
        compared = [
            _compare(required, container, weights, store, scorers)
            for container in chosen[:_MAX_CONTAINERS]
        ]
    compared.sort(key=lambda found: (-round(found.share, 6), found.cost, found.id))
    listed = [found for found in compared if found.share >= THRESHOLD]
    best_share = max((found.share for found in compared if found.share < THRESHOLD), default=0.0)
    return InterfaceMatches(required, tuple(listed[:limit]), best_share, len(compared))


def _weight(containers: int) -> float:
    """Return the weight of a method that so many containers cover (inverse document frequency)."""
    return 1.0 / math.log2(2 + max(containers, 1))


def _containers_by_type(
    method: RequiredMethod, store: Store, scorers: TypeScorers
) -> frozenset[str]:
    scorer = scorers.function_scorer(method.type, method.variables)
    search = FunctionSearch(
        [Alternative(method.type, scorer)], (_CALLABLE_KINDS,), _MAX_PRESELECTION_COST
    )
    matches = find_functions(search, store, limit=_MAX_ENTRIES)
    near = [number for number, match in matches.by_entry.items() if not match.undecided]
    return frozenset(store.containers(near).values())


def _containers_by_name(method: RequiredMethod, store: Store) -> frozenset[str]:
    selection = (_CALLABLE_KINDS, Condition("name", (GlobCondition(method.name),)))
    return frozenset(store.containers(store.select(selection, limit=_MAX_ENTRIES)).values())


def _compare(
    required: RequiredInterface,
    container: str,
    weights: Sequence[float],
    store: Store,
    scorers: TypeScorers,
) -> Implementation:
    """Compare the methods of an interface with the members of a container."""
    methods = required.methods
    pairs, reasons = _fitting_pairs(required, container, store, scorers)
    covering: dict[int, _Pair] = {}
    taken: dict[int, str] = {}
    # Greedy by cost: a member covers one method, but all overloads of it.
    for pair in sorted(pairs, key=_Pair.sort_key):
        name = methods[pair.method].name
        if pair.method not in covering and taken.get(pair.member, name) == name:
            covering[pair.method] = pair
            taken[pair.member] = name
    entries = store.entries([covering[index].match.entry for index in sorted(covering)])
    covered = [
        MethodMatch(
            methods[index].text,
            entry.name,
            entry.id,
            int(covering[index].match.cost),
            rendered_edits(entry, covering[index].match),
        )
        for index, entry in zip(sorted(covering), entries, strict=True)
    ]
    in_package = container.startswith(PACKAGE_PREFIX)
    score = math.fsum(
        weights[index] * _pair_score(pair, pairs, in_package=in_package)
        for index, pair in covering.items()
    )
    missing = [
        MissingMethod(method.text, reasons.get(index, ""))
        for index, method in enumerate(methods)
        if index not in covering
    ]
    return Implementation(
        *_describe(container, store),
        share=score / math.fsum(weights),
        cost=sum(match.cost for match in covered),
        covered=tuple(covered),
        missing=tuple(missing),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """A method and a member that fits it, by index; ``name_similarity`` is from 0 to 1."""

    method: int
    member: int
    name_similarity: float
    match: TypeMatch

    def sort_key(self) -> tuple[float, int, int]:
        name_cost = _NAME_COST * (1.0 - self.name_similarity)
        return self.match.cost + name_cost, self.method, self.member


def _fitting_pairs(
    required: RequiredInterface, container: str, store: Store, scorers: TypeScorers
) -> tuple[list[_Pair], dict[int, str]]:
    """Return all pairs that fit, and why members of a method's name do not, by method."""
    members = store.members(container)
    pairs: list[_Pair] = []
    reasons: dict[int, str] = {}
    for index, method in enumerate(required.methods):
        scorer = scorers.function_scorer(method.type, method.variables)
        name_decides = _says_little(method.type)
        for member_index, (number, name, type_) in enumerate(members):
            similarity = _name_similarity(method.name, name)
            if name_decides and not similarity:
                continue
            max_cost = MAX_COST if similarity else _MAX_COST_OTHER_NAME
            match, reason = _best_overload(
                number, type_, scorer, max_cost, explain=name == method.name
            )
            if match is not None:
                pairs.append(_Pair(index, member_index, similarity, match))
            elif reason:
                reasons[index] = f"{name} is there, but {reason}"
    return pairs, reasons


def _says_little(function: Object) -> bool:
    """Return whether a function has at most one primitive type, and no other type."""
    [call] = function.calls
    result = promise_value_type(call.returns) or call.returns
    types = [parameter.type for parameter in call.parameters]
    if not isinstance(result, Intrinsic) or result.name not in ("void", "undefined", "any"):
        types.append(result)
    return len(types) <= _SAYS_LITTLE and all(isinstance(type_, Intrinsic) for type_ in types)


def _pair_score(pair: _Pair, pairs: Sequence[_Pair], *, in_package: bool) -> float:
    """Return what a covered method counts, at most 1.0.

    Without a common word in the names, a fit may be chance: it counts less if other such members
    fit too, and less among the functions of a package.
    """
    if pair.name_similarity:
        return _HALF_COST / (_HALF_COST + pair.match.cost)
    others = sum(other.method == pair.method and not other.name_similarity for other in pairs)
    weight = _OTHER_NAME_WEIGHT_IN_PACKAGE if in_package else _OTHER_NAME_WEIGHT
    return weight / others * _MAX_COST_OTHER_NAME / (_MAX_COST_OTHER_NAME + pair.match.cost)


def _best_overload(
    number: int, type_: Type, scorer: TypeScorer, max_cost: int, *, explain: bool
) -> tuple[TypeMatch | None, str]:
    """Return the cheapest overload that fits; else, with ``explain``, why none does."""
    best: TypeMatch | None = None
    reason = ""
    calls = type_.calls if isinstance(type_, Object) else ()
    for overload, call in enumerate(calls):
        function = Object(calls=(call,))
        if scorer.lower_bound(function, None) is None and not explain:
            continue
        verdict = scorer.verdict(function, None if explain else max_cost)
        if isinstance(verdict, Fit) and verdict.cost <= max_cost:
            if best is None or verdict.cost < best.cost:
                best = TypeMatch(number, overload, verdict.cost, verdict.edits)
        elif isinstance(verdict, Fit):
            reason = reason or "that costs too much"
        elif isinstance(verdict, Misfit):
            reason = reason or verdict.reason
        else:
            reason = reason or f"undecided: {verdict.reason}"
    return best, reason if explain else ""


def _name_similarity(first: str, second: str) -> float:
    """Return the Jaccard similarity of the words of two names."""
    left, right = set(split_identifier(first)), set(split_identifier(second))
    return len(left & right) / max(len(left | right), 1)


def _describe(container: str, store: Store) -> tuple[str, str, str, int]:
    """Return id, kind, path and line of a container."""
    if container.startswith(PACKAGE_PREFIX):
        return container.removeprefix(PACKAGE_PREFIX), "package", "", 0
    numbers = store.entries_declaring([container])
    if container not in numbers:
        return container, "", container.partition("#")[0], 0
    summary = store.summaries(numbers.values())[numbers[container]]
    return summary.id, summary.kind, summary.path, summary.line
