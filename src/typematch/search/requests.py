"""Rank entries for a request in prose: clause by clause, each entry by the clause it serves best.

Of every clause and every entry it is asked how well words and meaning agree, and whether the clause
begins with what the operation does (to delete, to list).  Within a clause that gives each entry a
share of a whole: a clause that one entry answers clearly spends nothing on the others.  An entry is
then worth its largest share over the clauses.

An operation that is wanted needs its arguments: what gives them, in the same service, is worth part
of what the operation is.  So "add a song to my playlist" also finds the list of my playlists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Protocol

from typematch.index.fulltext import Asked, asked_of
from typematch.index.operations import Operations
from typematch.index.selection import Selection
from typematch.search.clauses import action_of, split_clauses
from typematch.search.dense import Near, OpenEmbedder, by_meaning

# What a cosine of 1 is worth, beside 1.0 for the text that answers the words best.  All numbers
# here were chosen on instance 1 of SOCBench-D, and lie on a plateau: half and double lose .005.
_MEANING = 1.5
_AGREES = 0.2  # that the method does what the clause begins with
_SERVICE = 0.25  # how much it counts how well the best operations of the service do
_SERVICE_BEST = 3  # of them
_SHARPNESS = 0.2  # a score lower by this much has 1/e of the share
_WHOLE = 0.25  # what the request as a whole counts beside its clauses
_SUPPLIES = 0.4  # of an operation's worth, what gives it an argument has
_DEPTH = 600  # entries that words, and that meaning, name for one clause
_LEAST = 1e-3  # of the best entry's share: what has less is not shown
_LIKELY = 0.02  # of a clause's best entry: what has less needs nothing

# What calling a method does, as the action that a clause begins with.
_ACTIONS: Mapping[str, str] = {
    "GET": """
        access analyse analyze assess browse check compare determine discover display download
        estimate evaluate examine explore export fetch find forecast get give identify inspect
        list locate look measure monitor obtain offer predict provide query read receive
        recommend retrieve review search see show summarise summarize tell track view watch
    """,
    "POST": """
        add analyse analyze append apply assign authenticate begin book build calculate compare
        compute configure create enable enroll execute generate import initiate insert install
        invite invoke issue join launch log make order pay perform place post process propose
        publish purchase record register report request reserve run schedule send set simulate
        skip start submit subscribe test trigger upload validate verify
    """,
    "PUT": """
        activate adjust approve assign change configure deactivate disable edit enable follow
        increase lower make mark modify mute optimise optimize pause play put reduce refine
        rename replace reschedule resume save set switch turn update upgrade
    """,
    "PATCH": """
        activate adjust approve change configure deactivate disable edit enable increase mark
        modify refine rename reschedule set update upgrade
    """,
    "DELETE": """
        cancel clear delete discard drop erase leave remove revoke terminate unblock unfollow
        unregister unsubscribe withdraw
    """,
}
_METHODS = {method: frozenset(actions.split()) for method, actions in _ACTIONS.items()}


class Requested(Near, Protocol):
    """What this retriever asks of a store."""

    def lexical(
        self, asked: Asked, selection: Selection = ..., *, limit: int, operations: bool = ...
    ) -> list[tuple[int, float]]: ...

    def select(self, selection: Selection, *, limit: int | None = ...) -> list[int]: ...

    def operations(self) -> Operations: ...


@dataclass(frozen=True, slots=True)
class Served:
    """An entry, and the clause that it serves best.

    Attributes:
        share: what orders entries, above 0.0; 1.0 is the best entry's.
        clause: its place among the clauses; -1 where it answers the request only as a whole.
        supplies: the operation that it gives an argument to, where that is why it is here; else 0.
        channels: its rank, from 1, for that clause by words and by meaning.
    """

    entry: int
    share: float
    clause: int
    supplies: int
    channels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Serving:
    """Entries best first; ``services`` are the services by how well they do, where asked for."""

    clauses: tuple[str, ...]
    served: tuple[Served, ...]
    services: tuple[str, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class _Scored:
    """A clause: what each entry scores for it, and its ranks by channel."""

    scores: dict[int, float]
    ranks: dict[str, dict[int, int]]


def serve_request(
    text: str,
    store: Requested,
    selection: Selection,
    open_embedder: OpenEmbedder | None,
    *,
    services: int | None = None,
) -> Serving:
    """Return the entries that serve ``text`` among those that meet ``selection``.

    Args:
        open_embedder: opens the model of the vectors; without it only words are compared.
        services: keep the operations of so many services, those that do best.
    """
    clauses = split_clauses(text) or (text,)
    asked = clauses if len(clauses) == 1 else (*clauses, text)
    operations = store.operations()
    scored: list[_Scored] = []
    problem = ""
    for clause in asked:
        one, problem = _score(clause, store, selection, open_embedder)
        _favour_method(clause, one.scores, operations)
        scored.append(one)
    chosen = _favour_services(scored, operations)
    kept = chosen if services is None else chosen[:services]
    # What gives an argument must meet the conditions too; one is that it is an operation at all.
    meeting = frozenset(store.select(selection)) if len(selection) > 1 else None
    served = _shares(scored, len(clauses), operations, meeting)
    if services is not None:
        served = [one for one in served if operations.services.get(one.entry) in kept]
    return Serving(clauses, tuple(served), tuple(kept), problem)


def _score(
    clause: str, store: Requested, selection: Selection, open_embedder: OpenEmbedder | None
) -> tuple[_Scored, str]:
    words = asked_of(clause)
    found = store.lexical(words, selection, limit=_DEPTH, operations=True) if words else []
    best = max((score for _, score in found), default=0.0) or 1.0
    scores = {number: score / best for number, score in found}
    ranks = {"lexical": {number: place for place, (number, _) in enumerate(found, 1)}}
    problem = ""
    if open_embedder is not None:
        near = by_meaning(clause, store, selection, open_embedder, limit=_DEPTH)
        problem = near.problem
        ranks["dense"] = {number: place for place, number in enumerate(near.entries, 1)}
        # What is not among the nearest is as far as the farthest of them.
        least = min(near.cosines, default=0.0)
        for number in scores:
            scores[number] += _MEANING * least
        for number, cosine in zip(near.entries, near.cosines, strict=True):
            beside = scores.get(number, _MEANING * least)
            scores[number] = beside + _MEANING * (cosine - least)
    return _Scored(scores, ranks), problem


def _favour_method(clause: str, scores: dict[int, float], operations: Operations) -> None:
    action = action_of(clause)
    methods = {method for method, actions in _METHODS.items() if action in actions}
    if not methods:
        return
    for number in scores:
        if operations.methods.get(number) in methods:
            scores[number] += _AGREES


def _favour_services(scored: Sequence[_Scored], operations: Operations) -> list[str]:
    """Add to each operation what its service is worth; return the services, the best first."""
    worth: dict[str, float] = {}
    for one in scored:
        by_service: dict[str, list[float]] = {}
        for number, score in one.scores.items():
            service = operations.services.get(number)
            if service is not None:
                by_service.setdefault(service, []).append(score)
        for service, scores in by_service.items():
            first = sorted(scores, reverse=True)[:_SERVICE_BEST]
            worth[service] = worth.get(service, 0.0) + sum(first) / _SERVICE_BEST / len(scored)
    best = max(worth.values(), default=0.0)
    for one in scored:
        for number in one.scores:
            service = operations.services.get(number)
            if service is not None:
                one.scores[number] += _SERVICE * (worth[service] - best)
    return sorted(worth, key=lambda service: (-worth[service], service))


def _shares(
    scored: Sequence[_Scored],
    clauses: int,
    operations: Operations,
    meeting: frozenset[int] | None,
) -> list[Served]:
    best: dict[int, tuple[float, int, int]] = {}
    for place, one in enumerate(scored):
        if not one.scores:
            continue
        weight = 1.0 if place < clauses else _WHOLE
        top = max(one.scores.values())
        parts = {number: exp((score - top) / _SHARPNESS) for number, score in one.scores.items()}
        whole = sum(parts.values()) / weight
        lent = _lent(parts, operations)
        clause = place if place < clauses else -1
        for number in parts.keys() | (lent.keys() if meeting is None else lent.keys() & meeting):
            share, supplies = parts.get(number, 0.0), 0
            if number in lent and lent[number][0] > share:
                share, supplies = lent[number]
            share /= whole
            if number not in best or share > best[number][0]:
                best[number] = share, clause, supplies
    first = max((share for share, _, _ in best.values()), default=1.0)
    served = [
        Served(number, share / first, clause, supplies, _ranks_of(number, scored[clause]))
        for number, (share, clause, supplies) in best.items()
        if share > first * _LEAST
    ]
    return sorted(served, key=lambda one: (-round(one.share, 9), one.entry))


def _ranks_of(number: int, scored: _Scored) -> dict[str, int]:
    return {name: ranks[number] for name, ranks in scored.ranks.items() if number in ranks}


def _lent(parts: Mapping[int, float], operations: Operations) -> dict[int, tuple[float, int]]:
    """Return for what gives an argument the part it is lent, and the operation that lends it."""
    lent: dict[int, tuple[float, int]] = {}
    for number, part in parts.items():
        if part < _LIKELY:
            continue
        for noun in operations.needs.get(number, ()):
            for giver in operations.givers.get((operations.services[number], noun), ()):
                if giver != number and _SUPPLIES * part > lent.get(giver, (0.0, 0))[0]:
                    lent[giver] = _SUPPLIES * part, number
    return lent
