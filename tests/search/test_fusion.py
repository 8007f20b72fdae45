"""The fusion of the channels' scores."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.index.store import EntrySummary
from typematch.search.fuse.fusion import cost_score, fused_scores
from typematch.search.retrieve.lexical import entry_weight
from typematch.search.score.ranks import relative_scores, tied_ranks
from typematch.search.score.weights import WEIGHTS, Priors

CHANNELS = st.dictionaries(
    st.sampled_from(["structural", "lexical", "dense"]),
    st.dictionaries(st.integers(0, 30), st.floats(0.0, 1.0), max_size=12),
)


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        pytest.param(
            {"a": {1: 1.0, 2: 0.9}, "b": {2: 1.0, 3: 0.8}}, [2, 1, 3], id="agreement comes first"
        ),
        pytest.param(
            {"a": {1: 1.0, 2: 0.2}, "b": {3: 0.9, 2: 0.3}}, [1, 3, 2], id="unless it is weak"
        ),
        pytest.param({"a": {7: 1.0}, "b": {}}, [7], id="an empty channel changes nothing"),
        pytest.param({}, [], id="no channel at all"),
    ],
)
def test_fusion_order(channels: dict[str, dict[int, float]], expected: list[int]) -> None:
    scores = fused_scores(channels, {"a": 1.0, "b": 1.0})
    assert sorted(scores, key=lambda entry: (-scores[entry], entry)) == expected


@given(CHANNELS)
def test_fusion_does_not_depend_on_the_order_of_channels(
    channels: dict[str, dict[int, float]],
) -> None:
    reordered = dict(reversed(channels.items()))
    weights = WEIGHTS.channels["signature"]
    assert fused_scores(channels, weights) == fused_scores(reordered, weights)


@given(CHANNELS)
def test_scores_are_from_zero_to_one(channels: dict[str, dict[int, float]]) -> None:
    for score in fused_scores(channels, WEIGHTS.channels["sentence"]).values():
        assert 0.0 <= score <= 1.0 + 1e-12


def test_a_channel_without_a_weight_is_ignored() -> None:
    assert fused_scores({"a": {1: 1.0}, "other": {2: 1.0}}, {"a": 1.0}) == {1: 1.0, 2: 0.0}


def test_the_best_score_of_a_channel_is_one_and_no_entry_is_lost() -> None:
    assert relative_scores({1: 8.0, 2: 2.0, 3: 0.0}) == {1: 1.0, 2: 0.25, 3: 0.0}
    assert relative_scores({1: 0.0, 2: -1.0}) == {1: 0.0, 2: 0.0}
    assert relative_scores({}) == {}


def test_a_match_without_cost_scores_one_and_an_undecided_one_zero() -> None:
    costs = (0.0, 50.0, 150.0, math.inf)
    assert [cost_score(cost, 50.0) for cost in costs] == [1.0, 0.5, 0.25, 0.0]


def test_equal_costs_share_a_rank() -> None:
    assert tied_ranks({5: 0, 6: 30, 7: 0, 8: 60}) == {5: 1, 7: 1, 6: 3, 8: 4}


def test_a_signature_has_more_weight_than_the_words_beside_it() -> None:
    weights = WEIGHTS.channels["signature"]
    assert weights["structural"] > weights["lexical"] + weights["dense"]


def test_types_that_are_only_mentioned_have_less_weight_than_described_ones() -> None:
    assert WEIGHTS.channels["mention"]["structural"] < WEIGHTS.channels["sentence"]["structural"]


def summary(
    kind: str = "function",
    *,
    exported: bool = True,
    deprecated: bool = False,
    callable_: bool = True,
) -> EntrySummary:
    return EntrySummary(1, "p#x", "x", "p", "p.d.ts", 1, kind, exported, deprecated, callable_)


def test_fields_internals_and_deprecated_entries_weigh_less_than_functions() -> None:
    priors = Priors()
    assert entry_weight(summary(), priors) == entry_weight(summary("property"), priors) == 1.0
    others = [
        summary("property", callable_=False),
        summary("const", callable_=False),
        summary("class", callable_=False),
        summary(exported=False),
        summary(deprecated=True),
    ]
    assert all(entry_weight(other, priors) < 1.0 for other in others)
