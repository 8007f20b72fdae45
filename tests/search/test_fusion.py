"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.search.fuse.fusion import WEIGHTS, reciprocal_rank_fusion
from typematch.search.score.ranks import ranks, tied_ranks

CHANNELS = st.dictionaries(
    st.sampled_from(["structural", "lexical", "dense"]),
    st.lists(st.integers(0, 30), unique=True, max_size=12).map(ranks),
)


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        pytest.param({"a": [1, 2], "b": [2, 3]}, [2, 1, 3], id="agreement beats one first place"),
        pytest.param({"a": [7], "b": []}, [7], id="an empty channel changes nothing"),
        pytest.param({}, [], id="no channel at all"),
    ],
)
def test_fusion_order(channels: dict[str, list[int]], expected: list[int]) -> None:
    scores = reciprocal_rank_fusion(
        {name: ranks(ordered) for name, ordered in channels.items()}, {"a": 1.0, "b": 1.0}
    )
    assert sorted(scores, key=lambda entry: (-scores[entry], entry)) == expected


@given(CHANNELS)
def test_fusion_does_not_depend_on_the_order_of_channels(
    channels: dict[str, dict[int, int]],
) -> None:
    reordered = dict(reversed(channels.items()))
    weights = WEIGHTS["signature"]
    assert reciprocal_rank_fusion(channels, weights) == reciprocal_rank_fusion(reordered, weights)


@given(CHANNELS)
def test_scores_are_at_most_one(channels: dict[str, dict[int, int]]) -> None:
    for score in reciprocal_rank_fusion(channels, WEIGHTS["sentence"]).values():
        assert 0.0 < score <= 1.0 + 1e-12


def test_equal_costs_share_a_rank() -> None:
    assert tied_ranks({5: 0, 6: 30, 7: 0, 8: 60}) == {5: 1, 7: 1, 6: 3, 8: 4}


def test_a_signature_has_more_weight_than_the_words_beside_it() -> None:
    weights = WEIGHTS["signature"]
    assert weights["structural"] > weights["lexical"] + weights["dense"] - 1e-9
