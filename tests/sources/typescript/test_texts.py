"""Statements over several lines, as they are shown: on one."""

from __future__ import annotations

import pytest

from typematch.sources.typescript import read_module


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        pytest.param(
            "function f(\n  a: string,\n  b: number,\n): void;",
            "function f(a: string, b: number): void",
            id="parameters",
        ),
        pytest.param("type A =\n  | 'x'\n  | 'y';", "type A = 'x' | 'y'", id="a union"),
        pytest.param(
            "type A = {\n  a: string;\n  b: 1;\n};", "type A = { a: string; b: 1 }", id="an object"
        ),
        pytest.param(
            "type A = [\r\n  a: 1,\r\n  b: 2,\r\n];",
            "type A = [a: 1, b: 2]",
            id="a tuple, other line ends",
        ),
        pytest.param(
            "type A<\n  T,\n> = Array<\n  | T\n  | 1\n>;",
            "type A<T> = Array<T | 1>",
            id="type arguments",
        ),
        pytest.param(
            "type A = (\n  a: 1, // one\n) => void;",
            "type A = (a: 1) => void",
            id="a comment behind the last",
        ),
        pytest.param(
            "type A = { f(): void;\n g?: () =>\n  | 1\n  | 2 };",
            "type A = { f(): void; g?: () => 1 | 2 }",
            id="a result",
        ),
        pytest.param(
            "type A = T extends B\n  ? C\n  : D;", "type A = T extends B ? C : D", id="a condition"
        ),
    ],
)
def test_a_text_reads_as_if_it_stood_on_one_line(written: str, shown: str) -> None:
    [declared] = read_module(written.encode(), path="a.d.ts").scope.declarations
    assert declared.text == shown
