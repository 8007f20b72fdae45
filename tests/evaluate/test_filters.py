from __future__ import annotations

from collections.abc import Mapping

import pytest

from typematch.evaluate.compiler.prefilter_soundness import SampledQuery, evaluate, report, tier_of
from typematch.ir.constructors import function
from typematch.ir.types import NUMBER, Object
from typematch.match.edit_kinds import AWAITED, Edit
from typematch.match.verdict import FIT, Fit, Misfit, Undecided, Verdict

QUERY = function([], NUMBER)
AWAIT = Fit((Edit(AWAITED),))
NO = Misfit("type", "string", "number")


def asked(tiers: list[list[int]], verdicts: Mapping[int, Verdict]) -> SampledQuery:
    def judge(number: int, query: Object) -> Verdict:
        assert query is QUERY
        return verdicts.get(number, NO)

    return SampledQuery("q1", "() => number", [QUERY], [tiers], judge)


@pytest.mark.parametrize(
    ("verdict", "tier"),
    [(FIT, 0), (AWAIT, 1), (NO, None), (Undecided("steps"), None)],
)
def test_tier_of_a_verdict(verdict: Verdict, tier: int | None) -> None:
    assert tier_of(verdict) == tier


@pytest.mark.parametrize(
    ("verdicts", "dropped"),
    [
        pytest.param({1: FIT, 2: AWAIT}, [], id="each in its tier"),
        pytest.param({2: FIT}, [(2, 0, 1)], id="free, and came a tier late"),
        pytest.param({4: AWAIT}, [(4, 1, 3)], id="cheap, and came last"),
        pytest.param({4: Undecided("steps")}, [], id="nobody knows"),
    ],
)
def test_what_costs_little_and_comes_late_was_dropped(
    verdicts: dict[int, Verdict], dropped: list[tuple[int, int, int]]
) -> None:
    result = evaluate([asked([[1], [2], [3], [4]], verdicts)], sample=None, seed=1)
    assert [(d["type"], d["due"], d["came"]) for d in result["dropped"]] == dropped
    assert result["judged"] == 3
    assert f"dropped though accepted: {len(dropped)}" in report(result, str)


def test_survivors_are_counted_tier_by_tier() -> None:
    result = evaluate([asked([[1], [2, 3], [], [4]], {})], sample=None, seed=1)
    assert [row["median"] for row in result["survivors"]] == [0.25, 0.75, 0.75, 1.0]


def test_a_query_that_sees_fewer_types_than_another_is_named() -> None:
    whole, part = asked([[1], [2], [], []], {}), asked([[1], [], [], []], {})
    part = SampledQuery("q2", part.text, part.types, part.tiers, part.judge)
    assert evaluate([whole, part], sample=None, seed=1)["incomplete"] == ["q2"]
