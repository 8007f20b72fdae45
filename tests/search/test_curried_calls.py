"""A signature rewritten to two calls."""

from __future__ import annotations

import pytest

from typematch.ir.render import render
from typematch.query.signature.type_expr import read_signature
from typematch.search.score.curried_calls import curried


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        pytest.param(
            "(xs: T[], n: number) => T[][]",
            "<T>(n: number) => (xs: T[]) => T[][]",
            id="the first argument is passed last",
        ),
        pytest.param(
            "(a: string, b: number, c: boolean) => void",
            "(b: number, c: boolean) => (a: string) => void",
            id="the first of three arguments",
        ),
        pytest.param("(a: string) => void", None, id="one argument"),
        pytest.param("(a: string, b?: number) => void", None, id="an optional parameter"),
        pytest.param("(a: string, ...b: number[]) => void", None, id="a rest parameter"),
        pytest.param("(a: string, ...) => void", None, id="an ellipsis"),
        pytest.param(
            "(a: unknown, b: number) => a is string",
            "(b: number) => (a: unknown) => a is string",
            id="a type predicate on the first argument",
        ),
        pytest.param(
            "(a: T, b: unknown) => b is T", None, id="a type predicate on another argument"
        ),
    ],
)
def test_curried(signature: str, expected: str | None) -> None:
    parsed = read_signature(signature)
    rewritten = curried(parsed.type)
    assert (rewritten and render(rewritten, names=(parsed.variables,))) == (
        expected and render(read_signature(expected).type, names=(parsed.variables,))
    )
