"""A signature asked for in one call, read as two."""

from __future__ import annotations

import pytest

from typematch.ir.render import render
from typematch.query.signature.type_expr import read_signature
from typematch.search.score.curried_calls import curried


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(
            "(xs: T[], n: number) => T[][]",
            "<T>(n: number) => (xs: T[]) => T[][]",
            id="the value worked on comes last",
        ),
        pytest.param(
            "(a: string, b: number, c: boolean) => void",
            "(b: number, c: boolean) => (a: string) => void",
            id="of three the first",
        ),
        pytest.param("(a: string) => void", None, id="one argument is one call"),
        pytest.param("(a: string, b?: number) => void", None, id="what may be left out"),
        pytest.param("(a: string, ...b: number[]) => void", None, id="any number of arguments"),
        pytest.param("(a: string, ...) => void", None, id="further parameters"),
        pytest.param(
            "(a: unknown, b: number) => a is string",
            "(b: number) => (a: unknown) => a is string",
            id="a guard of the first",
        ),
        pytest.param("(a: T, b: unknown) => b is T", None, id="a guard of another argument"),
    ],
)
def test_curried(asked: str, expected: str | None) -> None:
    read = read_signature(asked)
    found = curried(read.type)
    assert (found and render(found, names=(read.variables,))) == (
        expected and render(read_signature(expected).type, names=(read.variables,))
    )
