"""Facets as query text: what is written is read again as the same values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.query.model import Constraint, Glob, TypeValue
from typematch.query.parse import parse
from typematch.query.read_as import constraint_text, facet_text, value_text
from typematch.query.signature.type_expr import read_type
from typematch.query.split import facet_values

# A value has no escapes: a quotation mark within it may end it.
_TEXTS = st.text(st.sampled_from("aZ1 ,/'`()[]{}<>|&-:*?=\t\n"), max_size=12).filter(str.strip)
TYPES = [
    "string",
    "string | number",
    "readonly string[]",
    "keyof User",
    "typeof x.y",
    "Map<string, User>",
    "() => void",
    "{ a: 1; b: 2 }",
    "[first: A, B]",
    '"a" | "b"',
    "Record<'a b', number>",
]


@given(st.lists(_TEXTS, min_size=1, max_size=3))
def test_values_of_a_facet_are_read_as_written(values: list[str]) -> None:
    text = facet_text("-name", values)
    query = parse(f'{text}  it\'s `a` "phrase" (x) arity:1')
    assert query.constraints[0] == Constraint("name", tuple(map(Glob, values)), negated=True)
    assert constraint_text(query.constraints[0]) == text
    assert facet_values("-name", text.removeprefix("-name:")) == values


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("key", ["returns", "param"])
def test_types_in_a_facet_are_read_as_written(key: str, type_: str) -> None:
    query = parse(f"{facet_text(key, [type_, 'Date'])}  kind:function word")
    types = (TypeValue(read_type(type_), type_), TypeValue(read_type("Date"), "Date"))
    assert query.constraints[0] == Constraint(key, types)
    assert query.words == "word"
    [_, text, _] = query.read_as.split("  ", 2)
    assert parse(text).constraints == query.constraints[:1]


def test_fields_with_a_type_are_read_as_written() -> None:
    query = parse('has:"id: keyof User"')
    assert query.read_as == 'has:"id:keyof User"'
    assert parse(query.read_as).constraints == query.constraints


@pytest.mark.parametrize(
    ("key", "text", "values"),
    [
        ("kind", "method", ["method"]),
        ("kind", "method, class", ["method", "class"]),
        ("name", "a b", ["a b"]),
        ("service", '"Orders,Billing", Pets', ["Orders,Billing", "Pets"]),
        (
            "returns",
            "Map<string, User>, readonly string[]",
            ["Map<string, User>", "readonly string[]"],
        ),
        ("-returns", '"a" | "b"', ['"a" | "b"']),
        ("unknown", "a b", ["a b"]),
        ("kind", "method,", ["method", ""]),
        ("kind", "", [""]),
    ],
)
def test_values_of_a_facet_alone_need_no_quotes(key: str, text: str, values: list[str]) -> None:
    assert facet_values(key, text) == values


@pytest.mark.parametrize(
    ("facet", "texts"),
    [('name:"a b",c', ["a b", "c"]), ('param:"keyof A"', ["keyof A"]), ("arity:2..", ["2.."])],
)
def test_texts_of_values_have_no_quotes(facet: str, texts: list[str]) -> None:
    [constraint] = parse(facet).constraints
    assert [value_text(value) for value in constraint.values] == texts
