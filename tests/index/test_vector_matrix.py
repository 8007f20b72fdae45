"""Vectors in memory: bytes are scored like the floats they approximate."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from typematch.index.vectors.blocks import BLOCK_ROWS, product_rows
from typematch.index.vectors.quantization import quantized
from typematch.index.vectors.vector_matrix import VectorMatrix

_DIMENSION = 64


def matrix_of(levels: NDArray[np.int8]) -> VectorMatrix:
    """Return a matrix in which entry ``i`` has row ``i``."""
    lengths = np.linalg.norm(levels.astype(np.float32), axis=1)
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    numbers = np.arange(len(levels))
    none, no_rows = np.empty(0, np.int64), np.empty(0, np.int32)
    rows = numbers.astype(np.int32)
    return VectorMatrix(levels, inverse, numbers, rows, none, no_rows, (), no_rows)


def random_levels(seed: int, rows: int) -> NDArray[np.int8]:
    return quantized(np.random.default_rng(seed).normal(size=(rows, _DIMENSION)).astype("f4"))


@given(st.integers(0, 1000), st.integers(1, 700), st.integers(1, 40))
def test_scores_are_cosines_highest_first(seed: int, rows: int, limit: int) -> None:
    levels = random_levels(seed, rows)
    found = matrix_of(levels).nearest(levels[0], limit)
    floats = levels.astype(np.float64)
    cosines = floats @ floats[0] / np.linalg.norm(floats, axis=1) / np.linalg.norm(floats[0])
    assert len(found) == min(limit, rows)
    assert np.allclose([score for _, score in found], np.sort(cosines)[::-1][:limit], atol=1e-6)


@given(st.integers(0, 1000), st.integers(2, 700))
def test_equal_vectors_have_equal_scores_and_come_in_order_of_entry(seed: int, copies: int) -> None:
    query, vector = random_levels(seed, 2)
    found = matrix_of(np.tile(vector, (copies, 1))).nearest(query, copies - 1)
    assert [entry for entry, _ in found] == list(range(copies - 1))
    assert len({score for _, score in found}) == 1


@given(st.integers(0, 1000), st.sets(st.integers(0, 499), min_size=1))
def test_a_subset_scores_as_among_all_entries(seed: int, chosen: set[int]) -> None:
    matrix = matrix_of(random_levels(seed, 300))
    query = random_levels(seed + 1, 1)[0]
    subset = matrix.nearest_among(query, np.array(sorted(chosen)), 300)
    assert subset == [hit for hit in matrix.nearest(query, 300) if hit[0] in chosen]


def test_a_zero_vector_has_cosine_zero() -> None:
    levels = np.zeros((1, _DIMENSION), dtype=np.int8)
    assert matrix_of(levels).nearest(random_levels(1, 1)[0], 5) == [(0, 0.0)]


@given(st.integers(1, 10_000), st.integers(1, 4_096))
def test_a_product_of_matrices_is_too_small_to_be_split_over_threads(
    columns: int, dimension: int
) -> None:
    rows = product_rows(columns, dimension)
    assert 1 <= rows <= BLOCK_ROWS
    assert rows == 1 or rows * columns * dimension < 400_000


@given(st.integers(0, 1000), st.integers(1, 40), st.integers(1, 700))
def test_cosines_are_the_same_in_blocks_of_any_size(seed: int, count: int, rows: int) -> None:
    levels = random_levels(seed, rows)
    vectors = np.random.default_rng(seed).normal(size=(count, _DIMENSION)).astype("f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    floats = levels.astype(np.float64) / np.linalg.norm(levels.astype(np.float64), axis=1)[:, None]
    cosines = matrix_of(levels).cosines(vectors, np.arange(rows))
    assert np.allclose(cosines, vectors @ floats.T, atol=1e-5)
