"""The strict scorer: its quick reject refuses nothing that the relation accepts."""

from __future__ import annotations

import gc
import weakref

import pytest

from match.texts import read_cases, relation_for
from typematch.ir.constructors import function
from typematch.ir.declaration import Declaration
from typematch.ir.type_parts import Parameter
from typematch.ir.types import VOID, Array, Free, Object, Reference, Type
from typematch.match.assignability.relation import Relation
from typematch.match.prefilter import relation_pool
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, Verdict
from typematch.search.score import scoring
from typematch.search.score.scoring import TypeScorers
from typematch.search.score.type_scorer import TypeScorer

FILES = ("plain", "functions", "objects", "computed")
FUNCTORS = (
    "interface All<A> { list: A[]; set: Set<A> }"
    "type Kind<F extends keyof All<any>, A> = F extends keyof All<any> ? All<A>[F] : any;"
    "interface Functor<F extends keyof All<any>> {"
    " of: <A>(a: A) => Kind<F, A>; first: <A>(all: Kind<F, A>) => A }"
)


class _Store:
    """The declarations of a relation."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation

    def get(self, key: str) -> Declaration | None:
        return self._relation.reducer.declaration(key)


def _strict_scorer(relation: Relation, target: Type) -> tuple[Relation, TypeScorer] | None:
    """Return a search's strict relation and scorer; None if ``target`` cannot be searched."""
    if not isinstance(target, Object) or len(target.calls) != 1 or target.properties:
        return None
    scorers = TypeScorers(_Store(relation))
    strictness = Strictness.ASSIGNABLE
    return scorers.relation(strictness), scorers.function_scorer(target, (), strictness)


@pytest.mark.parametrize("name", FILES)
def test_quick_reject_refuses_no_assignable_type(name: str) -> None:
    accepted = refused = rejected_early = 0
    for case in read_cases(name):
        relation, source, target = relation_for(case.source, case.target, case.declares)
        strict = _strict_scorer(relation, target)
        if strict is not None:
            relation, scorer = strict
            verdict = scorer.verdict(source, None)
            if isinstance(relation.assign(source, target), Fit):
                accepted += 1
                assert isinstance(verdict, Fit), case
            else:
                refused += 1
                rejected_early += _is_quick_reject(verdict)
    assert name != "functions" or (accepted > 30 and rejected_early > refused / 4)


@pytest.mark.parametrize("name", FILES)
def test_quick_reject_refuses_no_assignable_type_inside_a_function(name: str) -> None:
    accepted = 0
    for case in read_cases(name):
        relation, source, target = relation_for(case.source, case.target, case.declares)
        of_target, of_source = Parameter("x", target), Parameter("x", source)
        for candidate, query in (
            (function((), source), function((), target)),
            (function((of_target,), VOID), function((of_source,), VOID)),
            (function((), Array(source)), function((), Array(target))),
        ):
            strict = _strict_scorer(relation, query)
            assert strict is not None
            strict_relation, scorer = strict
            if isinstance(strict_relation.assign(candidate, query), Fit):
                accepted += 1
                assert isinstance(scorer.verdict(candidate, None), Fit), case
    assert accepted > 80


def test_keys_inferred_from_a_type_without_keys_are_never() -> None:
    candidate = "<T extends string>(r: Record<T, unknown>) => T[]"
    query = "<R>(f: (n: number) => R) => R[] | undefined"
    relation, source, target = relation_for(candidate, query)
    strict = _strict_scorer(relation, target)
    assert strict is not None
    assert isinstance(strict[1].verdict(source, None), Fit)


def _is_quick_reject(verdict: Verdict) -> bool:
    return isinstance(verdict, Misfit) and verdict.code == "call"


@pytest.mark.parametrize(
    ("member", "query", "fits"),
    [
        ("of", "(s: string) => string[] | Set<string>", True),
        ("of", "(s: string) => string[]", False),
        ("first", "(all: string[]) => string", False),
        ("first", "(all: any) => string", True),
    ],
)
def test_members_are_compared_with_the_type_parameters_of_their_class_as_skolems(
    member: str, query: str, fits: bool
) -> None:
    relation, container, target = relation_for("Functor<'list'>", query, FUNCTORS)
    assert isinstance(container, Reference)
    strict = _strict_scorer(relation, target)
    assert strict is not None
    relation, scorer = strict
    declaration = relation.reducer.declaration(container.target)
    assert declaration is not None
    assert isinstance(declaration.type, Object)
    type_ = next(
        property_.type for property_ in declaration.type.properties if property_.name == member
    )
    verdict = scorer.verdict(scorer.member_type(type_, container.target), None)
    assert isinstance(verdict, Fit if fits else Misfit), verdict
    assert fits or _is_quick_reject(verdict)


def test_the_relation_pool_does_not_keep_its_store_alive() -> None:
    relation, source, target = relation_for(
        "(a: string) => Promise<1>", "(a: 'b') => Promise<number>"
    )
    assert isinstance(target, Object)
    store = _Store(relation)
    with TypeScorers(store) as scorers:
        scorer = scorers.function_scorer(target, (), Strictness.ASSIGNABLE)
        assert isinstance(scorer.verdict(source, None), Fit)
    reference = weakref.ref(store)
    del store, scorers, scorer
    gc.collect()
    assert reference() is None


def _collect_everything() -> None:
    """Collect until nothing is left: the pool of a store of another test dies after the store."""
    while gc.collect():
        pass


def _freed_by_the_collector() -> list[object]:
    """Collect garbage; return it, without free variables, each of which refers to itself."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        variables = [item for item in gc.garbage if isinstance(item, Free)]
        cycles = {id(part) for variable in variables for part in (variable, variable.free)}
        return [item for item in gc.garbage if id(item) not in cycles]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def test_a_search_leaves_no_reference_cycles() -> None:
    relation, source, target = relation_for("(a: string) => string", "(a: string) => string")
    assert isinstance(target, Object)
    store = _Store(relation)
    gc.disable()
    try:
        for _ in range(2):  # the first search fills the caches of the store
            _collect_everything()
            with TypeScorers(store) as scorers:
                scorer = scorers.function_scorer(target, ())
                assert isinstance(scorer.verdict(source, None), Fit)
            del scorers, scorer
        assert not _freed_by_the_collector()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "limits",
    [
        ["_MAX_HEADS"],
        ["_MAX_REDUCED_TYPES"],
        ["_MAX_REMEMBERED", "_MAX_SEARCHED"],
        ["_MAX_REMEMBERED", "_MAX_SEARCHED", "_MAX_VARIABLES"],
    ],
    ids=["heads", "reduced types", "a generation of each relation", "variables"],
)
def test_caches_over_their_size_are_freed_without_the_collector(
    monkeypatch: pytest.MonkeyPatch, limits: list[str]
) -> None:
    relation, source, target = relation_for(
        "<A>(a: A[]) => Partial<A>", "(a: { b: 1 }[]) => { b?: number }"
    )
    assert isinstance(target, Object)
    store = _Store(relation)
    for limit in limits:
        monkeypatch.setattr(relation_pool, limit, 0)
    gc.disable()
    try:
        costs = []
        for _ in range(4):
            with TypeScorers(store) as scorers:
                for strictness in (Strictness.ASSIGNABLE, Strictness.WITH_EDITS):
                    verdict = scorers.function_scorer(target, (), strictness).verdict(source, None)
                    assert isinstance(verdict, Fit)
                    costs.append(verdict.cost)
            del scorers
            if len(costs) == 4:
                _collect_everything()
        assert costs == costs[:2] * 4
        assert not _freed_by_the_collector()
    finally:
        gc.enable()


def test_a_search_does_not_begin_with_a_released_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    relation, source, target = relation_for("<A>(a: A[]) => A", "(a: string[]) => string")
    assert isinstance(target, Object)
    store = _Store(relation)
    waiting = TypeScorers(store)
    monkeypatch.setattr(relation_pool, "_MAX_HEADS", 0)
    TypeScorers(store)  # replaces the pool of the search above, which nothing uses yet
    with waiting as scorers:
        assert scoring._relation_pools[store] is scorers._relation_pool
        verdict = scorers.function_scorer(target, ()).verdict(source, None)
        assert isinstance(verdict, Fit)


def test_a_cache_that_a_search_uses_is_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    relation, source, target = relation_for("(a: string) => 1", "(a: 'b') => number")
    assert isinstance(target, Object)
    store = _Store(relation)
    for limit in ("_MAX_HEADS", "_MAX_REDUCED_TYPES", "_MAX_REMEMBERED", "_MAX_SEARCHED"):
        monkeypatch.setattr(relation_pool, limit, 0)
    with TypeScorers(store) as outer:
        scorer = outer.function_scorer(target, ())
        first = scorer.verdict(source, None)
        with TypeScorers(store) as inner:
            assert inner.function_scorer(target, ()).verdict(source, None) == first
        assert scorer.verdict(source, 400) == first
        assert outer.is_assignable(source, target)


@pytest.mark.parametrize(
    ("declared", "fits"),
    [
        ("type Found = never", False),
        ("type Found = any", False),
        ("type Found = { email: string; age: number }", True),
    ],
)
def test_an_alias_of_never_or_any_is_no_hit_of_a_type(declared: str, fits: bool) -> None:
    relation, source, target = relation_for("Found", "{ email: string }", declared)
    with TypeScorers(_Store(relation)) as scorers:
        assert isinstance(scorers.type_scorer(target).verdict(source, None), Fit) is fits
