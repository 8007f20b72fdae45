"""``relate`` and ``assignable`` as one calls them from Python."""

from __future__ import annotations

import pytest

import typematch
from typematch.errors import TypeSyntaxError

SHAPES = """
export interface Shape { area(): number }
class Circle { constructor(readonly radius: number) {} area(): number { return 1 } }
type Pair<T> = [T, T];
declare const sizes: { small: 1; large: 2 };
"""


@pytest.mark.parametrize(
    ("source", "target", "declarations", "expected"),
    [
        pytest.param("string[]", "Iterable<string>", "", True, id="the library is there"),
        pytest.param("string", "number", "", False, id="no"),
        pytest.param("Circle", "Shape", SHAPES, True, id="a class by its structure"),
        pytest.param("Pair<1>", "Pair<number>", SHAPES, True, id="an alias of the declarations"),
        pytest.param("typeof sizes", "Record<string, number>", SHAPES, True, id="a value's type"),
        pytest.param("keyof typeof sizes", '"small"', SHAPES, False, id="a query of a value"),
    ],
)
def test_assignable(source: str, target: str, declarations: str, expected: bool) -> None:
    assert typematch.assignable(source, target, declarations) is expected


def test_declared_names_hide_the_globals() -> None:
    assert typematch.assignable("{ ok: 1 }", "Promise", "interface Promise { ok: number }")
    assert not typematch.assignable("{ ok: 1 }", "Promise<void>")


def test_capital_letters_and_underscores_are_names_like_any_other() -> None:
    assert typematch.assignable("T", "string", "type T = 'a'")
    assert not typematch.assignable("string", "_")


def test_a_misfit_says_where_and_why() -> None:
    verdict = typematch.relate("{ a: { b: string } }", "{ a: { b: number } }")
    assert isinstance(verdict, typematch.Misfit)
    assert verdict.path == "$.a.b"
    assert "string" in verdict.reason
    assert "number" in verdict.reason


def test_only_a_fit_is_true() -> None:
    assert isinstance(typematch.relate("1", "number"), typematch.Fit)
    assert typematch.relate("1", "number")
    assert not typematch.relate("number", "1")


def test_unreadable_types_are_errors_of_the_user() -> None:
    with pytest.raises(TypeSyntaxError) as caught:
        typematch.relate("string[", "number")
    assert caught.value.column == 6
    assert caught.value.exit_code == 2


def test_unreadable_declarations_count_for_what_is_readable() -> None:
    assert typematch.assignable("A", "string", "type A = 'x'; type B = ((((;")
