"""Parse tables are compiled by lark and cached; a damaged or read-only cache is not an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from typematch.query.signature import grammar
from typematch.query.signature.grammar import compile_table, grammar_text, load_table
from typematch.query.signature.lexer import tokenize

STARTS = ("type", "signature")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, with nothing loaded."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load_table.cache_clear()
    return tmp_path / "typematch"


def _parses() -> bool:
    return load_table("types", STARTS).parse(tokenize("(a: string) => Foo[]"), "type") is not None


def test_a_table_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _parses()
    [cached] = cache.iterdir()
    assert cached.suffix == ".json"
    load_table.cache_clear()
    monkeypatch.setattr(grammar, "compile_table", None)  # fails if it is called again
    assert _parses()


@pytest.mark.parametrize(
    "damage", ["", "{}", "[1, 2", '{"states": 3, "rules": [], "starts": {}, "ends": {}}']
)
def test_a_damaged_table_is_compiled_again(cache: Path, damage: str) -> None:
    assert _parses()
    [cached] = cache.iterdir()
    cached.write_text(damage)
    load_table.cache_clear()
    assert _parses()
    assert len(cached.read_text()) > 1000


def test_parsing_works_without_a_writable_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    load_table.cache_clear()
    assert _parses()


def test_parsing_with_a_cached_table_does_not_import_lark(cache: Path) -> None:
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


def test_every_rule_is_reachable() -> None:
    # lark rejects reduce/reduce conflicts, so rules are in the table unless they are unreachable.
    data = compile_table(grammar_text("types"), STARTS)
    labels = {rule[2] for rule in data["rules"]}
    assert {"conditional", "conditional_infer", "mapped", "pattern", "ellipsis", "getter"} <= labels
