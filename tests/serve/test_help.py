from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Golden
from typematch.query.model import FACETS
from typematch.serve.cli.main import VERBS, main


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help(verb: str, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"] if verb else ["--help"]) == 0
    golden(f"help-{verb or 'typematch'}.txt", capsys.readouterr().out)


def test_the_help_of_search_lists_every_facet(capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "--help"])
    help_text = capsys.readouterr().out
    assert [key for key in FACETS if f"\n  {key} " not in help_text] == []


def test_no_verb_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: typematch VERB" in capsys.readouterr().err


def test_an_unknown_verb_is_corrected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serach", "x"]) == 2
    assert "Did you mean: typematch search" in capsys.readouterr().err


def test_options_may_stand_before_the_verb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--db", str(tmp_path / "none.db"), "search", "x"]) == 3
    assert "none.db: there is no database here" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["search", "--limit", "0", "x"], id="a limit below one"),
        pytest.param(["search", "--wat", "x"], id="an option that is none"),
        pytest.param(["show"], id="show without an id"),
    ],
)
def test_wrong_usage_is_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "usage: typematch" in capsys.readouterr().err
