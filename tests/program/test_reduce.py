"""Reduction of types to head normal form, and instantiation."""

from __future__ import annotations

import pytest

from match.texts import relation_for
from typematch.ir.declaration import Declaration
from typematch.ir.type_parts import Element
from typematch.ir.types import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    Array,
    Conditional,
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
from typematch.program.reduction.variadic_tuples import normalize_tuple

ONE = Literal("number", "1")


class EmptyDeclarations:
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
        ("keyof (Pick<{ a: 1 }, never> & {})", "never"),
        ("Pick<{ a: 1 }, never> & {}", "Pick<{ b: 1 }, never>"),
    ],
)
def test_reduced_types(source: str, same: str) -> None:
    relation, s, t = relation_for(source, same)
    normal = relation.reducer.normal
    if not isinstance(normal(t), (Union, Literal)):
        assert identical(relation, s, t)
    else:
        assert normal(s) is normal(t)


def test_properties_are_inherited_from_bases_and_wrappers() -> None:
    relation, source, _ = relation_for(
        "I", "1", "interface B { m(): 1 } interface I extends B { p: 2 }"
    )
    reducer = relation.reducer
    assert set(reducer.members_of(source).names) == {"m", "p"}
    assert property_of(reducer, source, "toString") is not None
    assert property_of(reducer, STRING, "length") is not None
    assert property_of(reducer, source, "q") is None


def test_conditional_types_are_deferred_without_an_oracle() -> None:
    conditional = Conditional(STRING, NUMBER, ONE, STRING)
    assert Reducer(EmptyDeclarations()).normal(conditional) is conditional
    assert Reducer(EmptyDeclarations()).normal(Conditional(STRING, ANY, ONE, STRING)) is ONE


def test_instantiating_a_conditional_type_distributes_over_a_union() -> None:
    conditional = Conditional(Var(0, 0), STRING, Array(Var(0, 0)), NEVER, distributive=True)
    union = Union((STRING, NUMBER))
    opened: object = instantiate(conditional, (union,))
    assert isinstance(opened, Union)
    checks = {member.check for member in opened.members if isinstance(member, Conditional)}
    assert checks == {STRING, NUMBER}
    emptied: object = instantiate(conditional, (NEVER,))
    assert emptied is NEVER


def test_instantiating_a_homomorphic_mapped_type_keeps_arrays_and_tuples() -> None:
    from typematch.ir.types import IndexedAccess, KeyOf

    over = Mapped(KeyOf(Var(0, 0)), Array(IndexedAccess(Var(1, 0), Var(0, 0))))
    array: object = instantiate(over, (Array(STRING),))
    assert isinstance(array, Array)
    tuple_: object = instantiate(over, (Tuple((Element(STRING), Element(NUMBER, "optional"))),))
    assert isinstance(tuple_, Tuple)
    assert [element.kind for element in tuple_.elements] == ["required", "optional"]
    plain: object = instantiate(over, (STRING,))
    assert plain is STRING


def test_a_rest_element_in_the_middle_merges_elements_up_to_the_last_rest() -> None:
    elements = [
        Element(STRING),
        Element(Array(NUMBER), "variadic"),
        Element(ONE),
        Element(Array(STRING), "variadic"),
        Element(NUMBER),
    ]
    spread_out = normalize_tuple(elements, False, lambda t: t)
    assert isinstance(spread_out, Tuple)
    assert [element.kind for element in spread_out.elements] == ["required", "rest", "required"]


@pytest.mark.parametrize(
    "source",
    [
        "[]",
        "[1, 2]",
        "[1, 2?, 3?]",
        "readonly [a: 1, b?: 2]",
        "[1, ...string[]]",
        "[1, ...string[], 2]",
        "[...string[], 2]",
        "[1?, ...string[]]",
    ],
)
def test_a_property_of_a_tuple_is_the_one_among_its_members(source: str) -> None:
    relation, t, _ = relation_for(source, "1")
    reducer = relation.reducer
    for name in ("length", "0", "1", "2", "3", "01", "-1", "1.5", "9" * 5_000, "slice"):
        assert property_of(reducer, t, name) == reducer.members_of(t).get(name), name
