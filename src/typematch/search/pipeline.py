"""Answer a question: read it, find, rank, and say how it was done.

A signature or a type is asked of ``structural``, words of names, and facets alone list what they
leave.  What nothing answers is asked again with less (``relax``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from typematch.index.selection import Condition, Selection
from typematch.index.selection import Text as Pattern
from typematch.index.store import Brief, Store
from typematch.ir.entry import Entry
from typematch.ir.render import render
from typematch.ir.types import Type
from typematch.match.edits import Edit
from typematch.match.strictness import Strictness
from typematch.query.model import Query
from typematch.search.judging import Judges
from typematch.search.ranking import Rank, name_fit, parts, rank
from typematch.search.reading import Request, read
from typematch.search.relax import relaxations
from typematch.search.results import Hit, SearchResult
from typematch.search.selecting import names, selection
from typematch.search.structural import (
    Finding,
    Findings,
    find_assignable,
    find_functions,
    find_types,
)

_FACETS_COUNTED = ("kind", "pkg", "is", "tag")
# `new` makes another sort of value: a soft search shows constructors, the compiler refuses them.
_CALLABLE = Condition("kind", (Pattern("constructor"),), negated=True)
_NAMED_TYPE = Condition(
    "kind",
    tuple(Pattern(kind) for kind in ("interface", "class", "alias", "enum", "schema")),
)
_FEW = 3  # hits; with fewer, what fits badly is shown too
_STRETCHED = "little comes near this signature, so what fits badly is listed too"
_HALF_SCORE = 100  # cost in edit units at which a score has fallen to a half


@dataclass(frozen=True, slots=True)
class Found:
    """An entry and its place; ``finding`` where a type was asked for, ``fit`` of its name."""

    brief: Brief
    order: Rank
    fit: float
    finding: Finding | None = None

    @property
    def score(self) -> float:
        if self.finding is None:
            return self.fit
        if math.isinf(self.finding.cost):
            return 0.0
        return _HALF_SCORE / (_HALF_SCORE + self.finding.cost)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, best first.

    Attributes:
        complete: there is no more.
        said: for ``relaxed``.
        met: what every hit meets.
    """

    found: Sequence[Found] = ()
    complete: bool = True
    said: tuple[str, ...] = ()
    met: Selection = ()


def search(text: str, store: Store, *, limit: int | None) -> SearchResult:
    """Return the best ``limit`` hits, all with None, for ``text``; its own ``limit:`` wins.

    Raises:
        QuerySyntaxError: the query cannot be read.
        UsageError: its ``like:`` names no entry.
    """
    request = read(text, store)
    if request.query.limit is not None:
        limit = request.query.limit
    question = _Question(request, store, limit)
    answer = Answer() if request.empty_scopes else question.answer(request.query)
    if not answer.found and not request.empty_scopes:
        for easier in relaxations(request.query):
            second = question.answer(easier.query)
            if second.found:
                answer = replace(second, said=(*easier.sentences, *second.said))
                break
    notices = [*request.notices, *request.empty_scopes]
    if not answer.found and not request.empty_scopes:
        notices.append(_why_nothing(request.query, store))
    page = _sorted(answer.found[:limit], request.query.sort)
    return SearchResult(
        query=text,
        read_as=request.read_as,
        hits=_hits(page, answer, store),
        total=len(answer.found),
        at_least=not answer.complete,
        relaxed=answer.said,
        notices=tuple(notices),
        undecided=sum(1 for one in answer.found if one.finding and one.finding.undecided),
    )


def facets(text: str, store: Store) -> Mapping[str, Mapping[str, int]]:
    """Count entries by facet value among those that the words and facets of ``text`` leave.

    Raises:
        QuerySyntaxError: the query cannot be read.
    """
    conditions: tuple[Condition, ...] = ()
    if text.strip():
        request = read(text, store)
        judges = Judges(store, request.query.strictness)
        conditions = (
            *selection(request.query.constraints, store, judges.assigns),
            *names(_words(request.query)),
        )
    return {
        facet: dict(store.facet_counts(facet, conditions, limit=50)) for facet in _FACETS_COUNTED
    }


class _Question:
    """One request against one store; asked again with less, it knows what it has compared."""

    def __init__(self, request: Request, store: Store, limit: int | None) -> None:
        self._request = request
        self._store = store
        self._limit = limit
        self._judges = Judges(store, request.query.strictness)

    def answer(self, query: Query) -> Answer:
        conditions = selection(query.constraints, self._store, self._judges.assigns)
        if self._request.signatures or self._request.types:
            return self._by_type(query, conditions)
        words = _words(query)
        answer = self._by_name(words, conditions) if words else self._listed(conditions)
        return replace(answer, met=conditions)

    def _by_type(self, query: Query, conditions: tuple[Condition, ...]) -> Answer:
        named = parts(query.name)
        strict = (_CALLABLE,) if self._request.signatures and self._judges.is_strict else ()
        where = (*conditions, *strict, *names(named))
        findings = self._functions(where) if self._request.signatures else self._types(where)
        briefs = self._store.briefs(findings.by_entry)
        found = []
        for number, finding in findings.by_entry.items():
            brief = briefs[number]
            fit = name_fit(named or parts(query.words), brief)
            if fit or not named:
                found.append(Found(brief, rank(finding.cost, fit, brief), fit, finding))
        said = (_STRETCHED,) if findings.stretched and found else ()
        return Answer(sorted(found, key=_order), findings.complete, said)

    def _functions(self, where: tuple[Condition, ...]) -> Findings:
        variables = self._request.variables
        asked = [(one, self._judges.functions(one, variables)) for one in self._request.signatures]
        if self._judges.strictness is Strictness.ASSIGNABLE:
            return find_assignable(asked, self._store, selection=where)
        return find_functions(
            asked,
            self._store,
            selection=where,
            enough=self._limit,
            tiers=self._judges.tiers,
            few=0 if self._judges.is_strict else _FEW,
        )

    def _types(self, where: tuple[Condition, ...]) -> Findings:
        asked = [(one, self._judges.types(one)) for one in self._request.types]
        kinds = () if any(one.facet == "kind" for one in where) else (_NAMED_TYPE,)
        return find_types(asked, self._store, selection=(*where, *kinds))

    def _by_name(self, words: Sequence[str], conditions: tuple[Condition, ...]) -> Answer:
        numbers = self._store.select((*conditions, *names(words)))
        found = self._fitting(words, numbers)
        if found or len(words) == 1:
            return Answer(found)
        counted: dict[int, int] = {}
        for word in words:
            for number in self._store.select((*conditions, *names([word]))):
                counted[number] = counted.get(number, 0) + 1
        some = self._some_words(words, counted)
        return Answer(some, said=("no name has all these words; these have some of them",))

    def _fitting(self, words: Sequence[str], numbers: Iterable[int]) -> list[Found]:
        found = []
        for brief in self._store.briefs(numbers).values():
            fit = name_fit(words, brief)
            if fit:
                found.append(Found(brief, rank(0, fit, brief), fit))
        return sorted(found, key=_order)

    def _some_words(self, words: Sequence[str], counted: Mapping[int, int]) -> list[Found]:
        found = []
        for number, brief in self._store.briefs(counted).items():
            best = max((name_fit([word], brief) for word in words), default=0.0)
            fit = best * counted[number] / len(words) ** 2
            if fit:
                found.append(Found(brief, rank(0, fit, brief), fit))
        return sorted(found, key=_order)

    def _listed(self, conditions: tuple[Condition, ...]) -> Answer:
        briefs = self._store.briefs(self._store.select(conditions)).values()
        found = [Found(brief, _list_order(brief), 1.0) for brief in briefs]
        return Answer(sorted(found, key=_order))


def _words(query: Query) -> tuple[str, ...]:
    return parts(f"{query.name} {query.words}")


def _order(found: Found) -> Rank:
    return found.order


def _list_order(brief: Brief) -> Rank:
    """Order what nothing but facets asked for: exported first, then by id."""
    return 0, 0, not brief.exported, False, 0, 0, brief.id


def _sorted(page: Sequence[Found], sort: str) -> Sequence[Found]:
    if sort == "name":
        return sorted(page, key=lambda one: (one.brief.name.lower(), one.brief.id))
    if sort == "path":
        return sorted(page, key=lambda one: (one.brief.path, one.brief.line, one.brief.id))
    if sort == "cost":
        return sorted(page, key=lambda one: (one.order[0], one.brief.id))
    return page


def _hits(page: Sequence[Found], answer: Answer, store: Store) -> tuple[Hit, ...]:
    numbers = [one.brief.number for one in page]
    entries = store.entries(numbers)
    overloads = store.overloads(numbers, answer.met)
    first = answer.found[: len(page)]
    places = {one.brief.number: place for place, one in enumerate(first, start=1)}
    return tuple(
        Hit(
            entry=entry,
            score=one.score,
            cost=_cost(one.finding),
            edits=_told(entry, one.finding),
            channels={
                "structural" if one.finding else "lexical": places[one.brief.number],
            },
            overload=one.finding.overload if one.finding else overloads.get(one.brief.number),
            undecided=one.finding.undecided if one.finding else "",
        )
        for entry, one in zip(entries, page, strict=True)
    )


def _told(entry: Entry, finding: Finding | None) -> tuple[Edit, ...]:
    """Return the edits with types as text, in the found signature's own names."""
    if finding is None or finding.overload >= len(entry.signatures):
        return () if finding is None else finding.edits
    names = [name for name, _, _ in entry.signatures[finding.overload].type_parameters]
    told = (replace(edit, a=_text(edit.a, names), b=_text(edit.b, names)) for edit in finding.edits)
    # That `T` is `T` goes without saying.
    return tuple(edit for edit in told if edit.price or edit.a != edit.b)


def _text(part: str | Type, names: Sequence[str]) -> str:
    return part if isinstance(part, str) else render(part, names=(names,))


def _cost(finding: Finding | None) -> float | None:
    return None if finding is None or math.isinf(finding.cost) else finding.cost


def _why_nothing(query: Query, store: Store) -> str:
    """Return one sentence: why there is no hit."""
    if not store.count():
        return "There is nothing in this database yet; typematch index PATH fills it."
    facets_given = " ".join(dict.fromkeys(f"{one.key}:" for one in query.constraints))
    if query.signature is not None and query.strictness.value in ("assignable", "exact"):
        return (
            f"No function here fits so strictly; without is:{query.strictness.value} "
            "the nearest ones are listed with what they lack."
        )
    if facets_given and (query.signature or query.type or _words(query)):
        return f"Nothing here answers within {facets_given}; leave one out to see more."
    if facets_given:
        return f"No entry meets {facets_given} together; leave one out to see more."
    if query.type is not None:
        return "No interface, class or alias here is assignable to this type."
    if query.signature is not None:
        return "No function here comes near this signature."
    return "No name here has any of these words."
