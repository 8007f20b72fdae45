"""Placeholders for the type parameters of candidates."""

from __future__ import annotations

import pytest

from typematch.index.masks.placeholders import OPEN, depends_on_open, with_placeholders
from typematch.ir.types import NUMBER, STRING, Array, Conditional, Type, Var


@pytest.mark.parametrize("depth", range(4))
def test_variables_of_all_enclosing_binders_are_open(depth: int) -> None:
    assert with_placeholders(Array(Var(depth, 0))) is Array(OPEN)


@pytest.mark.parametrize(("check", "extends"), [(OPEN, STRING), (STRING, OPEN)])
def test_the_branch_of_a_conditional_type_depends_on_open(check: Type, extends: Type) -> None:
    assert depends_on_open(Conditional(check, extends, STRING, NUMBER))
    assert not depends_on_open(Conditional(STRING, NUMBER, OPEN, OPEN))
