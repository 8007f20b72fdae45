"""Constraints of a query's variables that its types imply."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from typematch.index.store import Store
from typematch.ir.render import render
from typematch.ir.types import Object
from typematch.query.parse import parse
from typematch.search.prepare.implied_constraints import with_implied_constraints

_STORE = cast(Store, SimpleNamespace(get=lambda _: None))


@pytest.mark.parametrize(
    ("query", "binder"),
    [
        pytest.param("(xs: T[], key: K) => T[K]", "<T, U extends keyof T>", id="indexed access"),
        pytest.param("(f: (x: T[K]) => void, k: K) => T", "<T, U extends keyof T>", id="nested"),
        pytest.param("(f: (...args: A) => T) => A", "<T extends unknown[], U>", id="rest"),
        pytest.param("<T, K extends 'a'>(x: T, k: K) => T[K]", '<T, U extends "a">', id="written"),
        pytest.param("(f: <K>(k: K) => T[K]) => T", "<T>", id="a variable of an inner function"),
        pytest.param("(x: T) => T", "<T>", id="none"),
    ],
)
def test_a_variable_has_the_constraints_that_types_imply(query: str, binder: str) -> None:
    signature = parse(query).signature
    assert signature is not None
    assert isinstance(signature, Object)
    call = with_implied_constraints(signature.calls[0], _STORE)
    assert render(Object(calls=(call,))).startswith(f"{binder}(")
