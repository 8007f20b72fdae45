from __future__ import annotations

import json
from pathlib import Path

import pytest

from typematch.serve.cli.main import main


@pytest.mark.parametrize(
    ("words", "code", "output"),
    [
        pytest.param(["string[]", "Iterable<string>"], 0, "yes", id="assignable"),
        pytest.param(["string", "number"], 1, "no: $: string is not number", id="not assignable"),
    ],
)
def test_relate_prints_the_verdict(
    words: list[str], code: int, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["relate", *words]) == code
    assert capsys.readouterr().out.strip() == output


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


def test_declarations_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shapes.ts"
    file.write_text("interface Circle { radius: number }", encoding="utf-8")
    words = ["relate", "Circle", "{ radius: number }", "--declarations", str(file)]
    assert main(words) == 0


def test_a_missing_declarations_file_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", "A", "B", "--declarations", "no/such.ts"]) == 2
    assert "no/such.ts" in capsys.readouterr().err


def test_a_type_syntax_error_prints_a_caret(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relate", "string[", "number"]) == 2
    error = capsys.readouterr().err
    assert "cannot read the type at column 8: the type is incomplete" in error
    assert "^" in error
    assert "Traceback" not in error
