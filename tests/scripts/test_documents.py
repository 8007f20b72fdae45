"""README.md, ARCHITECTURE.md and docs/ agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import check_vocabulary
from docs_tables import DOCUMENTS, rewritten
from typematch.serve.cli.main import COMMANDS

ROOT = DOCUMENTS.parent
README = ROOT / "README.md"
_PROSE = (README, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *DOCUMENTS.glob("*.md"))


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("*.md")), ids=lambda path: path.stem)
def test_tables_are_those_of_the_code(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert rewritten(text) == text, "run python scripts/docs_tables.py"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"## typematch {command}\n" in (DOCUMENTS / "cli.md").read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 250


@pytest.mark.parametrize("path", _PROSE, ids=lambda path: path.stem)
def test_links_lead_to_files_of_the_repository(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_pictures_are_small() -> None:
    pictures = re.findall(r"\]\((scripts/[^)]*\.png)\)", README.read_text(encoding="utf-8"))
    assert len(pictures) == 2
    assert all((ROOT / picture).stat().st_size < 250_000 for picture in pictures)


def test_every_script_that_the_readme_names_exists() -> None:
    for name in re.findall(r"scripts/[a-z_]+", README.read_text(encoding="utf-8")):
        assert (ROOT / name).exists() or (ROOT / f"{name}.py").exists(), name


def test_retired_names_do_not_come_back() -> None:
    assert not list(check_vocabulary.problems())
