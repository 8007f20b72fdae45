"""Answer one query with every channel that can: types, words, meaning; then one ranking.

A typed signature decides who is there at all; words beside it decide the order among those.  Words
alone are compared with names and texts, and what they say about types (``query.said``) is compared
with the types of what they found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from typematch.index.entries.selection import Condition, Selection
from typematch.index.entries.selection import TextCondition as Pattern
from typematch.index.store import EntrySummary, Store
from typematch.index.text.full_text import asked_of
from typematch.index.text.verbalize import say_signature
from typematch.index.text.words import split_identifier
from typematch.ir.intern import replaced
from typematch.ir.types import Object, Parameter, Signature
from typematch.match.strictness import Strictness
from typematch.query.model import Constraint, Query
from typematch.search.fuse.fusion import tied_ranks
from typematch.search.fuse.ordering import Rank, name_fit, rank
from typematch.search.fuse.ranked import (
    RankedEntries,
    RankedEntry,
    by_fit,
    channels_of,
    fused,
    list_order,
)
from typematch.search.prepare.facet_conditions import names, selection
from typematch.search.prepare.name_resolution import resolve_signature
from typematch.search.prepare.prepared_query import PreparedQuery, scope_of
from typematch.search.prepare.sentence_filters import heard_conditions
from typematch.search.retrieve.dense import OpenEmbedder
from typematch.search.retrieve.structural import (
    TypeMatch,
    TypeMatches,
    find_assignable,
    find_functions,
    find_types,
)
from typematch.search.retrieve.text_channels import (
    DEPTH,
    TextChannelStore,
    among,
    query_words,
    texts_of,
)
from typematch.search.score.curried_calls import curried, in_steps
from typematch.search.score.deadline import Deadline
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.spread_options import one_by_one, spread

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
_FAR = 1_500  # cost in edit units above which nobody asks how alike two signatures sound
_COMPARED = 40  # entries of which the nearest in words may come first, at least

_MADE_UP = re.compile(r"arg\d+")

# Of comparing types with a sentence, tier by tier; twenty times as many find the same.
_STEPS_SPOKEN = (500, 250, 150, 100)


class QueryExecutor:
    """One request against one store; asked again with less, it knows what it has compared."""

    def __init__(
        self,
        request: PreparedQuery,
        store: Store,
        limit: int | None,
        open_embedder: OpenEmbedder | None,
        judges: TypeScorers,
        patience: Deadline,
    ) -> None:
        self.patience = patience
        self._request = request
        self._store = store
        self._limit = limit
        self._open_embedder = open_embedder
        self._judges = judges
        self._depth = max(DEPTH, 2 * limit) if limit is not None else 10 * DEPTH

    def answer(self, query: Query, heard: Sequence[Constraint] = ()) -> RankedEntries:
        """Answer ``query``; ``heard`` is what of its sentence must hold."""
        conditions = selection(query.constraints, self._store, self._judges.assigns)
        words = query_words(query)
        if self._request.types or (self._request.signatures and not words):
            return self._by_type(query, conditions)
        if self._request.signatures:
            return self._by_type_and_words(query, conditions)
        if words and not query.constraints and not asked_of(words, query.phrases).says_something:
            return RankedEntries(notices=(_NO_WORDS,))
        if not words or not asked_of(words, query.phrases).says_something:
            return replace(self._listed(conditions), met=conditions)
        sure = heard_conditions(heard, self._store) if heard else ()
        return replace(self._by_words(query, (*conditions, *sure)), met=conditions)

    # Types ----------------------------------------------------------------------------------------

    def _by_type(self, query: Query, conditions: tuple[Condition, ...]) -> RankedEntries:
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
                found.append(RankedEntry(brief, order, fit, finding, alike=alike))
        said = (_STRETCHED,) if findings.stretched and found else ()
        found.sort(key=by_fit)
        by_cost = tied_ranks({one.brief.number: costs[one.brief.number] for one in found})
        return RankedEntries(
            [replace(one, channels=channels_of(one, by_cost, spoken)) for one in found],
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
        scores = self._store.lexical(asked, (among(dear),), limit=len(dear))
        best = max((score for _, score in scores), default=0.0)
        return {number: score / best for number, score in scores if best > 0 and score > 0}

    def _functions(self, where: tuple[Condition, ...], *, all_tiers: bool = False) -> TypeMatches:
        variables = self._request.variables
        asked = [(one, self._judges.functions(one, variables)) for one in self._request.signatures]
        if not self._judges.is_strict:
            for one in self._request.signatures:
                if (changed := curried(one)) is not None:
                    judge = self._judges.functions(changed, variables)
                    asked.append((changed, in_steps(judge, one)))
                if (other := spread(one)) is not None:
                    judge = self._judges.functions(other[0], variables)
                    asked.append((other[0], one_by_one(judge, other[1])))
        if self._judges.is_strict:
            where = (*where, _CALLABLE)
        if self._judges.strictness is Strictness.ASSIGNABLE:
            return find_assignable(asked, self._store, selection=where, patience=self.patience)
        return find_functions(
            asked,
            self._store,
            selection=where,
            enough=None if all_tiers or self._limit is None else max(self._limit, _COMPARED),
            tiers=self._judges.tiers,
            few=0 if self._judges.is_strict or all_tiers else min(_FEW, self._limit or _FEW),
            patience=self.patience,
        )

    def _types(self, where: tuple[Condition, ...]) -> TypeMatches:
        asked = [(one, self._judges.types(one)) for one in self._request.types]
        kinds = () if any(one.facet == "kind" for one in where) else (_NAMED_TYPE,)
        selection = (*where, *kinds)
        return find_types(asked, self._store, selection=selection, patience=self.patience)

    # Words ----------------------------------------------------------------------------------------

    def _by_type_and_words(self, query: Query, conditions: tuple[Condition, ...]) -> RankedEntries:
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
        return RankedEntries(found, findings.complete and not texts.full, said, texts.notices)

    def _functions_among(self, texts: TextChannelStore) -> Mapping[int, TypeMatch]:
        """Compare with the signature what the words found, however dear its fit is."""
        pool = texts.first("typed")
        return self._functions((among(pool),), all_tiers=True).by_entry if pool else {}

    def _by_words(self, query: Query, conditions: tuple[Condition, ...]) -> RankedEntries:
        texts = self._texts(query, conditions)
        spoken = self._spoken(query, texts, conditions)
        if not spoken:
            found = self._fused(query, texts.channels, "words", {}, texts.briefs)
            return RankedEntries(found, not texts.full, (), texts.notices)
        costs = {number: finding.cost for number, finding in spoken.items()}
        channels = {"structural": tied_ranks(costs), **texts.channels}
        found = self._fused(query, channels, "spoken", spoken, texts.briefs)
        return RankedEntries(found, not texts.full, (), texts.notices)

    def _spoken(
        self, query: Query, texts: TextChannelStore, conditions: tuple[Condition, ...]
    ) -> Mapping[int, TypeMatch]:
        """Compare what the sentence says about types with what its words and meaning found.

        The first of these are compared however dear their fit is, those around them for what fits
        as it is.
        """
        if query.said is None:
            return {}
        from typematch.query.english.sentence_constraints import (
            signature_of,  # late: most queries are no sentences
        )

        read = signature_of(query.said)
        if read is None:
            return {}
        resolved = resolve_signature(
            read.type, self._store, variables=read.variables, scope=scope_of(query.constraints)
        )
        with TypeScorers(self._store, Strictness.SOFT) as judges:
            asked = [
                (one, judges.functions(one, resolved.variables))
                for one in cast("tuple[Object, ...]", resolved.readings)
            ]
            pool = texts.first("spoken")
            first = find_functions(
                asked,
                self._store,
                selection=(among(pool),),
                enough=len(pool) + 1,
                tiers=judges.tiers,
                steps=_STEPS_SPOKEN,
                patience=self.patience,
            )
            if query.said.returns is None or not query.said.parameters:
                return first.by_entry
            around = find_functions(
                asked,
                self._store,
                selection=conditions if texts.around is None else (among(sorted(texts.around)),),
                enough=self._limit,
                tiers=1,
                steps=_STEPS_SPOKEN,
                patience=self.patience,
            )
            return {**around.by_entry, **first.by_entry}

    def _texts(self, query: Query, conditions: Selection) -> TextChannelStore:
        return texts_of(query, self._store, conditions, self._open_embedder, depth=self._depth)

    def _fused(
        self,
        query: Query,
        channels: Mapping[str, Mapping[int, int]],
        weights: str,
        findings: Mapping[int, TypeMatch],
        known: Mapping[int, EntrySummary],
    ) -> list[RankedEntry]:
        numbers = dict.fromkeys(number for ranked in channels.values() for number in ranked)
        others = self._store.briefs([number for number in numbers if number not in known])
        return fused(query_words(query), channels, weights, findings, {**known, **others})

    # Facets ---------------------------------------------------------------------------------------

    def _listed(self, conditions: tuple[Condition, ...]) -> RankedEntries:
        briefs = self._store.briefs(self._store.select(conditions)).values()
        found = [RankedEntry(brief, list_order(brief), 1.0) for brief in briefs]
        return RankedEntries(sorted(found, key=_order))


def _order(found: RankedEntry) -> Rank:
    return found.order


def _as_named(call: Signature) -> Signature:
    """Return a typed signature without the names that its reader made up: ``arg0``."""
    parameters = tuple(
        Parameter("", one.type, one.optional, one.rest) if _MADE_UP.fullmatch(one.name) else one
        for one in call.parameters
    )
    return replaced(call, parameters=parameters)
