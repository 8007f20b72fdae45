"""The relation says what the compiler says: the cases were judged by it."""

from __future__ import annotations

import pytest

from match.texts import Case, Declared, cases, judged, question
from typematch.ir.constructors import function, object_type, union
from typematch.ir.types import (
    NUMBER,
    STRING,
    THIS,
    Literal,
    Parameter,
    Property,
    Reference,
    Type,
    Var,
)
from typematch.match.assignability.class_members import ClassMemberSkolems
from typematch.match.assignability.relation import Relation, relate
from typematch.match.strictness import Strictness
from typematch.match.verdict import FIT, Fit, Misfit, Undecided
from typematch.program.reduction.limits import Limits

NOTHING = Declared({})
FILES = ("plain", "functions", "objects", "computed")


def _id(case: Case) -> str:
    return f"{case.source} => {case.target}"


@pytest.mark.parametrize("case", [c for name in FILES for c in cases(name)], ids=_id)
def test_the_compiler_agrees(case: Case) -> None:
    verdict = judged(case.source, case.target, case.declares)
    assert isinstance(verdict, Fit if case.fits else Misfit), verdict


@pytest.mark.parametrize("before", [1, 2, 5])
@pytest.mark.parametrize("name", FILES)
def test_how_many_variables_there_were_before_says_nothing(name: str, before: int) -> None:
    for case in cases(name):
        relation, source, target = question(case.source, case.target, case.declares)
        for _ in range(before):
            relation.reducer.fresh("T")
        verdict = relation.assign(source, target)
        assert isinstance(verdict, Fit if case.fits else Misfit), case


@pytest.mark.parametrize(
    ("source", "target", "path", "reason"),
    [
        pytest.param(
            "{ a: { b: 1 } }", "{ a: { b: string } }", "$.a.b", "1 is not string", id="property"
        ),
        pytest.param(
            "(a: string) => void",
            "(a: number) => void",
            "$.parameters[0]",
            "number is not string",
            id="parameter",
        ),
        pytest.param("() => 1", "() => string", "$.returns", "1 is not string", id="result"),
        pytest.param("[1, 2]", "[1, string]", "$[1]", "2 is not string", id="tuple"),
        pytest.param("Set<1>", "Set<string>", "$.arguments[0]", "1 is not string", id="argument"),
        pytest.param("{}", "{ a: 1 }", "$", "property a is missing in {}", id="missing property"),
    ],
)
def test_a_misfit_says_where_and_why(source: str, target: str, path: str, reason: str) -> None:
    verdict = judged(source, target)
    assert isinstance(verdict, Misfit)
    assert (verdict.path, verdict.reason) == (path, reason)


@pytest.mark.parametrize(
    ("declares", "source"),
    [
        pytest.param("type A<T> = A<A<T>>;", "A<1>", id="an alias that only grows"),
        pytest.param("type A<T> = T extends any ? A<[T]> : never;", "A<1>", id="endless condition"),
        pytest.param(
            "type L<N, A extends any[] = []> = A['length'] extends N ? A : L<N, [...A, 1]>;",
            "L<-1>",
            id="counting to a number that never comes",
        ),
        pytest.param(
            "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';",
            "`${D}${D}${D}${D}${D}${D}`",
            id="a million strings",
        ),
    ],
)
def test_endless_types_are_undecided(declares: str, source: str) -> None:
    assert isinstance(judged(source, "[string]", declares), Undecided)


def test_work_is_bounded_by_counted_steps() -> None:
    few = Limits(steps=20)
    many = "{ " + "; ".join(f"p{i}: {{ q: {i} }}" for i in range(40)) + " }"
    wide = "{ " + "; ".join(f"p{i}: {{ q: number }}" for i in range(40)) + " }"
    assert judged(many, wide, limits=few) == Undecided("more than 20 steps")
    assert judged(many, wide) == FIT


def test_the_next_question_has_its_full_budget() -> None:
    relation, source, target = question(
        "{ a: { b: 1 } }", "{ a: { b: string } }", limits=Limits(30)
    )
    for _ in range(20):
        assert isinstance(relation.assign(source, target), Misfit)


_BROAD = "interface Broad<T> { " + "; ".join(f"p{i}(a: T): [T, {i}]" for i in range(30)) + " }"
_TO_BROAD = ("Broad<'a'>", "Broad<string>", _BROAD)


def test_how_a_large_class_varies_is_found_out_by_whoever_has_the_patience() -> None:
    hasty, source, target = question(*_TO_BROAD, limits=Limits(steps=30))
    assert isinstance(hasty.assign(source, target), Undecided)
    patient, *_ = question(*_TO_BROAD)
    helped, *_ = question(*_TO_BROAD, limits=Limits(steps=30), patient=lambda: patient)
    assert helped.assign(source, target) == FIT


def test_what_takes_too_long_to_find_out_is_tried_once() -> None:
    hasty, source, target = question(*_TO_BROAD, limits=Limits(steps=30))
    helped, *_ = question(*_TO_BROAD, limits=Limits(steps=30), patient=lambda: hasty)
    verdicts = [helped.assign(source, target)]
    compared = hasty.compared
    verdicts.append(helped.assign(source, target))
    assert verdicts == [Undecided("how case.ts#Broad varies takes too long to find out")] * 2
    assert hasty.compared == compared > 0


def test_types_nested_beyond_the_limit_are_undecided() -> None:
    source, target = STRING, union((STRING, NUMBER))
    deep: tuple[Type, Type] = source, target
    for _ in range(200):
        deep = (
            object_type([Property("a", deep[0])]),
            object_type([Property("a", deep[1])]),
        )
    assert isinstance(Relation(NOTHING).assign(*deep), Undecided)


def test_a_large_union_of_literals_is_looked_up() -> None:
    members = [Literal("string", f"a{i}") for i in range(10_000)]
    relation = Relation(NOTHING)
    assert relation.assign(union(members[:-1]), union(members)) == FIT
    assert isinstance(relation.assign(union(members), union(members[1:])), Misfit)
    assert relation.compared < 10


def test_an_unresolved_reference_fits_only_itself() -> None:
    missing, other = Reference("gone.ts#A"), Reference("gone.ts#B")
    relation = Relation(NOTHING)
    assert relation.assign(missing, missing) == FIT
    assert isinstance(relation.assign(missing, other), Misfit)
    assert isinstance(relation.assign(missing, object_type()), Misfit)
    assert isinstance(relation.assign(object_type(), missing), Misfit)


def test_what_is_known_is_not_compared_again() -> None:
    relation, source, target = question("Map<string, 1>", "ReadonlyMap<string, number>")
    assert relation.assign(source, target) == FIT
    compared = relation.compared
    assert relation.assign(source, target) == FIT
    assert relation.compared == compared


def test_signatures_are_compared_as_functions_are() -> None:
    found = function([Parameter("a", union((STRING, NUMBER)))], STRING)
    asked = function([Parameter("b", STRING), Parameter("c", NUMBER)], STRING)
    relation = Relation(NOTHING)
    assert relation.assign_signature(found.calls[0], asked.calls[0]) == FIT
    assert isinstance(relation.assign_signature(asked.calls[0], found.calls[0]), Misfit)


def test_exact_asks_both_ways() -> None:
    wide, narrow = union((STRING, NUMBER)), STRING
    assert relate(narrow, wide, declarations=NOTHING) == FIT
    exact = relate(narrow, wide, declarations=NOTHING, strictness=Strictness.EXACT)
    assert isinstance(exact, Misfit)


def test_a_member_is_seen_from_outside_with_the_constraints_of_its_container() -> None:
    relation, container, _ = question(
        "C<'a'>", "1", "interface C<T extends string> { one(): T; itself(): this }"
    )
    assert isinstance(container, Reference)
    key = container.target
    asked = function([], Reference(key, (STRING,)))
    containers = ClassMemberSkolems(relation.reducer)
    itself = containers.opened(function([], THIS), key)
    assert relation.assign(itself, asked) == FIT
    assert containers.opened(function([], THIS), key) is itself
    one = containers.opened(function([], Var(0, 0)), key)
    assert relation.assign(one, function([], STRING)) == FIT
    assert isinstance(relation.assign(one, function([], Literal("string", "a"))), Misfit)
    plain = function([], NUMBER)
    assert containers.opened(plain, key) is plain
