from __future__ import annotations

from typing import Any

import pytest

from typematch.errors import TypeSyntaxError
from typematch.evaluate.compiler.pairs import evaluate, report
from typematch.match.verdict import Fit, Misfit, Undecided, Verdict


def pair(assignable: bool, target: str = "number") -> dict[str, Any]:
    return {
        "id": "x1",
        "category": "c",
        "decls": "",
        "source": "string",
        "target": target,
        "assignable": assignable,
    }


@pytest.mark.parametrize(
    ("verdict", "assignable", "agreed"),
    [
        pytest.param(Fit(), True, 1, id="both accept"),
        pytest.param(Misfit("type", "string", "number"), False, 1, id="both refuse"),
        pytest.param(Misfit("type", "string", "number"), True, 0, id="we refuse"),
        pytest.param(Undecided("steps"), True, 0, id="undecided counts as a disagreement"),
        pytest.param(Undecided("steps"), False, 0, id="also where the compiler refuses"),
    ],
)
def test_agreement(verdict: Verdict, assignable: bool, agreed: int) -> None:
    result = evaluate([pair(assignable)], lambda *_: verdict)
    assert result["agreed"] == agreed
    assert len(result["disagreements"]) == 1 - agreed


def test_an_unreadable_text_is_one_disagreement() -> None:
    def relate(source: str, target: str, declarations: str) -> Verdict:
        assert (source, declarations) == ("string", "")
        if target == "(":
            raise TypeSyntaxError(target, 1, ("a type",))
        return Fit()

    result = evaluate([pair(True, "("), pair(True)], relate)
    assert (result["pairs"], result["agreed"], result["undecided"]) == (2, 1, 1)
    assert "cannot read the type" in report(result, show=True)
