"""Rest parameters of tuple types, taken apart."""

from __future__ import annotations

import pytest

from typematch.ir.render import render
from typematch.ir.rest_parameters import required_rest_types, with_positional_parameters
from typematch.ir.types import NUMBER, Object
from typematch.sources.typescript import read_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(...args: [a: string, b?: number]) => void", "(a: string, b?: number) => void"),
        ("(...args: [string, number]) => void", "(args_0: string, args_1: number) => void"),
        ("(x: 1, ...args: []) => void", "(x: 1) => void"),
        ("(...args: [a: 1, ...rest: 2[]]) => void", "(a: 1, ...rest: 2[]) => void"),
        ("(...args: [...2[]]) => void", "(...args: 2[]) => void"),
        (
            "(...args: [a: 1, ...b: 2[], c: 3]) => void",
            "(a: 1, ...args: [...b: 2[], c: 3]) => void",
        ),
        ("<T extends unknown[]>(...args: T) => void", "<T extends unknown[]>(...args: T) => void"),
        ("(...args: 2[]) => void", "(...args: 2[]) => void"),
    ],
)
def test_the_elements_of_a_rest_tuple_become_parameters(text: str, expected: str) -> None:
    function = read_type(text)
    assert isinstance(function, Object)
    assert render(Object(calls=(with_positional_parameters(function.calls[0]),))) == expected


def test_what_a_rest_parameter_requires() -> None:
    function = read_type("(a: 1, ...rest: [b: number, ...c: string[], d: Date]) => void")
    assert isinstance(function, Object)
    assert required_rest_types(function.calls[0]) == (NUMBER,)
