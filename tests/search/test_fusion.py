"""Merging rankings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.search.fuse.fusion import WEIGHTS, ranks, reciprocal_rank_fusion, tied_ranks

CHANNELS = st.dictionaries(
    st.sampled_from(["structural", "lexical", "dense"]),
    st.lists(st.integers(0, 30), unique=True, max_size=12).map(ranks),
)


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        pytest.param({"a": [1, 2], "b": [2, 3]}, [2, 1, 3], id="agreement beats one first place"),
        pytest.param({"a": [7], "b": []}, [7], id="an empty channel says nothing"),
        pytest.param({}, [], id="no channel at all"),
    ],
)
def test_order(channels: dict[str, list[int]], expected: list[int]) -> None:
    scores = reciprocal_rank_fusion(
        {name: ranks(found) for name, found in channels.items()}, {"a": 1.0, "b": 1.0}
    )
    assert sorted(scores, key=lambda one: (-scores[one], one)) == expected


@given(CHANNELS)
def test_the_order_of_the_channels_changes_nothing(channels: dict[str, dict[int, int]]) -> None:
    turned = dict(reversed(channels.items()))
    weights = WEIGHTS["typed"]
    assert reciprocal_rank_fusion(channels, weights) == reciprocal_rank_fusion(turned, weights)


@given(CHANNELS)
def test_scores_are_shares_of_the_best_possible(channels: dict[str, dict[int, int]]) -> None:
    for score in reciprocal_rank_fusion(channels, WEIGHTS["spoken"]).values():
        assert 0.0 < score <= 1.0 + 1e-12


def test_equal_costs_share_a_rank() -> None:
    assert tied_ranks({5: 0, 6: 30, 7: 0, 8: 60}) == {5: 1, 7: 1, 6: 3, 8: 4}


def test_a_signature_counts_more_than_words_beside_it() -> None:
    typed = WEIGHTS["typed"]
    assert typed["structural"] > typed["lexical"] + typed["dense"] - 1e-9
