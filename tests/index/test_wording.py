"""Types said in English."""

from __future__ import annotations

import pytest

from typematch.index.text.verbalize import say_signature, say_type
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
def test_signature(signature: str, expected: str) -> None:
    read = read_signature(signature)
    [call] = read.type.calls
    assert say_signature(call, read.variables) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("Map<string, number>", "map from string to number", id="a map"),
        pytest.param("[string, number]", "pair of string and number", id="a pair"),
        pytest.param("{ userId: string }", "object with user id", id="fields"),
        pytest.param("{ [key: string]: Date }", "record object dictionary from string to date",
                     id="a dictionary"),
        pytest.param("HTTPHeaders", "http headers", id="a declared type"),
        pytest.param("any", "", id="nothing to say"),
    ],
)  # fmt: skip
def test_type(written: str, expected: str) -> None:
    assert say_type(read_type(written)) == expected


def test_a_type_that_never_ends_is_said_in_part() -> None:
    nested = read_type("[" * 60 + "string" + "]" * 60)
    assert not isinstance(nested, Object)
    assert say_type(nested).startswith("tuple of tuple")
