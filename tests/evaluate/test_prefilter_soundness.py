from __future__ import annotations

from collections.abc import Mapping

import pytest

from typematch.evaluate.compiler.prefilter_soundness import SampledQuery, evaluate, report, tier_of
from typematch.ir.constructors import function
from typematch.ir.types import NUMBER, Object
from typematch.match.edit_kinds import AWAITED, Edit
from typematch.match.verdict import FIT, Fit, Misfit, Undecided, Verdict

QUERY = function([], NUMBER)
AWAITED_FIT = Fit((Edit(AWAITED),))
MISFIT = Misfit("type", "string", "number")


def sampled(tiers: list[list[int]], verdicts: Mapping[int, Verdict]) -> SampledQuery:
    def match(type_id: int, query: Object) -> Verdict:
        assert query is QUERY
        return verdicts.get(type_id, MISFIT)

    return SampledQuery("q1", "() => number", [QUERY], [tiers], match)


@pytest.mark.parametrize(
    ("verdict", "tier"),
    [(FIT, 0), (AWAITED_FIT, 1), (MISFIT, None), (Undecided("steps"), None)],
)
def test_the_tier_of_a_verdict_is_the_first_that_admits_its_cost(
    verdict: Verdict, tier: int | None
) -> None:
    assert tier_of(verdict) == tier


@pytest.mark.parametrize(
    ("verdicts", "dropped"),
    [
        pytest.param({1: FIT, 2: AWAITED_FIT}, [], id="every fit in its tier"),
        pytest.param({2: FIT}, [(2, 0, 1)], id="cost 0 in tier 1"),
        pytest.param({4: AWAITED_FIT}, [(4, 1, 3)], id="tier 1 cost after the last tier"),
        pytest.param({4: Undecided("steps")}, [], id="undecided"),
    ],
)
def test_a_fit_in_a_later_tier_than_its_cost_admits_is_reported(
    verdicts: dict[int, Verdict], dropped: list[tuple[int, int, int]]
) -> None:
    result = evaluate([sampled([[1], [2], [3], [4]], verdicts)], sample=None, seed=1)
    assert [(d["type"], d["expected_tier"], d["found_tier"]) for d in result["dropped"]] == dropped
    assert result["matched"] == 3
    assert f"fits dropped by a filter: {len(dropped)}" in report(result, str)


def test_survivors_are_counted_cumulatively_by_tier() -> None:
    result = evaluate([sampled([[1], [2, 3], [], [4]], {})], sample=None, seed=1)
    assert [row["median"] for row in result["survivors"]] == [0.25, 0.75, 0.75, 1.0]


def test_a_query_with_fewer_types_than_another_is_reported() -> None:
    whole, part = sampled([[1], [2], [], []], {}), sampled([[1], [], [], []], {})
    part = SampledQuery("q2", part.text, part.types, part.tiers, part.match)
    assert evaluate([whole, part], sample=None, seed=1)["incomplete"] == ["q2"]
