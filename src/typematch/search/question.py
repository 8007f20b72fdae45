"""Answer one query with every channel that can: types, words, meaning; then one ranking.

A typed signature decides who is there at all; words beside it decide the order among those.  Words
alone are compared with names and texts, and what they say about types (``query.said``) is compared
with the types of what they found.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from typematch.index.fulltext import asked_of, is_prefix
from typematch.index.selection import Condition, OneOfTypes, Selection, listed
from typematch.index.selection import Text as Pattern
from typematch.index.store import Brief, Store
from typematch.index.wording import say_signature
from typematch.index.words import split_identifier
from typematch.ir.types import Object, Parameter, Signature
from typematch.match.strictness import Strictness
from typematch.query.model import Constraint, Query
from typematch.search.currying import charged, curried
from typematch.search.dense import OpenEmbedder, by_meaning
from typematch.search.fusion import WEIGHTS, ranks, reciprocal_rank_fusion, tied_ranks
from typematch.search.hearing import heard_conditions
from typematch.search.judging import Judges
from typematch.search.lexical import KIND_WEIGHTS, by_words, standing
from typematch.search.names import resolve_signature
from typematch.search.ranking import Rank, name_fit, rank
from typematch.search.reading import Request, scope_of
from typematch.search.selecting import names, selection
from typematch.search.structural import (
    Finding,
    Findings,
    find_assignable,
    find_functions,
    find_types,
)

# `new` makes another sort of value: a soft search shows constructors, the compiler refuses them.
_CALLABLE = Condition("kind", (Pattern("constructor"),), negated=True)
# A constant's type is its own, one never asks for a constant by the shape of its value.
_NAMED_TYPE = Condition(
    "kind",
    tuple(Pattern(kind) for kind in ("interface", "class", "alias", "enum", "schema", "service")),
)
_FEW = 3  # hits; with fewer, what fits badly is shown too
_NO_WORDS = "There is no word in this, only signs."
_STRETCHED = "little comes near this signature, so what fits badly is listed too"
_HALF_SCORE = 100  # cost in edit units at which a score has fallen to a half
# What it is worth, beside 1.0 for fitting as it is, that a found signature sounds like the asked
# one.  Chosen on the 26 shape queries, with an eye on both halves of them: .3 to .6 moved a half by
# more than .05.
_ALIKE = 0.5
_FAR = 1_500  # cost in edit units above which nobody asks how alike two signatures sound
_COMPARED = 40  # entries of which the nearest in words may come first, at least

_MADE_UP = re.compile(r"arg\d+")

DEPTH = 200  # entries that words hand to the fusion, at least
_NEAREST = 50  # entries that meaning hands to it: what is farther is chance
# Entries near a sentence whose types are compared with it.  Over the sentences and mixed queries of
# the intent task 300 find more than all do (nDCG@10 .633, all .631), in half the time.
_NEIGHBOURS = 300
# Of comparing types with a sentence, tier by tier; twenty times as many find the same.
_STEPS_SPOKEN = (500, 250, 150, 100)
_JUDGED = 20  # entries found by words whose types are compared with the signature


@dataclass(frozen=True, slots=True)
class Found:
    """An entry and its place; ``finding`` where a type was asked for, ``fit`` of its name.

    ``alike``: how much its signature sounds like the one asked for, from 0 to 1.  ``clause``: of a
    request for several things, the one that it serves; ``supplies``: the number of the operation
    that it gives an argument to, where that is why it is here.
    """

    brief: Brief
    order: Rank
    fit: float
    finding: Finding | None = None
    channels: Mapping[str, int] = field(default_factory=dict)
    fused: float | None = None
    alike: float = 0.0
    clause: str = ""
    supplies: int = 0

    @property
    def score(self) -> float:
        if self.fused is not None:
            return self.fused
        if self.finding is None:
            return self.fit
        if math.isinf(self.finding.cost):
            return 0.0
        fit = _HALF_SCORE / (_HALF_SCORE + self.finding.cost)
        return (fit + _ALIKE * self.alike) / (1 + _ALIKE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, best first; ``complete``: there is no more.

    ``said`` is for ``relaxed``, ``notices`` for whoever asked, and ``met`` is what every hit meets.
    ``clauses`` are those of a request for several things, ``services`` the titles of the services
    that do best, where operations were asked for.
    """

    found: Sequence[Found] = ()
    complete: bool = True
    said: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    met: Selection = ()
    clauses: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Texts:
    """What words and meaning found: ranks by channel.

    ``around``: what is worth comparing with a sentence's types; None where nobody knows.
    ``briefs``: of what is known already.
    """

    channels: Mapping[str, Mapping[int, int]]
    around: frozenset[int] | None
    briefs: Mapping[int, Brief]
    full: bool
    notices: tuple[str, ...]


class Question:
    """One request against one store; asked again with less, it knows what it has compared."""

    def __init__(
        self, request: Request, store: Store, limit: int | None, open_embedder: OpenEmbedder | None
    ) -> None:
        self._request = request
        self._store = store
        self._limit = limit
        self._open_embedder = open_embedder
        self._judges = Judges(store, request.query.strictness)
        self._depth = max(DEPTH, 2 * limit) if limit is not None else 10 * DEPTH

    def answer(self, query: Query, heard: Sequence[Constraint] = ()) -> Answer:
        """Answer ``query``; ``heard`` is what of its sentence must hold."""
        conditions = selection(query.constraints, self._store, self._judges.assigns)
        words = query_words(query)
        if self._request.types or (self._request.signatures and not words):
            return self._by_type(query, conditions)
        if self._request.signatures:
            return self._by_type_and_words(query, conditions)
        if words and not query.constraints and not asked_of(words, query.phrases).says_something:
            return Answer(notices=(_NO_WORDS,))
        if not words or not asked_of(words, query.phrases).says_something:
            return replace(self._listed(conditions), met=conditions)
        sure = heard_conditions(heard, self._store) if heard else ()
        return replace(self._by_words(query, (*conditions, *sure)), met=conditions)

    # Types ----------------------------------------------------------------------------------------

    def _by_type(self, query: Query, conditions: tuple[Condition, ...]) -> Answer:
        named = split_identifier(query.name)
        where = (*conditions, *names(named))
        findings = self._functions(where) if self._request.signatures else self._types(where)
        briefs = self._store.briefs(findings.by_entry)
        costs = {number: finding.cost for number, finding in findings.by_entry.items()}
        spoken = self._spoken_alike(costs) if self._is_soft else {}
        fits = name_fit(named or split_identifier(query.words))
        found = []
        for number, finding in findings.by_entry.items():
            brief = briefs[number]
            fit = fits(brief)
            if fit or not named:
                order = rank(finding.cost, fit, brief)
                alike = spoken.get(number, 0.0) if brief.exported else 0.0
                alike = alike if finding.cost else 1.0
                found.append(Found(brief, order, fit, finding, alike=alike))
        said = (_STRETCHED,) if findings.stretched and found else ()
        found.sort(key=_by_fit)
        by_cost = tied_ranks({one.brief.number: costs[one.brief.number] for one in found})
        return Answer(
            [replace(one, channels=_channels(one, by_cost, spoken)) for one in found],
            findings.complete,
            said,
        )

    @property
    def _is_soft(self) -> bool:
        return bool(self._request.signatures) and not self._judges.is_strict

    def _spoken_alike(self, costs: Mapping[int, float]) -> Mapping[int, float]:
        """Return how alike found signatures and the asked one are in words, 1.0 at best.

        What costs nothing needs no comparing; a parameter's name or a type's tells apart what the
        types leave equal: ``ms`` is nearer to a delay than to a count.
        """
        dear = [number for number, cost in costs.items() if 0 < cost <= _FAR]
        if not dear:
            return {}
        [call] = self._request.signatures[0].calls
        asked = asked_of(say_signature(_as_named(call), self._request.variables))
        scores = self._store.lexical(asked, (_among(dear),), limit=len(dear))
        best = max((score for _, score in scores), default=0.0)
        return {number: score / best for number, score in scores if best > 0 and score > 0}

    def _functions(self, where: tuple[Condition, ...], *, all_tiers: bool = False) -> Findings:
        variables = self._request.variables
        asked = [(one, self._judges.functions(one, variables)) for one in self._request.signatures]
        if not self._judges.is_strict:
            for one in self._request.signatures:
                if (in_steps := curried(one)) is not None:
                    judge = self._judges.functions(in_steps, variables)
                    asked.append((in_steps, charged(judge, one)))
        if self._judges.is_strict:
            where = (*where, _CALLABLE)
        if self._judges.strictness is Strictness.ASSIGNABLE:
            return find_assignable(asked, self._store, selection=where)
        return find_functions(
            asked,
            self._store,
            selection=where,
            enough=None if all_tiers or self._limit is None else max(self._limit, _COMPARED),
            tiers=self._judges.tiers,
            few=0 if self._judges.is_strict or all_tiers else min(_FEW, self._limit or _FEW),
        )

    def _types(self, where: tuple[Condition, ...]) -> Findings:
        asked = [(one, self._judges.types(one)) for one in self._request.types]
        kinds = () if any(one.facet == "kind" for one in where) else (_NAMED_TYPE,)
        return find_types(asked, self._store, selection=(*where, *kinds))

    # Words ----------------------------------------------------------------------------------------

    def _texts(self, query: Query, conditions: tuple[Condition, ...]) -> _Texts:
        """Rank what the words of a query find, by each channel."""
        words = query_words(query)
        if conditions and listed(conditions) is None:
            conditions = (_among(self._store.chosen(conditions)),)  # once for all channels
        worded = by_words(words, query.phrases, self._store, conditions, limit=self._depth)
        channels = {"lexical": ranks(worded.entries)}
        full = len(worded.entries) >= self._depth
        around: frozenset[int] | None = None
        notices: tuple[str, ...] = ()
        if self._open_embedder is not None:
            spoken = " ".join(
                word for word in words.split() if not (word.startswith("-") or is_prefix(word))
            )
            deep = _NEAREST if query.said is None else _NEIGHBOURS
            near = by_meaning(
                spoken or words, self._store, conditions, self._open_embedder, limit=deep
            )
            nearest = near.entries[:_NEAREST]
            if near.entries:
                around = frozenset((*near.entries, *worded.entries))
            if not worded.entries and len(words.split()) == 1:
                pass  # a name that nothing has: its nearest neighbours are chance
            elif nearest and not query.phrases and spoken == words:
                channels["dense"] = ranks(nearest)
            elif nearest:
                # What must stand so, or must not occur, only the full text knows.
                known = channels["lexical"]
                channels["dense"] = ranks([one for one in nearest if one in known])
            notices = (near.problem,) if near.problem else ()
        return _Texts(channels, around, worded.briefs, full, notices)

    def _by_type_and_words(self, query: Query, conditions: tuple[Condition, ...]) -> Answer:
        """Rank what fits the signature, with what the words say among those."""
        texts = self._texts(query, conditions)
        findings = self._functions(conditions)
        by_entry = dict(findings.by_entry)
        for number, finding in self._functions_among(texts).items():
            by_entry.setdefault(number, finding)
        costs = {number: finding.cost for number, finding in by_entry.items()}
        channels = {
            "structural": tied_ranks(costs),
            **{
                name: {number: place for number, place in ranked.items() if number in costs}
                for name, ranked in texts.channels.items()
            },
        }
        found = self._fused(query, channels, "typed", by_entry, texts.briefs)
        said = (_STRETCHED,) if findings.stretched and found else ()
        return Answer(found, findings.complete and not texts.full, said, texts.notices)

    def _functions_among(self, texts: _Texts) -> Mapping[int, Finding]:
        """Compare with the signature what the words found, however dear its fit is."""
        pool = _first(texts, "typed")
        return self._functions((_among(pool),), all_tiers=True).by_entry if pool else {}

    def _by_words(self, query: Query, conditions: tuple[Condition, ...]) -> Answer:
        texts = self._texts(query, conditions)
        spoken = self._spoken(query, texts, conditions)
        if not spoken:
            found = self._fused(query, texts.channels, "words", {}, texts.briefs)
            return Answer(found, not texts.full, (), texts.notices)
        costs = {number: finding.cost for number, finding in spoken.items()}
        channels = {"structural": tied_ranks(costs), **texts.channels}
        found = self._fused(query, channels, "spoken", spoken, texts.briefs)
        return Answer(found, not texts.full, (), texts.notices)

    def _spoken(
        self, query: Query, texts: _Texts, conditions: tuple[Condition, ...]
    ) -> Mapping[int, Finding]:
        """Compare what the sentence says about types with what its words and meaning found.

        The first of these are compared however dear their fit is, those around them for what fits
        as it is.
        """
        if query.said is None:
            return {}
        from typematch.query.phrases import signature_of  # late: most queries are no sentences

        read = signature_of(query.said)
        if read is None:
            return {}
        resolved = resolve_signature(
            read.type, self._store, variables=read.variables, scope=scope_of(query.constraints)
        )
        judges = Judges(self._store, Strictness.SOFT)
        asked = [
            (one, judges.functions(one, resolved.variables))
            for one in cast("tuple[Object, ...]", resolved.readings)
        ]
        pool = _first(texts, "spoken")
        among = find_functions(
            asked,
            self._store,
            selection=(_among(pool),),
            enough=len(pool) + 1,
            tiers=judges.tiers,
            steps=_STEPS_SPOKEN,
        )
        if query.said.returns is None or not query.said.parameters:
            return among.by_entry
        around = find_functions(
            asked,
            self._store,
            selection=conditions if texts.around is None else (_among(sorted(texts.around)),),
            enough=self._limit,
            tiers=1,
            steps=_STEPS_SPOKEN,
        )
        return {**around.by_entry, **among.by_entry}

    def _fused(
        self,
        query: Query,
        channels: Mapping[str, Mapping[int, int]],
        weights: str,
        findings: Mapping[int, Finding],
        known: Mapping[int, Brief],
    ) -> list[Found]:
        scores = reciprocal_rank_fusion(channels, WEIGHTS[weights])
        others = self._store.briefs([number for number in scores if number not in known])
        fits = name_fit(split_identifier(query_words(query)))
        found = []
        for number in scores:
            brief = known.get(number) or others[number]
            finding = findings.get(number)
            fit = fits(brief)
            cost = finding.cost if finding is not None else math.inf
            found.append(
                Found(
                    brief,
                    rank(cost, fit, brief),
                    fit,
                    finding,
                    {name: one[number] for name, one in channels.items() if number in one},
                    scores[number] * standing(brief),
                )
            )
        exact, typed = weights != "typed", query_words(query)

        def order(one: Found) -> tuple[object, ...]:
            # Who types a name wants what is called so, and rather something to call.
            is_it = exact and one.fit == 1.0
            quiet = is_it and one.brief.kind in KIND_WEIGHTS
            other_case = is_it and one.brief.name != typed
            # Rounded: two sums that ought to be equal must not differ by a bit.
            score = 0.0 if is_it else -round(one.fused or 0.0, 9)
            return (not is_it, quiet, other_case, score, *one.order)

        return sorted(found, key=order)

    # Facets ---------------------------------------------------------------------------------------

    def _listed(self, conditions: tuple[Condition, ...]) -> Answer:
        briefs = self._store.briefs(self._store.select(conditions)).values()
        found = [Found(brief, _list_order(brief), 1.0) for brief in briefs]
        return Answer(sorted(found, key=_order))


def query_words(query: Query) -> str:
    return f"{query.name} {query.words}".strip()


def _first(texts: _Texts, weights: str) -> list[int]:
    """Return the entries that stand first by words and meaning, in order of number."""
    scores = reciprocal_rank_fusion(texts.channels, WEIGHTS[weights])
    return sorted(sorted(scores, key=lambda one: (-scores[one], one))[:_JUDGED])


def _among(numbers: Sequence[int]) -> Condition:
    return Condition("entry", (OneOfTypes(tuple(numbers)),))


def _order(found: Found) -> Rank:
    return found.order


def _as_named(call: Signature) -> Signature:
    """Return a typed signature without the names that its reader made up: ``arg0``."""
    parameters = tuple(
        Parameter("", one.type, one.optional, one.rest) if _MADE_UP.fullmatch(one.name) else one
        for one in call.parameters
    )
    return Signature(
        parameters, call.returns, call.type_parameters, call.this, call.predicate, call.modifier
    )


def _by_fit(found: Found) -> tuple[object, ...]:
    """Order what a type found: what costs nothing first, undecided last."""
    costless = found.finding is not None and not found.finding.cost
    undecided = found.finding is not None and math.isinf(found.finding.cost)
    score = 0.0 if costless else -round(found.score, 9)
    return (not costless, undecided, score, *found.order)


def _channels(
    one: Found, by_cost: Mapping[int, int], spoken: Mapping[int, float]
) -> Mapping[str, int]:
    number = one.brief.number
    ranked = {"structural": by_cost[number]}
    if number in spoken:
        ranked["lexical"] = 1 + sum(score > spoken[number] for score in spoken.values())
    return ranked


def _list_order(brief: Brief) -> Rank:
    """Order what nothing but facets asked for: exported first, then by id."""
    return 0, 0, not brief.exported, False, 0, 0, brief.id
