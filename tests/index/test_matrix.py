"""Vectors in memory: bytes, scored as the floats that they stand for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from typematch.index.vectors.vector_matrix import Matrix
from typematch.index.vectors.vector_store import quantized

_DIMENSION = 64


def matrix_of(levels: NDArray[np.int8]) -> Matrix:
    """Return a matrix in which entry ``i`` has row ``i``."""
    lengths = np.linalg.norm(levels.astype(np.float32), axis=1)
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    numbers = np.arange(len(levels))
    none = np.empty(0, np.int64)
    return Matrix(levels, inverse, numbers, numbers.astype(np.int32), none, none.astype(np.int32))


def drawn(seed: int, rows: int) -> NDArray[np.int8]:
    return quantized(np.random.default_rng(seed).normal(size=(rows, _DIMENSION)).astype("f4"))


@given(st.integers(0, 1000), st.integers(1, 700), st.integers(1, 40))
def test_scores_are_cosines_the_nearest_first(seed: int, rows: int, limit: int) -> None:
    levels = drawn(seed, rows)
    found = matrix_of(levels).nearest(levels[0], limit)
    floats = levels.astype(np.float64)
    cosines = floats @ floats[0] / np.linalg.norm(floats, axis=1) / np.linalg.norm(floats[0])
    assert len(found) == min(limit, rows)
    assert np.allclose([score for _, score in found], np.sort(cosines)[::-1][:limit], atol=1e-6)


@given(st.integers(0, 1000), st.integers(2, 700))
def test_equal_vectors_tie_wherever_they_stand_and_come_in_order(seed: int, copies: int) -> None:
    asked, vector = drawn(seed, 2)
    found = matrix_of(np.tile(vector, (copies, 1))).nearest(asked, copies - 1)
    assert [entry for entry, _ in found] == list(range(copies - 1))
    assert len({score for _, score in found}) == 1


@given(st.integers(0, 1000), st.sets(st.integers(0, 499), min_size=1))
def test_some_score_as_they_do_among_all(seed: int, chosen: set[int]) -> None:
    matrix = matrix_of(drawn(seed, 300))
    asked = drawn(seed + 1, 1)[0]
    few = matrix.nearest_of(asked, np.array(sorted(chosen)), 300)
    assert few == [one for one in matrix.nearest(asked, 300) if one[0] in chosen]


def test_a_row_of_zeros_is_near_to_nothing() -> None:
    levels = np.zeros((1, _DIMENSION), dtype=np.int8)
    assert matrix_of(levels).nearest(drawn(1, 1)[0], 5) == [(0, 0.0)]
