"""Texts that patterns would read again and again; before, each of these took minutes."""

from __future__ import annotations

import pytest

from typematch.sources.typescript.normalize import REPAIRS
from typematch.sources.typescript.parse_context import fold

_COUNT = 150_000


@pytest.mark.parametrize("part", ['\\"', '"a\\', "/* ", "`\\", "/* */\n", "\n"])
def test_long_texts_are_repaired_and_folded_in_one_pass(part: str) -> None:
    text = f"f(\n{part * _COUNT}"
    for repair in REPAIRS:
        assert repair(text.encode()).startswith(b"f(")
    assert fold(text).startswith("f(")


def test_lines_of_short_texts_still_get_semicolons() -> None:
    insert_semicolons = REPAIRS[-1]
    assert insert_semicolons(b"a\n(b)") == b"a;(b)"
    assert insert_semicolons(b"/* open\n(b)") == b"/* open\n(b)"
