"""README.md says what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from readme_tables import README, written
from typematch.serve.cli.main import VERBS


def test_its_tables_are_those_of_the_code() -> None:
    text = README.read_text(encoding="utf-8")
    assert written(text) == text, "run python scripts/readme_tables.py"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented(verb: str) -> None:
    assert f"`typematch {verb}" in README.read_text(encoding="utf-8")


def test_its_pictures_are_there_and_small() -> None:
    named = re.findall(r"\]\((scripts/[^)]*\.png)\)", README.read_text(encoding="utf-8"))
    assert len(named) == 2
    for name in named:
        assert (Path(README).parent / name).stat().st_size < 250_000


def test_every_script_that_it_names_exists() -> None:
    root = Path(README).parent
    for name in ("demo", "test", "check"):
        assert f"scripts/{name}" in README.read_text(encoding="utf-8")
        assert (root / "scripts" / name).is_file()
