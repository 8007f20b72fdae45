"""Texts that patterns would read again and again; before, each of these took minutes."""

from __future__ import annotations

import pytest

from typematch.sources.typescript.normalize import REPAIRS
from typematch.sources.typescript.parse_context import fold
from typematch.sources.typescript.read import read_module

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


def test_a_file_whose_errors_take_too_long_to_parse_has_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # tree-sitter takes time quadratic in the number of these.
    text = b"/[" * 20_000
    monkeypatch.setattr("typematch.sources.typescript.read._MAX_SECONDS", 0.0)
    module = read_module(text, path="long.ts")
    assert module.unreadable == "syntax errors that take too long to parse"
    monkeypatch.undo()
    assert read_module(b"export declare function f(): 1;", path="next.ts").unreadable == ""
