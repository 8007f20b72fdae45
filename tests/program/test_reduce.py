"""Types reduce to what they stand for; without a judge, only conditions stay open."""

from __future__ import annotations

import pytest

from match.texts import question
from typematch.ir.declaration import Declaration
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    Array,
    Conditional,
    Element,
    Literal,
    Mapped,
    Tuple,
    Union,
    Var,
)
from typematch.match.assignability.identity import identical
from typematch.program.reduction.instantiate import instantiate
from typematch.program.reduction.members import property_of
from typematch.program.reduction.reduce import Reducer
from typematch.program.reduction.variadic_tuples import spread

ONE = Literal("number", "1")


class Nothing:
    def get(self, _key: str, /) -> Declaration | None:
        return None


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("keyof { a: 1; b: 2 }", "'a' | 'b'"),
        ("{ a: 1; b?: 2 }['b']", "2 | undefined"),
        ("[1, 2][number]", "1 | 2"),
        ("string | 'a'", "string"),
        ("string & 'a'", "'a'"),
        ("('a' | 'b') & ('b' | 'c')", "'b'"),
        ("`${'a' | 'b'}${1}`", "'a1' | 'b1'"),
        ("Uppercase<'ab'>", "'AB'"),
        ("[...[1, 2], 3]", "[1, 2, 3]"),
        ("{ k: 'a' } & { k: 'b' }", "never"),
        ("{ [K in 'a']: K }", "{ a: 'a' }"),
    ],
)
def test_reduction(source: str, same: str) -> None:
    relation, s, t = question(source, same)
    normal = relation.reducer.normal
    if not isinstance(normal(t), (Union, Literal)):
        assert identical(relation, s, t)
    else:
        assert normal(s) is normal(t)


def test_members_are_found_through_wrappers_and_heritage() -> None:
    relation, source, _ = question(
        "I", "1", "interface B { m(): 1 } interface I extends B { p: 2 }"
    )
    reducer = relation.reducer
    assert set(reducer.shape(source).names) == {"m", "p"}
    assert property_of(reducer, source, "toString") is not None
    assert property_of(reducer, STRING, "length") is not None
    assert property_of(reducer, source, "q") is None


def test_a_condition_waits_for_a_judge() -> None:
    asked = Conditional(STRING, NUMBER, ONE, STRING)
    assert Reducer(Nothing()).normal(asked) is asked
    assert Reducer(Nothing()).normal(Conditional(STRING, ANY, ONE, STRING)) is ONE


def test_opening_a_condition_distributes_over_a_union() -> None:
    asked = Conditional(Var(0, 0), STRING, Array(Var(0, 0)), NEVER, distributive=True)
    union = Union((STRING, NUMBER))
    opened: object = instantiate(asked, (union,))
    assert isinstance(opened, Union)
    checks = {member.check for member in opened.members if isinstance(member, Conditional)}
    assert checks == {STRING, NUMBER}
    emptied: object = instantiate(asked, (NEVER,))
    assert emptied is NEVER


def test_opening_a_mapped_type_keeps_arrays_and_tuples() -> None:
    from typematch.ir.types import IndexedAccess, KeyOf

    over = Mapped(KeyOf(Var(0, 0)), Array(IndexedAccess(Var(1, 0), Var(0, 0))))
    array: object = instantiate(over, (Array(STRING),))
    assert isinstance(array, Array)
    tuple_: object = instantiate(over, (Tuple((Element(STRING), Element(NUMBER, "optional"))),))
    assert isinstance(tuple_, Tuple)
    assert [element.kind for element in tuple_.elements] == ["required", "optional"]
    plain: object = instantiate(over, (STRING,))
    assert plain is STRING


def test_a_middle_rest_swallows_up_to_the_last() -> None:
    elements = [
        Element(STRING),
        Element(Array(NUMBER), "variadic"),
        Element(ONE),
        Element(Array(STRING), "variadic"),
        Element(NUMBER),
    ]
    spread_out = spread(elements, False, lambda t: t)
    assert isinstance(spread_out, Tuple)
    assert [element.kind for element in spread_out.elements] == ["required", "rest", "required"]
