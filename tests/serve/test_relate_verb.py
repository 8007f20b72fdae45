from __future__ import annotations

import json
from pathlib import Path

import pytest

from typematch.serve.cli.main import main


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["string[]", "Iterable<string>"], 0, "yes", id="assignable"),
        pytest.param(["string", "number"], 1, "no: $: string is not number", id="not"),
    ],
)
def test_relate(words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", *words]) == code
    assert capsys.readouterr().out.strip() == said


def test_relate_prints_the_wire_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", "--json", "{ a: 1 }", "{ a: 2 }"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "format": "typematch.relate/1",
        "source": "{ a: 1 }",
        "target": "{ a: 2 }",
        "verdict": "not-assignable",
        "reason": "$.a: 1 is not 2",
        "cost": None,
    }


def test_declarations_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shapes.ts"
    file.write_text("interface Circle { radius: number }", encoding="utf-8")
    words = ["relate", "Circle", "{ radius: number }", "--declarations", str(file)]
    assert main(words) == 0


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", "A", "B", "--declarations", "no/such.ts"]) == 2
    assert "no/such.ts" in capsys.readouterr().err


def test_a_bad_type_has_a_caret_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", "string[", "number"]) == 2
    error = capsys.readouterr().err
    assert "cannot read the type at column 7" in error
    assert "^" in error
    assert "Traceback" not in error
