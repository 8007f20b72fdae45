from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Golden
from typematch.query.model import FACETS
from typematch.serve.cli.main import COMMANDS, main


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_of_every_command(
    command: str, golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"] if command else ["--help"]) == 0
    golden(f"help-{command or 'typematch'}.txt", capsys.readouterr().out)


def test_the_help_of_search_lists_every_facet(capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "--help"])
    help_text = capsys.readouterr().out
    assert [key for key in FACETS if f"\n  {key} " not in help_text] == []


def test_a_missing_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: typematch COMMAND" in capsys.readouterr().err


def test_an_unknown_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serach", "x"]) == 2
    assert "Did you mean: typematch search" in capsys.readouterr().err


def test_a_misspelled_command_after_options_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--db", "a.db", "serch", "x"]) == 2
    assert "no command 'serch'\nDid you mean: typematch search" in capsys.readouterr().err


def test_a_later_command_is_no_suggestion_for_an_unknown_first_word(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["zzz", "search", "x"]) == 2
    assert "there is no command 'zzz'\nThe commands are " in capsys.readouterr().err


def test_options_may_precede_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--db", str(tmp_path / "none.db"), "search", "x"]) == 3
    assert "none.db: there is no database here" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["search", "--limit", "0", "x"], id="limit below one"),
        pytest.param(["search", "--limit", "\u0663", "x"], id="a digit of another script"),
        pytest.param(["search", "--services", "all", "x"], id="all services"),
        pytest.param(["search", "--wat", "x"], id="unknown option"),
        pytest.param(["show"], id="show without an id"),
    ],
)
def test_wrong_usage_is_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "usage: typematch" in capsys.readouterr().err
