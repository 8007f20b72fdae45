"""Tables are made by lark and kept; a cache that is damaged or cannot be written does no harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from typematch.query.signature import grammar
from typematch.query.signature.grammar import compile_table, grammar_text, table
from typematch.query.signature.lexer import tokenize

STARTS = ("type", "signature")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one's own, nothing read yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    table.cache_clear()
    return tmp_path / "typematch"


def _reads() -> bool:
    return table("types", STARTS).parse(tokenize("(a: string) => Foo[]"), "type") is not None


def test_a_table_is_made_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _reads()
    [kept] = cache.iterdir()
    assert kept.suffix == ".json"
    table.cache_clear()
    monkeypatch.setattr(grammar, "compile_table", None)  # would fail if it were made again
    assert _reads()


@pytest.mark.parametrize(
    "damage", ["", "{}", "[1, 2", '{"states": 3, "rules": [], "starts": {}, "ends": {}}']
)
def test_a_damaged_table_is_made_anew(cache: Path, damage: str) -> None:
    assert _reads()
    [kept] = cache.iterdir()
    kept.write_text(damage)
    table.cache_clear()
    assert _reads()
    assert len(kept.read_text()) > 1000


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    table.cache_clear()
    assert _reads()


def test_with_its_table_a_query_is_read_without_lark(cache: Path) -> None:
    script = (
        "import sys; from typematch.query.parse import parse; parse('(string) => number');"
        "print('lark' in sys.modules)"
    )
    shown = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert cache.is_dir()
    assert shown == ["True", "False"]


def test_no_rule_hides_another() -> None:
    # lark refuses reduce/reduce conflicts; every rule that is written can also be used.
    data = compile_table(grammar_text("types"), STARTS)
    labels = {rule[2] for rule in data["rules"]}
    assert {"conditional", "conditional_infer", "mapped", "pattern", "further", "getter"} <= labels
