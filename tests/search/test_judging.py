"""What a search refuses at a glance, the relation refuses too."""

from __future__ import annotations

import gc
import weakref

import pytest

from match.texts import cases, question
from typematch.ir.constructors import function
from typematch.ir.declaration import Declaration
from typematch.ir.types import VOID, Array, Object, Parameter, Reference, Type
from typematch.match.assignability.relation import Relation
from typematch.match.strictness import Strictness
from typematch.match.verdict import Fit, Misfit, Verdict
from typematch.search.score.scoring import TypeScorer, TypeScorers

FILES = ("plain", "functions", "objects", "computed")
FUNCTORS = (
    "interface All<A> { list: A[]; set: Set<A> }"
    "type Kind<F extends keyof All<any>, A> = F extends keyof All<any> ? All<A>[F] : any;"
    "interface Functor<F extends keyof All<any>> {"
    " of: <A>(a: A) => Kind<F, A>; first: <A>(all: Kind<F, A>) => A }"
)


class _Store:
    """The declarations that a relation knows."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation

    def get(self, key: str) -> Declaration | None:
        return self._relation.reducer.declaration(key)


def _asked(relation: Relation, target: Type) -> tuple[Relation, TypeScorer] | None:
    """Return a search's relation and its judge of ``target``, if one can search for that."""
    if not isinstance(target, Object) or len(target.calls) != 1 or target.properties:
        return None
    judges = TypeScorers(_Store(relation), Strictness.ASSIGNABLE)
    return judges.relation, judges.functions(target, ())


@pytest.mark.parametrize("name", FILES)
def test_what_the_relation_accepts_is_not_refused_at_a_glance(name: str) -> None:
    accepted = refused = seen = 0
    for case in cases(name):
        relation, source, target = question(case.source, case.target, case.declares)
        asked = _asked(relation, target)
        if asked is not None:
            relation, judge = asked
            verdict = judge.verdict(source, None)
            if isinstance(relation.assign(source, target), Fit):
                accepted += 1
                assert isinstance(verdict, Fit), case
            else:
                refused += 1
                seen += _is_at_a_glance(verdict)
    assert name != "functions" or (accepted > 30 and seen > refused / 4)


@pytest.mark.parametrize("name", FILES)
def test_nor_is_it_inside_a_function(name: str) -> None:
    accepted = 0
    for case in cases(name):
        relation, source, target = question(case.source, case.target, case.declares)
        taking, given = Parameter("x", target), Parameter("x", source)
        for found, wanted in (
            (function((), source), function((), target)),
            (function((taking,), VOID), function((given,), VOID)),
            (function((), Array(source)), function((), Array(target))),
        ):
            asked = _asked(relation, wanted)
            assert asked is not None
            strict, judge = asked
            if isinstance(strict.assign(found, wanted), Fit):
                accepted += 1
                assert isinstance(judge.verdict(found, None), Fit), case
    assert accepted > 80


def test_keys_inferred_from_what_has_none_are_never() -> None:
    found = "<T extends string>(r: Record<T, unknown>) => T[]"
    relation, source, target = question(found, "<R>(f: (n: number) => R) => R[] | undefined")
    asked = _asked(relation, target)
    assert asked is not None
    assert isinstance(asked[1].verdict(source, None), Fit)


def _is_at_a_glance(verdict: Verdict) -> bool:
    return isinstance(verdict, Misfit) and verdict.kind == "call"


@pytest.mark.parametrize(
    ("member", "asked", "fits"),
    [
        ("of", "(s: string) => string[] | Set<string>", True),
        ("of", "(s: string) => string[]", False),
        ("first", "(all: string[]) => string", False),
        ("first", "(all: any) => string", True),
    ],
)
def test_what_hangs_on_the_type_parameters_of_a_container(
    member: str, asked: str, fits: bool
) -> None:
    relation, container, target = question("Functor<'list'>", asked, FUNCTORS)
    assert isinstance(container, Reference)
    ready = _asked(relation, target)
    assert ready is not None
    relation, judge = ready
    declared = relation.reducer.declaration(container.target)
    assert declared is not None
    assert isinstance(declared.type, Object)
    found = next(one.type for one in declared.type.properties if one.name == member)
    verdict = judge.verdict(judge.member(found, container.target), None)
    assert isinstance(verdict, Fit if fits else Misfit), verdict
    assert fits or _is_at_a_glance(verdict)


def test_what_is_kept_for_a_store_goes_with_it() -> None:
    relation, source, target = question("(a: string) => Promise<1>", "(a: 'b') => Promise<number>")
    assert isinstance(target, Object)
    store = _Store(relation)
    with TypeScorers(store, Strictness.ASSIGNABLE) as judges:
        assert isinstance(judges.functions(target, ()).verdict(source, None), Fit)
    kept = weakref.ref(store)
    del store, judges
    gc.collect()
    assert kept() is None
