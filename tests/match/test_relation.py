"""The relation beyond its cases: misfits, limits, caches, signatures and class members."""

from __future__ import annotations

import pytest

from match.texts import Declared, read_cases, relate_texts, relation_for
from typematch.ir.constructors import function, object_type, union
from typematch.ir.type_parts import Parameter, Property
from typematch.ir.types import NUMBER, STRING, THIS, Literal, Reference, Type, Var
from typematch.match.assignability.class_members import ClassMemberSkolems
from typematch.match.assignability.relation import Relation
from typematch.match.verdict import FIT, Fit, Misfit, Undecided
from typematch.program.reduction.limits import Limits

NO_DECLARATIONS = Declared({})
FILES = ("plain", "functions", "objects", "computed")


@pytest.mark.parametrize("before", [1, 2, 5])
@pytest.mark.parametrize("name", FILES)
def test_verdicts_do_not_depend_on_earlier_variables(name: str, before: int) -> None:
    for case in read_cases(name):
        relation, source, target = relation_for(case.source, case.target, case.declares)
        for _ in range(before):
            relation.reducer.fresh_variable("T")
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
def test_a_misfit_has_a_path_and_a_reason(source: str, target: str, path: str, reason: str) -> None:
    verdict = relate_texts(source, target)
    assert isinstance(verdict, Misfit)
    assert (verdict.path, verdict.reason) == (path, reason)


@pytest.mark.parametrize(
    ("declares", "source"),
    [
        pytest.param(
            "type A<T> = A<A<T>>;", "A<1>", id="alias that expands to a larger use of itself"
        ),
        pytest.param(
            "type A<T> = T extends any ? A<[T]> : never;", "A<1>", id="conditional type without end"
        ),
        pytest.param(
            "type L<N, A extends any[] = []> = A['length'] extends N ? A : L<N, [...A, 1]>;",
            "L<-1>",
            id="recursion to a length that is never reached",
        ),
        pytest.param(
            "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';",
            "`${D}${D}${D}${D}${D}${D}`",
            id="template of a million strings",
        ),
    ],
)
def test_non_terminating_types_are_undecided(declares: str, source: str) -> None:
    assert isinstance(relate_texts(source, "[string]", declares), Undecided)


def test_work_is_bounded_by_counted_steps() -> None:
    few = Limits(steps=20)
    many = "{ " + "; ".join(f"p{i}: {{ q: {i} }}" for i in range(40)) + " }"
    wide = "{ " + "; ".join(f"p{i}: {{ q: number }}" for i in range(40)) + " }"
    assert relate_texts(many, wide, limits=few) == Undecided("more than 20 steps")
    assert relate_texts(many, wide) == FIT


def test_each_comparison_has_its_own_budget() -> None:
    relation, source, target = relation_for(
        "{ a: { b: 1 } }", "{ a: { b: string } }", limits=Limits(30)
    )
    for _ in range(20):
        assert isinstance(relation.assign(source, target), Misfit)


_BROAD = "interface Broad<T> { " + "; ".join(f"p{i}(a: T): [T, {i}]" for i in range(30)) + " }"
_TO_BROAD = ("Broad<'a'>", "Broad<string>", _BROAD)


def test_a_variance_has_a_budget_of_its_own() -> None:
    limits = Limits(steps=30)
    computing, source, target = relation_for(*_TO_BROAD, limits=limits, computes_variances=True)
    assert isinstance(computing.assign(source, target), Undecided)
    relation, *_ = relation_for(*_TO_BROAD, limits=limits)
    assert relation.assign(source, target) == FIT
    full, *_ = relation_for(*_TO_BROAD, computes_variances=True)
    sharing, *_ = relation_for(*_TO_BROAD, limits=limits, variance_fallback=lambda: full)
    assert sharing.assign(source, target) == FIT


def test_a_variance_that_exceeds_the_limits_is_attempted_once() -> None:
    limits = Limits(steps=30)
    computing, source, target = relation_for(*_TO_BROAD, limits=limits, computes_variances=True)
    relation, *_ = relation_for(*_TO_BROAD, limits=limits, variance_fallback=lambda: computing)
    verdicts = [relation.assign(source, target)]
    comparisons = computing.comparisons
    verdicts.append(relation.assign(source, target))
    assert verdicts == [Undecided("the variance of case.ts#Broad exceeds the limits")] * 2
    assert computing.comparisons == comparisons > 0


def test_types_nested_beyond_the_limit_are_undecided() -> None:
    source, target = STRING, union((STRING, NUMBER))
    deep: tuple[Type, Type] = source, target
    for _ in range(200):
        deep = (
            object_type([Property("a", deep[0])]),
            object_type([Property("a", deep[1])]),
        )
    assert isinstance(Relation(NO_DECLARATIONS).assign(*deep), Undecided)


def test_large_unions_of_literals_are_compared_by_set_lookup() -> None:
    members = [Literal("string", f"a{i}") for i in range(10_000)]
    relation = Relation(NO_DECLARATIONS)
    assert relation.assign(union(members[:-1]), union(members)) == FIT
    assert isinstance(relation.assign(union(members), union(members[1:])), Misfit)
    assert relation.comparisons < 10


def test_an_unresolved_reference_is_assignable_only_to_itself() -> None:
    missing, another = Reference("gone.ts#A"), Reference("gone.ts#B")
    relation = Relation(NO_DECLARATIONS)
    assert relation.assign(missing, missing) == FIT
    assert isinstance(relation.assign(missing, another), Misfit)
    assert isinstance(relation.assign(missing, object_type()), Misfit)
    assert isinstance(relation.assign(object_type(), missing), Misfit)


def test_a_known_pair_is_not_compared_again() -> None:
    relation, source, target = relation_for("Map<string, 1>", "ReadonlyMap<string, number>")
    assert relation.assign(source, target) == FIT
    comparisons = relation.comparisons
    assert relation.assign(source, target) == FIT
    assert relation.comparisons == comparisons


def test_assign_signature_compares_two_functions() -> None:
    source = function([Parameter("a", union((STRING, NUMBER)))], STRING)
    target = function([Parameter("b", STRING), Parameter("c", NUMBER)], STRING)
    relation = Relation(NO_DECLARATIONS)
    assert relation.assign_signature(source.calls[0], target.calls[0]) == FIT
    assert isinstance(relation.assign_signature(target.calls[0], source.calls[0]), Misfit)


def test_class_type_parameters_become_skolems_with_their_constraints() -> None:
    relation, container, _ = relation_for(
        "C<'a'>", "1", "interface C<T extends string> { one(): T; itself(): this }"
    )
    assert isinstance(container, Reference)
    key = container.target
    target = function([], Reference(key, (STRING,)))
    skolems = ClassMemberSkolems(relation.reducer)
    itself = skolems.skolemized(function([], THIS), key)
    assert relation.assign(itself, target) == FIT
    assert skolems.skolemized(function([], THIS), key) is itself
    member = skolems.skolemized(function([], Var(0, 0)), key)
    assert relation.assign(member, function([], STRING)) == FIT
    assert isinstance(relation.assign(member, function([], Literal("string", "a"))), Misfit)
    plain = function([], NUMBER)
    assert skolems.skolemized(plain, key) is plain
