"""Types in English words."""

from __future__ import annotations

import pytest

from typematch.index.text.verbalize import signature_words, type_words
from typematch.ir.types import Object
from typematch.query.signature.type_expr import read_signature
from typematch.sources.typescript import read_type


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        pytest.param(
            "(items: T[], size: number) => T[][]",
            "takes list of T items and number size, returns list of list of T",
            id="lists",
        ),
        pytest.param("() => void", "takes nothing, returns nothing", id="nothing"),
        pytest.param(
            "(path: string) => Promise<string>",
            "takes string path, returns promise of string",
            id="a promise",
        ),
        pytest.param(
            "(x: unknown) => x is string",
            "takes x, type guard tells whether it is string",
            id="a guard",
        ),
        pytest.param(
            "(xs: T[], f: (x: T) => boolean) => T | undefined",
            "takes list of T xs and predicate function from T f, returns T or undefined",
            id="a predicate",
        ),
    ],
)
def test_the_words_of_a_signature(signature: str, expected: str) -> None:
    parsed = read_signature(signature)
    [call] = parsed.type.calls
    assert signature_words(call, parsed.variables) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("Map<string, number>", "map from string to number", id="a map"),
        pytest.param("[string, number]", "pair of string and number", id="a pair"),
        pytest.param("{ userId: string }", "object with user id", id="fields"),
        pytest.param("{ [key: string]: Date }", "record object dictionary from string to date",
                     id="an index signature"),
        pytest.param("HTTPHeaders", "http headers", id="a declared type"),
        pytest.param("any", "", id="no words"),
    ],
)  # fmt: skip
def test_the_words_of_a_type(written: str, expected: str) -> None:
    assert type_words(read_type(written)) == expected


def test_deeply_nested_types_are_cut_off() -> None:
    nested = read_type("[" * 60 + "string" + "]" * 60)
    assert not isinstance(nested, Object)
    assert type_words(nested).startswith("tuple of tuple")
