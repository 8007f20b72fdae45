"""Answer a request in prose by its clauses: by operations of services, by code, or by both.

Operations are ranked by ``requests``, all clauses together.  Of code each clause is searched as a
query of its own, and the rankings are merged by best rank: who asks for three things wants the best
of each before the second best of any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from typematch.index.entries.selection import Condition, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.store import Store
from typematch.index.text.full_text import asked_of
from typematch.index.text.words import words_of
from typematch.match.strictness import Strictness
from typematch.query.model import Query
from typematch.search.fuse.ordering import rank
from typematch.search.fuse.ranked import RankedEntries, RankedEntry, by_best_rank
from typematch.search.prepare.clauses import action_of, split_clauses, telling_words
from typematch.search.prepare.facet_conditions import selection
from typematch.search.retrieve.dense import OpenEmbedder, by_meaning
from typematch.search.retrieve.operation_ranking import OperationRanking, serve_request
from typematch.search.score.scoring import TypeScorers

# Answers a query as a whole, without its clauses.
Plain = Callable[[Query], RankedEntries]

_OPERATIONS = Condition("kind", (Pattern("operation"),))
_OF_SERVICES = frozenset(("operation", "service", "schema"))
_NAMED_BY = 3  # words: a longer request is no name
_NO_SERVICES = (
    "No services were chosen: that takes a request in words, and operations that may serve it."
)
_COUNTED = 50  # operations that are counted, at least
_SAID = 2  # words that say something, in each clause of a request for several things in code


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What it takes to answer: where, with which model, how much, from how many services."""

    store: Store
    open_embedder: OpenEmbedder | None
    limit: int | None
    services: int | None = None


def answer_clauses(query: Query, asking: SearchContext, plain: Plain) -> RankedEntries:
    """Answer ``query`` by its clauses where it is prose, else by ``plain`` alone."""
    if not _is_prose(query):
        return _without_services(plain(query), asking)
    if not len(asking.store.operations()):
        return _without_services(_by_code(query, plain), asking)
    with TypeScorers(asking.store, Strictness.SOFT) as judges:
        conditions = selection(query.constraints, asking.store, judges.assigns)
    serving = serve_request(
        query.words,
        asking.store,
        (*conditions, _OPERATIONS) if conditions else (),
        asking.open_embedder,
        limit=None if asking.limit is None else max(asking.limit, _COUNTED),
        services=asking.services,
    )
    if not serving.served:
        return _without_services(_by_code(query, plain), asking)
    operations = _answer(serving, conditions, asking.store)
    if asking.services is not None:
        return operations
    if len(query.words.split()) <= _NAMED_BY:
        operations = _named_first(operations, plain(query))
    if not asking.store.operations().beside:
        return operations
    code = _by_code(query, plain)
    if _says_a_shape(query) or _means_code(serving.clauses, conditions, asking):
        return _joined(code, operations)
    return _joined(operations, code)


def _without_services(answer: RankedEntries, asking: SearchContext) -> RankedEntries:
    """Say that services were not chosen, where that was asked for."""
    if asking.services is None:
        return answer
    return replace(answer, notices=(*answer.notices, _NO_SERVICES))


def _is_prose(query: Query) -> bool:
    """Whether a query says in words what is wanted, and not which words there must be.

    A name that is quoted in a request (`rename it to "Current"`) is part of what is said.
    """
    if query.signature is not None or query.type is not None or query.name:
        return False
    asked = asked_of(query.words)
    quoted = sum(len(words_of(phrase)) for phrase in query.phrases)
    few = len(asked.words) - quoted <= _NAMED_BY
    searched = bool(quoted) and few and not action_of(query.words)
    return bool(asked) and not asked.without and not searched


def _answer(serving: OperationRanking, conditions: Selection, store: Store) -> RankedEntries:
    briefs = store.briefs([one.entry for one in serving.served])
    several = len(serving.clauses) > 1
    found = [
        RankedEntry(
            briefs[one.entry],
            rank(0, 0.0, briefs[one.entry]),
            0.0,
            channels=one.channels,
            fused=one.share,
            clause=serving.clauses[one.clause] if several else "",
            supplies=one.supplies,
        )
        for one in serving.served
    ]
    return RankedEntries(
        found,
        complete=len(found) == serving.total,
        notices=(serving.problem,) if serving.problem else (),
        met=conditions,
        clauses=serving.clauses if several else (),
        services=serving.services,
    )


def _named_first(operations: RankedEntries, plain: RankedEntries) -> RankedEntries:
    """Put first what is called just as was typed."""
    named = [one for one in plain.found if one.fit == 1.0]
    names = {one.brief.number for one in named}
    rest = [one for one in operations.found if one.brief.number not in names]
    return replace(operations, found=[*named, *_below(named, rest)])


def _joined(first: RankedEntries, second: RankedEntries) -> RankedEntries:
    there = {one.brief.number for one in first.found}
    rest = [one for one in second.found if one.brief.number not in there]
    return replace(
        first,
        found=[*first.found, *_below(first.found, rest)],
        complete=first.complete and second.complete,
        notices=tuple(dict.fromkeys((*first.notices, *second.notices))),
        clauses=first.clauses or second.clauses,
        services=first.services or second.services,
    )


def _below(first: Sequence[RankedEntry], rest: Sequence[RankedEntry]) -> list[RankedEntry]:
    """Return ``rest`` with scores under those of ``first``, in the same order."""
    least = min((one.score for one in first), default=1.0)
    return [replace(one, fused=one.score * least) for one in rest]


def _says_a_shape(query: Query) -> bool:
    """Whether a sentence says what a function takes and what it gives: a request says neither."""
    said = query.said
    return said is not None and bool(said.parameters) and said.returns is not None


def _means_code(clauses: Sequence[str], conditions: Selection, asking: SearchContext) -> bool:
    """Whether for most clauses what comes nearest in meaning is code."""
    if asking.open_embedder is None:
        return False
    nearest: list[int] = []
    for clause in clauses:
        near = by_meaning(clause, asking.store, conditions, asking.open_embedder, limit=1)
        nearest += near.entries[:1]
    kinds = [brief.kind for brief in asking.store.briefs(nearest).values()]
    return 2 * sum(kind not in _OF_SERVICES for kind in kinds) > len(kinds)


# Code ---------------------------------------------------------------------------------------------


def _by_code(query: Query, plain: Plain) -> RankedEntries:
    """Answer the whole and each of its clauses, and merge them by best rank."""
    whole = plain(query)
    clauses = _clauses_of_code(query)
    if not clauses or query.sort not in ("", "relevance"):
        return whole
    parts = [plain(replace(query, words=clause, said=None)) for clause in clauses]
    merged = by_best_rank([answer.found for answer in (whole, *parts)])
    return replace(
        whole,
        found=[replace(one, clause=clauses[part - 1] if part else "") for part, one in merged],
        complete=all(answer.complete for answer in (whole, *parts)),
        clauses=clauses,
    )


def _clauses_of_code(query: Query) -> tuple[str, ...]:
    """Return the clauses of a request that are searched one by one; none where it is one thing."""
    if query.phrases:
        return ()
    clauses = split_clauses(query.words)
    telling = all(telling_words(clause) >= _SAID for clause in clauses)
    return clauses if len(clauses) > 1 and telling else ()
