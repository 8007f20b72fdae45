"""Hostile types end: within the bound of counted steps, and the same way every time."""

from __future__ import annotations

import pytest

from match.texts import Declared, judged, question
from typematch.ir.constructors import object_type, union
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    NUMBER,
    STRING,
    Literal,
    Named,
    Object,
    Property,
    Reference,
)
from typematch.match.assignability.relation import Relation
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict
from typematch.program.reduction.limits import DEFAULT_LIMITS
from typematch.program.resolution.declaration_merging import Fragment, merge

NOTHING = Declared({})
DIGITS = "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';"


@pytest.mark.parametrize(
    ("declares", "source"),
    [
        pytest.param("type A<T> = A<A<T>>;", "A<1>", id="an alias of itself"),
        pytest.param("type A<T> = B<[T]>; type B<T> = A<[T]>;", "A<1>", id="aliases of each other"),
        pytest.param("type A<T> = T extends any ? A<[T]> : never;", "A<1>", id="endless condition"),
        pytest.param("type A<T> = { [K in keyof A<T>]: 1 };", "A<1>", id="a map over itself"),
        pytest.param(DIGITS, "`${D}${D}${D}${D}${D}${D}`", id="a million strings"),
        pytest.param(
            "type L<T extends any[]> = L<[...T, ...T]>;", "L<[1]>", id="a tuple that doubles"
        ),
    ],
)
def test_what_does_not_end_is_undecided_within_the_bound(declares: str, source: str) -> None:
    relation, s, t = question(source, "[string]", declares)
    assert isinstance(relation.assign(s, t), Undecided)
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps * 2


@pytest.mark.parametrize("target", ["unknown", "any"])
def test_what_takes_anything_takes_what_does_not_end(target: str) -> None:
    assert isinstance(judged("() => A<1>", f"() => {target}", "type A<T> = A<A<T>>;"), Fit)


def _literals(first: int, last: int) -> list[Literal]:
    return [Literal("string", f"v{number}") for number in range(first, last)]


def test_unions_of_ten_thousand_literals() -> None:
    relation = Relation(NOTHING)
    whole = union(_literals(0, 10_000))
    assert relation.assign(union(_literals(0, 9_999)), whole)
    assert isinstance(relation.assign(union(_literals(1, 10_001)), whole), Misfit)
    assert relation.assign(whole, STRING)
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps


def _wide(kind: Literal) -> Object:
    first = Property("p0", kind)
    return object_type([first, *(Property(f"p{n}", NUMBER) for n in range(1, 5_000))])


def test_objects_of_five_thousand_properties() -> None:
    relation = Relation(NOTHING)
    one, two = Literal("number", "1"), Literal("number", "2")
    assert relation.assign(_wide(one), object_type([Property("p4999", NUMBER)]))
    verdict = relation.assign(_wide(one), _wide(two))
    assert isinstance(verdict, Misfit)
    assert verdict.path == "$.p0"
    assert relation.reducer.steps <= DEFAULT_LIMITS.steps


def _linked(file: str, other: str, leaf: Literal) -> Declaration:
    body = object_type([Property("next", Reference(f"{other}#I")), Property("value", leaf)])
    return Declaration(f"{file}#I", "I", "interface", type=body)


@pytest.mark.parametrize(("kind", "verdict"), [("1", Fit), ("2", Misfit)])
def test_interfaces_that_name_each_other_across_files(kind: str, verdict: type[Verdict]) -> None:
    one, other = Literal("number", "1"), Literal("number", kind)
    declared = [
        _linked("a.ts", "b.ts", one),
        _linked("b.ts", "a.ts", one),
        _linked("c.ts", "d.ts", one),
        _linked("d.ts", "c.ts", other),
    ]
    relation = Relation(Declared({d.key: d for d in declared}))
    assert isinstance(relation.assign(Reference("c.ts#I"), Reference("a.ts#I")), verdict)


def test_what_an_import_did_not_bring_is_equal_only_to_itself() -> None:
    relation = Relation(NOTHING)
    missing, other = Named(("Gone",), module="gone"), Named(("Other",), module="gone")
    lost = Reference("gone.ts#Lost")
    assert relation.assign(missing, missing)
    assert relation.assign(lost, lost)
    for stranger in (other, lost, STRING, object_type([Property("a", STRING)])):
        assert isinstance(relation.assign(missing, stranger), Misfit)
        assert isinstance(relation.assign(stranger, missing), Misfit)


def test_a_declaration_merged_from_forty_files() -> None:
    key = "global#Everything"
    parts = [
        Fragment(
            key,
            "Everything",
            "interface",
            f"f{number}.ts",
            0,
            type=object_type([Property(f"p{number}", Literal("number", str(number)))]),
        )
        for number in range(40)
    ]
    whole = merge(key, parts)
    assert whole is not None
    relation = Relation(Declared({key: whole}))
    wanted = object_type([Property(f"p{n}", NUMBER) for n in range(40)])
    assert relation.assign(Reference(key), wanted)
    assert merge(key, parts[::-1]) == whole


@pytest.mark.parametrize(
    "declares",
    [
        "interface N<T> { next: N<N<T>>; v: T } type X = N<1>; type Y = N<string>;",
        "type X = { a: X | X[]; b: 1 }; type Y = { a: Y | Y[]; b: string };",
        DIGITS + "type X = `${D}-${D}-${D}`; type Y = `${D}-${string}`;",
        "type X = (f: (f: (x: X) => Y) => X) => Y; type Y = (f: X) => Y;",
    ],
)
def test_the_same_question_has_the_same_answer(declares: str) -> None:
    answers = {repr(judged("X", "Y", declares)) for _ in range(3)}
    assert len(answers) == 1
